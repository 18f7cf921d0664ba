"""Evaluate with whole numbers and fractions kept exact as long as every step is, and floats after that.

Growth is estimated before it happens: a tower of powers is refused, not computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias, assert_never

from mathrag.compute.evaluate.failure import MAXIMUM_EVALUATED_DEPTH, EvaluationStoppedError, Failure, fail, shown
from mathrag.compute.evaluate.floats import (
    FLOAT_FUNCTIONS,
    MAXIMUM_VISITS,
    NotWholeError,
    TooLargeError,
    failure_of,
    holds,
)
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
    children,
    depth_of,
    size_of,
    symbols_of,
)

# Exact arithmetic on whole numbers and fractions within caps: sizes are estimated before anything is computed.

Rational: TypeAlias = int | Fraction

# Numbers on the way may be longer than a result: 2000! / 1998! is short.
MAXIMUM_BITS = 66_000
MAXIMUM_FACTORIAL = 2_000
# Roots of longer numbers are computed as floats; beyond 53 bits the first guess would not hold.
_LARGEST_DEGREE = 64
_LONGEST_RADICAND = 90


class Budget:
    """Work allowed for one evaluation, in products of machine words; about a second of it."""

    def __init__(self, words: float = 2e8) -> None:
        self.left = words

    def spend(self, first: Rational, second: Rational) -> None:
        """Account for one operation on two numbers."""
        self.take((1 + (bits(first) >> 6)) * (1 + (bits(second) >> 6)))

    def take(self, words: float) -> None:
        """Account for work; raises when none is left."""
        self.left -= words
        if self.left < 0:
            raise TooLargeError


def bits(value: Rational | float) -> int:
    """The length of an exact number: numerator and denominator together."""
    if isinstance(value, Fraction):
        return value.numerator.bit_length() + value.denominator.bit_length()
    return value.bit_length() if isinstance(value, int) else 64


def whole(value: Rational | float) -> int:
    """The integer a value stands for."""
    if isinstance(value, int):
        return value
    if isinstance(value, float) and abs(value) < 2.0**53 and value.is_integer():
        return int(value)
    raise NotWholeError


def power(base: Rational, exponent: int, budget: Budget) -> Rational | None:
    """An exact power, or None where it would be too long."""
    if base in (0, 1):
        return base if exponent else 1
    if base == -1:
        return -1 if exponent % 2 else 1
    size = bits(base) * abs(exponent)
    if size > MAXIMUM_BITS:
        return None
    budget.take((1 + (size >> 6)) ** 1.6)
    result: Rational = (1 / Fraction(base)) ** -exponent if exponent < 0 else base**exponent
    return result


def power_modulo(base: int, exponent: int, modulus: int, budget: Budget) -> int:
    """base**exponent % modulus without the power itself."""
    budget.take((1 + exponent.bit_length()) * (1 + (modulus.bit_length() >> 6)) ** 2)
    return pow(base, exponent, modulus)


def call_exactly(function: str, arguments: Sequence[Rational | float], budget: Budget) -> Rational | None:
    """The exact value of a function of rational numbers, or None where it has none (or none that is short)."""
    exact: list[Rational] = [argument for argument in arguments if not isinstance(argument, float)]
    first = exact[0]
    match function:
        case "abs":
            return max(first, -first)
        case "floor":
            return math.floor(first)
        case "ceil":
            return math.ceil(first)
        case "min":
            return min(exact)
        case "max":
            return max(exact)
        case "factorial":
            return _factorial(whole(first), budget)
        case "comb" | "perm":
            return _choice(function, whole(exact[0]), whole(exact[1]), budget)
        case "gcd" | "lcm":
            return _divisors(function, list(map(whole, exact)), budget)
        case "sqrt" | "cbrt":
            return _root_of(function, first)
        case "exp" | "sin" | "tan" | "sinh" | "tanh" | "atan" | "asin" if first == 0:
            return int(function == "exp")
        case "log" | "log10" | "log2" if first == 1:
            return 0
        case "log10" | "log2":
            return _whole_logarithm(first, 10 if function == "log10" else 2)
    return None


def _factorial(number: int, budget: Budget) -> int:
    if number < 0:
        raise ValueError(number)
    if number > MAXIMUM_FACTORIAL:
        raise TooLargeError
    budget.take(number)
    return math.factorial(number)


def _choice(function: str, total: int, chosen: int, budget: Budget) -> int:
    if total < 0 or chosen < 0:
        raise ValueError(total)
    if chosen > total:
        return 0
    steps = min(chosen, total - chosen) if function == "comb" else chosen
    if steps * total.bit_length() > MAXIMUM_BITS:
        raise TooLargeError
    budget.take(steps * (1 + (steps * total.bit_length() >> 6)))
    return math.comb(total, chosen) if function == "comb" else math.perm(total, chosen)


def _divisors(function: str, numbers: list[int], budget: Budget) -> int:
    if function == "lcm" and sum(number.bit_length() for number in numbers) > MAXIMUM_BITS:
        raise TooLargeError
    for number in numbers:
        budget.take((1 + (number.bit_length() >> 6)) ** 2)
    return math.gcd(*numbers) if function == "gcd" else math.lcm(*numbers)


def _square_root(value: Rational) -> Rational | None:
    if value < 0:
        raise ValueError(value)
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if above * above == value.numerator and below * below == value.denominator:
        return above if below == 1 else Fraction(above, below)
    return None


def _root_of(function: str, value: Rational) -> Rational | None:
    if function == "sqrt":
        return _square_root(value)
    # A negative number has a real root of odd degree.
    found = exact_root(-value if value < 0 else value, 3)
    return -found if found is not None and value < 0 else found


def exact_root(value: Rational, degree: int) -> Rational | None:
    """The root of a positive number where it is a whole number or a fraction, so that 8^(2/3) is 4 and not nearly 4."""
    if value <= 0 or degree > _LARGEST_DEGREE or bits(value) > _LONGEST_RADICAND:
        return None
    above, below = (round(part ** (1 / degree)) for part in (value.numerator, value.denominator))
    if above**degree != value.numerator or below**degree != value.denominator:
        return None
    return above if below == 1 else Fraction(above, below)


def _whole_logarithm(value: Rational, base: int) -> int | None:
    """log10(1000) is 3 exactly, also beyond the range of floats."""
    if value <= 0:
        raise ValueError(value)
    inverse = value < 1
    number = 1 / Fraction(value) if inverse else Fraction(value)
    if number.denominator != 1:
        return None
    digits = round(math.log(number.numerator, base))
    if base**digits != number.numerator:
        return None
    return -digits if inverse else digits


Value: TypeAlias = int | Fraction | float

# Python itself refuses to print longer integers.
RESULT_DIGITS = 4_300
_LONGEST_EXACT_SERIES = 2_000
_RESULT_BITS = int(RESULT_DIGITS * 3.3219)


def evaluate(expression: Expression, values: Mapping[str, float | int | Fraction | Decimal]) -> Value | Failure:
    """The value of an expression: an `int` or `Fraction` when all of it is rational and exact, else a `float`."""
    missing = [name for name in symbols_of(expression) if name not in values]
    if missing:
        return Failure("missing_value", f"no value is given for {', '.join(missing)}")
    if depth_of(expression) > MAXIMUM_EVALUATED_DEPTH:
        return Failure("too_large", "the formula is nested too deeply to be evaluated")
    try:
        known = {name: _given(name, value) for name, value in values.items()}
        return _presentable(ExactEvaluator(known).value(expression))
    except EvaluationStoppedError as raised:
        return raised.failure


def _given(name: str, value: float | int | Fraction | Decimal) -> Value:
    if isinstance(value, Decimal):
        if not value.is_finite() or abs(value.adjusted()) > RESULT_DIGITS:
            fail("bad_value", f"the value of {name} is not a finite number")
        return _reduced(Fraction(value))
    if isinstance(value, float) and not math.isfinite(value):
        fail("bad_value", f"the value of {name} is not a finite number")
    if not isinstance(value, int | float | Fraction):
        fail("bad_value", f"the value of {name} is not a number")
    return _reduced(value)


def _reduced(value: Value) -> Value:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _presentable(value: Value) -> Value:
    if isinstance(value, int) and value.bit_length() > _RESULT_BITS:
        fail("too_large", f"the result has more than {RESULT_DIGITS:,} digits")
    if isinstance(value, Fraction) and bits(value) > _RESULT_BITS:
        return _as_float(value)
    return value


def _as_float(value: Value) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise EvaluationStoppedError(Failure("too_large", "a number is too large to go on with")) from error


class ExactEvaluator:
    """Evaluates one tree once, within a budget of work."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = dict(values)
        self.budget = Budget()
        self.remaining = MAXIMUM_VISITS

    def value(self, node: Expression) -> Value:
        """The value of a node: exact, or a finite float."""
        try:
            result = self._raw(node)
        except EvaluationStoppedError:
            raise
        except (ArithmeticError, ValueError, TypeError) as error:
            raise EvaluationStoppedError(failure_of(error, node)) from error
        if isinstance(result, float):
            if math.isnan(result):
                fail("undefined", f"{shown(node)} has no value")
            if math.isinf(result):
                fail("overflow", f"the value of {shown(node)} is too large")
            return result
        return _reduced(result)

    def _raw(self, node: Expression) -> Value:
        match node:
            case Number(literal) | Measure(Number(literal), _):
                return _given("a literal", literal)
            case Symbol(name):
                return self.values[name]
            case MathConstant():
                return math.pi
            case Add(terms):
                return self._sum(list(map(self.value, terms)))
            case Multiply(factors):
                return self._product(node, list(map(self.value, factors)))
            case Divide(numerator, denominator):
                return self._quotient(node, self.value(numerator), self.value(denominator))
            case Negate(operand):
                return -self.value(operand)
            case Power(base, exponent):
                return self._power(node, self.value(base), self.value(exponent))
            case Call("mod", (left, right)):
                return self._modulo(left, self.value(right))
            case Call(function, arguments):
                return self._call(function, [self.value(each) for each in arguments])
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _sum(self, terms: Sequence[Value]) -> Value:
        total: Value = 0
        for term in terms:
            if isinstance(total, float) or isinstance(term, float):
                total = _as_float(total) + _as_float(term)
            elif bits(total) + bits(term) > MAXIMUM_BITS:
                total = self._coarse(total) + self._coarse(term)
            else:
                self.budget.spend(total, term)
                total = total + term
        return total

    def _product(self, node: Expression, factors: Sequence[Value]) -> Value:
        total: Value = 1
        for factor in factors:
            if isinstance(total, float) or isinstance(factor, float):
                before, total = total, _as_float(total) * _as_float(factor)
                if total == 0.0 and before != 0 and factor != 0:
                    fail("underflow", f"the value of {shown(node)} is too small to be told from zero")
            elif bits(total) + bits(factor) > MAXIMUM_BITS:
                total = self._coarse(total) * self._coarse(factor)
            else:
                self.budget.spend(total, factor)
                total = total * factor
        return total

    def _coarse(self, value: Value) -> float:
        """A number too long to carry on exactly: a float where that loses only digits that do not matter."""
        if isinstance(value, int) and value.bit_length() > MAXIMUM_BITS // 2:
            raise TooLargeError
        return _as_float(value)

    def _quotient(self, node: Expression, above: Value, below: Value) -> Value:
        if below == 0:
            raise ZeroDivisionError
        if isinstance(above, float) or isinstance(below, float):
            result = _as_float(above) / _as_float(below)
            if result == 0.0 and above != 0:
                fail("underflow", f"the value of {shown(node)} is too small to be told from zero")
            return result
        return self._product(node, [above, Fraction(1) / below])

    def _power(self, node: Expression, base: Value, exponent: Value) -> Value:
        if base == 0 and exponent < 0:
            raise ZeroDivisionError
        if isinstance(exponent, int) and not isinstance(base, float):
            exact = power(base, exponent, self.budget)
            if exact is not None:
                return exact
        if isinstance(base, int) and isinstance(exponent, int):
            raise TooLargeError
        if isinstance(exponent, Fraction) and not isinstance(base, float):
            root = exact_root(base, exponent.denominator)
            raised = None if root is None else power(root, exponent.numerator, self.budget)
            if raised is not None:
                return raised
        result = math.pow(_as_float(base), _as_float(exponent))
        if result == 0.0 and base != 0:
            fail("underflow", f"the value of {shown(node)} is too small to be told from zero")
        return result

    def _modulo(self, left: Expression, modulus: Value) -> Value:
        if modulus == 0:
            raise ZeroDivisionError
        if isinstance(modulus, int):
            return self._residue(left, modulus)
        return self._remainder(self.value(left), modulus)

    def _remainder(self, value: Value, modulus: Value) -> Value:
        if isinstance(value, float) or isinstance(modulus, float):
            return float(FLOAT_FUNCTIONS["mod"](_as_float(value), _as_float(modulus)))
        return value % modulus

    def _residue(self, node: Expression, modulus: int) -> Value:
        """The remainder of a whole number by parts, so that 3**(10**6) is never written out."""
        if not self._is_whole(node):
            # Trying the parts first and the whole after that would double the work with every mod inside a mod.
            return self._plain(node, modulus)
        match node:
            case Add(terms):
                return self._remainder(self._sum([self._residue(each, modulus) for each in terms]), modulus)
            case Multiply(factors):
                parts = [self._residue(each, modulus) for each in factors]
                return (
                    self._remainder(self._product(node, parts), modulus)
                    if _all_whole(parts)
                    else self._plain(node, modulus)
                )
            case Negate(operand):
                return self._remainder(-self._residue(operand, modulus), modulus)
            case Power(base, exponent):
                base_value, exponent_value = self.value(base), self.value(exponent)
                if isinstance(base_value, int) and isinstance(exponent_value, int):
                    if exponent_value < 0:
                        fail("not_whole", f"{shown(node)} is a negative power inside mod, which has two meanings")
                    return power_modulo(base_value, exponent_value, modulus, self.budget)
        return self._plain(node, modulus)

    def _is_whole(self, node: Expression) -> bool:
        """Whether everything in it is a whole number, as far as can be told without computing."""
        pending = [node]
        while pending:
            match pending.pop():
                case Number(value) if not isinstance(value, int):
                    return False
                case Symbol(name) if not isinstance(self.values.get(name), int):
                    return False
                case Divide() | MathConstant() | Measure():
                    return False
                case Call("floor" | "ceil", _):
                    continue
                case other:
                    pending.extend(children(other))
        return True

    def _plain(self, node: Expression, modulus: int) -> Value:
        return self._remainder(self.value(node), modulus)

    def _call(self, function: str, arguments: Sequence[Value]) -> Value:
        if not any(isinstance(each, float) for each in arguments):
            exact = call_exactly(function, arguments, self.budget)
            if exact is not None:
                return exact
        if function in ("min", "max"):
            return min(arguments) if function == "min" else max(arguments)
        result = FLOAT_FUNCTIONS[function](*map(_as_float, arguments))
        return int(result) if function in ("floor", "ceil") else float(result)

    def _series(self, node: Series) -> Value:
        lower, upper = whole(self.value(node.lower)), whole(self.value(node.upper))
        cost = size_of(node.body)
        if (upper - lower) * cost >= self.remaining:
            raise TooLargeError
        # Long sums of fractions have denominators that nobody wants; they are summed as floats.
        rough = upper - lower > _LONGEST_EXACT_SERIES
        outer = self.values.get(node.index)
        terms = []
        for index in range(lower, upper + 1):
            self.remaining -= cost
            if self.remaining < 0:
                raise TooLargeError
            self.values[node.index] = float(index) if rough else index
            terms.append(self.value(node.body))
        if outer is None:
            self.values.pop(node.index, None)
        else:
            self.values[node.index] = outer
        return self._sum(terms) if node.operation == "sum" else self._product(node, terms)

    def _piecewise(self, node: Piecewise) -> Value:
        for value, comparisons in node.branches:
            if all(map(self._holds, comparisons)):
                return self.value(value)
        if node.otherwise is None:
            fail("undefined", f"no case of {shown(node)} covers these values")
        return self.value(node.otherwise)

    def _holds(self, comparison: Comparison) -> bool:
        return holds(comparison.relation, self.value(comparison.left), self.value(comparison.right))


def _all_whole(values: Sequence[Value]) -> bool:
    return all(isinstance(value, int) for value in values)
