"""What is asked of a polynomial beside its roots: one coefficient, its degree, remainders of high powers, the
discriminant, the square completed. Exact; each has a second way to be computed, for whoever tells it to check."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from mathrag.compute.algebra.polynomials import (
    Monomial,
    NotPolynomialError,
    Polynomial,
    Terms,
    added,
    derived,
    divided,
    product_of,
    times,
    trimmed,
    value_at,
)
from mathrag.types.expression import Add, Divide, Expression, Multiply, Negate, Number, Power, Symbol

_HIGHEST_POWER = 300
_MOST_PRODUCTS = 200_000
_MOST_BITS = 6_000
_HIGHEST_REDUCED = 10**7


# Sums of powers, which may be negative.


def powers_of(node: Expression) -> Terms:
    """The tree multiplied out as `terms_of` does, with higher powers, and with divisors that are one term: those give
    negative powers. Raises `NotPolynomialError`."""
    match node:
        case Number(value):
            return {(): Fraction(value)} if value else {}
        case Symbol(name):
            return {((name, 1),): Fraction(1)}
        case Negate(operand):
            return {monomial: -value for monomial, value in powers_of(operand).items()}
        case Add(terms):
            total: Terms = {}
            for term in terms:
                total = added(total, powers_of(term))
            return total
        case Multiply(factors):
            product: Terms = {(): Fraction(1)}
            for factor in factors:
                product = _product(product, powers_of(factor))
            return product
        case Divide(numerator, denominator):
            return _product(powers_of(numerator), _inverse(powers_of(denominator)))
        case Power(base, Number(int() as count)) if count <= _HIGHEST_POWER:
            return _power(powers_of(base), count)
        case Power(base, Negate(Number(int() as count))) if count <= _HIGHEST_POWER:
            return _power(_inverse(powers_of(base)), count)
    raise NotPolynomialError


def _inverse(terms: Terms) -> Terms:
    if len(terms) != 1:
        raise NotPolynomialError
    ((monomial, value),) = terms.items()
    return {tuple((name, -count) for name, count in monomial): 1 / value}


def _power(terms: Terms, count: int) -> Terms:
    found: Terms = {(): Fraction(1)}
    for digit in bin(count)[2:]:
        found = _product(found, found)
        if digit == "1":
            found = _product(found, terms)
    return found


def _product(first: Terms, second: Terms) -> Terms:
    if len(first) * len(second) > _MOST_PRODUCTS:
        raise NotPolynomialError
    total = product_of(first, second)
    if any(value.numerator.bit_length() > _MOST_BITS for value in total.values()):
        raise NotPolynomialError
    return total


def coefficient_in(terms: Mapping[Monomial, Fraction], wanted: Mapping[str, int]) -> Terms:
    """What stands before the wanted powers; a symbol that is not wanted belongs to the coefficient."""
    found: Terms = {}
    for monomial, value in terms.items():
        powers = dict(monomial)
        if all(powers.get(name, 0) == count for name, count in wanted.items()):
            found[tuple((name, count) for name, count in monomial if name not in wanted)] = value
    return found


# Remainders.


def remainder_of(node: Expression, symbol: str, divisor: Polynomial) -> Polynomial:
    """What a polynomial leaves when it is divided, without multiplying it out; raises `NotPolynomialError`."""
    match node:
        case Number(value):
            return _reduced((Fraction(value),) if value else (), divisor)
        case Symbol(name) if name == symbol:
            return _reduced((Fraction(0), Fraction(1)), divisor)
        case Negate(operand):
            return tuple(-value for value in remainder_of(operand, symbol, divisor))
        case Add(terms):
            parts = [remainder_of(term, symbol, divisor) for term in terms]
            size = max(map(len, parts))
            return trimmed([sum((part[n] for part in parts if n < len(part)), Fraction(0)) for n in range(size)])
        case Multiply(factors):
            product: Polynomial = (Fraction(1),)
            for factor in factors:
                product = _reduced(times(product, remainder_of(factor, symbol, divisor)), divisor)
            return product
        case Divide(numerator, Number(value)) if value:
            return tuple(each / Fraction(value) for each in remainder_of(numerator, symbol, divisor))
        case Power(base, Number(int() as count)) if count <= _HIGHEST_REDUCED:
            return _reduced_power(remainder_of(base, symbol, divisor), count, divisor)
    raise NotPolynomialError


def _reduced_power(inner: Polynomial, count: int, divisor: Polynomial) -> Polynomial:
    found = _reduced((Fraction(1),), divisor)
    for digit in bin(count)[2:]:
        found = _reduced(times(found, found), divisor)
        if digit == "1":
            found = _reduced(times(found, inner), divisor)
    return found


def _reduced(polynomial: Polynomial, divisor: Polynomial) -> Polynomial:
    rest = divided(polynomial, divisor)[1] if len(polynomial) >= len(divisor) else polynomial
    if any(value.numerator.bit_length() + value.denominator.bit_length() > _MOST_BITS for value in rest):
        raise NotPolynomialError
    return rest


def leaves_remainder(node: Expression, symbol: str, divisor: Polynomial, remainder: Polynomial) -> bool:
    """Whether the numbers agree: for a divisor with whole coefficients and 1 in front, at whole places the value of the
    polynomial and that of its remainder leave the same when they are divided by the value of the divisor."""
    if divisor[-1] != 1 or any(value.denominator != 1 for value in (*divisor, *remainder)):
        return False
    checked = 0
    for place in range(2, 30):
        modulus = abs(int(value_at(divisor, Fraction(place))))
        if modulus < 2:
            continue
        value = _value_modulo(node, symbol, place, modulus)
        if value is None or (value - int(value_at(remainder, Fraction(place)))) % modulus:
            return False
        checked += 1
    return checked >= 5


def _value_modulo(node: Expression, symbol: str, place: int, modulus: int) -> int | None:
    match node:
        case Number(int() as value):
            return value % modulus
        case Symbol(name) if name == symbol:
            return place % modulus
        case Negate(operand):
            inner = _value_modulo(operand, symbol, place, modulus)
            return None if inner is None else -inner % modulus
        case Add(parts) | Multiply(parts):
            values = [_value_modulo(part, symbol, place, modulus) for part in parts]
            if None in values:
                return None
            known = [value for value in values if value is not None]
            return (sum(known) if isinstance(node, Add) else math.prod(known)) % modulus
        case Power(base, Number(int() as count)):
            inner = _value_modulo(base, symbol, place, modulus)
            return None if inner is None else pow(inner, count, modulus)
    return None


# Discriminants.


def discriminant_of(polynomial: Polynomial) -> Fraction:
    """(−1)^(n(n−1)/2) times the resultant of the polynomial and its derivative, over the leading coefficient; for a
    degree of at least one."""
    degree = len(polynomial) - 1
    sign = -1 if degree * (degree - 1) // 2 % 2 else 1
    return sign * _resultant(polynomial, derived(polynomial)) / polynomial[-1]


def _resultant(first: Polynomial, second: Polynomial) -> Fraction:
    """By Euclid's way: each division takes out powers of the leading coefficient."""
    if not second:
        return Fraction(0)
    if len(second) == 1:
        return second[0] ** (len(first) - 1)
    rest = divided(first, second)[1]
    if not rest:
        return Fraction(0)
    sign = -1 if (len(first) - 1) * (len(second) - 1) % 2 else 1
    return sign * second[-1] ** (len(first) - len(rest)) * _resultant(second, rest)


def completed_square(polynomial: Polynomial) -> tuple[Fraction, Fraction, Fraction]:
    """`a`, `h` and `k` of a(x + h)² + k, of a polynomial of degree two."""
    constant, linear, leading = polynomial
    shift = linear / (2 * leading)
    return leading, shift, constant - leading * shift * shift
