"""Equations that are polynomials in one power, logarithm or sine: all solutions, and nothing that is none."""

from __future__ import annotations

import math

import pytest

from mathrag.compute.algebra.solving import Solved, solve_equation
from mathrag.compute.typed_mathematics import read_mathematics


def _solved(text: str) -> Solved:
    sides = read_mathematics(text).sides
    found = solve_equation(sides[0], sides[1], "x", may_search=False)
    assert isinstance(found, Solved)
    return found


@pytest.mark.parametrize(
    ("equation", "values"),
    [
        ("25^x - 6*5^x + 5 = 0", [0, 1]),
        ("e^(2x) - 5e^x + 6 = 0", [math.log(2), math.log(3)]),
        ("7^x + 7^(-x) = 2", [0]),
        ("4^x + 3*2^x + 2 = 0", []),
        ("3*2^x = 2*3^x", [1]),
        ("(1/4)^x - 3*(1/2)^x + 2 = 0", [-1, 0]),
        ("log_5(x) + log_5(x-4) = 1", [5]),
        ("ln(x+1) + ln(x-1) = 0", [math.sqrt(2)]),
        ("(ln x)^2 = ln x", [1, math.e]),
        ("ln(x) + ln(x+1) = 1", [(math.sqrt(1 + 4 * math.e) - 1) / 2]),
        ("log10(x-2) = log10(1-x)", []),
    ],
)
def test_all_real_solutions_are_found(equation: str, values: list[float]) -> None:
    """Each once, in order, and said to be all."""
    found = _solved(equation)
    assert found.is_complete
    assert [each.number for each in found.solutions] == pytest.approx(values)


@pytest.mark.parametrize(
    ("equation", "first", "period"),
    [
        ("2cos(x)^2 - cos(x) - 1 = 0", [-2 * math.pi / 3, 0, 2 * math.pi / 3], 2 * math.pi),
        ("sin(2x) = sin(x)", [-math.pi / 3, 0, math.pi / 3, math.pi], 2 * math.pi),
        ("sin(x) + cos(x) = sqrt(2)", [math.pi / 4], 2 * math.pi),
        ("tan(x)^2 - tan(x) = 0", [0, math.pi / 4], math.pi),
        ("sin(x)cos(x) = 1/2", [math.pi / 4], math.pi),
        ("cos(x)^2 - 3cos(x) + 2 = 0", [0], 2 * math.pi),
    ],
)
def test_angles_come_with_their_period(equation: str, first: list[float], period: float) -> None:
    """Every solution modulo the period."""
    found = _solved(equation)
    assert found.is_complete
    turns = {round((each.number or 0.0) % period, 9) for each in found.solutions}
    assert turns == {round(each % period, 9) for each in first}


def test_a_cotangent_of_zero_is_not_denied() -> None:
    """1/tan has no value where the cotangent is 0."""
    sides = read_mathematics("cot x = 0").sides
    assert not isinstance(solve_equation(sides[0], sides[1], "x", may_search=False), Solved)
