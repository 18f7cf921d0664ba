"""A result below zero where the question asks how much: an objection that the model can answer or mend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from agent_scenes import bench, formula, found, given, quantity

from mathrag.llm.seams import ScriptedModel
from mathrag.reason.agent import Episode, EpisodeResult
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.reason.agent.react.chain_judge import ModelJudge
from mathrag.reason.agent.result_judge import asks_amount
from mathrag.reason.agent.seams import Support, Verdict
from mathrag.types.answer import Answer, Refusal, Step
from mathrag.types.episode import Action
from mathrag.types.question import Question

LOST = "A flywheel has 500 J and later 350 J. How much energy is lost?"
CHANGED = "A flywheel has 500 J and later 350 J. What is the change of its energy?"
LAW = formula("f-change", "D = E - A", {"D": ("energy change", "J"), "E": ("later energy", "J"), "A": ("energy", "J")})
RETRIEVE = Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "energy"})
CALL = Action("CALL_TOOL", {"formula_id": "f-change", "target": "D", "parameters": {"E": "given_2", "A": "given_1"}})
SIZE = Action("COMPUTE", {"expression": "abs(result_1)", "meaning": "energy"})
RESPOND = Action("RESPOND", {})


def no_support(_steps: Sequence[Step]) -> Support:
    return Support()


def run(text: str, *script: Action, judge: Any = None) -> EpisodeResult:
    values = (given("500 J", text, quantity(500, "J")), given("350 J", text, quantity(350, "J")))
    question = Question(text, "compute", values)
    retrieved = replace(found(extra=(LAW,)), find_support=no_support)
    agreeing = judge or (lambda *_: Verdict(is_answer=True, reason="yes"))
    return Episode(ScriptedPlanner((RETRIEVE, *script)), bench(question, retrieved, judge_chain=agreeing)).run(question)


def test_a_negative_amount_comes_back_once_and_can_be_mended() -> None:
    result = run(LOST, CALL, RESPOND, SIZE, RESPOND)
    told = result.events[2].observation
    assert told.code == "objections"
    assert "how much" in told.message
    assert isinstance(result.outcome, Answer)
    assert result.outcome.quantity.value == pytest.approx(150)
    assert not any("without its sign" in each for each in result.outcome.warnings)


def test_who_says_why_the_sign_is_right_is_heard_and_the_answer_says_what_it_means() -> None:
    because = Action("RESPOND", {"because": "the energy goes down, which the sign says"})
    outcome = run(LOST, CALL, RESPOND, because).outcome
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == pytest.approx(-150)
    assert any("without its sign" in each for each in outcome.warnings)


def test_what_may_be_negative_is_not_objected_to() -> None:
    outcome = run(CHANGED, CALL, RESPOND).outcome
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == pytest.approx(-150)


def test_the_second_look_hears_of_the_sign_and_of_what_is_asked() -> None:
    model = ScriptedModel(["It should be positive.\nVerdict: no"] * 3)
    because = Action("RESPOND", {"because": "it is lost"})
    outcome = run(LOST, CALL, because, because, judge=ModelJudge(model)).outcome
    assert isinstance(outcome, Refusal)
    shown = model.requests[0].messages[-1].text
    assert "The last result is negative" in shown
    assert "how much" in shown
    silent = ScriptedModel(["Fine.\nVerdict: yes"])
    run(CHANGED, CALL, RESPOND, judge=ModelJudge(silent))
    assert "does not say that it asks for an amount" in silent.requests[0].messages[-1].text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A cart of 2.5 kg slows down. How much heat is set free?", "how much"),
        ("What is the magnitude of the acceleration?", "magnitude"),
        ("What is the loss of charge?", "loss"),
        ("Compute the decrease of the pressure.", "decrease"),
        ("How much work is done by the brake?", ""),
        ("How much does the voltage change?", ""),
        ("How much is lost? No. What is the x component of the force?", ""),
        ("It lost 3 J. What is the velocity?", ""),
        ("What is the focal length?", ""),
    ],
)
def test_whether_a_question_asks_for_an_amount(text: str, words: str) -> None:
    assert asks_amount(Question(text, "compute")) == words
