"""The public JSON object: the promised fields, full precision, no value that JSON lacks."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.answer.objects import binding_objects, object_text, outcome_object
from mathrag.types.answer import Answer, Outcome
from outcome_samples import CHAINED, CHAT, DIRECT, HOSTILE, MISSING, OUTCOMES, RMS_SPEED, TABLE, UNSURE, asked, quantity

PROMISED = [
    "outcome", "value", "unit", "text", "formulas", "bindings", "steps", "missing", "confidence", "warnings",
    "milliseconds",
]  # fmt: skip


@pytest.mark.parametrize("outcome", OUTCOMES.values(), ids=OUTCOMES)
def test_every_outcome_has_the_promised_fields_first_and_the_same_others(outcome: Outcome) -> None:
    made = outcome_object(outcome)
    assert list(made)[: len(PROMISED)] == PROMISED
    assert list(made) == list(outcome_object(RMS_SPEED))
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_an_answer_keeps_full_precision_and_says_where_each_value_came_from() -> None:
    made = outcome_object(RMS_SPEED)
    assert (made["outcome"], made["value"], made["unit"]) == ("answered", 516.9565, "m/s")
    assert made["text"] == "The root mean square speed is 517 m/s."
    assert made["formulas"] == [
        {
            "id": "formula-a11ce0",
            "label": "Root mean square speed",
            "latex": r"v_{\mathrm{rms}} = \sqrt{\frac{3RT}{M}}",
            "document": "gases.md",
            "place": "line 12",
        }
    ]
    assert made["bindings"]["R"]["from"] == "constant: molar gas constant (CODATA 2022)"
    assert made["bindings"]["M"] == {
        "value": 28.0,
        "unit": "g/mol",
        "from": 'question: "M = 28.0 g/mol"',
        "origin": "question",
        "uncertainty": None,
        "description": "molar mass",
        "step": None,
    }


@pytest.mark.parametrize("outcome", [MISSING, UNSURE, CHAT])
def test_what_is_no_answer_has_no_number(outcome: Outcome) -> None:
    made = outcome_object(outcome)
    assert (made["value"], made["unit"], made["steps"], made["formulas"]) == (None, None, [], [])
    assert made["outcome"] == ("chat" if outcome is CHAT else "refused")


def test_a_refusal_names_what_is_missing_and_a_proposal_has_no_result() -> None:
    made = outcome_object(MISSING)
    assert made["missing"] == [{"symbol": "T", "words": "temperature", "unit": "K"}]
    assert made["reason"]["code"] == "missing"
    proposal = outcome_object(UNSURE)["proposal"]
    assert [step["target"] for step in proposal] == ["v_rms"]
    assert set(proposal[0]) == {"formula", "target", "bindings"}


def test_a_derived_value_has_the_result_of_its_step() -> None:
    made = outcome_object(CHAINED)
    assert made["bindings"]["t"]["value"] == 2.01962
    assert made["bindings"]["t"]["from"] == "derived in step 1"
    assert list(made["bindings"]) == ["h", "g", "v_0", "t"]
    assert made["warnings"] == ["air resistance is negligible: not checked"]
    assert made["uncertainty"] == 0.2476


def test_of_a_symbol_with_two_values_the_later_keeps_the_plain_name() -> None:
    first, second = CHAINED.steps
    steps = (
        replace(first, bindings=(asked("m", quantity(2, "kg"), "2 kg"), asked("k", quantity(1), "1"))),
        replace(second, bindings=(asked("m", quantity(5, "kg"), "5 kg"), asked("k", quantity(1), "1"))),
    )
    made = binding_objects(steps)
    assert {name: each["value"] for name, each in made.items()} == {"m": 5, "k": 1, "step1.m": 2}


def test_a_table_and_exact_digits_are_data() -> None:
    rows = outcome_object(TABLE)["table"]
    assert rows[1] == {"values": {"l": "1 m"}, "value": 2.00641, "unit": "s", "uncertainty": None}
    assert outcome_object(DIRECT)["exact"] == "12"
    assert outcome_object(DIRECT)["unit"] == ""


@given(st.floats(), st.one_of(st.none(), st.floats(min_value=0)), st.floats(), st.floats())
def test_no_number_ever_breaks_json(
    value: float, uncertainty: float | None, confidence: float, milliseconds: float
) -> None:
    answer = replace(
        RMS_SPEED, quantity=quantity(value, "m/s", uncertainty), confidence=confidence, milliseconds=milliseconds
    )
    made = json.loads(object_text(outcome_object(answer)))
    assert made["value"] == (value if math.isfinite(value) else None)


@given(st.integers())
def test_whole_numbers_are_exact(value: int) -> None:
    made = json.loads(object_text(outcome_object(Answer("", quantity(value), 3, (), 1.0))))
    assert made["value"] == value


def test_a_number_beyond_json_is_left_out_and_said() -> None:
    made = outcome_object(Answer("", quantity(7**100_000), 3, (), 1.0))
    assert made["value"] is None
    assert "too large" in made["warnings"][0]
    assert "10⁸⁴⁵⁰⁹" in made["text"]


def test_json_text_is_one_harmless_line_and_loses_nothing() -> None:
    line = object_text(outcome_object(HOSTILE))
    assert line.isprintable()
    assert json.loads(line) == outcome_object(HOSTILE)
