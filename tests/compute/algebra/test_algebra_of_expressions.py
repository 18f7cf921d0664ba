"""The algebra itself: polynomials and their roots, identities, solving, limits; what is certain and what is not."""

from __future__ import annotations

import pytest

from mathrag.compute.algebra.analysis import (
    DefiniteIntegral,
    Limit,
    derivatives,
    integral_between,
    limit,
    sum_to_symbol,
)
from mathrag.compute.algebra.identities import Comparison, try_statement
from mathrag.compute.algebra.inequalities import solve_inequality
from mathrag.compute.algebra.polynomials import polynomial_of, roots_of
from mathrag.compute.algebra.rewriting import Rewritten, factored, simplified
from mathrag.compute.algebra.solving import Solved, solve_equation
from mathrag.compute.algebra.systems import SystemSolved, solve_system
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.typed_mathematics import read_mathematics, read_one


def statement(text: str) -> Comparison:
    read = read_mathematics(text)
    return Comparison(read.sides[0], read.signs[0], read.sides[1])


@pytest.mark.parametrize(
    ("text", "real", "others"),
    [
        ("x^2 - 5x + 6", ["2", "3"], 0),
        ("x^2 - x - 1", ["(1 − √5) / 2", "(1 + √5) / 2"], 0),
        ("x^4 - 5x^2 + 6", ["−√3", "−√2", "√2", "√3"], 0),
        ("(x - 1)^2 (x^2 + 1)", ["1"], 2),
        ("x^3 - x - 1", [None], 2),
        ("x^4 + 1", [], 4),
    ],
)
def test_all_roots_are_counted(text: str, real: list[str | None], others: int) -> None:
    found = roots_of(polynomial_of(read_one(text), "x"))
    assert [None if each.exact is None else plain_formula(each.exact) for each in found.real] == real
    assert 2 * len(found.complex_pairs) + found.uncounted_complex == others


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("(a + b)^2 = a^2 + 2 a b + b^2", "by_algebra"),
        ("tan(x) = sin(x)/cos(x)", "by_algebra"),
        ("cosh(x)^2 - sinh(x)^2 = 1", "by_algebra"),
        ("sqrt(a) sqrt(b) = sqrt(a b)", "partly"),
        ("e^(ln x) = x", "partly"),
        ("|x - 1000| = 1000 - x", "refuted"),
        ("cosh(x)^2 - sinh(x)^2 = 0", "refuted"),
        ("(1 + 1/n)^n = e", "refuted"),
        ("(x - x)/(x - x) = 1", "undecided"),
        ("sqrt(-1 - x^2) = sqrt(-1 - x^2) + 0 x", "undecided"),
    ],
)
def test_verdicts(text: str, verdict: str) -> None:
    assert try_statement(statement(text)).verdict == verdict


def test_digits_that_cancelled_refute_nothing() -> None:
    # Both ways of computing lose all digits far out, and agree on a wrong zero.
    assert try_statement(statement("(2^x + 1) - 2^x = 1")).verdict == "held"


@pytest.mark.parametrize(
    ("text", "count", "is_complete", "extraneous"),
    [
        ("(x^2 - 9)/(x - 3) = 0", 1, True, ["3"]),
        ("sqrt(2x + 3) = x", 1, True, ["−1"]),
        ("|x| = 2x - 3", 1, True, ["1"]),
        ("e^x = 0", 0, True, []),
        ("sin(x) = 3", 0, True, []),
        ("x e^x = 2", 1, False, []),
        ("2^x = 16", 1, True, []),
    ],
)
def test_solutions(text: str, count: int, is_complete: bool, extraneous: list[str]) -> None:
    relation = statement(text)
    found = solve_equation(relation.left, relation.right, "x")
    assert isinstance(found, Solved)
    assert (len(found.solutions), found.is_complete) == (count, is_complete)
    assert [plain_formula(each) for each in found.extraneous] == extraneous


def test_systems() -> None:
    def solved(*texts: str) -> SystemSolved:
        relations = [statement(text) for text in texts]
        found = solve_system([(each.left, each.right) for each in relations], ["x", "y"])
        assert isinstance(found, SystemSolved)
        return found

    assert solved("2x + y = 7", "x - y = 2").solutions == ((read_one("3"), read_one("1")),)
    assert solved("x + y = 1", "3x + 3y = 3").free == ("y",)
    assert solved("x + y = 1", "x + y = 5").solutions == ()
    assert len(solved("x y = 6", "x + y = 5").solutions) == 2


def test_inequalities_keep_their_ends() -> None:
    relation = statement("(x - 1)/(x + 2) >= 0")
    found = solve_inequality(relation.left, relation.sign, relation.right, "x")
    assert not isinstance(found, Failure)
    assert [(each.low is None, each.has_low, each.high is None, each.has_high) for each in found] == [
        (True, False, False, False),
        (False, True, True, False),
    ]


def test_derivatives_are_confirmed() -> None:
    found = derivatives(read_one("x^2 e^x"), "x", 2)
    assert not isinstance(found, Failure)
    assert [plain_formula(each.expression) for each in found] == ["x exp(x) (x + 2)", "exp(x) (x² + 4 x + 2)"]
    assert all(each.points >= 5 for each in found)


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [("1/x", "-1", "1"), ("tan x", "0", "3"), ("1/(x-1)^2", "0", "2"), ("1/x", "1", "infinity"), ("1/(1-x)", "0", "1")],
)
def test_no_number_over_a_pole(body: str, low: str, high: str) -> None:
    assert isinstance(integral_between(read_one(body), "x", read_one(low), read_one(high)), Failure)


@pytest.mark.parametrize(
    ("body", "low", "high", "value"),
    [
        ("1/sqrt(x)", "0", "1", 2.0),
        ("ln x", "0", "1", -1.0),
        ("x^2", "3", "0", -9.0),
        ("x e^(-x)", "0", "infinity", 1.0),
    ],
)
def test_integrals(body: str, low: str, high: str, value: float) -> None:
    found = integral_between(read_one(body), "x", read_one(low), read_one(high))
    assert isinstance(found, DefiniteIntegral)
    assert found.number == pytest.approx(value)


def test_limits_from_both_sides() -> None:
    found = limit(read_one("|x|/x"), "x", read_one("0"))
    assert isinstance(found, Limit)
    assert found.value is None
    one_sided = limit(read_one("x ln x"), "x", read_one("0"))
    assert isinstance(one_sided, Limit)
    assert (one_sided.only, plain_formula(one_sided.above)) == (1, "0")
    assert isinstance(limit(read_one("sin(1/x)"), "x", read_one("0")), Failure)


def test_other_forms() -> None:
    simple = simplified(read_one("(y^2 - 4)/(y - 2)"))
    assert isinstance(simple, Rewritten)
    assert (plain_formula(simple.expression), simple.is_exact) == ("y + 2", True)
    product = factored(read_one("6z^2 + z - 2"))
    assert isinstance(product, Rewritten)
    assert plain_formula(product.expression) == "(3 z + 2) (2 z − 1)"


def test_sums_to_a_symbol_are_exact() -> None:
    found = sum_to_symbol(read_one("k^3"), "k", read_one("1"), "n")
    assert found is not None
    relation = Comparison(found, "=", read_one("n^2 (n + 1)^2 / 4"))
    assert try_statement(relation).verdict == "by_algebra"
    assert sum_to_symbol(read_one("1/k"), "k", read_one("1"), "n") is None
