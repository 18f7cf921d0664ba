"""The complex solutions of quadratic equations and of zⁿ = w, for numbers a + bi with fractions as parts. Exact where
the parts are square roots of fractions; else each solution stands by its size and its angle."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import square_root, terms_of
from mathrag.compute.solve.tidy import literal, tidied
from mathrag.types.expression import PI, Expression, Number, add, call, divide, multiply, negate, power, subtract

IMAGINARY = "i"
_MOST_ROOTS = 12


@dataclass(frozen=True, slots=True)
class Gaussian:
    """a + bi, both fractions."""

    real: Fraction
    imaginary: Fraction

    def __add__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.real + other.real, self.imaginary + other.imaginary)

    def __mul__(self, other: Gaussian) -> Gaussian:
        return Gaussian(
            self.real * other.real - self.imaginary * other.imaginary,
            self.real * other.imaginary + self.imaginary * other.real,
        )

    def scaled(self, factor: Fraction) -> Gaussian:
        """Times a fraction."""
        return Gaussian(self.real * factor, self.imaginary * factor)

    def inverse(self) -> Gaussian:
        """1 over it; it is not 0."""
        size = self.real**2 + self.imaginary**2
        return Gaussian(self.real / size, -self.imaginary / size)

    @property
    def is_zero(self) -> bool:
        """Whether it is 0."""
        return not self.real and not self.imaginary


@dataclass(frozen=True, slots=True)
class ComplexRoot:
    """One solution: exact parts, or its size and angle; always its value by digits."""

    value: complex
    parts: tuple[Expression, Expression] | None = None
    polar: tuple[Expression, Expression] | None = None


def coefficients(difference: Expression, symbol: str) -> list[Gaussian]:
    """The coefficients in the symbol, the constant first; raises `NotPolynomialError`, or `KeyError` for any other
    letter."""
    found: dict[int, Gaussian] = {}
    turns = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}
    for monomial, value in terms_of(difference).items():
        counts = dict(monomial)
        degree, turn = counts.pop(symbol, 0), turns[counts.pop(IMAGINARY, 0) % 4]
        if counts:
            raise KeyError
        part = Gaussian(value * turn[0], value * turn[1])
        found[degree] = found[degree] + part if degree in found else part
    return [found.get(n, Gaussian(Fraction(0), Fraction(0))) for n in range(max(found, default=0) + 1)]


def complex_solutions(whole: list[Gaussian]) -> list[ComplexRoot] | None:
    """All complex solutions, each once; None where they have no closed form here."""
    while whole and whole[-1].is_zero:
        whole = whole[:-1]
    degree = len(whole) - 1
    if not 1 <= degree <= _MOST_ROOTS:
        return None
    first = whole[-1].inverse()
    monic = [each * first for each in whole]
    if degree == 1:
        return [_exactly(monic[0].scaled(Fraction(-1)))]
    if degree == 2:
        middle = monic[1].scaled(Fraction(-1, 2))
        return _around(middle, middle * middle + monic[0].scaled(Fraction(-1)))
    if any(not each.is_zero for each in monic[1:-1]):
        return None
    return roots_of_number(monic[0].scaled(Fraction(-1)), degree)


def roots_of_number(value: Gaussian, count: int) -> list[ComplexRoot] | None:
    """All numbers whose power of that order is the number."""
    if not 2 <= count <= _MOST_ROOTS:
        return None
    if value.is_zero:
        return [_exactly(value)]
    if count == 2:
        return _around(Gaussian(Fraction(0), Fraction(0)), value)
    squared = value.real**2 + value.imaginary**2
    size = tidied(power(square_root(squared), divide(Number(1), Number(count))))
    # The square of the size, where that is a fraction.
    whole = _whole_root(squared, count)
    size = square_root(whole) if whole is not None else size
    turn = _part_of_pi(value)
    start = cmath.phase(complex(value.real, value.imaginary))
    found = []
    for n in range(count):
        number = cmath.rect(float(squared) ** (0.5 / count), (start + 2 * math.pi * n) / count)
        if turn is None:
            turned = add(_angle_of(value), multiply(Number(2 * n), PI)) if n else _angle_of(value)
            angle = divide(turned, Number(count))
            found.append(ComplexRoot(number, None, (size, angle)))
            continue
        part = (turn + 2 * n) / count
        exact = _simple_turn(part) if whole is not None else None
        polar = (size, tidied(multiply(literal(part), PI)))
        parts = None if exact is None else (tidied(multiply(size, exact[0])), tidied(multiply(size, exact[1])))
        found.append(ComplexRoot(number, parts, polar))
    return found


def _exactly(value: Gaussian) -> ComplexRoot:
    return ComplexRoot(complex(value.real, value.imaginary), (literal(value.real), literal(value.imaginary)))


def _around(middle: Gaussian, under: Gaussian) -> list[ComplexRoot] | None:
    """`middle ± √under`."""
    if under.is_zero:
        return [_exactly(middle)]
    squared = under.real**2 + under.imaginary**2
    size = square_root(squared)
    number = cmath.sqrt(complex(under.real, under.imaginary))
    exact = Fraction(math.isqrt(squared.numerator), math.isqrt(squared.denominator))
    if exact**2 == squared:
        parts = square_root((exact + under.real) / 2), square_root((exact - under.real) / 2)
    else:
        parts = _nested(size, under)
    sideways = parts[1] if under.imaginary >= 0 else negate(parts[1])
    found = []
    for sign in (1, -1):
        real = add(literal(middle.real), parts[0]) if sign > 0 else subtract(literal(middle.real), parts[0])
        other = add(literal(middle.imaginary), sideways) if sign > 0 else subtract(literal(middle.imaginary), sideways)
        shifted = complex(middle.real, middle.imaginary) + sign * number
        found.append(ComplexRoot(shifted, (tidied(real), tidied(other))))
    return found if all(_agrees(each) for each in found) else None


def _nested(size: Expression, under: Gaussian) -> tuple[Expression, Expression]:
    halves = (add(size, literal(under.real)), subtract(size, literal(under.real)))
    real, imaginary = (call("sqrt", tidied(divide(half, Number(2)))) for half in halves)
    return real, imaginary


def _agrees(root: ComplexRoot) -> bool:
    assert root.parts is not None
    values = [value_at(part, {}) for part in root.parts]
    if not all(value.is_real for value in values):
        return False
    return abs(complex(float(values[0].real), float(values[1].real)) - root.value) <= 1e-9 * (1 + abs(root.value))


def _whole_root(value: Fraction, count: int) -> Fraction | None:
    found = Fraction(round(value.numerator ** (1 / count)), round(value.denominator ** (1 / count)))
    return found if found**count == value else None


def _part_of_pi(value: Gaussian) -> Fraction | None:
    """The angle of a number in parts of π, for the twelve simple directions that fractions can have."""
    if not value.imaginary:
        return Fraction(0) if value.real > 0 else Fraction(1)
    if not value.real:
        return Fraction(1, 2) if value.imaginary > 0 else Fraction(-1, 2)
    if abs(value.real) == abs(value.imaginary):
        part = Fraction(1, 4) if value.real > 0 else Fraction(3, 4)
        return part if value.imaginary > 0 else -part
    return None


def _angle_of(value: Gaussian) -> Expression:
    """The principal angle by an arctangent."""
    turn = call("atan", literal(value.imaginary / value.real))
    if value.real > 0:
        return turn
    return add(turn, PI) if value.imaginary > 0 else subtract(turn, PI)


def _simple_turn(part: Fraction) -> tuple[Expression, Expression] | None:
    """Cosine and sine of a part of π that is a multiple of a sixth or a fourth of it."""
    squares = {0: (1, 0), 30: (3, 1), 45: (2, 2), 60: (1, 3), 90: (0, 1)}
    degrees = part * 180 % 360
    if degrees.denominator != 1:
        return None
    folded = int(degrees) % 180
    folded = min(folded, 180 - folded)
    if folded not in squares:
        return None
    four = 1 if folded in (0, 90) else 4
    sizes = [square_root(Fraction(each, four)) for each in squares[folded]]
    cosine = negate(sizes[0]) if 90 < degrees < 270 else sizes[0]
    sine = negate(sizes[1]) if degrees > 180 else sizes[1]
    return tidied(cosine), tidied(sine)
