"""Polynomials in one unknown as products over the fractions, each factor certainly irreducible.

One prime larger than twice any coefficient that a factor can have: modulo that prime the polynomial is taken apart
(Cantor and Zassenhaus), and the true factors are products of some of the parts. All products are tried, so what has no
factor here has none. Too large a polynomial has no answer, never a wrong one.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.polynomials import Polynomial, divided, square_free_parts, times

# Whole coefficients, the constant first; modulo a prime from 0 on.
_Whole: TypeAlias = tuple[int, ...]

HIGHEST_DEGREE = 24
# Below this the test of primes is certain.
_LARGEST_PRIME = 3 * 10**24
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_MOST_PARTS = 14


@dataclass(frozen=True, slots=True)
class Factors:
    """A number, and irreducible factors with whole coefficients without common divisor, each with its multiplicity."""

    content: Fraction
    factors: tuple[tuple[Polynomial, int], ...]


def irreducible_factors(polynomial: Polynomial) -> Factors | None:
    """The polynomial as a product over the fractions; None where it is constant or too large."""
    if not 2 <= len(polynomial) <= HIGHEST_DEGREE + 1:
        return None
    found: list[tuple[Polynomial, int]] = []
    for part, count in square_free_parts(polynomial):
        pieces = _taken_apart(_primitive(part))
        if pieces is None:
            return None
        found.extend((tuple(map(Fraction, piece)), count) for piece in pieces)
    product: Polynomial = (Fraction(1),)
    for factor, count in found:
        for _ in range(count):
            product = times(product, factor)
    content = polynomial[-1] / product[-1]
    if tuple(content * value for value in product) != polynomial:
        raise AssertionError("the factors do not multiply to the polynomial")
    return Factors(content, tuple(sorted(found, key=lambda each: (len(each[0]), each[1], each[0]))))


def _primitive(polynomial: Sequence[Fraction]) -> _Whole:
    below = math.lcm(*(value.denominator for value in polynomial))
    whole = [int(value * below) for value in polynomial]
    shared = math.gcd(*whole) * (-1 if whole[-1] < 0 else 1)
    return tuple(value // shared for value in whole)


def _taken_apart(whole: _Whole) -> list[_Whole] | None:
    """The irreducible factors of a polynomial without multiple roots."""
    if len(whole) == 2:
        return [whole]
    degree, leading = len(whole) - 1, whole[-1]
    bound = 2**degree * (math.isqrt(sum(value * value for value in whole)) + 1) * leading
    prime = _fitting_prime(whole, 2 * bound + 1)
    if prime is None:
        return None
    chance = random.Random(len(whole))  # noqa: S311 - not a secret; the same every time
    parts = _Field(prime).factors(whole, chance)
    return None if len(parts) > _MOST_PARTS else _recombined(whole, parts, prime)


def _recombined(whole: _Whole, parts: list[_Whole], prime: int) -> list[_Whole]:
    """Products of the fewest parts first: what divides is a factor, and no product of fewer parts was."""
    field, found, size = _Field(prime), [], 1
    rest = tuple(map(Fraction, whole))
    while 2 * size <= len(parts):
        for chosen in itertools.combinations(range(len(parts)), size):
            product: _Whole = (int(rest[-1]) % prime,)
            for place in chosen:
                product = field.times(product, parts[place])
            signed = tuple(value - prime if 2 * value > prime else value for value in product)
            candidate = tuple(map(Fraction, _primitive(tuple(map(Fraction, signed)))))
            quotient, left = divided(rest, candidate)
            if not left:
                found.append(_primitive(candidate))
                rest = tuple(map(Fraction, _primitive(quotient)))
                parts = [part for place, part in enumerate(parts) if place not in chosen]
                break
        else:
            size += 1
    if len(rest) > 1:
        found.append(_primitive(rest))
    return found


def _fitting_prime(whole: _Whole, least: int) -> int | None:
    """A prime above the bound that keeps the degree and makes no root a double one."""
    for candidate in _numbers_from(max(least, 1_000)):
        if candidate > _LARGEST_PRIME:
            return None
        if not is_certainly_prime(candidate) or whole[-1] % candidate == 0:
            continue
        field = _Field(candidate)
        slope = field.trimmed([n * value for n, value in enumerate(whole)][1:])
        if len(field.shared(field.trimmed(whole), slope)) == 1:
            return candidate
    return None


def _numbers_from(start: int) -> Iterator[int]:
    return iter(range(start | 1, start + 100_000, 2))


def is_certainly_prime(number: int) -> bool:
    """Whether a number below 3·10²⁴ is prime, by Miller's test with the bases that decide it there."""
    if number < 2 or number > _LARGEST_PRIME:
        return False
    for small in _WITNESSES:
        if number % small == 0:
            return number == small
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _WITNESSES:
        value = pow(base, odd, number)
        if value in (1, number - 1):
            continue
        for _ in range(twos - 1):
            value = value * value % number
            if value == number - 1:
                break
        else:
            return False
    return True


class _Field:
    """Polynomials with coefficients modulo an odd prime."""

    def __init__(self, prime: int) -> None:
        self.prime = prime

    def trimmed(self, values: Sequence[int]) -> _Whole:
        reduced = [value % self.prime for value in values]
        while reduced and not reduced[-1]:
            reduced.pop()
        return tuple(reduced)

    def times(self, first: _Whole, second: _Whole) -> _Whole:
        if not first or not second:
            return ()
        found = [0] * (len(first) + len(second) - 1)
        for place, value in enumerate(first):
            for other, factor in enumerate(second):
                found[place + other] += value * factor
        return self.trimmed(found)

    def divided(self, first: _Whole, second: _Whole) -> tuple[_Whole, _Whole]:
        inverse = pow(second[-1], -1, self.prime)
        rest, quotient = list(first), [0] * max(0, len(first) - len(second) + 1)
        for shift in range(len(first) - len(second), -1, -1):
            factor = rest[shift + len(second) - 1] * inverse % self.prime
            quotient[shift] = factor
            if factor:
                for place, value in enumerate(second):
                    rest[shift + place] = (rest[shift + place] - factor * value) % self.prime
        return self.trimmed(quotient), self.trimmed(rest)

    def monic(self, polynomial: _Whole) -> _Whole:
        inverse = pow(polynomial[-1], -1, self.prime)
        return tuple(value * inverse % self.prime for value in polynomial)

    def shared(self, first: _Whole, second: _Whole) -> _Whole:
        while second:
            first, second = second, self.divided(first, second)[1]
        return self.monic(first) if first else ()

    def raised(self, base: _Whole, exponent: int, modulus: _Whole) -> _Whole:
        found: _Whole = (1,)
        while exponent:
            if exponent % 2:
                found = self.divided(self.times(found, base), modulus)[1]
            base = self.divided(self.times(base, base), modulus)[1]
            exponent //= 2
        return found

    def factors(self, whole: _Whole, chance: random.Random) -> list[_Whole]:
        """The irreducible parts of a polynomial without multiple roots, each with 1 in front."""
        rest = self.monic(self.trimmed(whole))
        found: list[_Whole] = []
        power: _Whole = (0, 1)
        degree = 0
        while 2 * (degree + 1) <= len(rest) - 1:
            degree += 1
            power = self.raised(power, self.prime, rest)
            # The roots of this are those that lie in the field of so many elements.
            difference = self._minus(power, (0, 1))
            alike = self.shared(rest, difference) if difference else rest
            if len(alike) > 1:
                found.extend(self._split(alike, degree, chance))
                rest = self.divided(rest, alike)[0]
                power = self.divided(power, rest)[1] if len(rest) > 1 else power
        return [*found, rest] if len(rest) > 1 else found

    def _minus(self, first: _Whole, second: _Whole) -> _Whole:
        size = max(len(first), len(second))
        padded = [[*each, *[0] * (size - len(each))] for each in (first, second)]
        return self.trimmed([one - other for one, other in zip(*padded, strict=True)])

    def _split(self, product: _Whole, degree: int, chance: random.Random) -> list[_Whole]:
        """The parts of a product of parts that have all this degree."""
        if len(product) - 1 == degree:
            return [product]
        while True:
            tried = self.trimmed([chance.randrange(self.prime) for _ in range(len(product) - 1)])
            if len(tried) < 2:
                continue
            raised = self.raised(tried, (self.prime**degree - 1) // 2, product)
            part = self.shared(product, self._minus(raised, (1,)))
            if 1 < len(part) < len(product):
                other = self.divided(product, part)[0]
                return [*self._split(part, degree, chance), *self._split(self.monic(other), degree, chance)]
