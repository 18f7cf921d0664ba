"""Sines, cosines and exponentials as quotients of polynomials, so that algebra can prove identities between them.

With t = tan(u/2), sin u = 2t/(1 + t²) and cos u = (1 − t²)/(1 + t²); with w = exp(u), cosh u = (w + 1/w)/2. Sums and
whole multiples inside are taken apart first; where halves or thirds of an angle stand beside it, these are the u.
Different u are treated as if they had nothing to do with each other: what
is equal then is equal always, and what is not may still be. Two sides that are one quotient in t agree wherever both
have a value: where t has none they are continuous.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from mathrag.types.expression import (
    ONE,
    PI,
    TWO,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    divide,
    map_parts,
    multiply,
    negate,
    size_of,
    subtract,
    walk,
)

_LARGEST_TREE = 700
_MOST_ANGLES = 3
_LARGEST_MULTIPLE = 6
_CIRCLE = frozenset(("sin", "cos", "tan", "sec", "csc", "cot"))
_GROWTH = frozenset(("exp", "sinh", "cosh", "tanh"))
_QUARTERS = ((ZERO, ONE), (ONE, ZERO), (ZERO, negate(ONE)), (negate(ONE), ZERO))

_Pair = tuple[Expression, Expression]


class _NoFormError(ValueError):
    """What has no such form here."""


def rational_forms(*sides: Expression) -> tuple[Expression, ...] | None:
    """Expressions with their sines, cosines and exponentials replaced, each in the same way in all of them; None where
    they have none, or would grow too long."""
    forms = _Forms(_smallest_parts(sides))
    try:
        made = tuple(forms.of(side) for side in sides)
    except _NoFormError:
        return None
    return made if sum(map(size_of, made)) <= _LARGEST_TREE else None


def _smallest_parts(sides: tuple[Expression, ...]) -> dict[Expression, int]:
    """By which number each angle is divided at most, of which a part stands in a sine or cosine."""
    found: dict[Expression, int] = {}
    for side in sides:
        for node in walk(side):
            if isinstance(node, Call) and node.function in _CIRCLE and len(node.arguments) == 1:
                for atom, part in _linear(node.arguments[0]).items():
                    found[atom] = math.lcm(found.get(atom, 1), part.denominator)
    return found


def _linear(angle: Expression, scale: Fraction = Fraction(1)) -> dict[Expression, Fraction]:
    """A sum of multiples of what is no sum: which, and how many times each."""
    match angle:
        case Negate(inner):
            return _linear(inner, -scale)
        case Add(terms):
            total: dict[Expression, Fraction] = {}
            for term in terms:
                for atom, part in _linear(term, scale).items():
                    total[atom] = total.get(atom, Fraction(0)) + part
            return {atom: part for atom, part in total.items() if part}
        case Multiply((Number(int() as times), *rest)) if rest:
            return _linear(multiply(*rest), scale * times)
        case Multiply((Divide(Number(int() as above), Number(int() as below)), *rest)) if rest and below:
            return _linear(multiply(*rest), scale * Fraction(above, below))
        case Divide(above, Number(int() as below)) if below:
            return _linear(above, scale / below)
    return {angle: scale}


class _Forms:
    def __init__(self, parts: Mapping[Expression, int]) -> None:
        self.parts = parts
        self.angles: dict[tuple[str, Expression], Symbol] = {}

    def of(self, node: Expression) -> Expression:
        match node:
            case Call(function, (argument,)) if function in _CIRCLE:
                return self._circle_function(function, argument)
            case Call(function, (argument,)) if function in _GROWTH:
                grown = self._growth(argument)
                fallen = divide(ONE, grown)
                match function:
                    case "exp":
                        return grown
                    case "sinh":
                        return divide(subtract(grown, fallen), TWO)
                    case "cosh":
                        return divide(add(grown, fallen), TWO)
                return divide(subtract(grown, fallen), add(grown, fallen))
            case Power(base, Negate(Number(int() as exponent))) if exponent:
                return divide(ONE, self.of(Power(base, Number(exponent))))
        return map_parts(node, self.of)

    def _circle_function(self, function: str, argument: Expression) -> Expression:
        sine, cosine = self._turned(argument)
        above, below = {
            "sin": (sine, ONE),
            "cos": (cosine, ONE),
            "tan": (sine, cosine),
            "cot": (cosine, sine),
            "sec": (ONE, cosine),
            "csc": (ONE, sine),
        }[function]
        if below == ZERO:
            raise _NoFormError
        return above if below == ONE else divide(above, below)

    def _turned(self, angle: Expression) -> _Pair:
        """The sine and the cosine of an angle."""
        turn = _part_of_pi(angle)
        if turn is not None:
            if (2 * turn).denominator != 1:
                raise _NoFormError
            return _QUARTERS[int(2 * turn) % 4]
        made: _Pair = (ZERO, ONE)
        for atom, part in _linear(angle).items():
            made = self._multiple(atom, part) if made == (ZERO, ONE) else _sum_of(made, self._multiple(atom, part))
        return made

    def _multiple(self, atom: Expression, part: Fraction) -> _Pair:
        """The sine and the cosine of a multiple of what is no sum."""
        if isinstance(atom, MathConstant):
            return self._turned(_turn_of(part))
        smallest = self.parts.get(atom, 1)
        times = part * smallest
        if times.denominator != 1 or abs(times) > _LARGEST_MULTIPLE or smallest > _LARGEST_MULTIPLE:
            raise _NoFormError
        once = self._single(atom if smallest == 1 else divide(atom, Number(smallest)))
        made = once
        for _ in range(abs(int(times)) - 1):
            made = _sum_of(made, once)
        return (negate(made[0]), made[1]) if times < 0 else made

    def _single(self, angle: Expression) -> _Pair:
        half = self._symbol("t", angle)
        square = multiply(half, half)
        below = add(ONE, square)
        return divide(multiply(TWO, half), below), divide(subtract(ONE, square), below)

    def _growth(self, exponent: Expression) -> Expression:
        match exponent:
            case Negate(inner):
                return divide(ONE, self._growth(inner))
            case Add(terms):
                return multiply(*(self._growth(term) for term in terms))
            case Multiply((Number(int() as times), *rest)) if rest and 1 <= times <= _LARGEST_MULTIPLE:
                return Power(self._growth(multiply(*rest)), Number(times))
        return self._symbol("w", exponent)

    def _symbol(self, kind: str, argument: Expression) -> Symbol:
        found = self.angles.setdefault((kind, argument), Symbol(f"half_{kind}_{len(self.angles)}"))
        if len(self.angles) > _MOST_ANGLES:
            raise _NoFormError
        return found


def _sum_of(one: _Pair, other: _Pair) -> _Pair:
    sine = add(multiply(one[0], other[1]), multiply(one[1], other[0]))
    cosine = subtract(multiply(one[1], other[1]), multiply(one[0], other[0]))
    if size_of(sine) > _LARGEST_TREE:
        raise _NoFormError
    return sine, cosine


def _turn_of(part: Fraction) -> Expression:
    """A part of π as an angle."""
    return divide(multiply(Number(part.numerator), PI), Number(part.denominator))


def _part_of_pi(angle: Expression) -> Fraction | None:
    """Which part of π an angle is; None where it is none."""
    match angle:
        case Number(0):
            return Fraction(0)
        case MathConstant():
            return Fraction(1)
        case Negate(inner):
            part = _part_of_pi(inner)
            return None if part is None else -part
        case Multiply((Number(int() as times), MathConstant())):
            return Fraction(times)
        case Multiply((Divide(Number(int() as times), Number(int() as below)), MathConstant())) if below:
            return Fraction(times, below)
        case Divide(above, Number(int() as below)) if below:
            part = _part_of_pi(above)
            return None if part is None else part / below
    return None
