"""Whether an expression in whole numbers is always divisible by a number: by its remainders, all of them.

A polynomial repeats modulo m with period m in every symbol, a power of a number with the period of its remainders. All
cases of one period are computed; so what holds in them holds always, and what fails has a counterexample.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.types.expression import (
    Add,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    symbols_of,
    walk,
)

_MOST_CASES = 30_000
_LARGEST_MODULUS = 5_000
_HIGHEST_POWER = 60
_LARGEST_VALUE = 10**400


class NotWholeError(ValueError):
    """The expression is not made of whole numbers, sums, products, powers, and divisions by numbers."""


@dataclass(frozen=True, slots=True)
class Remainders:
    """The remainders of an expression modulo a number in all cases: `cases` so many, with an example for each.
    `from_zero`: the symbols are not negative, because they stand in an exponent."""

    modulus: int
    cases: int
    examples: Mapping[int, dict[str, int]]
    from_zero: bool


def value_of(node: Expression, values: Mapping[str, int]) -> Fraction:
    """The exact value at whole numbers; raises `NotWholeError`."""
    match node:
        case Number(int() as value):
            return Fraction(value)
        case Symbol(name) if name in values:
            return Fraction(values[name])
        case Negate(operand):
            return -value_of(operand, values)
        case Add(terms):
            return sum((value_of(term, values) for term in terms), Fraction(0))
        case Multiply(factors):
            return math.prod((value_of(factor, values) for factor in factors), start=Fraction(1))
        case Divide(numerator, denominator):
            below = value_of(denominator, values)
            if below:
                return value_of(numerator, values) / below
        case Power(base, exponent):
            return _raised(value_of(base, values), value_of(exponent, values))
    raise NotWholeError


def _raised(base: Fraction, count: Fraction) -> Fraction:
    if count.denominator != 1 or count < 0:
        raise NotWholeError
    if abs(base) > 1 and count * max(abs(base.numerator), base.denominator).bit_length() > _LARGEST_VALUE.bit_length():
        raise NotWholeError
    return base ** int(count)


def remainders(expression: Expression, modulus: int, *, from_one: bool = False) -> Remainders:
    """All remainders of an expression modulo a number from 1 on; where its value is no whole number, that is told as
    the remainder −1. `from_one`: exponents are no zeros. Raises `NotWholeError`."""
    names = symbols_of(expression)
    divisor = _divisors(expression)
    whole = modulus * divisor
    exponents = _in_exponents(expression)
    _checked(expression, exponents)
    if whole > _LARGEST_MODULUS:
        raise NotWholeError
    period, start = whole, 0
    for base in exponents.values():
        for each in base:
            begin, length = _cycle(each, whole)
            start, period = max(start, begin), math.lcm(period, length)
    first = 1 if from_one else 0
    # Positive numbers stand for all: a counterexample is then one for the natural numbers too.
    spans = [range(first, start + period + 1) if name in exponents else range(1, whole + 1) for name in names]
    count = math.prod(map(len, spans))
    if count > _MOST_CASES:
        raise NotWholeError
    examples: dict[int, dict[str, int]] = {}
    for values in _simple_first(spans):
        point = dict(zip(names, values, strict=True))
        value = value_of(expression, point)
        rest = int(value) % modulus if value.denominator == 1 else -1
        examples.setdefault(rest, point)
    return Remainders(modulus, count, examples, bool(exponents))


def _simple_first(spans: Sequence[range]) -> Iterator[tuple[int, ...]]:
    if len(spans) == 1:
        return ((each,) for each in spans[0])
    return iter(sorted(itertools.product(*spans), key=sum))


def _divisors(expression: Expression) -> int:
    """A number that makes all values whole when they are multiplied by it."""
    found = 1
    for node in walk(expression):
        if isinstance(node, Divide):
            if not isinstance(node.denominator, Number) or not isinstance(node.denominator.value, int):
                raise NotWholeError
            found *= node.denominator.value
    return found


def _in_exponents(expression: Expression) -> dict[str, set[int]]:
    """The symbols in exponents, each with the numbers that it raises."""
    found: dict[str, set[int]] = {}
    for node in walk(expression):
        if isinstance(node, Power) and symbols_of(node.exponent):
            base = node.base.operand if isinstance(node.base, Negate) else node.base
            if not isinstance(base, Number) or not isinstance(base.value, int) or len(symbols_of(node.exponent)) != 1:
                raise NotWholeError
            sign = -1 if isinstance(node.base, Negate) else 1
            found.setdefault(symbols_of(node.exponent)[0], set()).add(sign * base.value)
    return found


def _checked(expression: Expression, exponents: Mapping[str, set[int]]) -> None:
    """Exponents are whole numbers, or sums of whole multiples of one symbol and whole numbers, none negative."""
    for node in walk(expression):
        if isinstance(node, Power):
            if isinstance(node.exponent, Number):
                if not isinstance(node.exponent.value, int) or node.exponent.value > _HIGHEST_POWER:
                    raise NotWholeError
            elif any(isinstance(part, Negate | Divide | Power) for part in walk(node.exponent)):
                raise NotWholeError
    if exponents and len(symbols_of(expression)) > 1:
        raise NotWholeError


def _cycle(base: int, modulus: int) -> tuple[int, int]:
    """From which exponent on the powers repeat modulo a number, and after how many."""
    seen: dict[int, int] = {}
    value, count = 1 % modulus, 0
    while value not in seen:
        seen[value] = count
        value, count = value * base % modulus, count + 1
    return seen[value], count - seen[value]
