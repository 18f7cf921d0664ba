"""What the names of dictionaries stand for once they are computed: numbers, truth values, sets, matrices, functions.

Numbers are exact fractions as long as they can be, then numbers with many digits. Two numbers are equal where they
agree to far more digits than chance gives, different where they differ early; in between nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from mathrag.types.quantity import Dimension

# What two numbers may be apart, against their size, to be one number; and what they must be apart to be two.
NEAR, FAR = Fraction(1, 10**22), Fraction(1, 10**9)
# Scales of units are known as floats.
_LARGEST_BITS = 50_000
UNIT_NEAR = Fraction(1, 10**12)


class NotComputedError(Exception):
    """Why a value or a truth cannot be given. The three kinds below say what follows from that."""


class UndefinedError(NotComputedError):
    """There is no value at this point: it does not count."""


class WrongKindError(NotComputedError):
    """A name is applied to something that it does not speak of, at this point or at all."""


class UncertainError(NotComputedError):
    """There may be one, but it cannot be told: the point does not count."""


class UnwitnessedError(UncertainError):
    """No candidate decided a quantifier: one kind of answer could be found, the other could not."""


class UnsupportedError(NotComputedError):
    """A name that nothing here computes: no point can be tried."""


class ExhaustedError(NotComputedError):
    """The steps allowed are spent: what was found until then remains."""


@dataclass(frozen=True, slots=True)
class Infinite:
    """Infinity, with its sign."""

    sign: int


@dataclass(frozen=True, slots=True)
class NotANumber:
    """What stands for no number; equal to nothing."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A finite list; also a tuple."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Vector:
    """A row of numbers, or a column."""

    items: tuple[Value, ...]
    is_column: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of equal length."""

    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class FiniteSet:
    """A finite set by its members, in any order and possibly repeated."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Multiset:
    """A finite set whose members count as often as they stand there."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """The real numbers between two; whether each end belongs to it, None where that is left open."""

    low: Value
    high: Value
    has_low: bool | None
    has_high: bool | None


@dataclass(frozen=True, slots=True)
class NumberSet:
    """One of the sets of all numbers of a kind: N, Z, Q, R, C, P (primes)."""

    name: str


@dataclass(frozen=True, slots=True)
class Family:
    """The union of `base + n * step` over all whole numbers n: all values of a many-valued function."""

    members: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True, slots=True)
class Where:
    """The members of a set for which a test holds."""

    domain: Value
    test: Callable[[Value], bool] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A function; a finite one knows its domain and a set that holds its values. `text` says which, for people."""

    apply: Callable[..., Value] = field(compare=False)
    domain: FiniteSet | None = None
    codomain: FiniteSet | None = None
    text: str = ""
    mean: Value | None = None
    deviation: Value | None = None


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of a unit, or a bare dimension: size in coherent units and dimension."""

    size: Fraction
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Structure:
    """A finite set with an operation that stays in it."""

    carrier: FiniteSet
    operation: Function
    text: str = ""


# Numbers of many digits are of a foreign type, for which there is nothing to check.
Value: TypeAlias = Any


def is_exact(value: Value) -> bool:
    """Whether a value is a fraction; a truth value is no number."""
    return isinstance(value, Fraction)


def sized(value: Fraction) -> Fraction:
    """A fraction that is not beyond all sizes: products of products grow without end."""
    if value.numerator.bit_length() + value.denominator.bit_length() > _LARGEST_BITS:
        raise UndefinedError("the value is too large")
    return value


def is_whole(value: Value) -> bool:
    """Whether a value is a whole number, exactly."""
    return isinstance(value, Fraction) and value.denominator == 1
