"""Whether an equation for one unknown follows from the one before it: their solutions, compared as polynomials.

An equation that shares no solution with the one it is drawn from is false; one that keeps all of them is right. What
keeps some of them only (a root was dropped, a case chosen) is left open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mathrag.compute.canonical import is_too_large, vanishing_terms
from mathrag.compute.claims.values import shown_value
from mathrag.types.expression import Equation, Expression, equation_symbols

_LARGEST_DEGREE = 8
_LONGEST_COEFFICIENT = 400

Coefficients = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class OneUnknown:
    """An equation for one unknown as a polynomial that is zero: coefficients from the constant upwards."""

    unknown: str
    coefficients: Coefficients
    # Whether it only says what the unknown is: x = 5.
    is_solved: bool
    # The digits after the point where it is solved by a number with a point.
    decimals: int | None = None
    has_decimals: bool = False

    @property
    def root(self) -> Fraction | None:
        """The solution where there is exactly one."""
        if len(self.coefficients) != 2:
            return None
        return -self.coefficients[0] / self.coefficients[1]


def one_unknown(
    left: Expression, right: Expression, *, is_solved: bool, decimals: int | None, has_decimals: bool
) -> OneUnknown | None:
    """The equation as a polynomial of its only symbol; None where it is none."""
    equation = Equation(left, right)
    names = equation_symbols(equation)
    if len(names) != 1 or is_too_large(equation):
        return None
    found: dict[int, Fraction] = {}
    for monomial, value in vanishing_terms(equation).items():
        if len(monomial) > 1 or (monomial and (monomial[0][0] != names[0] or monomial[0][1].denominator != 1)):
            return None
        found[int(monomial[0][1]) if monomial else 0] = value
    # 1/x + 1 = 0: cleared of its denominator.
    lowest = min(0, *found) if found else 0
    found = {exponent - lowest: value for exponent, value in found.items()}
    degree = max(found, default=0)
    if not 0 < degree <= _LARGEST_DEGREE:
        return None
    coefficients = tuple(found.get(exponent, Fraction(0)) for exponent in range(degree + 1))
    if any(value.numerator.bit_length() > _LONGEST_COEFFICIENT for value in coefficients):
        return None
    return OneUnknown(names[0], coefficients, is_solved, decimals, has_decimals)


def follows(before: OneUnknown, after: OneUnknown) -> Literal["follows", "contradicts", "open"]:
    """Whether `after` can be drawn from `before`, by the solutions they share."""
    if before.unknown != after.unknown:
        return "open"
    if before.has_decimals or after.has_decimals:
        return _follows_nearly(before, after)
    shared = _greatest_common_divisor(before.coefficients, after.coefficients)
    if len(shared) == 1:
        return "contradicts"
    # A double root counts once.
    different = len(_square_free(before.coefficients)) - 1
    return "follows" if len(_square_free(shared)) - 1 == different else "open"


def _follows_nearly(before: OneUnknown, after: OneUnknown) -> Literal["follows", "contradicts", "open"]:
    """With rounded numbers only linear equations are compared, within the digits that were written."""
    first, second = before.root, after.root
    if first is None or second is None:
        return "open"
    difference = abs(float(first - second))
    if after.decimals is not None and difference < 10.0**-after.decimals:
        return "follows"
    if difference <= 0.02 * max(abs(float(first)), abs(float(second))):
        return "follows" if difference == 0 else "open"
    return "contradicts"


def solutions_shown(equation: OneUnknown) -> str:
    """The solution of a linear equation, or the whole ones of any other; empty where there is nothing short to say."""
    root = equation.root
    if root is not None:
        return f"{equation.unknown} = {shown_value(root if root.denominator != 1 else int(root))}"
    if len(equation.coefficients) == 3:
        return _quadratic_shown(equation)
    return ""


def _quadratic_shown(equation: OneUnknown) -> str:
    constant, linear, square = equation.coefficients
    below = linear * linear - 4 * square * constant
    if below < 0:
        return "no real solution"
    top, bottom = math.isqrt(below.numerator), math.isqrt(below.denominator)
    if top * top != below.numerator or bottom * bottom != below.denominator:
        roots: list[Fraction | float] = [
            (-float(linear) + sign * math.sqrt(below)) / (2 * float(square)) for sign in (-1, 1)
        ]
    else:
        roots = [(-linear + sign * Fraction(top, bottom)) / (2 * square) for sign in (-1, 1)]
    shown = dict.fromkeys(
        shown_value(int(root) if isinstance(root, Fraction) and root.denominator == 1 else root)
        for root in sorted(roots)
    )
    return f"{equation.unknown} = " + " or ".join(shown)


def _greatest_common_divisor(first: Coefficients, second: Coefficients) -> Coefficients:
    while second:
        first, second = second, _remainder(first, second)
    return first


def _remainder(first: Sequence[Fraction], second: Coefficients) -> Coefficients:
    """What is left of a polynomial after division by another, trimmed."""
    left = list(first)
    while len(left) >= len(second):
        factor = left[-1] / second[-1]
        shift = len(left) - len(second)
        for place, value in enumerate(second):
            left[shift + place] -= factor * value
        left.pop()
        while left and left[-1] == 0:
            left.pop()
    return tuple(left)


def _square_free(polynomial: Coefficients) -> Coefficients:
    """The polynomial with every root once; only its degree is used."""
    derivative = tuple(place * value for place, value in enumerate(polynomial))[1:]
    shared = _greatest_common_divisor(polynomial, derivative) if len(polynomial) > 2 else (Fraction(1),)
    return polynomial[: len(polynomial) - len(shared) + 1]
