"""The closures that compiled evaluation is made of: each takes the values by position and gives one number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias, assert_never

from mathrag.compute.evaluate import shapes
from mathrag.compute.evaluate.careful import CarefulEvaluator, holds
from mathrag.compute.evaluate.failure import EvaluationStoppedError
from mathrag.compute.evaluate.floats import FLOAT_FUNCTIONS, TooLargeError, whole
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
    symbols_of,
)

Closure: TypeAlias = Callable[[Any], Any]

_LARGEST_UNROLLED_POWER = 4
_LONGEST_CHAIN = 12
# Nodes evaluated inside series in one call; a fraction of a second.
_MAXIMUM_WORK = 2_000_000.0


class Compiler:
    """Compiles the nodes of one tree. `scratch` are extra slots behind the values: series indices and a work budget."""

    def __init__(self, order: Sequence[str]) -> None:
        self.slots = {name: index for index, name in enumerate(order)}
        self.scratch: list[float] = []
        self.count = len(order)

    def compile(self, node: Expression) -> Closure:
        """The closure of a node."""
        constant = self._constant(node)
        if constant is not None:
            return lambda _: constant
        match node:
            case Symbol(name):
                return itemgetter(self.slots[name])
            case Add(terms):
                return self._sum(terms)
            case Multiply() | Divide() | Negate():
                return self._product(node)
            case Power(base, exponent):
                return self._power(base, exponent)
            case Call(function, arguments):
                return self._call(FLOAT_FUNCTIONS[function], arguments)
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
            case Number() | Measure() | MathConstant():
                return self._unfoldable(node)
        assert_never(node)

    def _constant(self, node: Expression) -> float | None:
        """The value of a part without symbols, when it has one; a failing part fails at the time of evaluation."""
        if isinstance(node, Symbol) or symbols_of(node):
            return None
        if isinstance(node, Series | Piecewise):
            return None
        try:
            return CarefulEvaluator({}).value(node)
        except (EvaluationStoppedError, KeyError):
            return None

    @staticmethod
    def _unfoldable(node: Expression) -> Closure:
        def refuse(_: Any) -> float:
            raise ArithmeticError(node)

        return refuse

    # -- sums

    def _sum(self, terms: Sequence[Expression]) -> Closure:
        if len(terms) > _LONGEST_CHAIN:
            closures = tuple(map(self.compile, terms))
            return lambda v: sum([closure(v) for closure in closures])
        total = self.compile(terms[0])
        first: Expression | None = terms[0]
        for term in terms[1:]:
            negative = isinstance(term, Negate)
            part = term.operand if isinstance(term, Negate) else term
            total = self._joined(first, total, part, negative)
            first = None
        return total

    def _joined(self, first: Expression | None, left: Closure, part: Expression, negative: bool) -> Closure:
        """Two terms, with symbols and numbers looked up in place rather than called."""
        join = shapes.DIFFERENCES if negative else shapes.SUMS
        left_slot = self.slots.get(first.name) if isinstance(first, Symbol) else None
        left_number = self._constant(first) if first is not None else None
        right_slot = self.slots.get(part.name) if isinstance(part, Symbol) else None
        right_number = self._constant(part)
        left_kind, left_value = _kind(left, left_slot, left_number)
        right_kind, right_value = _kind(None, right_slot, right_number)
        if right_kind == "closure":
            right_value = self.compile(part)
        return join[left_kind, right_kind](left_value, right_value)

    # -- products

    def _product(self, node: Expression) -> Closure:
        parts = _Product()
        self._collect(node, parts, below=False)
        coefficient, divisor = parts.coefficient, parts.divisor
        if divisor == 0.0:
            return self._unfoldable(node)
        if math.frexp(divisor)[0] in (0.5, -0.5):
            coefficient, divisor = coefficient / divisor, 1.0
        value = self._quotient(parts, coefficient)
        # Dividing last keeps 49*x/49 exact, which multiplying by 1/49 would not.
        return value if divisor == 1.0 else lambda v: value(v) / divisor

    def _quotient(self, parts: _Product, coefficient: float) -> Closure:
        above = shapes.product(coefficient, parts.slots_above, parts.closures_above)
        if not parts.slots_below and not parts.closures_below:
            return above
        if parts.closures_below:
            return shapes.quotient(above, shapes.product(1.0, parts.slots_below, parts.closures_below))
        if parts.closures_above:
            return shapes.quotient_by_slots(above, parts.slots_below)
        return shapes.slot_quotient(coefficient, parts.slots_above, parts.slots_below)

    def _collect(self, node: Expression, parts: _Product, *, below: bool) -> None:
        """Sort the factors of a product into numbers, symbols and others, above and below the line.

        A quotient below the line stays whole: a/(b/c) must fail where c is zero.
        """
        constant = self._constant(node)
        match node:
            case _ if constant is not None:
                if below:
                    parts.divisor *= constant
                else:
                    parts.coefficient *= constant
            case Symbol(name):
                (parts.slots_below if below else parts.slots_above).append(self.slots[name])
            case Multiply(factors):
                for factor in factors:
                    self._collect(factor, parts, below=below)
            case Negate(operand):
                parts.coefficient = -parts.coefficient
                self._collect(operand, parts, below=below)
            case Divide(numerator, denominator) if not below:
                self._collect(numerator, parts, below=False)
                self._collect(denominator, parts, below=True)
            case Power(Symbol(name), Number(int() as exponent)) if 1 <= exponent <= _LARGEST_UNROLLED_POWER:
                (parts.slots_below if below else parts.slots_above).extend([self.slots[name]] * exponent)
            case _:
                (parts.closures_below if below else parts.closures_above).append(self.compile(node))

    # -- powers and functions

    def _power(self, base: Expression, exponent: Expression) -> Closure:
        inner = self.compile(base)
        constant = self._constant(exponent)
        if constant is not None:
            if constant.is_integer() and 1 <= constant <= _LARGEST_UNROLLED_POWER:
                return shapes.small_power(inner, int(constant))
            return shapes.constant_power(inner, constant)
        return shapes.power(inner, self.compile(exponent))

    def _call(self, function: Callable[..., Any], arguments: Sequence[Expression]) -> Closure:
        if len(arguments) == 1:
            argument = arguments[0]
            if isinstance(argument, Symbol):
                slot = self.slots[argument.name]
                return lambda v: function(v[slot])
            inner = self.compile(argument)
            return lambda v: function(inner(v))
        closures = tuple(map(self.compile, arguments))
        if len(closures) == 2:
            first, second = closures
            return lambda v: function(first(v), second(v))
        return lambda v: function(*[closure(v) for closure in closures])

    # -- series and cases

    def _series(self, node: Series) -> Closure:
        lower, upper = self.compile(node.lower), self.compile(node.upper)
        if not self.scratch:
            self.scratch.append(_MAXIMUM_WORK)
        budget = self.count
        slot = self.count + len(self.scratch)
        self.scratch.append(0.0)
        shadowed = self.slots.get(node.index)
        self.slots[node.index] = slot
        body = self.compile(node.body)
        if shadowed is None:
            del self.slots[node.index]
        else:
            self.slots[node.index] = shadowed
        multiplies = node.operation == "product"
        cost = float(size_of(node.body))

        def total(v: Any) -> float:
            result = 1.0 if multiplies else 0.0
            first, last = whole(lower(v)), whole(upper(v))
            if (last - first) * cost > v[budget]:
                raise TooLargeError
            for index in range(first, last + 1):
                v[budget] -= cost
                if v[budget] < 0.0:
                    raise TooLargeError
                v[slot] = float(index)
                result = result * body(v) if multiplies else result + body(v)
            return result

        return total

    def _piecewise(self, node: Piecewise) -> Closure:
        branches = tuple(
            (tuple(map(self._comparison, comparisons)), self.compile(value)) for value, comparisons in node.branches
        )
        otherwise = None if node.otherwise is None else self.compile(node.otherwise)

        def choose(v: Any) -> Any:
            for tests, value in branches:
                if all(test(v) for test in tests):
                    return value(v)
            return math.nan if otherwise is None else otherwise(v)

        return choose

    def _comparison(self, comparison: Comparison) -> Callable[[Any], bool]:
        relation, left, right = comparison.relation, self.compile(comparison.left), self.compile(comparison.right)
        return lambda v: holds(relation, left(v), right(v))


class _Product:
    """The factors of a product, sorted."""

    def __init__(self) -> None:
        self.coefficient = 1.0
        self.divisor = 1.0
        self.slots_above: list[int] = []
        self.slots_below: list[int] = []
        self.closures_above: list[Closure] = []
        self.closures_below: list[Closure] = []


def _kind(closure: Closure | None, slot: int | None, number: float | None) -> tuple[str, Any]:
    if slot is not None:
        return "slot", slot
    return ("number", number) if number is not None else ("closure", closure)
