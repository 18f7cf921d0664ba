"""Sines, cosines and tangents that are exact: those of simple parts of a turn. Everything else is left to floats."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
)

# The only rational values at rational parts of a turn, in degrees (Niven's theorem).
_SINES = {0: Fraction(0), 30: Fraction(1, 2), 90: Fraction(1), 150: Fraction(1, 2), 180: Fraction(0)}
_TANGENTS = {0: Fraction(0), 45: Fraction(1), 135: Fraction(-1)}


def with_exact_angles(tree: Expression) -> Expression:
    """The same tree with `sin(30 deg)` as 1/2. Trees of readers are shallow enough for recursion."""
    match tree:
        case Call(("sin" | "cos" | "tan") as function, (argument,)):
            degrees = _degrees(argument)
            value = None if degrees is None else _exact(function, degrees)
            return tree if value is None else _fraction(value)
        case Call(function, arguments):
            return call(function, *map(with_exact_angles, arguments))
        case Add(terms):
            return add(*map(with_exact_angles, terms))
        case Multiply(factors):
            return multiply(*map(with_exact_angles, factors))
        case Divide(above, below):
            return divide(with_exact_angles(above), with_exact_angles(below))
        case Power(base, exponent):
            return power(with_exact_angles(base), with_exact_angles(exponent))
        case Negate(operand):
            return negate(with_exact_angles(operand))
        case _:
            return tree


def is_upright(tree: Expression) -> bool:
    """Whether the tree is a tangent of an odd multiple of a quarter turn, which has no value."""
    if not (isinstance(tree, Call) and tree.function == "tan"):
        return False
    degrees = _degrees(tree.arguments[0])
    return degrees is not None and degrees % 180 == 90


def _fraction(value: Fraction) -> Expression:
    if value.denominator == 1:
        return number(value.numerator)
    return divide(number(value.numerator), number(value.denominator))


def _exact(function: str, degrees: Fraction) -> Fraction | None:
    if degrees.denominator != 1:
        return None
    if function == "tan":
        return _TANGENTS.get(degrees.numerator % 180)
    turned = (degrees.numerator + (90 if function == "cos" else 0)) % 360
    if turned <= 180:
        return _SINES.get(turned)
    opposite = _SINES.get(turned - 180)
    return None if opposite is None else -opposite


def _degrees(tree: Expression) -> Fraction | None:
    """The angle in degrees, where it is a literal number of degrees or a rational multiple of pi."""
    if isinstance(tree, Measure) and tree.unit == "deg":
        return Fraction(tree.number.value)
    if isinstance(tree, Negate):
        inner = _degrees(tree.operand)
        return None if inner is None else -inner
    parts = _pi_parts(tree)
    return parts[0] * 180 if parts is not None and parts[1] == 1 else None


def _pi_parts(tree: Expression) -> tuple[Fraction, int] | None:
    """A rational factor and the power of pi beside it."""
    match tree:
        case Number(value):
            # A decimal such as 1e400 would make a fraction nobody wants.
            return (Fraction(value), 0) if isinstance(value, int | Decimal) and value < 10**9 else None
        case MathConstant():
            return Fraction(1), 1
        case Negate(operand):
            inner = _pi_parts(operand)
            return None if inner is None else (-inner[0], inner[1])
        case Multiply(factors):
            total, powers = Fraction(1), 0
            for factor in factors:
                part = _pi_parts(factor)
                if part is None:
                    return None
                total, powers = total * part[0], powers + part[1]
            return total, powers
        case Divide(above, below):
            first, second = _pi_parts(above), _pi_parts(below)
            if first is None or second is None or second[0] == 0:
                return None
            return first[0] / second[0], first[1] - second[1]
        case _:
            return None
