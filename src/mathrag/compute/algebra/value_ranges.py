"""Between which bounds the values of an expression in one symbol lie, where the symbol lies between two bounds.

Bounds are fractions or infinite, and on the safe side: what is outside of them is never taken, what is inside may not
be either.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.points import value_at
from mathrag.compute.solve.tidy import constant_of
from mathrag.types.expression import Add, Call, Divide, Expression, Multiply, Negate, Number, Power, Symbol, symbols_of

# A fraction, or an infinite float.
Bound: TypeAlias = Fraction | float
INFINITE = math.inf
_SLACK = Fraction(1, 10**9)
_LARGEST = 300


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from `low` to `high`; whether the ends belong to it matters only to those who ask."""

    low: Bound = -INFINITE
    high: Bound = INFINITE
    has_low: bool = False
    has_high: bool = False

    def holds(self, place: Fraction) -> bool:
        """Whether a number belongs to it."""
        above = self.low < place or (self.has_low and self.low == place)
        return above and (place < self.high or (self.has_high and place == self.high))


EVERYTHING = Range()


def values_of(node: Expression, given: Range) -> Range:
    """Bounds of the values; infinite ones where nothing better is known."""
    if not symbols_of(node):
        return _constant(node)
    match node:
        case Symbol():
            return given
        case Negate(operand):
            inner = values_of(operand, given)
            return Range(-inner.high, -inner.low)
        case Add(terms):
            parts = [values_of(term, given) for term in terms]
            return Range(_added([each.low for each in parts], -1), _added([each.high for each in parts], 1))
        case Multiply(factors):
            made = Range(Fraction(1), Fraction(1))
            for factor in factors:
                made = _product(made, values_of(factor, given))
            return made
        case Divide(above, below):
            return _product(values_of(above, given), _inverse(values_of(below, given)))
        case Power(base, Number(int() as count)) if 1 <= count <= 12:
            return _power(values_of(base, given), count)
        case Power(base, Negate(Number(int() as count))) if 1 <= count <= 12:
            return _inverse(_power(values_of(base, given), count))
        case Call(function, (argument,)):
            return _called(function, values_of(argument, given))
    return EVERYTHING


def _constant(node: Expression) -> Range:
    exact = constant_of(node)
    if exact is not None:
        return Range(exact, exact)
    value = value_at(node, {})
    if not value.is_real:
        return EVERYTHING
    number = Fraction(float(value.real))
    slack = abs(number) * _SLACK
    return Range(number - slack, number + slack)


def _added(bounds: list[Bound], sign: int) -> Bound:
    if any(math.isinf(each) for each in bounds):
        return sign * INFINITE
    return sum((Fraction(each) for each in bounds), Fraction(0))


def _times(one: Bound, other: Bound) -> Bound:
    if one == 0 or other == 0:
        return Fraction(0)
    if math.isinf(one) or math.isinf(other):
        return INFINITE if (one > 0) == (other > 0) else -INFINITE
    return Fraction(one) * Fraction(other)


def _product(one: Range, other: Range) -> Range:
    ends = [_times(first, second) for first in (one.low, one.high) for second in (other.low, other.high)]
    return Range(min(ends), max(ends))


def _inverse(inner: Range) -> Range:
    if inner.low > 0 or inner.high < 0:
        return Range(_one_over(inner.high), _one_over(inner.low))
    if inner.low == 0:
        return Range(_one_over(inner.high), INFINITE)
    return Range(-INFINITE, _one_over(inner.low)) if inner.high == 0 else EVERYTHING


def _one_over(bound: Bound) -> Bound:
    return Fraction(0) if math.isinf(bound) else 1 / Fraction(bound)


def _power(inner: Range, count: int) -> Range:
    ends = [_raised(end, count) for end in (inner.low, inner.high)]
    if count % 2 == 0:
        return Range(Fraction(0) if inner.low <= 0 <= inner.high else min(ends), max(ends))
    return Range(ends[0], ends[1])


def _raised(end: Bound, count: int) -> Bound:
    if math.isinf(end):
        return INFINITE if end > 0 or count % 2 == 0 else -INFINITE
    return Fraction(end) ** count


# Functions that grow with what is in them: how they are computed, their value at a place where it is exact, and the
# values that they do not leave.
_GROWING: dict[str, tuple[Callable[[float], float], dict[int, int], Bound, Bound]] = {
    "exp": (math.exp, {0: 1}, Fraction(0), INFINITE),
    "log": (math.log, {1: 0}, -INFINITE, INFINITE),
    "log2": (math.log2, {1: 0}, -INFINITE, INFINITE),
    "log10": (math.log10, {1: 0}, -INFINITE, INFINITE),
    "sqrt": (math.sqrt, {0: 0, 1: 1}, Fraction(0), INFINITE),
    "sinh": (math.sinh, {0: 0}, -INFINITE, INFINITE),
    "tanh": (math.tanh, {0: 0}, Fraction(-1), Fraction(1)),
    "atan": (math.atan, {0: 0}, Fraction(-158, 100), Fraction(158, 100)),
}


def _called(function: str, inner: Range) -> Range:
    if function in ("sin", "cos"):
        return Range(Fraction(-1), Fraction(1))
    if function == "cosh":
        return Range(Fraction(1), INFINITE)
    if function not in _GROWING:
        return EVERYTHING
    compute, exact, lowest, highest = _GROWING[function]
    starts: Bound = Fraction(0) if function in ("log", "log2", "log10", "sqrt") else -INFINITE
    low = lowest if inner.low <= starts else _grown(compute, exact, inner.low, -1)
    high = highest if math.isinf(inner.high) else _grown(compute, exact, inner.high, 1)
    return Range(max(low, lowest), min(high, highest))


def _grown(compute: Callable[[float], float], exact: dict[int, int], place: Bound, side: int) -> Bound:
    if place in exact:
        return Fraction(exact[int(place)])
    if not -_LARGEST <= place <= _LARGEST:
        return side * INFINITE
    try:
        value = Fraction(compute(float(place)))
    except ValueError:
        return side * INFINITE
    slack = max(abs(value), Fraction(1, 10**6)) * _SLACK
    return value + side * slack
