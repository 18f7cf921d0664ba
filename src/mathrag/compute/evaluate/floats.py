"""The functions of the tree on plain floats, raising Python's own arithmetic errors, and their sentences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mathrag.compute.evaluate.failure import Failure, shown
from mathrag.types.expression import Call, Divide, Expression, Power

# Above these a whole-number function takes too long or overflows a float anyway.
MAXIMUM_FLOAT_FACTORIAL = 170
MAXIMUM_CHOICE = 2_000

# Beyond this a float no longer holds every whole number, so a remainder would be noise.
EXACT_FLOAT = 2.0**53


class TooLargeError(ArithmeticError):
    """An operation that was not begun because its result or its work would be too large."""


class NotWholeError(ArithmeticError):
    """A function of whole numbers was given something else."""


def whole(value: float) -> int:
    """The integer a float stands for; functions of whole numbers accept no others."""
    result = int(value)
    if result != value:
        raise NotWholeError
    return result


def _factorial(value: float) -> float:
    number = whole(value)
    if number > MAXIMUM_FLOAT_FACTORIAL:
        raise TooLargeError
    return float(math.factorial(number))


def _choice(function: Callable[[int, int], int]) -> Callable[[float, float], float]:
    def choose(total: float, chosen: float) -> float:
        first, second = whole(total), whole(chosen)
        if first > 1_000_000 or (second > MAXIMUM_CHOICE and first - second > MAXIMUM_CHOICE):
            raise TooLargeError
        return float(function(first, second))

    return choose


def _permutations(total: int, chosen: int) -> int:
    if chosen > MAXIMUM_CHOICE:
        raise TooLargeError
    return math.perm(total, chosen)


def _cbrt(value: float) -> float:
    return math.cbrt(value)


def _modulo(left: float, right: float) -> float:
    if abs(left) > EXACT_FLOAT:
        raise TooLargeError
    return left % right


def _gcd(*values: float) -> float:
    return float(math.gcd(*map(whole, values)))


def _lcm(*values: float) -> float:
    return float(math.lcm(*map(whole, values)))


def _minimum(*values: float) -> float:
    return min(values)


def _maximum(*values: float) -> float:
    return max(values)


FLOAT_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(math, name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
            *("exp", "log", "log10", "log2", "sqrt", "floor", "ceil", "erf", "erfc", "gamma", "lgamma", "atan2"),
        )
    },
    "abs": abs,
    "cbrt": _cbrt,
    "factorial": _factorial,
    "comb": _choice(math.comb),
    "perm": _choice(_permutations),
    "mod": _modulo,
    "gcd": _gcd,
    "lcm": _lcm,
    "min": _minimum,
    "max": _maximum,
}


def failure_of(error: Exception, node: Expression) -> Failure:
    """The sentence for an arithmetic error met at a node."""
    text = shown(node)
    match error:
        case ZeroDivisionError():
            return Failure("division_by_zero", f"division by zero in {text}")
        case TooLargeError():
            return Failure("too_large", f"the numbers in {text} are too large to compute with")
        case NotWholeError():
            return Failure("not_whole", f"{text} needs whole numbers")
        case OverflowError():
            return Failure("overflow", f"the value of {text} is too large")
        case TypeError():
            return Failure("bad_value", f"a value in {text} is not a number")
    if isinstance(node, Power | Divide):
        return Failure(
            "complex", f"{text} has no real value: an uneven power of a negative number, or zero to a negative one"
        )
    if isinstance(node, Call) and node.function in ("sqrt", "log", "log10", "log2"):
        return Failure("domain", f"{text} has no real value for this argument")
    return Failure("domain", f"{text} is not defined for these values")
