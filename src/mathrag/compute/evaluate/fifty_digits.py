"""A second evaluation with fifty digits, for results whose digits may have cancelled in floats.

Every value carries how far it may be off: what was typed counts as exact, a factor of a unit that has no short form and
a result handed over as a float are off by a rounding. A sum that is no larger than that is zero, a divisor that is no
larger is zero too, and a result that has no digits left is a failure.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, assert_never

from mathrag.compute.evaluate.failure import EvaluationStoppedError, Failure, fail, shown
from mathrag.compute.evaluate.floats import FLOAT_FUNCTIONS, MAXIMUM_VISITS, TooLargeError, failure_of, holds, whole
from mathrag.compute.evaluate.precision import numbers_of
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
from mathrag.types.quantity import Quantity

_DIGITS = 50
# What one operation may be off, relatively, and what a float is off at most.
_ROUNDING = Decimal("1e-48")
_FLOAT_ROUNDING = Decimal("1.2e-16")
# A float with so few digits is what somebody typed; one with more is the result of a computation.
_TYPED_DIGITS = 15
# Factors of units are short decimals, fractions such as 5/18, or such parts of pi.
_SIMPLE_DENOMINATOR = 100_000
# Where a result may be off by this much, it has no digits worth giving.
_LEAST_CERTAIN = 1e-4
# A root found with floats is about right; with chords it is this near after a few.
_FAR, _NEARLY, _MOST_CHORDS = 0.1, 1e-25, 40
# The logarithm of what fits a float, with some room.
_LARGEST_EXPONENT = 1_000

_WHOLE_NUMBERS = frozenset(("factorial", "comb", "perm", "gcd", "lcm"))
_STEPS = frozenset(("floor", "ceil"))


@dataclass(frozen=True, slots=True)
class _Bounded:
    """A number and how far it may be off."""

    value: Any
    error: Any

    @property
    def is_zero(self) -> bool:
        return bool(abs(self.value) <= self.error)


def recomputed(expression: Expression, values: Mapping[str, Quantity], differences: frozenset[str]) -> float | Failure:
    """The number in SI units, rounded to the digits it has. `differences` are symbols whose unit has no zero point."""
    try:
        known = {name: _given(quantity, is_difference=name in differences) for name, quantity in values.items()}
        result = _Evaluator(known).value(expression)
    except EvaluationStoppedError as stopped:
        return stopped.failure
    if result.is_zero:
        return 0.0
    share = float(result.error / abs(result.value))
    if share > _LEAST_CERTAIN:
        return Failure("digits_lost", f"the digits of {shown(expression)} cancel: none is left that could be given")
    number = float(result.value)
    if not math.isfinite(number):
        return Failure("overflow", f"the value of {shown(expression)} is too large")
    if abs(number) < sys.float_info.min:
        return Failure("underflow", f"the value of {shown(expression)} is too small to be told from zero")
    if share > float(_FLOAT_ROUNDING):
        number = float(f"{number:.{max(int(-math.log10(share)) - 1, 0)}e}")
    return number


def slope(expression: Expression, values: Mapping[str, Quantity], differences: frozenset[str], name: str) -> float:
    """The partial derivative by one value, in SI units; no number where there is none."""
    context = numbers_of(_DIGITS)
    known = {each: _given(quantity, is_difference=each in differences) for each, quantity in values.items()}
    centre = known[name].value
    step = (abs(centre) or context.mpf(1)) * context.mpf(10) ** (-_DIGITS // 2)
    nudged = [{**known, name: _Bounded(centre + turn * step, known[name].error)} for turn in (1, -1)]
    try:
        sides = [_Evaluator(each).value(expression) for each in nudged]
    except EvaluationStoppedError:
        return math.nan
    return float((sides[0].value - sides[1].value) / (2 * step))


def polished(
    residual: Expression, values: Mapping[str, Quantity], differences: frozenset[str], unknown: str, root: float
) -> float | None:
    """A root of an expression that was found with floats, with all its digits; None where it has too few of them.

    `values` leave out the unknown. Closes in along chords; where these lead away, the root stays as it was.
    """
    context = numbers_of(_DIGITS)
    known = {name: _given(quantity, is_difference=name in differences) for name, quantity in values.items()}

    def height(at: Any) -> _Bounded:
        return _Evaluator({**known, unknown: _Bounded(at, context.mpf(0))}).value(residual)

    start = context.mpf(repr(root))
    before, here = start * (1 + context.mpf("1e-9")), start
    try:
        last, now = height(before), height(here)
        slope = context.mpf(0)
        for _ in range(_MOST_CHORDS):
            if here == before or now.value == last.value:
                break
            slope = (now.value - last.value) / (here - before)
            before, last, here = here, now, here - now.value / slope
            if abs(here - before) <= abs(here) * _NEARLY:
                break
            now = height(here)
    except EvaluationStoppedError:
        return root
    if not slope or abs(here - start) > _FAR * abs(start):
        return root
    return None if now.error > _LEAST_CERTAIN * abs(slope * here) else float(here)


def _given(quantity: Quantity, *, is_difference: bool) -> _Bounded:
    context = numbers_of(_DIGITS)
    scale = _factor(quantity.unit.scale)
    value = _typed(quantity.value)
    offset = context.mpf(0) if is_difference else context.mpf(repr(quantity.unit.offset))
    error = abs(value.value) * scale.error + abs(scale.value) * value.error
    return _Bounded(value.value * scale.value + offset, error)


def _typed(value: float | int) -> _Bounded:
    context = numbers_of(_DIGITS)
    number = context.mpf(repr(value))
    if isinstance(value, int) or len(Decimal(repr(value)).normalize().as_tuple().digits) <= _TYPED_DIGITS:
        return _Bounded(number, context.mpf(0))
    return _Bounded(number, abs(number) * context.mpf(str(_FLOAT_ROUNDING)))


def _factor(scale: float) -> _Bounded:
    """A factor of a unit, with all its digits where its form can be told."""
    context = numbers_of(_DIGITS)
    typed = _typed(scale)
    if not typed.error:
        return typed
    for base, unit in ((1.0, context.mpf(1)), (math.pi, context.pi)):
        simple = Fraction(scale / base).limit_denominator(_SIMPLE_DENOMINATOR)
        if simple and math.isclose(float(simple) * base, scale, rel_tol=2 * float(_FLOAT_ROUNDING)):
            return _Bounded(unit * simple.numerator / simple.denominator, context.mpf(0))
    return typed


class _Evaluator:
    """Evaluates one tree once. Dimensions have been checked before."""

    def __init__(self, known: Mapping[str, _Bounded]) -> None:
        self.context = numbers_of(_DIGITS)
        self.known = dict(known)
        self.remaining = MAXIMUM_VISITS
        self._largest = self.context.mpf(10) ** _LARGEST_EXPONENT
        self._rounding = self.context.mpf(str(_ROUNDING))

    def value(self, node: Expression) -> _Bounded:
        try:
            found = self._raw(node)
        except EvaluationStoppedError:
            raise
        except (ArithmeticError, ValueError, TypeError) as error:
            raise EvaluationStoppedError(failure_of(error, node)) from error
        if not self.context.isfinite(found.value) or abs(found.value) > self.context.mpf(10) ** (
            _LARGEST_EXPONENT // 2
        ):
            fail("overflow", f"the value of {shown(node)} is too large")
        return _Bounded(found.value, found.error + abs(found.value) * self._rounding)

    def _raw(self, node: Expression) -> _Bounded:
        match node:
            case Number() | Measure() | Symbol() | MathConstant():
                return self._leaf(node)
            case Add(terms):
                return self._sum([self.value(term) for term in terms])
            case Multiply(factors):
                return self._product([self.value(factor) for factor in factors])
            case Divide(numerator, denominator):
                return self._quotient(self.value(numerator), self.value(denominator))
            case Negate(operand):
                inner = self.value(operand)
                return _Bounded(-inner.value, inner.error)
            case Power(base, exponent):
                return self._power(self.value(base), self.value(exponent))
            case Call(function, arguments):
                return self._call(function, [self.value(each) for each in arguments])
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _exact(self, value: Any) -> _Bounded:
        return _Bounded(value, self.context.mpf(0))

    def _leaf(self, node: Number | Measure | Symbol | MathConstant) -> _Bounded:
        match node:
            case Number(literal):
                return self._exact(self.context.mpf(str(literal)))
            case Measure(number, unit):
                # Imported here: the unit tables take a while to load and most formulas carry no units.
                from mathrag.knowledge.units import read_canonical_unit

                return _given(Quantity(float(number.value), read_canonical_unit(unit)), is_difference=False)
            case Symbol(name):
                return self.known[name]
            case MathConstant():
                return self._exact(+self.context.pi)

    def _sum(self, parts: Sequence[_Bounded]) -> _Bounded:
        total = _Bounded(sum(part.value for part in parts), sum(part.error for part in parts))
        return self._exact(self.context.mpf(0)) if total.is_zero and total.value else total

    def _product(self, parts: Sequence[_Bounded]) -> _Bounded:
        total = parts[0]
        for part in parts[1:]:
            error = abs(total.value) * part.error + abs(part.value) * total.error
            total = _Bounded(total.value * part.value, error)
        return total

    def _quotient(self, above: _Bounded, below: _Bounded) -> _Bounded:
        if below.is_zero:
            raise ZeroDivisionError
        value = above.value / below.value
        return _Bounded(value, (above.error + abs(value) * below.error) / abs(below.value))

    def _power(self, base: _Bounded, exponent: _Bounded) -> _Bounded:
        if base.is_zero:
            if exponent.value < 0:
                raise ZeroDivisionError
            return self._exact(self.context.mpf(0 if exponent.value else 1))
        if base.value < 0 and not self.context.isint(exponent.value):
            raise ValueError(base.value)
        size = self.context.log(abs(base.value))
        if size * exponent.value > _LARGEST_EXPONENT:
            raise OverflowError
        value = self.context.power(base.value, exponent.value)
        error = abs(exponent.value) * base.error / abs(base.value) + abs(size) * exponent.error
        return _Bounded(value, abs(value) * error)

    def _call(self, function: str, parts: Sequence[_Bounded]) -> _Bounded:
        if function in _WHOLE_NUMBERS:
            return self._exact(self.context.mpf(FLOAT_FUNCTIONS[function](*(self._settled(part) for part in parts))))
        if function in _STEPS:
            return self._exact(getattr(self.context, function)(self._settled(parts[0])))
        if function in ("min", "max"):
            choose = min if function == "min" else max
            return choose(parts, key=lambda part: part.value)
        if len(parts) > 1:
            return self._of_two(function, parts)
        return self._of_one(function, parts[0])

    def _settled(self, part: _Bounded) -> Any:
        """The whole number that a value cannot be told from, or the value."""
        nearest = self.context.nint(part.value)
        return nearest if abs(part.value - nearest) <= part.error else part.value

    def _of_two(self, function: str, parts: Sequence[_Bounded]) -> _Bounded:
        first, second = parts
        if function == "atan2":
            size = first.value**2 + second.value**2
            if not size:
                return self._exact(self.context.mpf(0))
            error = (abs(second.value) * first.error + abs(first.value) * second.error) / size
            return _Bounded(self.context.atan2(first.value, second.value), error)
        if second.is_zero:
            raise ZeroDivisionError
        rounds = self.context.floor(self._settled(self._quotient(first, second)))
        return _Bounded(first.value - rounds * second.value, first.error + abs(rounds) * second.error)

    def _of_one(self, function: str, part: _Bounded) -> _Bounded:
        calculate = self._function(function)
        value = part.value
        if function == "tan" and abs(self.context.cos(value)) <= part.error:
            raise ValueError(function)
        if function in ("asin", "acos") and 1 < abs(value) <= 1 + part.error:
            value = self.context.sign(value)
        if function == "sqrt" and part.is_zero:
            return self._exact(self.context.mpf(0))
        centre = calculate(value)
        if not part.error:
            return self._exact(centre)
        return _Bounded(centre, self._reach(calculate, value, part.error, centre))

    def _reach(self, calculate: Callable[[Any], Any], value: Any, error: Any, centre: Any) -> Any:
        """How far a function may be off where its argument is; a side outside of its domain tells nothing."""
        furthest = self.context.mpf(0)
        for side in (value - error, value + error):
            try:
                furthest = max(furthest, abs(calculate(side) - centre))
            except (ArithmeticError, ValueError):
                continue
        return furthest

    def _function(self, function: str) -> Callable[[Any], Any]:
        context = self.context

        def calculate(value: Any) -> Any:
            if function == "exp" and value > _LARGEST_EXPONENT:
                raise OverflowError
            if function in ("sinh", "cosh") and abs(value) > _LARGEST_EXPONENT:
                raise OverflowError
            if function in ("log", "log10", "log2") and value <= 0:
                raise ValueError
            if function == "log2":
                return context.log(value) / context.log(2)
            found = getattr(context, _NAMES.get(function, function))(value)
            if context.im(found):
                raise ValueError(function)
            return context.re(found)

        return calculate

    def _series(self, node: Series) -> _Bounded:
        lower, upper = (whole(float(self._settled(self.value(bound)))) for bound in (node.lower, node.upper))
        cost = size_of(node.body)
        outer = self.known.get(node.index)
        terms = []
        for index in range(lower, upper + 1):
            self.remaining -= cost
            if self.remaining < 0:
                raise TooLargeError
            self.known[node.index] = self._exact(self.context.mpf(index))
            terms.append(self.value(node.body))
        if outer is None:
            self.known.pop(node.index, None)
        else:
            self.known[node.index] = outer
        if node.operation == "sum":
            return self._sum([self._exact(self.context.mpf(0)), *terms])
        return self._product([self._exact(self.context.mpf(1)), *terms])

    def _piecewise(self, node: Piecewise) -> _Bounded:
        for value, comparisons in node.branches:
            if all(map(self._holds, comparisons)):
                return self.value(value)
        if node.otherwise is None:
            fail("undefined", f"no case of {shown(node)} covers these values")
        return self.value(node.otherwise)

    def _holds(self, comparison: Comparison) -> bool:
        left, right = self.value(comparison.left), self.value(comparison.right)
        difference = self._sum([left, _Bounded(-right.value, right.error)])
        return holds(comparison.relation, float(difference.value), 0.0)


# Where the functions of the tree have other names there.
_NAMES = {"abs": "fabs", "lgamma": "loggamma"}
