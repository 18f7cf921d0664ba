"""A formula as a quotient of two polynomials in one part, with everything else as coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from mathrag.compute.solve.tidy import minus, opposite, plus, times
from mathrag.types.expression import (
    ONE,
    ZERO,
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

Polynomial: TypeAlias = Mapping[int, Expression]

_MAXIMUM_DEGREE = 8
_MAXIMUM_SIZE = 600

_ONE: Polynomial = {0: ONE}


class NotRationalError(ArithmeticError):
    """The formula is not a quotient of polynomials in the part, or too long a one."""


def contains(expression: Expression, symbol: str) -> bool:
    """Whether a symbol occurs freely."""
    return symbol in symbols_of(expression)


def entries_of(left: Expression, right: Expression, symbol: str) -> tuple[Expression, ...]:
    """The parts through which the symbol enters: the symbol itself, or functions of it that algebra cannot open."""
    found: dict[Expression, None] = {}
    for side in (left, right):
        _entries(side, symbol, found)
    return tuple(found)


def _entries(node: Expression, symbol: str, found: dict[Expression, None]) -> None:
    if not contains(node, symbol):
        return
    match node:
        case Add(parts) | Multiply(parts):
            for part in parts:
                _entries(part, symbol, found)
        case Divide(first, second):
            _entries(first, symbol, found)
            _entries(second, symbol, found)
        case Negate(operand):
            _entries(operand, symbol, found)
        case Power(base, exponent) if _whole(exponent) is not None:
            _entries(base, symbol, found)
        case _:
            found.setdefault(node)


def _whole(exponent: Expression) -> int | None:
    match exponent:
        case Number(int() as value) if value <= _MAXIMUM_DEGREE:
            return value
        case Negate(Number(int() as value)) if value <= _MAXIMUM_DEGREE:
            return -value
        case _:
            return None


def numerator_of_difference(left: Expression, right: Expression, generator: Expression) -> Polynomial:
    """The polynomial whose roots solve left = right; raises NotRationalError."""
    above_left, below_left = _rational(left, generator)
    above_right, below_right = _rational(right, generator)
    return _subtract(_product(above_left, below_right), _product(above_right, below_left))


def _rational(node: Expression, generator: Expression) -> tuple[Polynomial, Polynomial]:
    if node == generator:
        return {1: ONE}, _ONE
    if not _has_part(node, generator):
        return {0: node}, _ONE
    match node:
        case Add(terms):
            above, below = _rational(terms[0], generator)
            for term in terms[1:]:
                other_above, other_below = _rational(term, generator)
                if other_below == below:
                    above = _sum(above, other_above)
                else:
                    above = _sum(_product(above, other_below), _product(other_above, below))
                    below = _product(below, other_below)
            return above, below
        case Multiply(factors):
            above, below = _ONE, _ONE
            for factor in factors:
                other_above, other_below = _rational(factor, generator)
                above, below = _product(above, other_above), _product(below, other_below)
            return above, below
        case Divide(numerator, denominator):
            above, below = _rational(numerator, generator)
            other_above, other_below = _rational(denominator, generator)
            return _product(above, other_below), _product(below, other_above)
        case Negate(operand):
            above, below = _rational(operand, generator)
            return {degree: opposite(value) for degree, value in above.items()}, below
        case Power(base, exponent):
            count = _whole(exponent)
            if count is not None:
                return _power(*_rational(base, generator), count)
    raise NotRationalError


def _has_part(node: Expression, part: Expression) -> bool:
    if isinstance(part, Symbol):
        return contains(node, part.name)
    return any(each == part for each in walk(node))


def _power(above: Polynomial, below: Polynomial, count: int) -> tuple[Polynomial, Polynomial]:
    if count < 0:
        above, below, count = below, above, -count
    result_above, result_below = _ONE, _ONE
    for _ in range(count):
        result_above, result_below = _product(result_above, above), _product(result_below, below)
    return result_above, result_below


def _sum(first: Polynomial, second: Polynomial) -> Polynomial:
    result = dict(first)
    for degree, value in second.items():
        result[degree] = plus(result.get(degree, ZERO), value)
    return _trimmed(result)


def _subtract(first: Polynomial, second: Polynomial) -> Polynomial:
    result = dict(first)
    for degree, value in second.items():
        result[degree] = minus(result.get(degree, ZERO), value)
    return _trimmed(result)


def _product(first: Polynomial, second: Polynomial) -> Polynomial:
    if first == _ONE:
        return second
    if second == _ONE:
        return first
    result: dict[int, Expression] = {}
    for degree, value in first.items():
        for other_degree, other in second.items():
            total = degree + other_degree
            result[total] = plus(result.get(total, ZERO), times(value, other))
    return _trimmed(result)


def _trimmed(polynomial: Mapping[int, Expression]) -> Polynomial:
    kept = {degree: value for degree, value in polynomial.items() if value != ZERO}
    if kept and max(kept) > _MAXIMUM_DEGREE:
        raise NotRationalError
    if sum(sum(1 for _ in walk(value)) for value in kept.values()) > _MAXIMUM_SIZE:
        raise NotRationalError
    return kept
