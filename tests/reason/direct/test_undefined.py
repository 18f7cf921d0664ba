"""Values that do not exist are refused with the reason; conventions are called so; what has a value keeps it."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectFailure, DirectResult, compute_directly

REASONS = {
    "log base 1 of 9": "every power of 1 is 1",
    "what is the logarithm of 4 to base -3?": "must be positive",
    "log base 7 of 0": "only positive numbers",
    "log_1(6)": "every power of 1 is 1",
    "what is the sixth root of -64": "negative even power",
    "0th root of 8": "no zeroth root",
    "cot 180 degrees": "the sine is 0",
    "sec(3pi/2)": "the cosine is 0",
    "csc 2pi": "the sine is 0",
    "arccos(7)": "between −1 and 1",
    "inverse sine of -3": "between −1 and 1",
    "arcosh(0)": "at least 1",
    "artanh(-1)": "between −1 and 1",
    "arcsec(1/2)": "never between −1 and 1",
    "sqrt(-7) over the reals": "negative square",
    "ln(-5)": "only positive numbers",
    "(-6)!": "whole numbers from 0 on",
    "∞ - ∞": "indeterminate",
    "gamma(-2)": "poles",
}


@pytest.mark.parametrize(("question", "reason"), REASONS.items())
def test_it_is_said_why_there_is_no_value(question: str, reason: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectFailure)
    assert reason in found.message


@pytest.mark.parametrize(("question", "value"), [("0^0", 1), ("gcd(0, 0)", 0), ("0 to the power of 0", 1)])
def test_a_convention_is_called_one(question: str, value: int) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult)
    assert found.quantity.value == value
    assert any("convention" in note for note in found.notes)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("cube root of -27", -3),
        ("log base 2 of 32", 5),
        ("arcsin(0)", 0),
        ("sqrt(49) in the reals", 7),
        ("gcd(0, 6)", 6),
    ],
)
def test_what_has_a_value_keeps_it(question: str, value: int) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult)
    assert found.quantity.value == value
    assert not any("convention" in note for note in found.notes)


@pytest.mark.parametrize("question", ["cot 45 degrees", "csc(pi/2)", "sec 0", "argument of 5", "a second of rest"])
def test_nothing_is_called_undefined_that_is_not(question: str) -> None:
    found = compute_directly(question)
    assert not (isinstance(found, DirectFailure) and found.code == "undefined")
