"""When the rules ask a model, and when they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from agent_scenes import GAS_CHOICE, gas_question

from mathrag.reason.agent.react.planner import SURE, reason_to_ask
from mathrag.types.answer import Answer, Refusal, RefusalCode, Reply
from mathrag.types.quantity import Quantity
from mathrag.types.question import Question
from outcome_samples import RMS_SPEED

ASKED = gas_question()


def refused(code: RefusalCode) -> Refusal:
    return Refusal(ASKED.text, code, "because")


def reason(outcome: Answer | Refusal | Reply, question: Question | None = ASKED, unused: tuple[str, ...] = ()) -> str:
    return reason_to_ask(outcome, question, choices=(replace(GAS_CHOICE, unused=unused),), candidates=("f-gas",))


@pytest.mark.parametrize("code", ["unsure", "no_formula", "failed"])
def test_where_the_rules_do_not_know(code: RefusalCode) -> None:
    assert reason(refused(code))
    assert not reason_to_ask(refused(code), ASKED)


@pytest.mark.parametrize("code", ["contradiction", "impossible", "unit", "missing", "language", "empty", "too_long"])
def test_where_the_rules_are_sure_of_a_no(code: RefusalCode) -> None:
    assert reason(refused(code)) == ""


def test_a_missing_value_beside_one_left_over() -> None:
    assert "left over" in reason(refused("missing"), unused=("300 K",))


def test_answers_by_their_confidence() -> None:
    assert reason(replace(RMS_SPEED, confidence=SURE)) == ""
    assert "not sure" in reason(replace(RMS_SPEED, confidence=SURE - 0.01))
    direct = Answer("2+2", Quantity(4), 1, (), 0.1)
    assert reason(direct) == ""


def test_what_asks_for_no_number() -> None:
    assert reason(Reply("hi", "hello")) == ""
    assert reason(refused("no_formula"), replace(ASKED, intent="chat")) == ""
    assert reason(refused("no_formula"), None) == ""
    assert "understand" in reason(refused("unit"), replace(ASKED, intent="ambiguous"))
