"""Degrees in a sum are a difference where a temperature is added to, and nothing is read where they may be either."""

from __future__ import annotations

import pytest

from mathrag.compute.latex import read_latex
from mathrag.types.expression import Add, Declined, Measure, Negate, Reading


@pytest.mark.parametrize(
    ("source", "unit"),
    [
        (r"T_s = T_c + 5°F", "delta_degF"),
        (r"T_s = T_c - 3\,^\circ\mathrm{C}", "delta_degC"),
        (r"T_j = 25\,^\circ\mathrm{C} + P R", "degC"),
        (r"\Delta T = T - 20\,^\circ\mathrm{C}", "degC"),
        (r"T = 20\,^\circ\mathrm{C} + \Delta T", "degC"),
    ],
)
def test_degrees_in_a_sum(source: str, unit: str) -> None:
    reading = read_latex(source)
    assert isinstance(reading, Reading)
    right = reading.equations[0].right
    assert isinstance(right, Add)
    terms = [term.operand if isinstance(term, Negate) else term for term in right.terms]
    assert [term.unit for term in terms if isinstance(term, Measure)] == [unit]


def test_degrees_that_may_be_either_are_not_read() -> None:
    reading = read_latex(r"W = C - R + 5°F")
    assert isinstance(reading, Declined)
    assert reading.code == "degrees_in_sum"
