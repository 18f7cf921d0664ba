"""Relations between named values, draws and dice: what they come to, and what is left alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.labelled.rows import all_relations

CASES = tomllib.loads(Path(__file__).with_name("labelled.toml").read_text(encoding="utf-8"))


def number(text: str) -> float:
    found = compute_directly(text)
    assert isinstance(found, DirectResult), (text, found)
    return float(found.quantity.value)


@pytest.mark.parametrize("case", CASES["answered"], ids=lambda case: case["text"][:70])
def test_named_values_come_to_their_result(case: dict[str, object]) -> None:
    found = compute_directly(str(case["text"]))
    assert isinstance(found, DirectResult), found
    assert float(found.quantity.value) == pytest.approx(case["value"], rel=2e-6, abs=1e-7)
    assert found.quantity.unit.text == case.get("unit", "")
    assert found.lines, "a number is shown with how it came about"


@pytest.mark.parametrize("case", CASES["told"], ids=lambda case: case["text"][:70])
def test_an_interval_a_line_or_a_place_is_told(case: dict[str, str]) -> None:
    found = compute_directly(case["text"])
    assert isinstance(found, DirectStatement), found
    assert case["says"] in found.text
    assert case["note"] in " ".join(found.notes)
    assert found.lines


@pytest.mark.parametrize("case", CASES["left"], ids=lambda case: case["text"][:70])
def test_what_is_not_wholly_understood_is_left_alone(case: dict[str, str]) -> None:
    assert compute_directly(case["text"]) is None


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["text"][:70])
def test_values_that_cannot_be_are_refused(case: dict[str, str]) -> None:
    found = compute_directly(case["text"])
    assert isinstance(found, DirectFailure), found
    assert found.code == case["code"]


@settings(max_examples=10)
@given(st.integers(1, 12), st.integers(1, 99), st.integers(0, 12))
def test_what_happens_at_least_so_often_does_not_happen_less_often(trials: int, percent: int, bound: int) -> None:
    asked = f"binomial probability n = {trials}, p = 0.{percent:02d}, {{}} {bound} successes"
    assert number(asked.format("at least")) + number(asked.format("fewer than")) == pytest.approx(1, abs=1e-12)


@settings(max_examples=10)
@given(st.integers(100, 200), st.integers(1, 30), st.integers(90, 210))
def test_what_lies_above_does_not_lie_below(mean: int, deviation: int, bound: int) -> None:
    asked = f"What share of people are {{}} than {bound} cm if the mean is {mean} cm and the sd is {deviation} cm?"
    assert number(asked.format("taller")) + number(asked.format("shorter")) == pytest.approx(1, abs=1e-12)


def test_every_role_can_be_told_or_is_open() -> None:
    for relation in all_relations():
        for role in relation.roles:
            assert role.before or role.behind or role.symbols or role.is_open, (relation.name, role.part)
