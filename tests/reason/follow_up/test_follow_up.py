"""Follow-ups: which of the last values they change, where the new ones say they come from, what is no follow-up."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.answer.cards.content import origin_text
from mathrag.reason.follow_up import FollowUp, follow_up, with_origins
from mathrag.types.answer import Answer, Provenance, Refusal
from outcome_samples import CHAT, MISSING, OUTCOMES, RMS_SPEED, asked, quantity

CASES = tomllib.loads((Path(__file__).parent / "follow_ups.toml").read_text(encoding="utf-8"))["case"]
KEYS = {"after", "says", "question", "pinned", "unit", "formula", "from", "problem", "new"}


def _before(name: str) -> Answer | Refusal:
    outcome = OUTCOMES[name]
    assert isinstance(outcome, Answer | Refusal)
    return outcome


@pytest.mark.parametrize("case", CASES, ids=[f"{case['after']}: {case['says']}" for case in CASES])
def test_a_follow_up_stands_for_a_whole_question(case: dict[str, Any]) -> None:
    assert set(case) <= KEYS
    last = _before(case["after"])
    found = follow_up(case["says"], last)
    if case.get("new"):
        assert found is None
        return
    assert found is not None
    if "problem" in case:
        assert case["problem"] in found.problem
        assert not found.question
        return
    assert found.problem == ""
    assert found.question == case.get("question", last.question)
    assert dict(found.pinned) == case.get("pinned", {})
    assert {change.symbol: change.said for change in found.changes} == case.get("from", {})
    if isinstance(last, Answer):
        assert found.unit == case.get("unit", last.quantity.unit.text)
        # A chain is chosen anew; a single formula is kept.
        assert found.formula == (last.steps[0].formula.id if len(last.steps) == 1 else None)
    else:
        assert found.formula == case.get("formula")


def test_changed_values_say_so_and_kept_ones_too() -> None:
    follow = follow_up("what if the temperature doubles?", RMS_SPEED)
    assert follow is not None
    step = RMS_SPEED.steps[0]
    hot = asked("T", quantity(600, "K"), "600 K")
    again = replace(RMS_SPEED, steps=(replace(step, bindings=(step.bindings[0], hot, step.bindings[2])),))
    answer = with_origins(again, follow)
    assert isinstance(answer, Answer)
    assert [origin_text(bound.provenance) for bound in answer.steps[0].bindings] == [
        "constant: molar gas constant (CODATA 2022)",
        "derived: 2 × 300 K, from the question before",
        'question before: "M = 28.0 g/mol"',
    ]


def test_a_value_that_was_not_used_as_meant_keeps_its_own_origin() -> None:
    follow = follow_up("what if the temperature doubles?", RMS_SPEED)
    assert follow is not None
    answer = with_origins(RMS_SPEED, follow)
    assert isinstance(answer, Answer)
    assert answer.steps[0].bindings[1].provenance == Provenance("question", "300 K")
    assert with_origins(CHAT, follow) is CHAT


def test_a_follow_up_of_a_follow_up_keeps_what_was_pinned() -> None:
    step = RMS_SPEED.steps[0]
    pinned = replace(step.bindings[2], provenance=Provenance("pinned", "4 g/mol"), quantity=quantity(4, "g/mol"))
    last = replace(RMS_SPEED, steps=(replace(step, bindings=(*step.bindings[:2], pinned)),))
    follow = follow_up("and for 400 K?", last)
    assert follow is not None
    assert dict(follow.pinned) == {"M": "4 g/mol"}
    again = follow_up("M = 2 g/mol", last)
    assert again is not None
    assert dict(again.pinned) == {"M": "2 g/mol"}


def test_values_that_look_alike_are_asked_for_by_symbol() -> None:
    step = RMS_SPEED.steps[0]
    cold = asked("T_c", quantity(250, "K"), "250 K", description="cold temperature")
    hot = asked("T_h", quantity(300, "K"), "300 K", description="hot temperature")
    last = replace(RMS_SPEED, steps=(replace(step, bindings=(cold, hot)),))
    unclear = follow_up("and for 400 K?", last)
    assert unclear is not None
    assert "T_c = 250 K (cold temperature), T_h = 300 K (hot temperature)" in unclear.problem
    clear = follow_up("and for a hot temperature of 400 K?", last)
    assert clear is not None
    assert [change.symbol for change in clear.changes] == ["T_h"]
    named = follow_up("Tc = 200 K", last)
    assert named is not None
    assert [change.symbol for change in named.changes] == ["T_c"]


def test_degrees_are_not_doubled() -> None:
    step = RMS_SPEED.steps[0]
    warm = asked("T", quantity(20, "degC"), "20 °C", description="temperature")
    last = replace(RMS_SPEED, steps=(replace(step, bindings=(warm,)),), question="Speed at 20 °C?")
    doubled = follow_up("what if the temperature doubles?", last)
    assert doubled is not None
    assert "no double" in doubled.problem
    raised = follow_up("increase the temperature by 5 K", last)
    assert raised is not None
    assert raised.question == "Speed at 25 degC?"


@given(st.text(max_size=400), st.sampled_from([RMS_SPEED, MISSING, *OUTCOMES.values()]))
def test_whatever_is_said_something_sensible_comes_back(text: str, last: Answer | Refusal) -> None:
    if isinstance(last, Answer | Refusal):
        found = follow_up(text, last)
        assert found is None or isinstance(found, FollowUp)
