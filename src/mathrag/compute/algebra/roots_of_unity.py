"""Exact numbers that are sums of roots of unity: fractions, their square roots, i, sines and cosines of parts of π.

A number is written as a sum of c · exp(iπθ) with fractions c and θ. Such a sum is zero where the polynomial with these
coefficients is divisible by the cyclotomic polynomial of the common order: that is decided with whole numbers alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

# Turns in parts of π, from 0 to below 2, with what stands before each.
Sum: TypeAlias = Mapping[Fraction, Fraction]

_MOST_TERMS = 400
_HIGHEST_ORDER = 1200
_LARGEST_PRIME = 60
_LARGEST_RADICAND = 10**9
_HIGHEST_DEGREE = 64
ONE: Sum = {Fraction(0): Fraction(1)}


class NoSumError(ValueError):
    """A number that is no such sum, or one with too many terms."""


def rational(value: Fraction) -> Sum:
    """A fraction."""
    return {Fraction(0): value} if value else {}


def turn(part: Fraction) -> Sum:
    """exp(iπ · part)."""
    return {part % 2: Fraction(1)}


def cosine(part: Fraction) -> Sum:
    """cos(π · part)."""
    return times(rational(Fraction(1, 2)), plus(turn(part), turn(-part)))


def sine(part: Fraction) -> Sum:
    """sin(π · part)."""
    return cosine(part - Fraction(1, 2))


def plus(first: Sum, second: Sum) -> Sum:
    """The sum of two numbers."""
    found = dict(first)
    for part, value in second.items():
        found[part] = found.get(part, Fraction(0)) + value
    if len(found) > _MOST_TERMS:
        raise NoSumError
    return {part: value for part, value in found.items() if value}


def times(first: Sum, second: Sum) -> Sum:
    """The product of two numbers."""
    if len(first) * len(second) > _MOST_TERMS * 20:
        raise NoSumError
    found: dict[Fraction, Fraction] = {}
    for one, before in first.items():
        for other, factor in second.items():
            part = (one + other) % 2
            found[part] = found.get(part, Fraction(0)) + before * factor
    if len(found) > _MOST_TERMS:
        found = dict(reduced(found))
    return {part: value for part, value in found.items() if value}


def conjugate(number: Sum) -> Sum:
    """The complex conjugate."""
    return {-part % 2: value for part, value in number.items()}


def square_root(value: Fraction) -> Sum:
    """The principal square root of a fraction: that of a negative one is a multiple of i."""
    if value < 0:
        return times(turn(Fraction(1, 2)), square_root(-value))
    radicand = value.numerator * value.denominator
    if radicand > _LARGEST_RADICAND:
        raise NoSumError
    outside, found = Fraction(1, value.denominator), ONE
    for prime, count in _primes(radicand):
        outside *= prime ** (count // 2)
        if count % 2:
            found = times(found, _root_of_prime(prime))
    return times(rational(outside), found) if value else {}


def _primes(number: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    divisor = 2
    while divisor * divisor <= number:
        count = 0
        while number % divisor == 0:
            number, count = number // divisor, count + 1
        if count:
            found.append((divisor, count))
        divisor += 1
    return [*found, (number, 1)] if number > 1 else found


def _root_of_prime(prime: int) -> Sum:
    """The square root of a prime by Gauss's sum."""
    if prime > _LARGEST_PRIME:
        raise NoSumError
    if prime == 2:
        return plus(turn(Fraction(1, 4)), turn(Fraction(-1, 4)))
    squares = {k * k % prime for k in range(1, prime)}
    gauss: Sum = {Fraction(2 * k, prime): Fraction(1 if k in squares else -1) for k in range(1, prime)}
    return gauss if prime % 4 == 1 else times(turn(Fraction(-1, 2)), gauss)


# Zero or not.


def is_zero(number: Sum) -> bool:
    """Whether the number is 0; exact."""
    return not reduced(number)


def as_rational(number: Sum) -> Fraction | None:
    """The fraction that a number is; None where it is none."""
    left = reduced(number)
    return left.get(Fraction(0), Fraction(0)) if set(left) <= {Fraction(0)} else None


def reduced(number: Sum) -> Sum:
    """The one way to write a number by the lowest powers of one root of unity."""
    order = _order(number)
    rest = _remainder(_coefficients(number, order), list(map(Fraction, _cyclotomic(order))))
    return {Fraction(2 * power, order): value for power, value in enumerate(rest) if value}


def inverse(number: Sum) -> Sum:
    """One over a number that is not 0."""
    order = _order(number)
    modulus = list(map(Fraction, _cyclotomic(order)))
    if len(modulus) - 1 > _HIGHEST_DEGREE:
        raise NoSumError
    # Euclid's algorithm: whatever is left of the two polynomials is a number, as one of them has no factors.
    first, second = modulus, _remainder(_coefficients(number, order), modulus)
    one: list[Fraction] = []
    other: list[Fraction] = [Fraction(1)]
    if not second:
        raise NoSumError
    while len(second) > 1:
        quotient, rest = _divided(first, second)
        first, second = second, rest
        one, other = other, _less(one, _product(quotient, other))
    return {Fraction(2 * power, order): value / second[0] for power, value in enumerate(other) if value}


def _order(number: Sum) -> int:
    order = math.lcm(1, *((part / 2).denominator for part in number))
    if order > _HIGHEST_ORDER:
        raise NoSumError
    return order


def _coefficients(number: Sum, order: int) -> list[Fraction]:
    found = [Fraction(0)] * order
    for part, value in number.items():
        found[int(part / 2 * order)] += value
    return _trimmed(found)


def _trimmed(polynomial: list[Fraction]) -> list[Fraction]:
    while polynomial and not polynomial[-1]:
        polynomial.pop()
    return polynomial


@lru_cache(maxsize=256)
def _cyclotomic(order: int) -> tuple[int, ...]:
    """The polynomial whose zeros are the roots of unity of just this order."""
    found = [-1, *([0] * (order - 1)), 1]
    for divisor in range(1, order):
        if order % divisor == 0:
            found = _exact_quotient(found, _cyclotomic(divisor))
    return tuple(found)


def _exact_quotient(above: list[int], below: tuple[int, ...]) -> list[int]:
    rest, found = list(above), [0] * (len(above) - len(below) + 1)
    for place in range(len(found) - 1, -1, -1):
        # Both begin with 1.
        factor = found[place] = rest[place + len(below) - 1]
        if factor:
            for shift, value in enumerate(below):
                rest[place + shift] -= factor * value
    return found


def _divided(above: list[Fraction], below: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    rest, found = list(above), [Fraction(0)] * max(0, len(above) - len(below) + 1)
    for place in range(len(found) - 1, -1, -1):
        factor = found[place] = rest[place + len(below) - 1] / below[-1]
        if factor:
            for shift, value in enumerate(below):
                rest[place + shift] -= factor * value
    return _trimmed(found), _trimmed(rest)


def _remainder(above: list[Fraction], below: list[Fraction]) -> list[Fraction]:
    return _divided(above, below)[1]


def _product(first: list[Fraction], second: list[Fraction]) -> list[Fraction]:
    found = [Fraction(0)] * max(0, len(first) + len(second) - 1)
    for place, value in enumerate(first):
        for shift, factor in enumerate(second):
            found[place + shift] += value * factor
    return _trimmed(found)


def _less(first: list[Fraction], second: list[Fraction]) -> list[Fraction]:
    size = max(len(first), len(second))
    padded = [each + [Fraction(0)] * (size - len(each)) for each in (first, second)]
    return _trimmed([one - other for one, other in zip(*padded, strict=True)])
