"""Series of a function about a place, by its derivatives there; confirmed by how fast the rest falls nearby."""

from __future__ import annotations

import math
from fractions import Fraction

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.solving import as_fraction
from mathrag.compute.calculus import derivative
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    Expression,
    Number,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    power,
    size_of,
    substitute,
    subtract,
    symbols_of,
)

HIGHEST_ORDER = 12
_LARGEST = 4_000
# Numbers are computed with 60 digits; what is smaller than this is rounding.
_NOTHING = 1e-45
_STEPS = (Fraction(1, 10**3), Fraction(1, 10**4))


def taylor(body: Expression, symbol: str, place: Expression, order: int) -> Expression | Failure:
    """The terms up to an order, the lowest first. `place` is a number."""
    if not 0 <= order <= HIGHEST_ORDER:
        return Failure("too_large", f"series are written out up to order {HIGHEST_ORDER}")
    slope = body
    shifted: Expression = Symbol(symbol)
    where = constant_of(tidied(place))
    if where != 0:
        shifted = add(shifted, literal(-where)) if where is not None and where < 0 else subtract(shifted, place)
    terms: list[Expression] = []
    for step in range(order + 1):
        value = as_fraction(tidied(substitute(slope, {symbol: place})))
        number = value_at(value, {})
        if symbols_of(value) or not number.is_real:
            return Failure("undefined", "the function or one of its derivatives has no value there")
        exact = Fraction(0) if abs(number.real) < _NOTHING else constant_of(value)
        if exact != 0:
            terms.append(_term(value, exact, shifted, step))
        if step < order:
            found = derivative(slope, symbol)
            if isinstance(found, Failure):
                return found
            slope = tidied(found)
            if size_of(slope) > _LARGEST:
                return Failure("too_large", "the derivatives grow too long to be written out")
    whole = terms[0] if len(terms) == 1 else add(*terms) if terms else literal(Fraction(0))
    if not _is_confirmed(body, whole, symbol, place, order):
        return Failure("not_confirmed", "the series could not be confirmed by values nearby")
    return whole


def _term(value: Expression, exact: Fraction | None, shifted: Expression, step: int) -> Expression:
    below = math.factorial(step)
    raised = shifted if step == 1 else power(shifted, Number(step))
    if exact is None:
        factor = value if below == 1 else divide(value, Number(below))
        return factor if not step else multiply(factor, raised)
    share = exact / below
    if not step:
        return literal(share)
    size = abs(share)
    above = raised if size.numerator == 1 else multiply(Number(size.numerator), raised)
    term: Expression = above if size.denominator == 1 else divide(above, Number(size.denominator))
    return negate(term) if share < 0 else term


def _is_confirmed(body: Expression, series: Expression, symbol: str, place: Expression, order: int) -> bool:
    """The rest beyond an order falls at least as that power and one more, up to a factor that hardly changes."""
    centre = constant_of(tidied(place))
    for side in (1, -1):
        rests = []
        for step in _STEPS:
            at = literal(centre + side * step) if centre is not None else add(place, literal(side * step))
            values = [value_at(substitute(each, {symbol: at}), {}) for each in (body, series)]
            if not all(each.is_real for each in values):
                return False
            rests.append(abs(values[0].real - values[1].real))
        # Ten times nearer, the rest is smaller by that power of ten; a factor of three is left to its coefficient.
        if rests[1] > 3 * rests[0] / 10 ** (order + 1) + 1e-50:
            return False
    return True
