"""Closed forms of sums up to a symbol: of polynomials, of polynomials times a power, of quotients that telescope.

A form is found from the first values alone, and taken only where induction shows it: it starts right, and from one
upper bound to the next it grows by the term, as an identity of polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.infinite_sums import IndexedTerm, indexed_term
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    minus,
    polynomial_expression,
    rational_roots,
    times,
    trimmed,
    value_at,
)
from mathrag.compute.algebra.rewriting import factored, simplified
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import literal
from mathrag.types.expression import (
    Expression,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    power,
    substitute,
    subtract,
    symbols_of,
)

_HIGHEST_DEGREE = 8
_LARGEST_START = 50


def closed_sum(body: Expression, index: str, start: int, upper: str) -> Expression | None:
    """The sum of the body from a whole number up to a symbol; None where no form is shown."""
    if not 0 <= start <= _LARGEST_START or upper in symbols_of(body):
        return None
    try:
        term = indexed_term(body, index)
    except (NotPolynomialError, ZeroDivisionError):
        return None
    if term.factorials or term.extra or not term.quotient.above:
        return None
    divisors = (term.quotient.below, *term.quotient.forbidden)
    if any(root.denominator == 1 and root >= start for each in divisors for root in rational_roots(each)):
        return None
    if term.ratio != 1:
        return _with_power(term, start, upper) if len(term.quotient.below) == 1 else None
    return _telescoped(body, term, index, start, upper)


def _term_value(term: IndexedTerm, place: int) -> Fraction:
    at = Fraction(place)
    return value_at(term.quotient.above, at) / value_at(term.quotient.below, at) * term.ratio**place


def _with_power(term: IndexedTerm, start: int, upper: str) -> Expression | None:
    """A polynomial times rⁿ: the sum is another such product and a number."""
    scale = term.quotient.below[0]
    polynomial: Polynomial = tuple(value / scale for value in term.quotient.above)
    size = len(polynomial)
    if size > _HIGHEST_DEGREE:
        return None
    places = range(start, start + size + 1)
    totals = _totals(lambda place: _term_value(term, place), places)
    rows = [[Fraction(place) ** n * term.ratio**place for n in range(size)] + [Fraction(1)] for place in places]
    solved = _solved(rows, totals)
    if solved is None:
        return None
    front, constant = trimmed(solved[:-1]), solved[-1]
    # From one bound to the next: A(n) − A(n − 1)/r must be the polynomial itself.
    before = tuple(value / term.ratio for value in _shifted(front))
    if minus(front, before) != polynomial:
        return None
    raised = power(literal(term.ratio), Symbol(upper))
    whole = polynomial_expression(front, upper)
    if len(front) == 1 and front[0] < 0 and constant:
        size_of_it = raised if front[0] == -1 else multiply(literal(-front[0]), raised)
        return subtract(literal(constant), size_of_it)
    product = raised if front == (Fraction(1),) else multiply(whole, raised)
    return add(product, literal(constant)) if constant else product


def _shifted(polynomial: Polynomial) -> Polynomial:
    """The polynomial at one less."""
    found: Polynomial = ()
    basis: Polynomial = (Fraction(1),)
    for value in polynomial:
        found = minus(found, tuple(-value * each for each in basis))
        basis = times(basis, (Fraction(-1), Fraction(1)))
    return found


def _telescoped(body: Expression, term: IndexedTerm, index: str, start: int, upper: str) -> Expression | None:
    """A quotient of polynomials whose sum is one too: the fewest powers that fit the first values."""
    for degree in range(1, _HIGHEST_DEGREE):
        places = range(start, start + 2 * degree + 1)
        totals = _totals(lambda place: _term_value(term, place), places)
        rows, right = [], []
        for place, total in zip(places, totals, strict=True):
            powers = [Fraction(place) ** n for n in range(degree + 1)]
            rows.append([*powers, *(-total * each for each in powers[:-1])])
            right.append(total * powers[-1])
        solved = _solved(rows, right)
        if solved is None:
            continue
        above = polynomial_expression(trimmed(solved[: degree + 1]), upper)
        below = polynomial_expression(trimmed([*solved[degree + 1 :], Fraction(1)]), upper)
        found = divide(above, below)
        if _is_inductive(found, body, index, start, upper):
            return _neat(found)
    return None


def _is_inductive(found: Expression, body: Expression, index: str, start: int, upper: str) -> bool:
    before = substitute(found, {upper: subtract(Symbol(upper), literal(Fraction(1)))})
    grown = Comparison(subtract(found, before), "=", substitute(body, {index: Symbol(upper)}))
    first = Comparison(
        substitute(found, {upper: literal(Fraction(start))}), "=", substitute(body, {index: literal(Fraction(start))})
    )
    return is_exactly_equal(grown) and is_exactly_equal(first)


def _neat(found: Expression) -> Expression:
    short = simplified(found)
    made = found if isinstance(short, Failure) else short.expression
    product = factored(made)
    return made if isinstance(product, Failure) else product.expression


def _totals(term: Callable[[int], Fraction], places: Sequence[int]) -> list[Fraction]:
    found: list[Fraction] = []
    total = Fraction(0)
    for place in places:
        total += term(place)
        found.append(total)
    return found


def _solved(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """The one solution of a square system; None where there is none, or more."""
    matrix = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(matrix)
    for column in range(size):
        pivot = next((row for row in range(column, size) if matrix[row][column]), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        head = matrix[column][column]
        matrix[column] = [value / head for value in matrix[column]]
        for row in range(size):
            if row != column and matrix[row][column]:
                factor = matrix[row][column]
                matrix[row] = [one - factor * other for one, other in zip(matrix[row], matrix[column], strict=True)]
    return [row[-1] for row in matrix]


def geometric_sum(ratio: Expression, start: int, upper: str) -> Expression:
    """The sum of the powers of a symbol that is not 1, from a whole number up to a symbol."""
    one = literal(Fraction(1))
    first = power(ratio, literal(Fraction(start))) if start else one
    return divide(add(power(ratio, add(Symbol(upper), one)), negate(first)), subtract(ratio, one))
