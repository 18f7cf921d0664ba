"""The functions of the tree on plain floats, raising Python's own arithmetic errors, and their sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

from mathrag.compute.evaluate.failure import EvaluationStoppedError, Failure, fail, shown
from mathrag.types.expression import (
    Add,
    Call,
    Comparison,
    Divide,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    size_of,
)

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


def float_of(value: float | Decimal | Fraction) -> float:
    """The nearest float; infinite where there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


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
    reason = _DOMAINS.get(node.function, "") if isinstance(node, Call) else ""
    why = f": {reason}" if reason else ""
    if isinstance(node, Call) and node.function in ("sqrt", "log", "log10", "log2"):
        return Failure("domain", f"{text} has no real value for this argument{why}")
    return Failure("domain", f"{text} is not defined for these values{why}")


# For which arguments functions have a real value, and why.
_DOMAINS = {
    "sqrt": "no real number has a negative square",
    **dict.fromkeys(
        ("log", "log10", "log2"), "powers of the base are positive, so only positive numbers have a logarithm"
    ),
    **dict.fromkeys(("asin", "acos"), "sines and cosines of real angles lie between -1 and 1"),
    "acosh": "the hyperbolic cosine of a real number is at least 1",
    "atanh": "the hyperbolic tangent of a real number lies between -1 and 1",
    "factorial": "factorials are defined for whole numbers from 0 on",
}


# A slow, checking evaluation on floats that names the place where a value stops being a number.
#
# The compiled closures hand over here when something went wrong, or when a result of exactly zero might hide an
# overflow or underflow further in.

# Nodes visited inside series, by the evaluators that walk the tree; a fraction of a second.
MAXIMUM_VISITS = 100_000


def holds(relation: str, left: float | Fraction, right: float | Fraction) -> bool:
    """Whether a comparison is true of two numbers."""
    match relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "=":
            return left == right
        case _:
            return left != right


class CarefulEvaluator:
    """Evaluates one tree once. Raises EvaluationStoppedError with the offending node in its sentence."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = dict(values)
        self.remaining = MAXIMUM_VISITS

    def value(self, node: Expression) -> float:
        """The value of a node, checked to be finite."""
        try:
            result = float(self._raw(node))
        except EvaluationStoppedError:
            raise
        except (ArithmeticError, ValueError, TypeError) as error:
            raise EvaluationStoppedError(failure_of(error, node)) from error
        if math.isnan(result):
            fail("undefined", f"{shown(node)} has no value")
        if math.isinf(result):
            fail("overflow", f"the value of {shown(node)} is too large")
        return result

    def _raw(self, node: Expression) -> float:
        match node:
            case Number(literal) | Measure(Number(literal), _):
                return float(literal)
            case Symbol(name):
                return float(self.values[name])
            case MathConstant():
                return math.pi
            case Add(terms):
                return sum(map(self.value, terms))
            case Multiply(factors):
                return self._product(node, [self.value(each) for each in factors])
            case Divide(numerator, denominator):
                above = self.value(numerator)
                return self._product(node, [above], self.value(denominator))
            case Negate(operand):
                return -self.value(operand)
            case Power(base, exponent):
                return self._power(node, self.value(base), self.value(exponent))
            case Call(function, arguments):
                return float(FLOAT_FUNCTIONS[function](*map(self.value, arguments)))
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _product(self, node: Expression, factors: list[float], divisor: float = 1.0) -> float:
        result = math.prod(factors) / divisor
        if result == 0.0 and 0.0 not in factors:
            fail("underflow", f"the value of {shown(node)} is too small to be told from zero")
        return result

    def _power(self, node: Expression, base: float, exponent: float) -> float:
        if base == 0.0 and exponent < 0:
            raise ZeroDivisionError
        result = math.pow(base, exponent)
        if result == 0.0 and base != 0.0:
            fail("underflow", f"the value of {shown(node)} is too small to be told from zero")
        return result

    def _series(self, node: Series) -> float:
        lower, upper = whole(self.value(node.lower)), whole(self.value(node.upper))
        total = 0.0 if node.operation == "sum" else 1.0
        outer = self.values.get(node.index)
        cost = size_of(node.body)
        if (upper - lower) * cost > self.remaining:
            raise TooLargeError
        for index in range(lower, upper + 1):
            self.remaining -= cost
            if self.remaining < 0:
                raise TooLargeError
            self.values[node.index] = float(index)
            term = self.value(node.body)
            total = total + term if node.operation == "sum" else total * term
        if outer is None:
            self.values.pop(node.index, None)
        else:
            self.values[node.index] = outer
        return total

    def _piecewise(self, node: Piecewise) -> float:
        for value, comparisons in node.branches:
            if all(map(self._holds, comparisons)):
                return self.value(value)
        if node.otherwise is None:
            fail("undefined", f"no case of {shown(node)} covers these values")
        return self.value(node.otherwise)

    def _holds(self, comparison: Comparison) -> bool:
        return holds(comparison.relation, self.value(comparison.left), self.value(comparison.right))
