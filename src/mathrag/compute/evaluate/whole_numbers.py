"""Exact arithmetic on whole numbers and fractions within caps: sizes are estimated before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.evaluate.floats import NotWholeError, TooLargeError

Rational: TypeAlias = int | Fraction

# Numbers on the way may be longer than a result: 2000! / 1998! is short.
MAXIMUM_BITS = 66_000
MAXIMUM_FACTORIAL = 2_000


class Budget:
    """Work allowed for one evaluation, in products of machine words; about a second of it."""

    def __init__(self, words: float = 2e8) -> None:
        self.left = words

    def spend(self, first: Rational, second: Rational) -> None:
        """Account for one operation on two numbers."""
        self.take((1 + (bits(first) >> 6)) * (1 + (bits(second) >> 6)))

    def take(self, words: float) -> None:
        """Account for work; raises when none is left."""
        self.left -= words
        if self.left < 0:
            raise TooLargeError


def bits(value: Rational | float) -> int:
    """The length of an exact number: numerator and denominator together."""
    if isinstance(value, Fraction):
        return value.numerator.bit_length() + value.denominator.bit_length()
    return value.bit_length() if isinstance(value, int) else 64


def whole(value: Rational | float) -> int:
    """The integer a value stands for."""
    if isinstance(value, int):
        return value
    if isinstance(value, float) and abs(value) < 2.0**53 and value.is_integer():
        return int(value)
    raise NotWholeError


def power(base: Rational, exponent: int, budget: Budget) -> Rational | None:
    """An exact power, or None where it would be too long."""
    if base in (0, 1):
        return base if exponent else 1
    if base == -1:
        return -1 if exponent % 2 else 1
    size = bits(base) * abs(exponent)
    if size > MAXIMUM_BITS:
        return None
    budget.take((1 + (size >> 6)) ** 1.6)
    result: Rational = (1 / Fraction(base)) ** -exponent if exponent < 0 else base**exponent
    return result


def power_modulo(base: int, exponent: int, modulus: int, budget: Budget) -> int:
    """base**exponent % modulus without the power itself."""
    budget.take((1 + exponent.bit_length()) * (1 + (modulus.bit_length() >> 6)) ** 2)
    return pow(base, exponent, modulus)


def call_exactly(function: str, arguments: Sequence[Rational | float], budget: Budget) -> Rational | None:
    """The exact value of a function of rational numbers, or None where it has none (or none that is short)."""
    exact: list[Rational] = [argument for argument in arguments if not isinstance(argument, float)]
    first = exact[0]
    match function:
        case "abs":
            return -first if first < 0 else first
        case "floor":
            return math.floor(first)
        case "ceil":
            return math.ceil(first)
        case "min":
            return min(exact)
        case "max":
            return max(exact)
        case "factorial":
            return _factorial(whole(first), budget)
        case "comb" | "perm":
            return _choice(function, whole(exact[0]), whole(exact[1]), budget)
        case "gcd" | "lcm":
            return _divisors(function, [whole(each) for each in exact], budget)
        case "sqrt":
            return _square_root(first)
        case "exp" | "sin" | "tan" | "sinh" | "tanh" | "atan" | "asin" if first == 0:
            return 1 if function == "exp" else 0
        case "log" | "log10" | "log2" if first == 1:
            return 0
        case "log10" | "log2":
            return _whole_logarithm(first, 10 if function == "log10" else 2)
    return None


def _factorial(number: int, budget: Budget) -> int:
    if number < 0:
        raise ValueError(number)
    if number > MAXIMUM_FACTORIAL:
        raise TooLargeError
    budget.take(number)
    return math.factorial(number)


def _choice(function: str, total: int, chosen: int, budget: Budget) -> int:
    if total < 0 or chosen < 0:
        raise ValueError(total)
    if chosen > total:
        return 0
    steps = min(chosen, total - chosen) if function == "comb" else chosen
    if steps * total.bit_length() > MAXIMUM_BITS:
        raise TooLargeError
    budget.take(steps * (1 + (steps * total.bit_length() >> 6)))
    return math.comb(total, chosen) if function == "comb" else math.perm(total, chosen)


def _divisors(function: str, numbers: list[int], budget: Budget) -> int:
    if function == "lcm" and sum(number.bit_length() for number in numbers) > MAXIMUM_BITS:
        raise TooLargeError
    for number in numbers:
        budget.take((1 + (number.bit_length() >> 6)) ** 2)
    return math.gcd(*numbers) if function == "gcd" else math.lcm(*numbers)


def _square_root(value: Rational) -> Rational | None:
    if value < 0:
        raise ValueError(value)
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if above * above == value.numerator and below * below == value.denominator:
        return above if below == 1 else Fraction(above, below)
    return None


def _whole_logarithm(value: Rational, base: int) -> int | None:
    """log10(1000) is 3 exactly, also beyond the range of floats."""
    if value <= 0:
        raise ValueError(value)
    inverse = value < 1
    number = 1 / Fraction(value) if inverse else Fraction(value)
    if number.denominator != 1:
        return None
    digits = round(math.log(number.numerator, base))
    if base**digits != number.numerator:
        return None
    return -digits if inverse else digits
