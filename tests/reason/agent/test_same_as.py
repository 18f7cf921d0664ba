"""Whether a result is what is asked goes by dimension and by definition: what its name usually means can be answered
with a quote that defines it, and with nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from agent_scenes import bench, formula, found, given, quantity

from mathrag.reason.agent import Episode, EpisodeResult
from mathrag.reason.agent.planners import ScriptedPlanner
from mathrag.reason.agent.result_judge import not_what_is_asked
from mathrag.reason.agent.said_definitions import built_dimensions, definition_in
from mathrag.reason.agent.seams import Support, Verdict
from mathrag.types.answer import Answer, Refusal, Step
from mathrag.types.document import Place
from mathrag.types.episode import Action
from mathrag.types.library import Span
from mathrag.types.question import Question, Target

LAMP = "A lamp of 60 W shines on 3 m^2. The glow of a surface is the power per unit area. What is the average glow?"
GLOW = Target("average glow", ("average", "glow"), kinds=("luminous_flux",))
DEFINED = "The glow of a surface is the power per unit area."
HEAT = formula("f-heat", "Q = P t", {"Q": ("heat", "J"), "P": ("power", "W"), "t": ("time", "s")}, label="heat")
RETRIEVE = Action("RETRIEVE_MATH_KNOWLEDGE", {"query": "glow"})
RESPOND = Action("RESPOND", {})


def compute(expression: str) -> Action:
    return Action("COMPUTE", {"expression": expression, "meaning": "glow"})


def same(quote: str, **inputs: Any) -> Action:
    return Action("SAME_AS", {"quote": quote, **inputs})


def lamp(text: str = LAMP, **changes: Any) -> Question:
    values = (given("60 W", text, quantity(60, "W")), given("3 m^2", text, quantity(3, "m^2")))
    return replace(Question(text, "compute", values, targets=(GLOW,)), **changes)


def run(*script: Action, question: Question | None = None, **functions: Any) -> EpisodeResult:
    def no_support(_steps: Sequence[Step]) -> Support:
        return Support()

    asked = question or lamp()
    retrieved = replace(found(extra=(HEAT,)), find_support=no_support)
    agreeing = {"judge_chain": lambda *_: Verdict(is_answer=True, reason="yes"), **functions}
    return Episode(ScriptedPlanner((RETRIEVE, *script)), bench(asked, retrieved, **agreeing)).run(asked)


def codes(result: EpisodeResult) -> list[str]:
    return [event.observation.code for event in result.events[1:]]


def test_a_quotient_that_the_question_defines_is_answered_with_its_words() -> None:
    result = run(compute("given_1 / given_2"), RESPOND, same(DEFINED), RESPOND, RESPOND)
    assert codes(result)[:3] == ["tool_result", "computed_something_else", "identified"]
    told = result.events[2].observation.message
    assert "average glow" in told
    assert "SAME_AS" in told
    assert isinstance(result.outcome, Answer)
    assert result.outcome.quantity.value == pytest.approx(20)


def test_a_definition_may_stand_in_a_document() -> None:
    text = "A lamp of 60 W shines on 3 m^2. What is the average glow?"
    span = Span("notes", Place(line=7), f"On light. {DEFINED} It fades.")
    wanted = {"question": lamp(text), "find_passages": lambda _words, **_: (span,)}
    outcome = run(compute("given_1 / given_2"), RESPOND, same(DEFINED), RESPOND, RESPOND, **wanted).outcome
    assert isinstance(outcome, Answer)
    unsaid = run(compute("given_1 / given_2"), RESPOND, same("Glow is power per area."), RESPOND, **wanted)
    assert codes(unsaid)[2] == "quote_not_found"
    assert isinstance(unsaid.outcome, Refusal)


@pytest.mark.parametrize(
    ("expression", "quote", "code"),
    [
        ("given_1 / given_2", "The glow of a surface is the charge per unit area.", "quote_not_found"),
        ("given_1 / given_2", "A lamp of 60 W shines on 3 m^2.", "not_a_definition"),
        ("given_1 / given_2", "What is the average glow?", "not_a_definition"),
        ("given_1 / given_2", "average glow", "not_a_definition"),
        ("given_1 * given_2", DEFINED, "dimension"),
        ("given_2 / given_1", DEFINED, "dimension"),
        ("2 * given_1 / given_2", DEFINED, "not_a_definition"),
        ("given_1 / (given_2 + given_2)", DEFINED, "not_a_definition"),
        ("given_1 / given_2", "the power per unit area", "not_a_definition"),
        ("given_1 / given_2", DEFINED.upper(), "identified"),
        ("given_1 / given_2 * cos(given_1 / (given_1 + given_1))", DEFINED, "number_without_source"),
    ],
)
def test_only_what_the_words_spell_out_is_taken(expression: str, quote: str, code: str) -> None:
    result = run(compute(expression), RESPOND, same(quote), RESPOND, RESPOND)
    assert code in codes(result)
    assert isinstance(result.outcome, Answer) is (code == "identified")


def test_nobody_says_so_unasked_or_of_another_result() -> None:
    assert codes(run(compute("given_1 / given_2"), same(DEFINED)))[1] == "nothing_doubted"
    result = run(compute("given_1 / given_2"), RESPOND, compute("2 * given_1 / given_2"), same(DEFINED))
    assert codes(result)[3] == "nothing_doubted"


def test_a_unit_that_is_asked_for_stays_asked_for() -> None:
    in_joules = lamp(units=(quantity(1, "J").unit,), unit_text="J")
    result = run(compute("given_1 / given_2"), RESPOND, same(DEFINED), RESPOND, question=in_joules)
    assert "dimension" in codes(result)
    assert isinstance(result.outcome, Refusal)


def test_each_result_is_objected_to_once() -> None:
    result = run(compute("given_1 + given_1"), RESPOND, compute("given_2 + given_2"), RESPOND, RESPOND)
    assert codes(result)[1::2][:2] == ["computed_something_else", "computed_something_else"]
    assert isinstance(result.outcome, Refusal)


@pytest.mark.parametrize(
    ("phrase", "dimensions"),
    [
        ("mean power per area", {"kg/s^3"}),
        ("average power per unit area of the beam", {"kg/s^3"}),
        ("fractional increase in length", {"1"}),
        ("relative change of its volume", {"1"}),
        ("ratio of the mass to the volume", {"kg/m^3"}),
        ("ratio of the two speeds", {"1"}),
        ("energy per kilogram", {"m^2/s^2"}),
        ("product of mass and speed", {"m*kg/s"}),
        ("rate of change of the momentum", {"m*kg/s^2"}),
        ("mass times the speed squared", set()),
        ("power of the fraction", set()),
        ("average speed", set()),
    ],
)
def test_the_dimension_of_a_phrase_by_its_build(phrase: str, dimensions: set[str]) -> None:
    assert {str(each) for each in built_dimensions(phrase)} == dimensions


@pytest.mark.parametrize(
    ("quote", "phrase", "is_definition"),
    [
        ("The intensity of a wave is the power per unit area.", "intensity of the beam", True),
        ("The relative change of length is called strain.", "strain in the rod", True),
        ("Density: mass divided by volume", "average density", True),
        ("A power factor is the work per charge.", "power", False),
        ("The loss of power is the energy per charge.", "power", False),
        ("Kinetic energy is half the mass times the speed squared.", "kinetic energy", False),
        ("How much work is force per area?", "work", False),
        ("work is done by a force", "work", False),
    ],
)
def test_what_defines_what_is_asked(quote: str, phrase: str, is_definition: bool) -> None:
    assert (definition_in(quote, Target(phrase)) is not None) is is_definition


def test_a_share_is_told_from_what_it_is_a_share_of() -> None:
    text = "A rod of 2 m grows by 3 m. What is the fractional increase in length?"
    question = Question(text, "compute", (), targets=(Target("fractional increase in length", kinds=("length",)),))
    values = (given("2 m", text, quantity(2, "m")), given("3 m", text, quantity(3, "m")))
    outcome = run(compute("given_2 / given_1"), RESPOND, RESPOND, question=replace(question, givens=values)).outcome
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == pytest.approx(1.5)


def test_a_letter_of_the_question_may_be_another_thing_of_the_same_kind() -> None:
    text = "A cart has v = 3 m/s. What is its speed later?"
    before = given("v = 3 m/s", text, quantity(3, "m/s"), symbol="v")
    asked = Question(text, "compute", (before,), targets=(Target("speed", kinds=("speed",)),))
    law = formula("f-v", "v = s / t", {"v": ("speed", "m/s"), "s": ("way", "m"), "t": ("time", "s")})
    assert law.equation is not None
    later = Step(1, law, law.equation, "v", (), quantity(4, "m/s"), 2, "exact")
    assert not_what_is_asked(asked, later) == ""
    assert not_what_is_asked(asked, replace(later, result=quantity(3, "m/s")))
