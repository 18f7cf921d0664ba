"""Trees compiled once to closures over floats, for evaluation in about a microsecond. No code is generated.

The closures are specialised for the shapes formulas have: products of symbols with a number before them, small
whole powers, sums of such products. They raise Python's arithmetic errors; the function handed out catches them and
asks the careful evaluator for the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, TypeAlias, assert_never

from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.evaluate.failure import MAXIMUM_EVALUATED_DEPTH, EvaluationStoppedError, Failure
from mathrag.compute.evaluate.floats import (
    FLOAT_FUNCTIONS,
    MAXIMUM_VISITS,
    CarefulEvaluator,
    TooLargeError,
    holds,
    whole,
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
    depth_of,
    size_of,
    symbols_of,
)

# Closures for the common shapes of sums, products, quotients and powers. Plain arithmetic, nothing looked up twice.

_pow = math.pow


def _table(minus: bool) -> dict[tuple[str, str], Callable[[Any, Any], Closure]]:
    if minus:
        return {
            ("slot", "slot"): lambda i, j: lambda v: v[i] - v[j],
            ("slot", "number"): lambda i, k: lambda v: v[i] - k,
            ("slot", "closure"): lambda i, g: lambda v: v[i] - g(v),
            ("number", "slot"): lambda k, j: lambda v: k - v[j],
            ("number", "number"): lambda k, m: lambda v: k - m,  # noqa: ARG005
            ("number", "closure"): lambda k, g: lambda v: k - g(v),
            ("closure", "slot"): lambda f, j: lambda v: f(v) - v[j],
            ("closure", "number"): lambda f, k: lambda v: f(v) - k,
            ("closure", "closure"): lambda f, g: lambda v: f(v) - g(v),
        }
    return {
        ("slot", "slot"): lambda i, j: lambda v: v[i] + v[j],
        ("slot", "number"): lambda i, k: lambda v: v[i] + k,
        ("slot", "closure"): lambda i, g: lambda v: v[i] + g(v),
        ("number", "slot"): lambda k, j: lambda v: k + v[j],
        ("number", "number"): lambda k, m: lambda v: k + m,  # noqa: ARG005
        ("number", "closure"): lambda k, g: lambda v: k + g(v),
        ("closure", "slot"): lambda f, j: lambda v: f(v) + v[j],
        ("closure", "number"): lambda f, k: lambda v: f(v) + k,
        ("closure", "closure"): lambda f, g: lambda v: f(v) + g(v),
    }


SUMS = _table(minus=False)
DIFFERENCES = _table(minus=True)


def product(coefficient: float, slots: Sequence[int], closures: Sequence[Closure]) -> Closure:
    """A number times the values in some slots times other parts."""
    if not closures:
        return _slot_product(coefficient, slots)
    if not slots and coefficient == 1.0:
        return _closure_product(closures)
    rest = _closure_product(closures)
    if not slots:
        return lambda v: coefficient * rest(v)
    if len(slots) == 1:
        i = slots[0]
        return (lambda v: v[i] * rest(v)) if coefficient == 1.0 else (lambda v: coefficient * v[i] * rest(v))
    if len(slots) == 2:
        i, j = slots
        return (
            (lambda v: v[i] * v[j] * rest(v)) if coefficient == 1.0 else (lambda v: coefficient * v[i] * v[j] * rest(v))
        )
    head = _slot_product(coefficient, slots)
    return lambda v: head(v) * rest(v)


def _slot_product(c: float, slots: Sequence[int]) -> Closure:
    if len(slots) > 12:
        places = tuple(slots)
        return lambda v: math.prod([c, *[v[place] for place in places]])
    if len(slots) > 4:
        head, tail = _slot_product(c, slots[:4]), _slot_product(1.0, slots[4:])
        return lambda v: head(v) * tail(v)
    plain = c == 1.0
    match tuple(slots):
        case ():
            return lambda _: c
        case (i,):
            return (lambda v: v[i]) if plain else (lambda v: c * v[i])
        case (i, j):
            return (lambda v: v[i] * v[j]) if plain else (lambda v: c * v[i] * v[j])
        case (i, j, k):
            return (lambda v: v[i] * v[j] * v[k]) if plain else (lambda v: c * v[i] * v[j] * v[k])
        case (i, j, k, m):
            return (lambda v: v[i] * v[j] * v[k] * v[m]) if plain else (lambda v: c * v[i] * v[j] * v[k] * v[m])
    raise AssertionError(slots)


def _closure_product(closures: Sequence[Closure]) -> Closure:
    match tuple(closures):
        case (f,):
            return f
        case (f, g):
            return lambda v: f(v) * g(v)
        case (f, g, h):
            return lambda v: f(v) * g(v) * h(v)
        case parts:
            return lambda v: math.prod([part(v) for part in parts])


def quotient(above: Closure, below: Closure) -> Closure:
    """One part divided by another."""
    return lambda v: above(v) / below(v)


def quotient_by_slots(above: Closure, slots: Sequence[int]) -> Closure:
    """A part divided by the values in some slots."""
    match tuple(slots):
        case (i,):
            return lambda v: above(v) / v[i]
        case (i, j):
            return lambda v: above(v) / (v[i] * v[j])
    return quotient(above, _slot_product(1.0, slots))


def slot_quotient(c: float, above: Sequence[int], below: Sequence[int]) -> Closure:
    """A number times slots over slots, in one closure for the small cases."""
    match tuple(above), tuple(below):
        case (), (k,):
            return lambda v: c / v[k]
        case (i,), (k,):
            return (lambda v: v[i] / v[k]) if c == 1.0 else (lambda v: c * v[i] / v[k])
        case (i, j), (k,):
            return (lambda v: v[i] * v[j] / v[k]) if c == 1.0 else (lambda v: c * v[i] * v[j] / v[k])
        case (i, j, m), (k,):
            return (lambda v: v[i] * v[j] * v[m] / v[k]) if c == 1.0 else (lambda v: c * v[i] * v[j] * v[m] / v[k])
        case (i,), (k, n):
            return (lambda v: v[i] / (v[k] * v[n])) if c == 1.0 else (lambda v: c * v[i] / (v[k] * v[n]))
        case (i, j), (k, n):
            return lambda v: c * v[i] * v[j] / (v[k] * v[n])
        case (i, j, m), (k, n):
            return lambda v: c * v[i] * v[j] * v[m] / (v[k] * v[n])
    return quotient_by_slots(_slot_product(c, above), below)


def small_power(inner: Closure, exponent: int) -> Closure:
    """A whole power from 1 to 4 by multiplication."""

    def square(v: Any) -> Any:
        value = inner(v)
        return value * value

    def cube(v: Any) -> Any:
        value = inner(v)
        return value * value * value

    def fourth(v: Any) -> Any:
        value = inner(v)
        value *= value
        return value * value

    return (inner, square, cube, fourth)[exponent - 1]


def constant_power(inner: Closure, exponent: float) -> Closure:
    """A power with a fixed exponent. `math.pow` refuses what would be complex instead of returning it."""
    return lambda v: _pow(inner(v), exponent)


def power(base: Closure, exponent: Closure) -> Closure:
    """A power of two parts."""
    return lambda v: _pow(base(v), exponent(v))


# The closures that compiled evaluation is made of: each takes the values by position and gives one number.

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
        join = DIFFERENCES if negative else SUMS
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
        above = product(coefficient, parts.slots_above, parts.closures_above)
        if not parts.slots_below and not parts.closures_below:
            return above
        if parts.closures_below:
            return quotient(above, product(1.0, parts.slots_below, parts.closures_below))
        if parts.closures_above:
            return quotient_by_slots(above, parts.slots_below)
        return slot_quotient(coefficient, parts.slots_above, parts.slots_below)

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
                return small_power(inner, int(constant))
            return constant_power(inner, constant)
        return power(inner, self.compile(exponent))

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


CompiledExpression = Callable[..., "float | Failure"]


class Work:
    """Counts the nodes evaluated inside series, over many calls: a limit on it is the same on every machine, however
    busy. What stands outside series costs so little that whoever counts calls has counted it."""

    __slots__ = ("nodes",)

    def __init__(self) -> None:
        self.nodes = 0.0


# A node takes so many times as long where every step is checked.
_CAREFUL = 15
_CATCHABLE = (ArithmeticError, ValueError, TypeError)
_NO_VALUE = Failure("undefined", "there is no value here")


def compile_expression(
    expression: Expression, order: Sequence[str], *, work: Work | None = None, is_quiet: bool = False
) -> CompiledExpression:
    """A function of the symbols in `order`, called by position: `compile_expression(tree, ["m", "v"])(2.0, 3.0)`.

    Measures count as their plain number; use `evaluate_quantity` where units matter. The function is safe to call
    from several threads and returns a Failure instead of raising. What it does inside series is added to `work`.
    Finding out what is wrong takes twenty times as long as the value: whoever tries thousands of points and wants to
    know only where there is none asks for a function that `is_quiet`.
    """
    missing = [name for name in symbols_of(expression) if name not in order]
    if missing:
        return _always(Failure("missing_value", f"no value is given for {', '.join(missing)}"))
    if depth_of(expression) > MAXIMUM_EVALUATED_DEPTH:
        return _always(Failure("too_large", "the formula is nested too deeply to be evaluated"))
    compiler = Compiler(order)
    body = compiler.compile(expression)
    count = len(order)
    names = tuple(order)
    scratch = compiler.scratch

    def run(*values: float) -> float | Failure:
        if len(values) != count:
            return Failure("missing_value", f"{count} value(s) are needed ({', '.join(names)}), not {len(values)}")
        try:
            result = body(values)
            # A difference with itself is zero only for finite numbers. Zero itself may hide an underflow.
            if type(result) is float and result - result == 0.0 and result != 0.0:
                return result
            is_settled = is_quiet and result != 0.0
        except _CATCHABLE:
            is_settled = is_quiet
        if is_settled and not all(map(_is_whole, values)):
            return _NO_VALUE
        return _checked(expression, dict(zip(names, values, strict=True)))

    def run_with_scratch(*values: float) -> float | Failure:
        if len(values) != count:
            return Failure("missing_value", f"{count} value(s) are needed ({', '.join(names)}), not {len(values)}")
        slots = [*values, *scratch]
        try:
            result = body(slots)
            if type(result) is float and result - result == 0.0 and result != 0.0:
                return result
            is_settled = is_quiet and result != 0.0
        except _CATCHABLE:
            is_settled = is_quiet
        finally:
            if work is not None:
                work.nodes += _MAXIMUM_WORK - slots[count]
        if is_settled and not all(map(_is_whole, values)):
            return _NO_VALUE
        return _checked(expression, dict(zip(names, values, strict=True)), work)

    return run_with_scratch if scratch else run


def _is_whole(value: float) -> bool:
    """Whether exact arithmetic might find a value where floats do not."""
    return value == value // 1


def _always(failure: Failure) -> CompiledExpression:
    def refuse(*_: float) -> float | Failure:
        return failure

    return refuse


def _checked(expression: Expression, values: Mapping[str, Any], work: Work | None = None) -> float | Failure:
    """The same value with every step checked; exact arithmetic where floats are too coarse for whole numbers."""
    for name, value in values.items():
        if not isinstance(value, int | float) or value - value != 0:
            return Failure("bad_value", f"the value of {name} is not a finite number")
    evaluator = CarefulEvaluator(values)
    try:
        return evaluator.value(expression)
    except EvaluationStoppedError as raised:
        failure = raised.failure
    except OverflowError:
        failure = Failure("overflow", "a value is too large for floating point")
    finally:
        if work is not None:
            work.nodes += _CAREFUL * (MAXIMUM_VISITS - evaluator.remaining)
    if failure.code not in ("too_large", "overflow") or any(value != int(value) for value in values.values()):
        return failure
    if evaluator.remaining < MAXIMUM_VISITS // 2:
        # Too many terms, not too large numbers: counting them exactly takes as long again.
        return failure
    exact = evaluate(expression, {name: int(value) for name, value in values.items()})
    if not isinstance(exact, int | Fraction):
        return failure
    try:
        value = float(exact)
    except OverflowError:
        return failure
    return failure if value == 0.0 and exact != 0 else value
