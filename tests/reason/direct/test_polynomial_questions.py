"""Questions about polynomials beside their roots: coefficients, division, squares, how many roots, irreducible ones."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mathrag.compute.algebra.factoring import irreducible_factors
from mathrag.compute.algebra.polynomials import times
from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly


def told(question: str) -> str:
    found = compute_directly(question)
    assert isinstance(found, DirectResult | DirectStatement), found
    return found.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("coefficient of y^2 in (3y + 1)^4", "is 54 "),
        ("what is the coefficient of a^2 b in (a + 2b)^3", "is 6 "),
        ("coefficient of x in (x + c)^3", "is 3 c² "),
        ("constant term of (x - 1/x)^6", "is −20 "),
        ("constant term in the expansion of (t^2 + 1/t)^3", "is 3 "),
        ("what is the degree of (x + 1)^4 (x - 2)", "is 5."),
        ("leading coefficient of 7 - 2x^3", "is −2,"),
        ("remainder when x^3 + 1 is divided by x - 2", "is 9;"),
        ("remainder when x^500 is divided by x^2 + 1", "is 1 "),
        ("divide x^3 - 1 by x + 1", "is x² − x + 1 with remainder −2"),
        ("complete the square: x^2 - 10x + 1", "(x − 5)² − 24"),
        ("vertex of y = x^2 + 2x - 3", "(−1, −4), its lowest point"),
        ("axis of symmetry of 4 - (x - 1)^2", "x = 1"),
        ("discriminant of x^2 + x + 1", "is −3 "),
        ("discriminant of x^3 - 4x + 1", "is 229 "),
        ("discriminant of p*x^2 + q*x + r", "q² − 4 p r"),
        ("how many real roots does x^4 - 2x^2 + 1 have", "2 real solutions, or 4 counted with multiplicity"),
        ("how many solutions does sin x = 0 have in [0, 2pi]", "3 real solutions"),
        ("how many solutions does tan x = 1 have", "infinitely many"),
        ("is x^4 + 1 irreducible over the rationals", "Yes: x⁴ + 1 is irreducible"),
        ("is x^4 + 64 irreducible over Q", "(x² − 4 x + 8) (x² + 4 x + 8)"),
        ("is x^2 - 2 irreducible over the reals", "No:"),
        ("factor y^4 + 64 over the integers", "(y² − 4 y + 8) (y² + 4 y + 8)"),
        ("at which x is x^2 - 7x + 10 zero", "x = 2 or x = 5"),
        ("where does y = 9 - x^2 cross the x-axis", "x = −3 or x = 3"),
        ("for which x is sqrt(x - 3) defined", "x ≥ 3"),
        ("what are the factors of x^3 - 7x + 6", "(x + 3) (x − 1) (x − 2)"),
        ("convert x^2 + 8x + 1 to vertex form", "(x + 4)² − 15"),
        ("minimum of x^2 + 6x + 4", "is −5, at x = −3"),
        ("maximum of x^2 + 6x + 4", "has no greatest value"),
        ("how often does y = (x - 1)^2 (x + 2) cross the x-axis", "crosses the axis 1 time"),
        ("does x^2 + 2x + 5 = 0 have real roots", "No: x² + 2 x + 5 = 0 has no real solutions"),
        ("when is 4 - x^2 positive", "−2 < x < 2"),
        ("area under y = 3x^2 from 0 to 2", "= 8"),
        ("taylor polynomial of degree 3 of sin x at 0", "x − x³ / 6"),
    ],
)
def test_polynomial_questions_are_answered(question: str, said: str) -> None:
    assert said in told(question)


@pytest.mark.parametrize(
    "question",
    [
        "degree of a circle",
        "coefficient of friction in the table",
        "how many roots does a plant have",
        "vertex of a cone",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    found = compute_directly(question)
    assert found is None or isinstance(found, DirectFailure)


@pytest.mark.parametrize(
    "factors",
    [
        [(1, 0, 1), (2, 0, 1)],
        [(1, 0, 0, 0, 1), (-1, 1), (-1, 1)],
        [(1, 1, 1), (1, -1, 1), (3, 2)],
        [(5, 0, 0, 7), (-2, 1, 5)],
    ],
)
def test_factors_are_found_again(factors: list[tuple[int, ...]]) -> None:
    product: tuple[Fraction, ...] = (Fraction(1),)
    for factor in factors:
        product = times(product, tuple(map(Fraction, factor)))
    found = irreducible_factors(product)
    assert found is not None
    assert sorted(tuple(map(int, factor)) for factor, count in found.factors for _ in range(count)) == sorted(factors)
