"""Values with many digits, complex ones included, for telling whether two expressions are the same.

Every value is computed twice, with sixty and with ninety digits: what both agree on is known, the rest is not. Nothing
is given to a user from here. Sizes are looked at before they are computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

from mathrag.compute.evaluate.floats import holds
from mathrag.compute.evaluate.precision import numbers_of
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
    Piecewise,
    Power,
    Series,
    Symbol,
    depth_of,
    size_of,
)

_FEWER, _MORE = 60, 90
_LARGEST_TREE = 1_500
_DEEPEST_TREE = 100
# Powers of two beyond which a value is called unknown; and the largest argument of factorials and choices.
_LARGEST_SIZE = 4_000
_LARGEST_WHOLE = 2_000
_LONGEST_SERIES = 300
_MOST_VISITS = 20_000
# What two values may be apart, relatively, and still be one; and what both ways of computing may differ at most.
_APART, _WORTH = "1e-45", "1e-20"
_SHOWN_DIGITS = 40


class _UnknownError(Exception):
    """There is no value, or it is too large to be worth computing."""


@dataclass(frozen=True, slots=True)
class Digits:
    """A complex number with many digits and how far it may be off."""

    value: Any
    error: Any

    @property
    def is_real(self) -> bool:
        """Whether no imaginary part can be told from zero."""
        context = numbers_of(_MORE)
        size = max(abs(self.value), context.mpf(1))
        return bool(abs(context.im(self.value)) <= size * context.mpf(_APART) + self.error)

    def is_near(self, other: Digits) -> bool | None:
        """Whether both are one number, as far as their digits go; None where too few digits are left."""
        context = numbers_of(_MORE)
        size = max(abs(self.value), abs(other.value))
        error = 10 * (self.error + other.error)
        if error > max(size, context.mpf(1)) * context.mpf(_WORTH):
            return None
        return bool(abs(self.value - other.value) <= size * context.mpf(_APART) + error)

    def text(self) -> str:
        """Forty digits, the same for the same number; the imaginary part only where there is one."""
        context = numbers_of(_MORE)
        parts = [context.re(self.value)] if self.is_real else [context.re(self.value), context.im(self.value)]
        least = max(abs(self.value), context.mpf(1)) * context.mpf(_APART) + self.error
        return "|".join("0" if abs(part) <= least else str(context.nstr(part, _SHOWN_DIGITS)) for part in parts)


def many_digits(expression: Expression, values: Mapping[str, Fraction | complex | str]) -> Digits | None:
    """The value of an expression at a point; None where there is none. `"e"` as a value is Euler's number."""
    if size_of(expression) > _LARGEST_TREE or depth_of(expression) > _DEEPEST_TREE:
        return None
    found = []
    for digits in (_FEWER, _MORE):
        context = numbers_of(digits)
        try:
            known = {name: _given(context, value) for name, value in values.items()}
            found.append(_Evaluator(context, known).value(expression))
        except (_UnknownError, ArithmeticError, ValueError, TypeError, KeyError):
            return None
    first, second = (numbers_of(_MORE).mpc(value) for value in found)
    return Digits(second, abs(first - second))


def _given(context: Any, value: Fraction | complex | str) -> Any:
    if value == "e":
        return context.e + 0
    if isinstance(value, Fraction):
        return context.mpf(value.numerator) / value.denominator
    return context.mpc(value)


class _Evaluator:
    """Evaluates one tree at one precision."""

    def __init__(self, context: Any, known: Mapping[str, Any]) -> None:
        self.context = context
        self.known = dict(known)
        self.visits = 0

    def value(self, node: Expression) -> Any:
        self.visits += 1
        if self.visits > _MOST_VISITS:
            raise _UnknownError
        found = self._raw(node)
        if not self.context.isfinite(found) or (found != 0 and abs(self.context.mag(found)) > _LARGEST_SIZE):
            raise _UnknownError
        return found

    def _raw(self, node: Expression) -> Any:
        match node:
            case Number() | Symbol() | MathConstant() | Measure():
                return self._leaf(node)
            case Add(terms):
                return sum((self.value(term) for term in terms), self.context.mpf(0))
            case Multiply(factors):
                total = self.context.mpf(1)
                for factor in factors:
                    total *= self.value(factor)
                return total
            case Divide(numerator, denominator):
                return self.value(numerator) / self.value(denominator)
            case Negate(operand):
                return -self.value(operand)
            case Power(base, exponent):
                return self._power(self.value(base), self.value(exponent))
            case Call(function, arguments):
                return self._call(function, [self.value(each) for each in arguments])
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _leaf(self, node: Number | Symbol | MathConstant | Measure) -> Any:
        match node:
            case Number(literal):
                return self.context.mpf(str(literal))
            case Symbol(name):
                return self.known[name]
            case MathConstant():
                return self.context.pi + 0
            case Measure():
                raise _UnknownError

    def _power(self, base: Any, exponent: Any) -> Any:
        if base == 0:
            if self.context.im(exponent) or self.context.re(exponent) < 0:
                raise _UnknownError
            return self.context.mpf(exponent == 0)
        if abs(exponent) * (abs(self.context.mag(base)) + 1) > _LARGEST_SIZE:
            raise _UnknownError
        if self.context.im(exponent) == 0:
            exponent = self.context.re(exponent)
            if exponent == int(exponent):
                return base ** int(exponent)
        return self.context.power(base, exponent)

    def _call(self, function: str, arguments: Sequence[Any]) -> Any:
        argument = arguments[0]
        plain = self._plain_functions().get(function)
        if plain is not None:
            if function in _GROWING and abs(argument) > _LARGEST_SIZE:
                raise _UnknownError
            return plain(argument)
        if function == "cbrt":
            # The real root of a real number, as everybody means it.
            if self.context.im(argument) == 0:
                real = self.context.re(argument)
                return self.context.sign(real) * self.context.cbrt(abs(real))
            return self.context.cbrt(argument)
        return self._of_whole_numbers(function, arguments)

    def _plain_functions(self) -> dict[str, Callable[[Any], Any]]:
        context = self.context
        return {
            **{name: getattr(context, name) for name in _SAME_NAMES},
            "log10": lambda value: context.log(value) / context.log(10),
            "log2": lambda value: context.log(value) / context.log(2),
            "abs": abs,
        }

    def _of_whole_numbers(self, function: str, arguments: Sequence[Any]) -> Any:
        context = self.context
        if any(context.im(each) for each in arguments):
            raise _UnknownError
        reals = [context.re(each) for each in arguments]
        if function in ("min", "max"):
            return (min if function == "min" else max)(reals)
        if function in ("floor", "ceil"):
            nearest = context.nint(reals[0])
            # Next to a whole number rounding would decide.
            if 0 < abs(reals[0] - nearest) < context.mpf(_WORTH):
                raise _UnknownError
            return getattr(context, function)(reals[0])
        if function == "atan2":
            return context.atan2(*reals)
        if function == "mod":
            return reals[0] % reals[1]
        if any(each != int(each) or abs(each) > _LARGEST_WHOLE for each in reals):
            raise _UnknownError
        if function == "factorial" and reals[0] >= 0:
            return context.factorial(reals[0])
        if function == "comb" and min(reals) >= 0:
            return context.binomial(*reals)
        if function in ("gcd", "lcm"):
            return context.mpf(getattr(math, function)(*map(int, reals)))
        raise _UnknownError

    def _series(self, node: Series) -> Any:
        lower, upper = self.value(node.lower), self.value(node.upper)
        if self.context.im(lower) or self.context.im(upper):
            raise _UnknownError
        first, last = self.context.re(lower), self.context.re(upper)
        if first != int(first) or last != int(last) or last - first > _LONGEST_SERIES:
            raise _UnknownError
        total = self.context.mpf(0 if node.operation == "sum" else 1)
        outside = self.known.get(node.index)
        for index in range(int(first), int(last) + 1):
            self.known[node.index] = self.context.mpf(index)
            term = self.value(node.body)
            total = total + term if node.operation == "sum" else total * term
        if outside is None:
            self.known.pop(node.index, None)
        else:
            self.known[node.index] = outside
        return total

    def _piecewise(self, node: Piecewise) -> Any:
        for value, tests in node.branches:
            sides = [(each.relation, self.value(each.left), self.value(each.right)) for each in tests]
            if any(self.context.im(side) for _, *pair in sides for side in pair):
                raise _UnknownError
            if all(holds(relation, self.context.re(left), self.context.re(right)) for relation, left, right in sides):
                return self.value(value)
        if node.otherwise is None:
            raise _UnknownError
        return self.value(node.otherwise)


_SAME_NAMES = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sqrt", "erf", "erfc"),
)
_GROWING = frozenset(("exp", "sinh", "cosh", "tanh", "sin", "cos", "tan", "erf", "erfc"))
