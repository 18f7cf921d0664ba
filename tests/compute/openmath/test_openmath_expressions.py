"""Formulas of the calculator as statements, and statements as formulas where they say no more."""

from __future__ import annotations

import pytest

from mathrag.compute.openmath import check_by_sampling, equation_of, expression_of, latex_of, names_used, statement_of
from mathrag.compute.pythontext import read_python_text
from mathrag.types.expression import Equation, Reading, symbols_of
from openmath_samples import openmath


def _equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert isinstance(reading, Reading)
    return reading.equations[0]


@pytest.mark.parametrize(
    "text",
    [
        "y = a*x**2 - b*x + 3",
        "y = sqrt(x) + exp(-x)*sin(2*pi*x)",
        "y = log(x)/abs(x - 1)",
        "y = atan2(a, b) + gcd(m, n)*factorial(k)",
    ],
)
def test_what_both_can_say_comes_back_as_it_was(text: str) -> None:
    equation = _equation(text)
    back = equation_of(statement_of(equation))
    assert back is not None
    assert (back.left, back.right) == (equation.left, equation.right)


def test_formulas_tell_the_concepts_they_use() -> None:
    assert {"arith1:root", "transc1:sin", "arith1:divide"} <= names_used(statement_of(_equation("T = sqrt(L/sin(g))")))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("sin(x)**2 + cos(x)**2 = 1", "holds"),
        ("(a + b)**2 = a**2 + b**2", "fails"),
        ("exp(a + b) = exp(a)*exp(b)", "holds"),
        ("erf(x) = x", "undecided"),
    ],
)
def test_formulas_are_tried_at_points(text: str, outcome: str) -> None:
    assert check_by_sampling(statement_of(_equation(text))).outcome == outcome


@pytest.mark.parametrize("text", ["(set1:union A B)", "nums1:i", "(made1:f x)", "[fns1:lambda <x> x]", "(f x)"])
def test_what_says_more_is_no_formula(text: str) -> None:
    assert expression_of(openmath(text)) is None


def test_sums_go_over() -> None:
    tree = openmath("(arith1:sum (interval1:integer_interval 1 n) [fns1:lambda <k> (arith1:power k 2)])")
    expression = expression_of(tree)
    assert expression is not None
    assert symbols_of(expression) == ("n",)
    assert latex_of(tree) == r"\sum_{k = 1}^{n} k^{2}"
