"""Intervals with interval derivatives: what a formula can give when its values lie anywhere within bounds.

Every operation is widened outwards by more than rounding can do, so the true range always lies inside. Functions that
are not listed here are refused, never guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from mathrag.errors import EvaluationError
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
)

_WIDENING = 4.0 * 2.0**-52
_TINY = 5e-324


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from low to high."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise EvaluationError("the worst case is not bounded: a value can become infinite within the limits")

    @property
    def is_positive(self) -> bool:
        """Whether all of it lies above zero or at it."""
        return self.low >= 0.0

    @property
    def is_negative(self) -> bool:
        """Whether all of it lies below zero or at it."""
        return self.high <= 0.0


def point(value: float) -> Interval:
    """One number."""
    return Interval(value, value)


def _wide(low: float, high: float) -> Interval:
    return Interval(low - abs(low) * _WIDENING - _TINY, high + abs(high) * _WIDENING + _TINY)


ZERO, ONE = point(0.0), point(1.0)


def plus(one: Interval, other: Interval) -> Interval:
    """The sum."""
    if one == ZERO:
        return other
    return one if other == ZERO else _wide(one.low + other.low, one.high + other.high)


def times(one: Interval, other: Interval) -> Interval:
    """The product."""
    if ZERO in (one, other):
        return ZERO
    if one == ONE:
        return other
    if other == ONE:
        return one
    corners = (one.low * other.low, one.low * other.high, one.high * other.low, one.high * other.high)
    return _wide(min(corners), max(corners))


def _minus(one: Interval) -> Interval:
    return Interval(-one.high, -one.low)


def _inverse(one: Interval) -> Interval:
    if one.low <= 0.0 <= one.high:
        raise EvaluationError("the worst case is not bounded: a divisor can be zero within the limits")
    return _wide(1.0 / one.high, 1.0 / one.low)


@dataclass(frozen=True, slots=True)
class Sloped:
    """An interval with the bounds of its derivatives by the measured values behind it."""

    value: Interval
    slopes: Mapping[str, Interval] = field(default_factory=dict)


def sloped(tree: Expression, known: Mapping[str, Sloped]) -> Sloped:
    """What a tree of plain numbers in SI can give; raises `EvaluationError` where bounds are not known."""
    try:
        return _of(tree, known)
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        raise EvaluationError("the worst case is not bounded: a value leaves what can be computed") from error


def _of(node: Expression, known: Mapping[str, Sloped]) -> Sloped:
    match node:
        case Number(value):
            return Sloped(_literal(value))
        case MathConstant():
            return Sloped(_wide(math.pi, math.pi))
        case Symbol(name):
            return known[name]
        case Negate(operand):
            return _opposite(_of(operand, known))
        case Add(terms):
            return _total([_of(each, known) for each in terms])
        case Multiply(factors):
            return _product([_of(each, known) for each in factors])
        case Divide(numerator, denominator):
            below = _of(denominator, known)
            inverse = _inverse(below.value)
            slope = _minus(times(inverse, inverse))
            return _product([_of(numerator, known), _chained(below, inverse, slope)])
        case Power(base, exponent):
            return _power(_of(base, known), _of(exponent, known))
        case Call(function, arguments):
            return _call(function, [_of(each, known) for each in arguments])
        case _:
            raise EvaluationError("the worst case is not computed for cases, sums and numbers of this kind")


def _literal(value: int | Decimal) -> Interval:
    nearest = float(value)
    return point(nearest) if Fraction(nearest) == Fraction(value) else _wide(nearest, nearest)


def _call(function: str, arguments: list[Sloped]) -> Sloped:
    if function == "sqrt":
        return _power(arguments[0], Sloped(point(0.5)))
    if function not in _FUNCTIONS:
        raise EvaluationError(f"the worst case is not computed for {function}")
    return _chained(arguments[0], *_FUNCTIONS[function](arguments[0].value))


def _mixed(one: Sloped, factor: Interval, other: Sloped, other_factor: Interval) -> dict[str, Interval]:
    keys = dict.fromkeys((*one.slopes, *other.slopes))
    first = {key: times(one.slopes.get(key, ZERO), factor) for key in keys}
    return {key: plus(first[key], times(other.slopes.get(key, ZERO), other_factor)) for key in keys}


def _opposite(inner: Sloped) -> Sloped:
    return Sloped(_minus(inner.value), {key: _minus(each) for key, each in inner.slopes.items()})


def _total(terms: list[Sloped]) -> Sloped:
    total = terms[0]
    for other in terms[1:]:
        total = Sloped(plus(total.value, other.value), _mixed(total, ONE, other, ONE))
    return total


def _product(factors: list[Sloped]) -> Sloped:
    total = factors[0]
    for other in factors[1:]:
        total = Sloped(times(total.value, other.value), _mixed(total, other.value, other, total.value))
    return total


def _chained(inner: Sloped, value: Interval, slope: Interval) -> Sloped:
    return Sloped(value, {key: times(each, slope) for key, each in inner.slopes.items()})


def _power(base: Sloped, exponent: Sloped) -> Sloped:
    power = exponent.value
    if power.low == power.high and not exponent.slopes:
        number = power.low
        if number == int(number) and abs(number) <= 1000:
            value = _whole_power(base.value, int(number))
            slope = times(point(number), _whole_power(base.value, int(number) - 1)) if number else ZERO
            return _chained(base, value, slope)
        _positive(base.value, number)
        value = _wide(*sorted((base.value.low**number, base.value.high**number)))
        if not base.slopes:
            return Sloped(value)
        _positive(base.value, number - 1.0)
        slope = times(
            point(number), _wide(*sorted((base.value.low ** (number - 1.0), base.value.high ** (number - 1.0))))
        )
        return _chained(base, value, slope)
    if base.value.low <= 0.0:
        raise EvaluationError("the worst case is not bounded: a base can be zero or negative within the limits")
    logarithm = _chained(base, *_FUNCTIONS["log"](base.value))
    product = _product([exponent, logarithm])
    return _chained(product, *_FUNCTIONS["exp"](product.value))


def _positive(base: Interval, power: float) -> None:
    if base.low < 0.0 or (base.low == 0.0 and power < 0.0):
        raise EvaluationError("the worst case is not bounded: a root or power has no value within the limits")


def _whole_power(base: Interval, power: int) -> Interval:
    if power < 0:
        return _inverse(_whole_power(base, -power))
    if power == 0:
        return ONE
    ends = sorted((base.low**power, base.high**power))
    if power % 2 == 0 and base.low < 0.0 < base.high:
        return _wide(0.0, ends[1])
    return _wide(*ends)


def _rising(
    function: Callable[[float], float], slope: Callable[[Interval], Interval]
) -> Callable[[Interval], tuple[Interval, Interval]]:
    return lambda x: (_wide(function(x.low), function(x.high)), slope(x))


def _logarithm(x: Interval) -> tuple[Interval, Interval]:
    if x.low <= 0.0:
        raise EvaluationError("the worst case is not bounded: a logarithm has no value within the limits")
    return _wide(math.log(x.low), math.log(x.high)), _inverse(x)


def _scaled_logarithm(base: float) -> Callable[[Interval], tuple[Interval, Interval]]:
    factor = _inverse(_wide(math.log(base), math.log(base)))

    def scaled(x: Interval) -> tuple[Interval, Interval]:
        value, slope = _logarithm(x)
        return times(value, factor), times(slope, factor)

    return scaled


def _cosine_range(x: Interval) -> Interval:
    """The cosine: -1 or 1 where a multiple of pi lies inside. Far from zero multiples of pi are not told apart."""
    if abs(x.low) > 1e6 or abs(x.high) > 1e6:
        return Interval(-1.0, 1.0)
    first, last = math.ceil(x.low / math.pi - 1e-9), math.floor(x.high / math.pi + 1e-9)
    ends = [math.cos(x.low), math.cos(x.high)]
    ends += [1.0 if turn % 2 == 0 else -1.0 for turn in range(first, min(last, first + 2) + 1)]
    found = _wide(min(ends) - _WIDENING, max(ends) + _WIDENING)
    return Interval(max(-1.0, found.low), min(1.0, found.high))


def _sine_range(x: Interval) -> Interval:
    return _cosine_range(_wide(x.low - math.pi / 2, x.high - math.pi / 2))


def _tangent(x: Interval) -> tuple[Interval, Interval]:
    first = math.ceil(x.low / math.pi - 0.5 - 1e-9)
    if abs(x.low) > 1e6 or first <= math.floor(x.high / math.pi - 0.5 + 1e-9):
        raise EvaluationError("the worst case is not bounded: a tangent has a pole within the limits")
    value = _wide(math.tan(x.low), math.tan(x.high))
    return value, plus(ONE, _whole_power(value, 2))


def _absolute(x: Interval) -> tuple[Interval, Interval]:
    if x.low >= 0.0:
        return x, ONE
    return (_minus(x), _minus(ONE)) if x.high <= 0.0 else (Interval(0.0, max(-x.low, x.high)), Interval(-1.0, 1.0))


_FUNCTIONS: Mapping[str, Callable[[Interval], tuple[Interval, Interval]]] = {
    "exp": _rising(math.exp, lambda x: _wide(math.exp(x.low), math.exp(x.high))),
    "log": _logarithm,
    "log10": _scaled_logarithm(10.0),
    "log2": _scaled_logarithm(2.0),
    "sin": lambda x: (_sine_range(x), _cosine_range(x)),
    "cos": lambda x: (_cosine_range(x), _minus(_sine_range(x))),
    "tan": _tangent,
    "atan": _rising(math.atan, lambda x: _inverse(plus(ONE, _whole_power(x, 2)))),
    "abs": _absolute,
}
