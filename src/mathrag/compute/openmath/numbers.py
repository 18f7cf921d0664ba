"""Numbers of dictionaries computed: arithmetic, transcendental functions, whole numbers, rounding, combinatorics.

Whatever falls outside the domain of a function is undefined; no value is ever invented to fill a gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mathrag.compute.evaluate.precision import numbers_of
from mathrag.compute.openmath.values import (
    FAR,
    NEAR,
    Amount,
    Infinite,
    UncertainError,
    UndefinedError,
    Value,
    WrongKindError,
    is_exact,
    is_whole,
)

# Beyond these nothing is computed: powers of two, and whole numbers in factorials and the like.
_LARGEST_SIZE = 3_000
_LARGEST_WHOLE = 400


class Numbers:
    """Arithmetic with a given number of digits."""

    def __init__(self, digits: int) -> None:
        self.context: Any = numbers_of(digits)

    def is_number(self, value: Value) -> bool:
        return is_exact(value) or isinstance(value, self.context.mpf | self.context.mpc)

    def many(self, value: Value) -> Any:
        """A number with many digits."""
        if is_exact(value):
            return self.context.mpf(value.numerator) / value.denominator
        if not self.is_number(value):
            raise WrongKindError("a number is expected where there is none")
        return value

    def finite(self, value: Any) -> Any:
        """The value if it is one and not beyond all sizes."""
        if not self.context.isfinite(value):
            raise UndefinedError("the value is not finite there")
        if value != 0 and self.context.mag(value) > _LARGEST_SIZE:
            raise UndefinedError("the value is too large")
        return value

    def same(self, left: Value, right: Value) -> bool:
        if is_exact(left) and is_exact(right):
            return bool(left == right)
        first, second = self.many(left), self.many(right)
        apart, size = abs(first - second), max(abs(first), abs(second))
        if apart <= max(size, 1) * self.many(NEAR):
            return True
        if apart > size * self.many(FAR):
            return False
        raise UncertainError("two values are too close to tell apart")

    def real(self, value: Value) -> Any:
        """A real number; what has an imaginary part is none."""
        if is_exact(value):
            return value
        number = self.many(value)
        if not self.context.im(number):
            return self.context.re(number)
        if abs(self.context.im(number)) > max(abs(number), 1) * self.many(NEAR):
            raise UndefinedError("a real number is expected")
        return self.context.re(number)

    def is_real(self, value: Value) -> bool:
        try:
            self.real(value)
        except UndefinedError:
            return False
        return True

    def whole(self, value: Value, *, least: int | None = None) -> int:
        if not is_whole(value):
            if not is_exact(value) and self.is_number(value) and self.is_real(value):
                nearest = self.context.nint(self.real(value))
                if abs(nearest) < 10**6 and self.same(value, Fraction(int(nearest))):
                    return self.whole(Fraction(int(nearest)), least=least)
            raise UndefinedError("a whole number is expected")
        found = int(value)
        if least is not None and found < least:
            raise UndefinedError(f"a whole number from {least} on is expected")
        return found

    def less(self, left: Value, right: Value) -> bool:
        """Whether one real number is less than another; infinity is beyond all of them."""
        if isinstance(left, Infinite) or isinstance(right, Infinite):
            ranks = [each.sign if isinstance(each, Infinite) else self.real(each) * 0 for each in (left, right)]
            return bool(ranks[0] < ranks[1])
        if isinstance(left, Amount) and isinstance(right, Amount):
            return left.size < right.size
        first, second = self.real(left), self.real(right)
        if is_exact(first) and is_exact(second):
            return bool(first < second)
        return not self.same(first, second) and bool(self.many(first) < self.many(second))

    def power(self, base: Value, exponent: Value) -> Value:
        if is_whole(exponent) and abs(exponent) <= _LARGEST_WHOLE:
            if base == 0 and exponent <= 0:
                raise UndefinedError("zero to a power that is not positive")
            if is_exact(base):
                if abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length()) > 20_000:
                    raise UndefinedError("the value is too large")
                return base ** int(exponent)
            return self.finite(self.many(base) ** int(exponent))
        first, second = self.many(base), self.many(exponent)
        if first == 0:
            if self.is_real(exponent) and self.real(second) > 0:
                return Fraction(0)
            raise UndefinedError("zero to a power that is not positive")
        if abs(second) * (abs(self.context.mag(first)) + 1) > _LARGEST_SIZE:
            raise UndefinedError("the value is too large")
        return self.finite(self.context.power(first, second))

    def root(self, value: Value, degree: Value) -> Value:
        """The principal root: what the exponential of the logarithm over the degree gives."""
        if degree == 0:
            raise UndefinedError("a root of degree zero")
        if value == 0:
            if self.is_real(degree) and self.real(degree) > 0:
                return Fraction(0)
            raise UndefinedError("a root of zero of this degree")
        if degree == 2:
            return self.finite(self.context.sqrt(self.many(value)))
        inverse = 1 / degree
        return self.power(value, inverse)

    def divide(self, left: Value, right: Value) -> Value:
        if right == 0:
            raise UndefinedError("division by zero")
        if is_exact(left) and is_exact(right):
            return left / right
        return self.finite(self.many(left) / self.many(right))

    def function(self, name: str, argument: Value) -> Value:
        """One of the functions of the calculator at a complex number."""
        number = self.many(argument)
        if name in _GROWING and abs(number) > _LARGEST_SIZE:
            raise UndefinedError("the value is too large")
        try:
            return self.finite(getattr(self.context, name)(number))
        except (ValueError, ZeroDivisionError, OverflowError):
            raise UndefinedError(f"{name} has no value there") from None

    def logarithm(self, argument: Value) -> Value:
        if argument == 0:
            raise UndefinedError("the logarithm of zero")
        return self.function("log", argument)


_GROWING = frozenset(("exp", "sinh", "cosh", "tanh", "sin", "cos", "tan"))

Operation = Callable[..., Value]


def _plain(name: str) -> Operation:
    return lambda numbers, argument: numbers.function(name, argument)


def _reciprocal(name: str) -> Operation:
    """One over a function: secant, cosecant, cotangent."""
    return lambda numbers, argument: numbers.divide(Fraction(1), numbers.function(name, argument))


def _of_reciprocal(name: str) -> Operation:
    """A function of one over the argument: the inverses of those."""
    return lambda numbers, argument: numbers.function(name, numbers.divide(Fraction(1), argument))


def _whole_function(least: int, compute: Callable[..., int]) -> Operation:
    def operation(numbers: Numbers, *arguments: Value) -> Value:
        wholes = [numbers.whole(each, least=least) for each in arguments]
        if any(abs(each) > _LARGEST_WHOLE for each in wholes):
            raise UndefinedError("the number is too large")
        return Fraction(compute(*wholes))

    return operation


def _gcd(numbers: Numbers, *arguments: Value) -> Value:
    wholes = [numbers.whole(each) for each in arguments]
    if not any(wholes):
        raise UndefinedError("zero and zero have no greatest common divisor")
    return Fraction(math.gcd(*wholes))


def _remainder(numbers: Numbers, left: Value, right: Value) -> Value:
    """With the sign of the first argument, as the dictionary wants it."""
    first, second = numbers.whole(left), numbers.whole(right)
    if second == 0:
        raise UndefinedError("division by zero")
    return Fraction(int(math.fmod(first, second)))


def _quotient(numbers: Numbers, left: Value, right: Value) -> Value:
    return (left - _remainder(numbers, left, right)) / right


def _factor_of(numbers: Numbers, left: Value, right: Value) -> bool:
    first, second = numbers.whole(left), numbers.whole(right)
    if first == 0:
        raise UndefinedError("division by zero")
    return second % first == 0


def _rounding(exactly: Callable[[Fraction], int]) -> Operation:
    def operation(numbers: Numbers, argument: Value) -> Value:
        real = numbers.real(argument)
        if is_exact(real):
            return Fraction(exactly(real))
        # Next to a whole number, or to a half, the last digit would decide.
        if abs(2 * real - numbers.context.nint(2 * real)) < numbers.many(FAR) or abs(real) > 10**9:
            raise UncertainError("a value next to a whole number cannot be rounded with certainty")
        return Fraction(exactly(Fraction(int(numbers.context.floor(real * 10**9)), 10**9)))

    return operation


def _conjugate(numbers: Numbers, argument: Value) -> Value:
    return argument if is_exact(argument) else numbers.context.conj(numbers.many(argument))


def _argument(numbers: Numbers, argument: Value) -> Value:
    if argument == 0:
        raise UndefinedError("zero has no argument")
    return numbers.context.arg(numbers.many(argument))


def _cartesian(numbers: Numbers, real: Value, imaginary: Value) -> Value:
    parts = numbers.real(real), numbers.real(imaginary)
    return parts[0] if parts[1] == 0 else numbers.context.mpc(numbers.many(parts[0]), numbers.many(parts[1]))


def _polar(numbers: Numbers, radius: Value, angle: Value) -> Value:
    size, turned = numbers.real(radius), numbers.many(numbers.real(angle))
    if size < 0:
        raise UndefinedError("a radius is not negative")
    return numbers.many(size) * numbers.context.mpc(numbers.context.cos(turned), numbers.context.sin(turned))


def _absolute(numbers: Numbers, argument: Value) -> Value:
    return abs(argument) if is_exact(argument) else abs(numbers.many(argument))


def _log_of_base(numbers: Numbers, base: Value, argument: Value) -> Value:
    return numbers.divide(numbers.logarithm(argument), numbers.logarithm(base))


def _angle_of_point(numbers: Numbers, first: Value, second: Value) -> Value:
    """The angle of the point (first, second), as its dictionary defines it: a value of arctan(second/first)."""
    horizontal, vertical = numbers.many(numbers.real(first)), numbers.many(numbers.real(second))
    if horizontal == 0 and vertical == 0:
        raise UndefinedError("the origin has no angle")
    return numbers.context.atan2(vertical, horizontal)


def _unwinding(numbers: Numbers, argument: Value) -> Value:
    """How many turns the logarithm of the exponential loses: z = ln(exp z) + 2 pi i K."""
    number = numbers.many(argument)
    turns = (number - numbers.logarithm(numbers.function("exp", number))) / (2j * numbers.context.pi)
    return Fraction(numbers.whole(turns))


def _stirling2(n: int, m: int) -> int:
    """Counted by recursion, not by the sum that dictionaries state."""
    row = [1] + [0] * max(n, m)
    for _ in range(n):
        row = [0, *(row[k - 1] + k * row[k] for k in range(1, len(row)))]
    return row[m]


def _stirling1(n: int, m: int) -> int:
    row = [1] + [0] * max(n, m)
    for step in range(n):
        row = [-step * row[0], *(row[k - 1] - step * row[k] for k in range(1, len(row)))]
    return row[m]


def _bell(n: int) -> int:
    """By the triangle of Bell, which needs no Stirling numbers."""
    row = [1]
    for _ in range(n):
        following = [row[-1]]
        for each in row:
            following.append(following[-1] + each)
        row = following
    return row[0]


def _fibonacci(n: int) -> int:
    first, second = 0, 1
    for _ in range(n):
        first, second = second, first + second
    return first


def _binomial(n: int, m: int) -> int:
    return math.comb(n, m)


def _small(limit: int, compute: Callable[..., int]) -> Callable[..., int]:
    def checked(*arguments: int) -> int:
        if any(each > limit for each in arguments):
            raise UndefinedError("the number is too large")
        return compute(*arguments)

    return checked


OPERATIONS: dict[str, Operation] = {
    "arith1:divide": lambda numbers, left, right: numbers.divide(left, right),
    "nums1:rational": lambda numbers, left, right: numbers.divide(left, right),
    "arith1:root": lambda numbers, value, degree: numbers.root(value, degree),
    "arith1:abs": _absolute,
    "arith1:gcd": _gcd,
    "arith1:lcm": lambda numbers, *arguments: Fraction(math.lcm(*map(numbers.whole, arguments))),
    "arith2:inverse": lambda numbers, argument: numbers.divide(Fraction(1), argument),
    "bigfloat1:bigfloat": lambda numbers, mantissa, base, exponent: mantissa * numbers.power(base, exponent),
    **{f"transc1:{name}": _plain(name) for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "transc1:sec": _reciprocal("cos"),
    "transc1:csc": _reciprocal("sin"),
    "transc1:cot": _reciprocal("tan"),
    "transc1:sech": _reciprocal("cosh"),
    "transc1:csch": _reciprocal("sinh"),
    "transc1:coth": _reciprocal("tanh"),
    "transc1:ln": lambda numbers, argument: numbers.logarithm(argument),
    "transc1:log": _log_of_base,
    **{f"transc1:arc{name}": _plain(f"a{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "transc1:arcsec": _of_reciprocal("acos"),
    "transc1:arccsc": _of_reciprocal("asin"),
    "transc1:arccot": _of_reciprocal("atan"),
    "transc1:arcsech": _of_reciprocal("acosh"),
    "transc1:arccsch": _of_reciprocal("asinh"),
    "transc1:arccoth": _of_reciprocal("atanh"),
    "transc2:arctan": _angle_of_point,
    "transc2:unwind": _unwinding,
    "complex1:real": lambda numbers, argument: (
        argument if is_exact(argument) else numbers.context.re(numbers.many(argument))
    ),
    "complex1:imaginary": lambda numbers, argument: (
        Fraction(0) if is_exact(argument) else numbers.context.im(numbers.many(argument))
    ),
    "complex1:conjugate": _conjugate,
    "complex1:argument": _argument,
    "complex1:complex_cartesian": _cartesian,
    "complex1:complex_polar": _polar,
    "integer1:factorial": _whole_function(0, math.factorial),
    "integer1:factorof": _factor_of,
    "integer1:remainder": _remainder,
    "integer1:quotient": _quotient,
    "integer2:divides": _factor_of,
    "rounding1:floor": _rounding(math.floor),
    "rounding1:ceiling": _rounding(math.ceil),
    "rounding1:trunc": _rounding(math.trunc),
    "rounding1:round": _rounding(round),
    "combinat1:binomial": _whole_function(0, _binomial),
    "combinat1:Stirling2": _whole_function(0, _small(40, _stirling2)),
    "combinat1:Stirling1": _whole_function(0, _small(40, _stirling1)),
    "combinat1:Bell": _whole_function(0, _small(40, _bell)),
    "combinat1:Fibonacci": _whole_function(0, _fibonacci),
}
