"""Identities of numbers, inequalities by the slope, expected values and fields: shown, or refuted, never guessed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mathrag.compute.algebra.roots_of_unity import (
    as_rational,
    cosine,
    inverse,
    is_zero,
    plus,
    rational,
    square_root,
    times,
)
from mathrag.reason.direct.algebra import answer_algebra
from mathrag.reason.direct.result import DirectStatement


def told(question: str) -> str:
    found = answer_algebra(question)
    assert isinstance(found, DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    "statement",
    [
        r"e^{2i\pi} = 1",
        "exp(i pi/3) = 1/2 + i sqrt(3)/2",
        "cos(2pi/5) = (sqrt 5 - 1)/4",
        "tan(5pi/12) = 2 + sqrt 3",
        "cos(pi/16)^2 = (1 + cos(pi/8))/2",
        "sqrt(11 + 6sqrt(2)) = 3 + sqrt 2",
        "arctan(1/4) + arctan(3/5) = pi/4",
        "2 arctan(1/3) + arctan(1/7) = pi/4",
        "arccos(1/2) = pi/3",
        "|5 - 12i| = 13",
        "sin(pi/9) sin(2pi/9) sin(4pi/9) = sqrt(3)/8",
        "log_4(x) = log_2(x)/2 for x > 0",
        "7^(log_7(x)) = x for x > 0",
        "log10(x) = ln(x)/ln(10) for x > 0",
        "e^{it} = cos t + i sin t",
        "(cos t + i sin t)^n = cos(nt) + i sin(nt)",
        "e^t >= 1 + t",
        "ln(1+t) <= t for t > -1",
        "sin t < t for t > 0",
        "|sin t| <= |t|",
        "cos t >= 1 - t^2/2",
        "e^t >= 1 + t + t^2/2 for t >= 0",
        "Var(3X - 2) = 9 Var(X)",
        "E(aX - bY) = aE(X) - bE(Y)",
        "Var(X - Y) = Var X + Var Y for independent X, Y",
        "Cov(X+Y, X-Y) = Var(X) - Var(Y)",
        r"\nabla \cdot (\nabla \times \vec{A}) = 0",
        "curl(grad g) = 0 for every smooth g",
        "det(kA) = k^n det(A)",
        "|z1 z2| = |z1| |z2|",
        r"\overline{w_1 + w_2} = \overline{w_1} + \overline{w_2}",
    ],
)
def test_what_is_true_is_shown(statement: str) -> None:
    text = told(statement)
    assert text.startswith("True")
    assert "not proved" not in text


@pytest.mark.parametrize(
    "statement",
    [
        "cos(pi/5) = 4/5",
        "arctan(1/2) + arctan(1/4) = pi/4",
        "e^t >= 1 + 3t",
        "sin t <= t",
        "Var(X + Y) = Var(X) + Var(Y)",
        "E[XY] = E[X]E[Y]",
        "E[X^2] = E[X]^2",
        "Var(X-Y) = Var(X) - Var(Y) for independent X, Y",
        "div(grad f) = 0",
        "curl(curl F) = 0",
        "|z1 + z2| = |z1| + |z2|",
        "(AB)^{-1} = A^{-1} B^{-1}",
        "det(3A) = 3 det(A)",
    ],
)
def test_what_is_false_is_refuted(statement: str) -> None:
    assert told(statement).startswith("False")


def test_de_moivre_is_for_whole_numbers() -> None:
    assert "whole numbers n" in told("(cos t + i sin t)^n = cos(nt) + i sin(nt)")


def test_independence_is_named_where_it_suffices() -> None:
    assert "true for uncorrelated X and Y" in told("Var(X + Y) = Var(X) + Var(Y), true?")


@pytest.mark.parametrize("text", ["div B = 0", "curl A = B", "E = m c^2", "E(r) = k/r", "V(R) = I R"])
def test_laws_of_nature_are_left_alone(text: str) -> None:
    assert not isinstance(answer_algebra(text), DirectStatement)


def test_sums_of_roots_of_unity() -> None:
    root = square_root(Fraction(7))
    assert as_rational(times(root, root)) == 7
    assert is_zero(plus(times(root, inverse(root)), rational(Fraction(-1))))
    assert as_rational(cosine(Fraction(1, 3))) == Fraction(1, 2)
    assert as_rational(cosine(Fraction(1, 5))) is None
