"""Exact values of expressions in the imaginary unit: quotients of polynomials in i, reduced by i² = −1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.polynomials import NotPolynomialError, Polynomial, quotient_of
from mathrag.types.expression import Expression, symbols_of

UNIT = "i"


@dataclass(frozen=True, slots=True)
class ComplexValue:
    """A complex number whose parts are fractions."""

    real: Fraction
    imaginary: Fraction

    def __str__(self) -> str:
        if not self.imaginary:
            return str(self.real)
        size = abs(self.imaginary)
        part = "i" if size == 1 else f"{size}i" if size.denominator == 1 else f"({size})i"
        if not self.real:
            return part if self.imaginary > 0 else f"−{part}"
        return f"{self.real} {'+' if self.imaginary > 0 else '−'} {part}".replace("-", "−")


def complex_value(expression: Expression) -> ComplexValue | None:
    """The value of an expression whose only symbol is i; None where it is none, or is no quotient of whole powers."""
    if symbols_of(expression) != (UNIT,):
        return None
    try:
        quotient = quotient_of(expression, UNIT)
    except NotPolynomialError:
        return None
    above = _reduced(quotient.above)
    # A divisor on the way that is zero has no value, even where it cancels.
    for divisor in (quotient.below, *quotient.forbidden):
        if not any(_reduced(divisor)):
            return None
    below = _reduced(quotient.below)
    size = below[0] ** 2 + below[1] ** 2
    real = (above[0] * below[0] + above[1] * below[1]) / size
    imaginary = (above[1] * below[0] - above[0] * below[1]) / size
    return ComplexValue(real, imaginary)


def _reduced(polynomial: Polynomial) -> tuple[Fraction, Fraction]:
    """A polynomial in i as real and imaginary part: its powers go round in fours."""
    parts = [Fraction(0), Fraction(0)]
    for power, value in enumerate(polynomial):
        parts[power % 2] += value if power % 4 < 2 else -value
    return parts[0], parts[1]
