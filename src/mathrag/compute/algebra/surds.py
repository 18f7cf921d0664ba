"""Sums of rational multiples of square roots, exactly: added, multiplied, and divided without a root below the bar."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction

from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
)

# The factor of each square root, by the square-free number under it; 1 for the rational part.
Surd = Mapping[int, Fraction]
_LARGEST_ROOT, _MOST_ROOTS, _HIGHEST_POWER = 10**6, 16, 12
_DIGITS = 120


class NotSurdError(ArithmeticError):
    """The expression is no sum of multiples of square roots, or too long a one."""


def surd_of(node: Expression) -> Surd:
    """The expression as such a sum; raises `NotSurdError`."""
    match node:
        case Number(value):
            return {1: Fraction(value)} if value else {}
        case Negate(operand):
            return {root: -value for root, value in surd_of(operand).items()}
        case Add(terms):
            total: Surd = {}
            for term in terms:
                total = _sum(total, surd_of(term))
            return total
        case Multiply(factors):
            product: Surd = {1: Fraction(1)}
            for factor in factors:
                product = _product(product, surd_of(factor))
            return product
        case Divide(numerator, denominator):
            return _product(surd_of(numerator), _inverse(surd_of(denominator)))
        case Call("sqrt", (inside,)):
            return _root(inside)
        case Call("abs", (inside,)):
            inner = surd_of(inside)
            return {root: value * sign_of(inner) for root, value in inner.items()}
        case Power(base, exponent):
            return _power(base, constant_of(tidied(exponent)))
    raise NotSurdError


def sign_of(surd: Surd) -> int:
    """1, 0 or −1: square roots of different square-free numbers are independent, so that only the empty sum is zero."""
    if not surd:
        return 0
    with localcontext() as context:
        context.prec = _DIGITS
        total = Decimal(0)
        for root, value in surd.items():
            total += Decimal(value.numerator) / Decimal(value.denominator) * Decimal(root).sqrt()
        if abs(total) < Decimal(10) ** (-_DIGITS // 2):
            raise NotSurdError
    return 1 if total > 0 else -1


def _sum(one: Surd, other: Surd) -> Surd:
    total = dict(one)
    for root, value in other.items():
        total[root] = total.get(root, Fraction(0)) + value
    return {root: value for root, value in total.items() if value}


def _product(one: Surd, other: Surd) -> Surd:
    total: dict[int, Fraction] = {}
    for first, value in one.items():
        for second, factor in other.items():
            outside, inside = _square_free(first * second)
            total[inside] = total.get(inside, Fraction(0)) + value * factor * outside
    if len(total) > _MOST_ROOTS:
        raise NotSurdError
    return {root: value for root, value in total.items() if value}


def _square_free(whole: int) -> tuple[int, int]:
    """The largest number whose square divides it, and what is left."""
    if whole > _LARGEST_ROOT:
        raise NotSurdError
    outside, inside, divisor = 1, whole, 2
    while divisor * divisor <= inside:
        while inside % (divisor * divisor) == 0:
            inside //= divisor * divisor
            outside *= divisor
        divisor += 1
    return outside, inside


def _root(inside: Expression) -> Surd:
    value = constant_of(tidied(inside))
    if value is None or value < 0:
        raise NotSurdError
    outside, root = _square_free(value.numerator * value.denominator)
    return {root: Fraction(outside, value.denominator)} if value else {}


def _power(base: Expression, count: Fraction | None) -> Surd:
    if count == Fraction(1, 2):
        return _root(base)
    if count is None or count.denominator != 1 or abs(count) > _HIGHEST_POWER:
        raise NotSurdError
    inner, product = surd_of(base), {1: Fraction(1)}
    if count < 0:
        inner = _inverse(inner)
    for _ in range(abs(int(count))):
        product = dict(_product(product, inner))
    return product


def _inverse(below: Surd) -> Surd:
    """One over it: multiplied above and below by what takes one prime after the other out from under the roots."""
    above: Surd = {1: Fraction(1)}
    while set(below) - {1}:
        prime = _smallest_prime(max(set(below) - {1}))
        other = {root: -value if root % prime == 0 else value for root, value in below.items()}
        above, below = _product(above, other), _product(below, other)
    if not below:
        raise NotSurdError
    return {root: value / below[1] for root, value in above.items()}


def _smallest_prime(whole: int) -> int:
    divisor = 2
    while divisor * divisor <= whole:
        if whole % divisor == 0:
            return divisor
        divisor += 1
    return whole


def surd_expression(surd: Surd) -> Expression:
    """The sum over one rational denominator, as people write it."""
    if not surd:
        return number(0)
    common = 1
    for value in surd.values():
        common = common * value.denominator // math.gcd(common, value.denominator)
    terms: list[Expression] = []
    for root in sorted(surd, key=lambda each: (surd[each] < 0, each)):
        value = surd[root] * common
        size = literal(abs(value)) if root == 1 or abs(value) != 1 else None
        parts = [*([size] if size is not None else []), *([call("sqrt", number(root))] if root != 1 else [])]
        term = multiply(*parts) if len(parts) > 1 else parts[0]
        terms.append(negate(term) if value < 0 else term)
    above = add(*terms) if len(terms) > 1 else terms[0]
    return above if common == 1 else divide(above, number(common))
