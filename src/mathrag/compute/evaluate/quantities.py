"""Evaluate with units: every step is checked for its dimension, and uncertainties are carried along to first order."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.evaluate.failure import MAXIMUM_EVALUATED_DEPTH, EvaluationStoppedError, Failure, fail, shown
from mathrag.compute.evaluate.floats import FLOAT_FUNCTIONS, MAXIMUM_VISITS, TooLargeError, failure_of, holds, whole
from mathrag.errors import UnitError
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
    depth_of,
    size_of,
    symbols_of,
    walk,
)
from mathrag.types.quantity import DIMENSIONLESS, Dimension, Quantity, Unit, base_unit_text

# Derivatives of the functions of the tree at a point, for linear propagation of uncertainties. Numbers only.

_LOG_10 = math.log(10.0)
_LOG_2 = math.log(2.0)
_TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)

DERIVATIVES: dict[str, Callable[[float], float]] = {
    "sin": math.cos,
    "cos": lambda x: -math.sin(x),
    "tan": lambda x: 1.0 / math.cos(x) ** 2,
    "asin": lambda x: 1.0 / math.sqrt(1.0 - x * x),
    "acos": lambda x: -1.0 / math.sqrt(1.0 - x * x),
    "atan": lambda x: 1.0 / (1.0 + x * x),
    "sinh": math.cosh,
    "cosh": math.sinh,
    "tanh": lambda x: 1.0 / math.cosh(x) ** 2,
    "asinh": lambda x: 1.0 / math.sqrt(x * x + 1.0),
    "acosh": lambda x: 1.0 / math.sqrt(x * x - 1.0),
    "atanh": lambda x: 1.0 / (1.0 - x * x),
    "exp": math.exp,
    "log": lambda x: 1.0 / x,
    "log10": lambda x: 1.0 / (x * _LOG_10),
    "log2": lambda x: 1.0 / (x * _LOG_2),
    "sqrt": lambda x: 0.5 / math.sqrt(x),
    "cbrt": lambda x: 1.0 / (3.0 * math.cbrt(x) ** 2),
    "abs": lambda x: math.copysign(1.0, x),
    "erf": lambda x: _TWO_OVER_ROOT_PI * math.exp(-x * x),
    "erfc": lambda x: -_TWO_OVER_ROOT_PI * math.exp(-x * x),
    "gamma": lambda x: _central_difference(math.gamma, x),
    "lgamma": lambda x: _central_difference(math.lgamma, x),
}


def _central_difference(function: Callable[[float], float], x: float) -> float:
    step = 1e-5 * max(1.0, abs(x))
    return (function(x + step) - function(x - step)) / (2.0 * step)


_SAME_DIMENSION = frozenset(("abs", "floor", "ceil", "min", "max", "mod", "gcd", "lcm", "atan2"))
_ROOTS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3)}
_LOGARITHMS = frozenset(("log", "log10", "log2"))


@dataclass(frozen=True, slots=True)
class _Carried:
    """A value in coherent SI with its dimension (None: a literal zero, which fits any) and its partial derivatives."""

    value: float
    dimension: Dimension | None = DIMENSIONLESS
    partials: Mapping[str, float] = field(default_factory=dict)


def evaluate_quantity(
    expression: Expression, values: Mapping[str, Quantity], *, lenient_logarithms: bool = False
) -> Quantity | Failure:
    """The value in coherent SI units, or why there is none.

    A temperature in °C or °F counts from absolute zero, except for symbols named `Delta_...`, which are differences.
    With `lenient_logarithms` the logarithm of a value with a dimension takes its number in SI units.
    """
    refusal = _refusal(expression, values)
    if refusal is not None:
        return refusal
    whole_values = _plain_whole_numbers(expression, values)
    if whole_values is not None:
        exact = evaluate_surely(expression, whole_values)
        if isinstance(exact, Failure):
            return exact
        return Quantity(exact if isinstance(exact, int) else float(exact))
    carried = _carried(expression, values, lenient_logarithms)
    return carried if isinstance(carried, Failure) else _result(carried, values)


def slopes_of(expression: Expression, values: Mapping[str, Quantity]) -> dict[str, float] | Failure:
    """The derivative, in SI, by every symbol whose value has an uncertainty; those that do not matter are left out."""
    refusal = _refusal(expression, values)
    if refusal is not None:
        return refusal
    carried = _carried(expression, values, lenient_logarithms=False)
    if isinstance(carried, Failure):
        return carried
    if not all(map(math.isfinite, carried.partials.values())):
        return Failure("uncertainty", f"{shown(expression)} has no linear uncertainty at this value")
    return {name: slope for name, slope in carried.partials.items() if slope}


def _refusal(expression: Expression, values: Mapping[str, Quantity]) -> Failure | None:
    missing = [name for name in symbols_of(expression) if name not in values]
    if missing:
        return Failure("missing_value", f"no value is given for {', '.join(missing)}")
    if depth_of(expression) > MAXIMUM_EVALUATED_DEPTH:
        return Failure("too_large", "the formula is nested too deeply to be evaluated")
    return None


def _carried(expression: Expression, values: Mapping[str, Quantity], lenient_logarithms: bool) -> _Carried | Failure:
    try:
        evaluator = _QuantityEvaluator(values, lenient_logarithms)
    except EvaluationStoppedError as stopped:
        return stopped.failure
    try:
        carried = evaluator.value(expression)
    except EvaluationStoppedError as stopped:
        # What fails behind a number that no float holds, fails perhaps only because of what stood in for it.
        return evaluator.left_the_range or stopped.failure
    return _with_fifty_digits(expression, values, carried) if evaluator.is_doubtful else carried


def evaluate_surely(expression: Expression, values: Mapping[str, int]) -> int | float | Fraction | Failure:
    """The value of an expression of whole numbers: exact, or a float whose digits are all there."""
    found = evaluate(expression, values)
    if not isinstance(found, float):
        return found
    # Imported here: few results need it.
    from mathrag.compute.evaluate.fifty_digits import recomputed

    return recomputed(expression, {name: Quantity(value) for name, value in values.items()}, frozenset())


def _with_fifty_digits(expression: Expression, values: Mapping[str, Quantity], carried: _Carried) -> _Carried | Failure:
    """The same result where its digits may have cancelled, from an arithmetic that has enough of them."""
    # Imported here: few results need it.
    from mathrag.compute.evaluate.fifty_digits import recomputed, slope

    needed = {name: values[name] for name in symbols_of(expression)}
    differences = differences_among(needed)
    number = recomputed(expression, needed, differences)
    if isinstance(number, Failure):
        return number
    partials = {name: slope(expression, needed, differences, name) for name in carried.partials}
    if any(map(math.isnan, partials.values())):
        return Failure("uncertainty", f"{shown(expression)} has no linear uncertainty at this value")
    return _Carried(number, carried.dimension, partials)


def _plain_whole_numbers(expression: Expression, values: Mapping[str, Quantity]) -> dict[str, int] | None:
    """The values when all are exact whole numbers without a unit, so that counting and remainders stay exact."""
    if any(isinstance(node, Measure) for node in walk(expression)):
        return None
    found: dict[str, int] = {}
    for name in symbols_of(expression):
        quantity = values[name]
        plain = quantity.unit.scale == 1.0 and quantity.dimension.is_dimensionless and not quantity.uncertainty
        if not plain or not isinstance(quantity.value, int):
            return None
        found[name] = quantity.value
    return found


def _result(carried: _Carried, values: Mapping[str, Quantity]) -> Quantity:
    dimension = carried.dimension or DIMENSIONLESS
    spreads = [
        partial * spread
        for name, partial in carried.partials.items()
        if (spread := values[name].si_uncertainty) is not None
    ]
    # Squares overflow long before their root does; hypot does not raise.
    total = math.hypot(*spreads)
    uncertainty = total if spreads and math.isfinite(total) else None
    return Quantity(carried.value, Unit(base_unit_text(dimension), dimension), uncertainty)


def si_value_of(name: str, quantity: Quantity) -> float:
    """The number in SI units; a symbol named as a difference ignores the zero point of its unit."""
    return quantity.value * quantity.unit.scale if _is_difference(name, quantity) else quantity.si_value


def differences_among(values: Mapping[str, Quantity]) -> frozenset[str]:
    """The symbols whose unit counts without its zero point."""
    return frozenset(name for name, quantity in values.items() if _is_difference(name, quantity))


def _is_difference(name: str, quantity: Quantity) -> bool:
    return quantity.unit.is_absolute_temperature and name.startswith("Delta_")


# From here on so many digits of a float are lost that the rest may not do.
_CANCELLED = 1e-4
_CLOSE_TO_EDGE = 1e-8
_LARGE_EXPONENT = 1e6
_ANGLES = frozenset(("sin", "cos", "tan"))
_EDGES = frozenset(("asin", "acos", "acosh", "atanh"))
_JUMPS = frozenset(("floor", "ceil", "mod"))
# Functions that are nowhere zero: a float that is zero there was too small.
_NEVER_ZERO = frozenset(("exp", "erfc", "gamma", "cosh"))
_SMALLEST, _LARGEST = sys.float_info.min, sys.float_info.max


def _loses_digits(function: str, argument: float, value: float) -> bool:
    """Whether a function at this place magnifies the rounding of its argument."""
    if function in _ANGLES:
        return abs(argument) > _CANCELLED and not _CANCELLED < abs(value) < 1 / _CANCELLED
    if function in _LOGARITHMS:
        return abs(value) < _CANCELLED
    if function in _EDGES:
        return abs(abs(argument) - 1.0) < _CLOSE_TO_EDGE
    return function in _JUMPS


class _QuantityEvaluator:
    def __init__(self, values: Mapping[str, Quantity], lenient_logarithms: bool) -> None:
        self.lenient_logarithms = lenient_logarithms
        self.remaining = MAXIMUM_VISITS
        # Whether digits may have cancelled on the way.
        self.is_doubtful = False
        # Where a value was too large or too small for a float, first of all; another stands in for it from there on.
        self.left_the_range: Failure | None = None
        self.known: dict[str, _Carried] = {}
        for name, quantity in values.items():
            partials = {name: 1.0} if quantity.uncertainty is not None else {}
            try:
                self.known[name] = _Carried(float(si_value_of(name, quantity)), quantity.dimension, partials)
            except OverflowError:
                fail("overflow", f"the value of {name} is too large")
            if not math.isfinite(self.known[name].value):
                fail("bad_value", f"the value of {name} is not a finite number")
            if quantity.value and not self.known[name].value and not quantity.unit.offset:
                fail("underflow", f"the value of {name} is too small to be told from zero")

    def value(self, node: Expression) -> _Carried:
        try:
            result = self._raw(node)
        except EvaluationStoppedError:
            raise
        except (ArithmeticError, ValueError, TypeError) as error:
            raise EvaluationStoppedError(failure_of(error, node)) from error
        if math.isnan(result.value):
            fail("undefined", f"{shown(node)} has no value")
        return result

    def _in_range(self, value: float, *, is_zero: bool) -> float:
        """The value, or one that floats can go on with where it is too large or too small for them; what comes of that
        is not given, but computed anew. `is_zero` says whether zero would be right."""
        if _SMALLEST <= abs(value) <= _LARGEST or (value == 0.0 and is_zero) or math.isnan(value):
            return value
        self.is_doubtful = True
        if math.isinf(value):
            self.left_the_range = self.left_the_range or Failure("overflow", "a value on the way is too large")
            return math.copysign(_LARGEST, value)
        self.left_the_range = self.left_the_range or Failure(
            "underflow", "a value on the way is too small to be told from zero"
        )
        return math.copysign(_SMALLEST, value)

    def _raw(self, node: Expression) -> _Carried:
        match node:
            case Number(literal):
                number = self._in_range(float(literal), is_zero=literal == 0)
                return _Carried(number, None if literal == 0 else DIMENSIONLESS)
            case Measure():
                return self._measure(node)
            case Symbol(name):
                return self.known[name]
            case MathConstant():
                return _Carried(math.pi)
            case Add(terms):
                return self._sum(terms)
            case Multiply(factors):
                return self._product(list(map(self.value, factors)))
            case Divide(numerator, denominator):
                return self._quotient(self.value(numerator), self.value(denominator))
            case Negate(operand):
                inner = self.value(operand)
                return _Carried(-inner.value, inner.dimension, _scaled(inner.partials, -1.0))
            case Power(base, exponent):
                return self._power(node, self.value(base), self.value(exponent))
            case Call(function, arguments):
                return self._call(node, function, [self.value(each) for each in arguments])
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _measure(self, node: Measure) -> _Carried:
        # Imported here: the unit tables take a while to load and most formulas carry no units.
        from mathrag.knowledge.units import read_canonical_unit

        try:
            unit = read_canonical_unit(node.unit)
        except UnitError as error:
            fail("unit", f"the unit {node.unit!r} inside the formula cannot be used: {error}")
        return _Carried(Quantity(float(node.number.value), unit).si_value, unit.dimension)

    def _common(self, nodes: Sequence[Expression], parts: Sequence[_Carried], verb: str) -> Dimension | None:
        """The one dimension of all parts; a failure that names the first two that differ."""
        found: tuple[Expression, Dimension] | None = None
        for node, part in zip(nodes, parts, strict=True):
            if part.dimension is None:
                continue
            if found is None:
                found = (node, part.dimension)
            elif part.dimension != found[1]:
                first, second = f"{shown(found[0])} [{found[1]}]", f"{shown(node)} [{part.dimension}]"
                fail("dimension", f"{first} and {second} cannot be {verb}: their dimensions differ")
        return found[1] if found else None

    def _sum(self, nodes: Sequence[Expression]) -> _Carried:
        parts = [self.value(each) for each in nodes]
        dimension = self._common(nodes, parts, "added")
        partials: dict[str, float] = {}
        for part in parts:
            for name, slope in part.partials.items():
                partials[name] = partials.get(name, 0.0) + slope
        total = self._in_range(sum(part.value for part in parts), is_zero=True)
        self._compare_with_terms(total, parts)
        return _Carried(total, dimension, partials)

    def _compare_with_terms(self, total: float, parts: Sequence[_Carried]) -> None:
        largest = max((abs(part.value) for part in parts), default=0.0)
        self.is_doubtful = self.is_doubtful or abs(total) < _CANCELLED * largest

    def _product(self, parts: Sequence[_Carried]) -> _Carried:
        total = parts[0]
        for part in parts[1:]:
            value = self._in_range(total.value * part.value, is_zero=not (total.value and part.value))
            zero = total.dimension is None or part.dimension is None
            dimension = None if zero else (total.dimension or DIMENSIONLESS) * (part.dimension or DIMENSIONLESS)
            total = _Carried(value, dimension, _mixed(total.partials, part.value, part.partials, total.value))
        return total

    def _quotient(self, above: _Carried, below: _Carried) -> _Carried:
        value = self._in_range(above.value / below.value, is_zero=not above.value)
        dimension = None if above.dimension is None else above.dimension / (below.dimension or DIMENSIONLESS)
        partials = _mixed(above.partials, 1.0 / below.value, below.partials, -value / below.value)
        return _Carried(value, dimension, partials)

    def _power(self, node: Power, base: _Carried, exponent: _Carried) -> _Carried:
        if exponent.dimension is not None and not exponent.dimension.is_dimensionless:
            fail(
                "dimension",
                f"the exponent {shown(node.exponent)} has the dimension {exponent.dimension}, not that of a number",
            )
        dimension = DIMENSIONLESS if base.dimension is None else base.dimension
        if not dimension.is_dimensionless:
            if exponent.partials:
                fail("dimension", f"{shown(node)}: a value with a unit cannot have an uncertain exponent")
            dimension = dimension ** _rational(exponent.value, node)
        if base.value == 0.0 and exponent.value < 0.0:
            raise ZeroDivisionError
        try:
            value = math.pow(base.value, exponent.value)
        except OverflowError:
            value = math.copysign(math.inf, base.value) if exponent.value % 2 == 1 else math.inf
        value = self._in_range(value, is_zero=not base.value)
        self.is_doubtful = self.is_doubtful or abs(exponent.value) > _LARGE_EXPONENT
        try:
            slope = exponent.value * math.pow(base.value, exponent.value - 1.0) if base.partials else 0.0
            growth = value * math.log(base.value) if exponent.partials else 0.0
        except (ArithmeticError, ValueError):
            fail("uncertainty", f"{shown(node)} has no linear uncertainty at this value")
        return _Carried(value, dimension, _mixed(base.partials, slope, exponent.partials, growth))

    def _call(self, node: Call, function: str, parts: Sequence[_Carried]) -> _Carried:
        numbers = [part.value for part in parts]
        try:
            value = float(FLOAT_FUNCTIONS[function](*numbers))
        except OverflowError:
            # Of these only sinh can be large and negative.
            value = math.copysign(math.inf, numbers[0]) if function == "sinh" else math.inf
        value = self._in_range(value, is_zero=function not in _NEVER_ZERO)
        self.is_doubtful = self.is_doubtful or _loses_digits(function, numbers[0], value)
        dimension = self._function_dimension(node, function, parts)
        if function in ("min", "max"):
            return _Carried(value, dimension, parts[numbers.index(value)].partials)
        if not any(part.partials for part in parts):
            return _Carried(value, dimension)
        if function == "atan2":
            (y, x), size = numbers, numbers[0] ** 2 + numbers[1] ** 2
            return _Carried(value, dimension, _mixed(parts[0].partials, x / size, parts[1].partials, -y / size))
        derivative = DERIVATIVES.get(function)
        if derivative is None:
            fail("uncertainty", f"{shown(node)} jumps between whole numbers, so it has no linear uncertainty")
        try:
            slope = derivative(numbers[0])
        except (ArithmeticError, ValueError):
            fail("uncertainty", f"{shown(node)} has no linear uncertainty at this value")
        return _Carried(value, dimension, _scaled(parts[0].partials, slope))

    def _function_dimension(self, node: Call, function: str, parts: Sequence[_Carried]) -> Dimension | None:
        if function in _ROOTS:
            dimension = parts[0].dimension
            return None if dimension is None else dimension ** _ROOTS[function]
        if function in _SAME_DIMENSION:
            common = self._common(node.arguments, parts, "compared")
            return DIMENSIONLESS if function == "atan2" else common
        for argument, part in zip(node.arguments, parts, strict=True):
            if part.dimension is not None and not part.dimension.is_dimensionless:
                if function in _LOGARITHMS and self.lenient_logarithms:
                    continue
                fail(
                    "dimension",
                    f"{function} needs a plain number, but {shown(argument)} has the dimension {part.dimension}",
                )
        return DIMENSIONLESS

    def _series(self, node: Series) -> _Carried:
        bounds = [self.value(node.lower), self.value(node.upper)]
        for bound, side in zip(bounds, (node.lower, node.upper), strict=True):
            if bound.dimension is not None and not bound.dimension.is_dimensionless:
                fail("dimension", f"the bound {shown(side)} has the dimension {bound.dimension}, not that of a number")
        outer = self.known.get(node.index)
        terms: list[_Carried] = []
        cost = size_of(node.body)
        lower, upper = whole(bounds[0].value), whole(bounds[1].value)
        if (upper - lower) * cost > self.remaining:
            raise TooLargeError
        for index in range(lower, upper + 1):
            self.remaining -= cost
            if self.remaining < 0:
                raise TooLargeError
            self.known[node.index] = _Carried(float(index))
            terms.append(self.value(node.body))
        if outer is None:
            self.known.pop(node.index, None)
        else:
            self.known[node.index] = outer
        if node.operation == "product":
            return self._product([_Carried(1.0), *terms])
        total = _Carried(0.0, None)
        for term in terms:
            total = _Carried(
                self._in_range(total.value + term.value, is_zero=True),
                total.dimension or term.dimension,
                _mixed(total.partials, 1.0, term.partials, 1.0),
            )
        self._compare_with_terms(total.value, terms)
        return total

    def _piecewise(self, node: Piecewise) -> _Carried:
        for value, comparisons in node.branches:
            if all(map(self._holds, comparisons)):
                return self.value(value)
        if node.otherwise is None:
            fail("undefined", f"no case of {shown(node)} covers these values")
        return self.value(node.otherwise)

    def _holds(self, comparison: Comparison) -> bool:
        sides = [self.value(comparison.left), self.value(comparison.right)]
        self._common((comparison.left, comparison.right), sides, "compared")
        return holds(comparison.relation, sides[0].value, sides[1].value)


def _rational(exponent: float, node: Power) -> Fraction:
    """The exponent as a fraction with a small denominator, so that dimensions stay exact."""
    found = Fraction(exponent).limit_denominator(10_000)
    if abs(float(found) - exponent) > 1e-12 * max(1.0, abs(exponent)):
        fail("dimension", f"{shown(node)}: a value with a unit needs a simple fraction as its exponent")
    return found


def _scaled(partials: Mapping[str, float], factor: float) -> dict[str, float]:
    return {name: slope * factor for name, slope in partials.items()}


def _mixed(
    first: Mapping[str, float], first_factor: float, second: Mapping[str, float], second_factor: float
) -> dict[str, float]:
    """The chain rule for an operation with two operands."""
    result = {name: slope * first_factor for name, slope in first.items()}
    for name, slope in second.items():
        result[name] = result.get(name, 0.0) + slope * second_factor
    return result
