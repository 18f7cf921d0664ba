"""Whether two numbers are the same: exactly, or within the digits that were written; with bounded work."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from mathrag.compute.evaluate.exact import Budget, ExactEvaluator, Value
from mathrag.compute.evaluate.failure import MAXIMUM_EVALUATED_DEPTH, EvaluationStoppedError
from mathrag.compute.evaluate.floats import float_of
from mathrag.types.expression import Call, Expression, Number, depth_of, map_parts, walk

# About a millisecond: claims that a person writes are short.
_WORK = 2e6
_VISITS = 20_000
_FLOAT_TOLERANCE = 1e-9

Comparison = Literal["same", "different", "rounded", "unsure"]


def value_of(expression: Expression, values: Mapping[str, Value] | None = None) -> Value | None:
    """The value of a side, exact where it can be; None where it has none or it is too much work."""
    if depth_of(expression) > MAXIMUM_EVALUATED_DEPTH:
        return None
    evaluator = ExactEvaluator(values or {})
    evaluator.budget, evaluator.remaining = Budget(_WORK), _VISITS
    try:
        value = evaluator.value(expression)
    except (EvaluationStoppedError, KeyError, OverflowError):
        return None
    if isinstance(value, float) and _floors_a_float(expression):
        return None
    return value


def _floors_a_float(expression: Expression) -> bool:
    return any(isinstance(node, Call) and node.function in ("floor", "ceil", "mod") for node in walk(expression))


def compare(left: Value, right: Value, *, decimals: int | None = None, is_rough: bool = False) -> Comparison:
    """Compare a computed value with a written one of so many digits after the point.

    `rounded`: they differ by no more than the last written digit allows.
    """
    if not isinstance(left, float) and not isinstance(right, float) and left == right:
        return "same"
    try:
        first, second = float(left), float(right)
    except OverflowError:
        return "different" if not isinstance(left, float) and not isinstance(right, float) else "unsure"
    difference = abs(first - second)
    exact = isinstance(left, int | Fraction) and isinstance(right, int | Fraction)
    if not exact and difference <= _FLOAT_TOLERANCE * max(abs(first), abs(second), 1e-3):
        return "same"
    if decimals is not None and difference < 10.0**-decimals * (1 + 1e-9):
        return "rounded"
    if is_rough and difference <= _rough_tolerance(first, second, decimals):
        return "rounded"
    return "different"


def _rough_tolerance(first: float, second: float, decimals: int | None) -> float:
    """What "about" allows: one of the last written digit, and a percent of a whole number."""
    size = max(abs(first), abs(second))
    return max(1.0 if decimals is None else 10.0**-decimals, 0.02 * size)


def has_decimals(expression: Expression) -> bool:
    """Whether a number with a point stands in it, which may have been rounded."""
    return any(isinstance(node, Number) and isinstance(node.value, Decimal) for node in walk(expression))


def rounding_error(expression: Expression) -> float:
    """How far the value of a side may be off if its numbers with a point were rounded: less than a half, since nobody
    rounds so that a whole number comes out wrong."""
    value = value_of(expression)
    if value is None or not has_decimals(expression):
        return 0.0
    ends = [value_of(_shifted(expression, sign)) for sign in (-1, 1)]
    return min(0.499, max((abs(float_of(end) - float_of(value)) for end in ends if end is not None), default=0.0))


def _shifted(expression: Expression, sign: int) -> Expression:
    """The same with every number with a point moved by half of its last digit."""
    if isinstance(expression, Number) and isinstance(expression.value, Decimal):
        exponent = expression.value.as_tuple().exponent
        half = Decimal((0, (5,), exponent - 1)) if isinstance(exponent, int) and exponent < 0 else Decimal(0)
        return Number(max(Decimal(0), expression.value + sign * half))
    return map_parts(expression, lambda part: _shifted(part, sign))


def shown_value(value: Value) -> str:
    """A number for people: whole, a fraction, or up to six digits."""
    if isinstance(value, int):
        return str(value) if value.bit_length() < 200 else f"about {_short(float_of(value))}"
    if isinstance(value, Fraction):
        decimal = _terminating(value)
        if decimal is not None:
            return decimal
        if value.denominator.bit_length() < 40 and value.numerator.bit_length() < 40:
            return f"{value.numerator}/{value.denominator}"
    return f"about {_short(float_of(value))}"


def _short(value: float) -> str:
    return f"{value:.6g}"


def _terminating(value: Fraction) -> str | None:
    """`2.5` for 5/2: short decimals are what people read."""
    scaled = value * 10**4
    if scaled.denominator != 1:
        return None
    return format((Decimal(scaled.numerator) / 10**4).normalize(), "f")
