"""Points at which statements about expressions are tried, and the values of expressions there, with many digits.

The points are simple numbers first, so that a counterexample can be followed by hand; then fractions of all sizes and
signs. The same every time.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from mathrag.compute.evaluate.complex_digits import Digits, many_digits
from mathrag.types.expression import (
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Negate,
    Number,
    Power,
    Series,
    symbols_of,
    walk,
)

Point: TypeAlias = Mapping[str, Fraction]

IMAGINARY = "i"
MOST_SYMBOLS = 5
_SIMPLE = tuple(map(Fraction, "2 3 1 -1 -2 5 0 1/2 -3 -1/2 4 1/4 10 -10 7 -5".split()))
_SIZES = (1, 2, 3, 5, 7)
_FEW = (Fraction(2), Fraction(-1), Fraction(1, 2))
_WHOLE = tuple(map(Fraction, (3, 2, 5, 1, 4, 6, 0, 7, 8, 9, 10, 12)))
_FAR = tuple(map(Fraction, (1_000, -1_000, 100_000)))
_RANDOM = 40
_MOST_PLACES, _LARGEST_PLACE = 40, 10**9
_WHOLE_FUNCTIONS = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))


def needs_whole_numbers(*expressions: Expression) -> bool:
    """Whether a function of whole numbers has a symbol in it."""
    return any(
        (isinstance(node, Call) and node.function in _WHOLE_FUNCTIONS and symbols_of(node)) or isinstance(node, Series)
        for expression in expressions
        for node in walk(expression)
    )


def turning_places(*expressions: Expression) -> tuple[Fraction, ...]:
    """Places near the numbers that stand in the expressions: what turns somewhere, mostly turns there."""
    found: dict[Fraction, None] = {}
    for expression in expressions:
        for node in walk(expression):
            if isinstance(node, Number) and 2 < node.value < _LARGEST_PLACE and len(found) < _MOST_PLACES:
                number = Fraction(node.value)
                found.update(dict.fromkeys((number - 1, number, number + 1, -number - 1, 2 * number)))
    return tuple(found)


def points(
    names: Sequence[str], *, whole: bool = False, places: Sequence[Fraction] = ()
) -> Iterator[dict[str, Fraction]]:
    """Points for these symbols, some of them at `places`. With `whole`, whole numbers that are not negative."""
    if not names:
        yield {}
        return
    chance = random.Random(f"points:{len(names)}")  # noqa: S311 - not a secret; the same every time
    if len(names) == 1:
        counted = tuple(place for place in places if place >= 0 and place.denominator == 1)
        values = (*_WHOLE, *counted) if whole else (*_SIMPLE, *places, *_FAR)
        yield from ({names[0]: value} for value in values)
    elif whole:
        yield from _in_all_signs(names, (1,))
        yield from _chosen(names, _WHOLE, 3 * len(_WHOLE), chance)
    else:
        if len(names) <= 3:
            yield from (dict(zip(names, values, strict=True)) for values in itertools.product(_FEW, repeat=len(names)))
        yield from _in_all_signs(names, (1, -1))
        yield from _chosen(names, _SIMPLE, 3 * len(_SIMPLE), chance)
        yield from _chosen(names, (*_SIMPLE, *places, *_FAR), len(_SIMPLE), chance)
    for _ in range(_RANDOM):
        yield {name: Fraction(chance.randrange(0, 15)) if whole else _fraction(chance) for name in names}


def _in_all_signs(names: Sequence[str], signs: Sequence[int]) -> Iterator[dict[str, Fraction]]:
    """Values that differ from each other, in every order of signs."""
    for row in itertools.product(signs, repeat=len(names)):
        for shift in (0, 1):
            sizes = [_SIZES[(place + shift) % len(_SIZES)] for place in range(len(names))]
            yield {name: Fraction(sign * size) for name, sign, size in zip(names, row, sizes, strict=True)}


def _chosen(
    names: Sequence[str], values: Sequence[Fraction], count: int, chance: random.Random
) -> Iterator[dict[str, Fraction]]:
    for _ in range(count):
        yield {name: chance.choice(values) for name in names}


def _fraction(chance: random.Random) -> Fraction:
    """A fraction of either sign, mostly between a hundredth and a hundred."""
    size = Fraction(chance.randrange(100, 1000), 97) * Fraction(10) ** chance.choice((-3, -2, -1, -1, -1, 0, 0, 1))
    return size if chance.random() < 0.5 else -size


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression at a point. `digits` is None where there is none; only where `is_undefined` is that
    certain, elsewhere it was too much work."""

    digits: Digits | None
    is_undefined: bool = False

    @property
    def is_real(self) -> bool:
        """Whether it is a real number."""
        return self.digits is not None and self.digits.is_real

    @property
    def real(self) -> Any:
        """The real part, with many digits."""
        assert self.digits is not None
        return self.digits.value.real

    def shown(self, figures: int = 8) -> str:
        """The number for people."""
        if self.digits is None:
            return "no value"
        if not self.digits.is_real:
            imaginary = float(self.digits.value.imag)
            sign = "−" if imaginary < 0 else "+"
            return f"{shown_number(float(self.real), figures)} {sign} {shown_number(abs(imaginary), figures)} i"
        return shown_number(float(self.real), figures)


def shown_number(value: float, figures: int = 8) -> str:
    """A number for people: whole where it is, else rounded."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value)).replace("-", "−")
    return f"{value:.{figures}g}".replace("-", "−")


_NOT_ALWAYS_REAL = frozenset(("sqrt", "log", "log10", "log2", "asin", "acos", "acosh", "atanh"))
_LOGARITHMS = frozenset(("log", "log10", "log2"))


def value_at(expression: Expression, point: Point) -> Value:
    """The value at a point; the letter i is the imaginary unit where the point has no value for it.

    Among real numbers, a part that is not real has no value: √a √b is not √(ab) where both are negative.
    """
    known: dict[str, Fraction | complex | str] = dict(point)
    if IMAGINARY in symbols_of(expression) and IMAGINARY not in point:
        return Value(many_digits(expression, {**known, IMAGINARY: 1j}))
    indexes = {node.index for node in walk(expression) if isinstance(node, Series)}
    for node in walk(expression):
        if not indexes.isdisjoint(symbols_of(node)):
            continue
        if _is_undefined(node, known):
            return Value(None, is_undefined=True)
        if isinstance(node, Add) and _is_cancelled(node, known):
            return Value(None)
    found = many_digits(expression, known)
    return Value(found, is_undefined=found is not None and not found.is_real)


def _is_undefined(node: Expression, known: Mapping[str, Fraction | complex | str]) -> bool:
    """Whether this very part, not one inside it, has no real value at the point."""
    match node:
        case Divide(_, below):
            return _is_zero(below, known)
        case Power(base, exponent) if not _is_whole(exponent) or isinstance(exponent, Negate) or exponent == ZERO:
            if _is_zero(base, known):
                # Nought to the power of nought is a convention, not a value.
                height = many_digits(exponent, known)
                return height is not None and bool(height.value.real <= 0)
            value = many_digits(node, known)
            return value is not None and not value.is_real
        case Call(function, (inner, *_)) if function in _NOT_ALWAYS_REAL:
            if function in _LOGARITHMS and _is_zero(inner, known):
                return True
            value = many_digits(node, known)
            return value is not None and not value.is_real
        case Call("factorial", (inner,)):
            value = many_digits(inner, known)
            return value is not None and bool(value.value.real < 0)
    return False


# Terms of this size that leave less than this part of it have cancelled: both ways of computing lose the same digits.
_LARGE, _LEFT = 1e20, 1e-30


def _is_cancelled(node: Add, known: Mapping[str, Fraction | complex | str]) -> bool:
    sizes = [abs(value.value) for term in node.terms if (value := many_digits(term, known)) is not None]
    largest = max(sizes, default=0)
    if largest <= _LARGE:
        return False
    total = many_digits(node, known)
    return total is None or bool(abs(total.value) <= largest * _LEFT)


def _is_zero(expression: Expression, known: Mapping[str, Fraction | complex | str]) -> bool:
    value = many_digits(expression, known)
    return value is not None and bool(abs(value.value) <= 10 * value.error)


def _is_whole(exponent: Expression) -> bool:
    inner = exponent.operand if isinstance(exponent, Negate) else exponent
    return isinstance(inner, Number) and isinstance(inner.value, int)


def point_text(point: Point) -> str:
    """`a = 1, b = 2`."""
    return ", ".join(f"{name} = {fraction_text(value)}" for name, value in point.items())


def fraction_text(value: Fraction) -> str:
    """A fraction for people: whole, or over a line."""
    sign = "−" if value < 0 else ""
    value = abs(value)
    return f"{sign}{value.numerator}" if value.denominator == 1 else f"{sign}{value.numerator}/{value.denominator}"
