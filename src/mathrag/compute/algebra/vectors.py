"""Vectors of fractions, exactly: products, lengths and the cosine of the angle between two. Small ones."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Vector: TypeAlias = tuple[Fraction, ...]

MOST_PARTS = 12


def dot(left: Vector, right: Vector) -> Fraction:
    """The scalar product of two vectors of one size."""
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def cross(left: Vector, right: Vector) -> Vector:
    """The vector product of two vectors of three parts."""
    (a, b, c), (d, e, f) = left, right
    return b * f - c * e, c * d - a * f, a * e - b * d


def square(vector: Vector) -> Fraction:
    """The square of the length."""
    return dot(vector, vector)


def scaled(vector: Vector, factor: Fraction) -> Vector:
    """Every part times a number."""
    return tuple(factor * part for part in vector)


def added(left: Vector, right: Vector, sign: int = 1) -> Vector:
    """The sum of two vectors of one size, or with sign -1 their difference."""
    return tuple(a + sign * b for a, b in zip(left, right, strict=True))


def cosine_squared(left: Vector, right: Vector) -> tuple[int, Fraction]:
    """The sign of the cosine of the angle between two vectors that are not zero, and its square."""
    product = dot(left, right)
    sign = (product > 0) - (product < 0)
    return sign, product * product / (square(left) * square(right))
