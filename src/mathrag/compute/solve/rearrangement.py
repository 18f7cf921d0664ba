"""Solve by undoing operations one after another, and by collecting powers: instant, in process, for most formulas.

Works on shapes alone. Its answers are candidates with the conditions under which each step may be undone; the solver
verifies them by substitution.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.solve.tidy import (
    constant_of,
    literal,
    minus,
    opposite,
    over,
    plus,
    raised,
    root,
    sign_parts,
    times,
)
from mathrag.types.expression import (
    ONE,
    PI,
    TEN,
    TWO,
    ZERO,
    Add,
    Call,
    Comparison,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    call,
    divide,
    negate,
    power,
    symbols_of,
    walk,
)

# A formula as a quotient of two polynomials in one part, with everything else as coefficients.

Polynomial: TypeAlias = Mapping[int, Expression]

_MAXIMUM_DEGREE = 8
_MAXIMUM_SIZE = 600

_ONE: Polynomial = {0: ONE}


class NotRationalError(ArithmeticError):
    """The formula is not a quotient of polynomials in the part, or too long a one."""


def contains(expression: Expression, symbol: str) -> bool:
    """Whether a symbol occurs freely."""
    return symbol in symbols_of(expression)


def entries_of(left: Expression, right: Expression, symbol: str) -> tuple[Expression, ...]:
    """The parts through which the symbol enters: the symbol itself, or functions of it that algebra cannot open."""
    found: dict[Expression, None] = {}
    for side in (left, right):
        _entries(side, symbol, found)
    return tuple(found)


def _entries(node: Expression, symbol: str, found: dict[Expression, None]) -> None:
    if not contains(node, symbol):
        return
    match node:
        case Add(parts) | Multiply(parts):
            for part in parts:
                _entries(part, symbol, found)
        case Divide(first, second):
            _entries(first, symbol, found)
            _entries(second, symbol, found)
        case Negate(operand):
            _entries(operand, symbol, found)
        case Power(base, exponent) if _whole(exponent) is not None:
            _entries(base, symbol, found)
        case _:
            found.setdefault(node)


def _whole(exponent: Expression) -> int | None:
    match exponent:
        case Number(int() as value) if value <= _MAXIMUM_DEGREE:
            return value
        case Negate(Number(int() as value)) if value <= _MAXIMUM_DEGREE:
            return -value
        case _:
            return None


def numerator_of_difference(left: Expression, right: Expression, generator: Expression) -> Polynomial:
    """The polynomial whose roots solve left = right; raises NotRationalError."""
    above_left, below_left = _rational(left, generator)
    above_right, below_right = _rational(right, generator)
    return _subtract(_product(above_left, below_right), _product(above_right, below_left))


def _rational(node: Expression, generator: Expression) -> tuple[Polynomial, Polynomial]:
    if node == generator:
        return {1: ONE}, _ONE
    if not _has_part(node, generator):
        return {0: node}, _ONE
    match node:
        case Add(terms):
            above, below = _rational(terms[0], generator)
            for term in terms[1:]:
                other_above, other_below = _rational(term, generator)
                if other_below == below:
                    above = _sum(above, other_above)
                else:
                    above = _sum(_product(above, other_below), _product(other_above, below))
                    below = _product(below, other_below)
            return above, below
        case Multiply(factors):
            above, below = _ONE, _ONE
            for factor in factors:
                other_above, other_below = _rational(factor, generator)
                above, below = _product(above, other_above), _product(below, other_below)
            return above, below
        case Divide(numerator, denominator):
            above, below = _rational(numerator, generator)
            other_above, other_below = _rational(denominator, generator)
            return _product(above, other_below), _product(below, other_above)
        case Negate(operand):
            above, below = _rational(operand, generator)
            return {degree: opposite(value) for degree, value in above.items()}, below
        case Power(base, exponent):
            count = _whole(exponent)
            if count is not None:
                return _power(*_rational(base, generator), count)
    raise NotRationalError


def _has_part(node: Expression, part: Expression) -> bool:
    if isinstance(part, Symbol):
        return contains(node, part.name)
    return any(each == part for each in walk(node))


def _power(above: Polynomial, below: Polynomial, count: int) -> tuple[Polynomial, Polynomial]:
    if count < 0:
        above, below, count = below, above, -count
    result_above, result_below = _ONE, _ONE
    for _ in range(count):
        result_above, result_below = _product(result_above, above), _product(result_below, below)
    return result_above, result_below


def _sum(first: Polynomial, second: Polynomial) -> Polynomial:
    result = dict(first)
    for degree, value in second.items():
        result[degree] = plus(result.get(degree, ZERO), value)
    return _trimmed(result)


def _subtract(first: Polynomial, second: Polynomial) -> Polynomial:
    result = dict(first)
    for degree, value in second.items():
        result[degree] = minus(result.get(degree, ZERO), value)
    return _trimmed(result)


def _product(first: Polynomial, second: Polynomial) -> Polynomial:
    if first == _ONE:
        return second
    if second == _ONE:
        return first
    result: dict[int, Expression] = {}
    for degree, value in first.items():
        for other_degree, other in second.items():
            total = degree + other_degree
            result[total] = plus(result.get(total, ZERO), times(value, other))
    return _trimmed(result)


def _trimmed(polynomial: Mapping[int, Expression]) -> Polynomial:
    kept = {degree: value for degree, value in polynomial.items() if value != ZERO}
    if kept and max(kept) > _MAXIMUM_DEGREE:
        raise NotRationalError
    if sum(sum(1 for _ in walk(value)) for value in kept.values()) > _MAXIMUM_SIZE:
        raise NotRationalError
    return kept


_MAXIMUM_BRANCHES = 8
_MAXIMUM_STEPS = 200


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible solution: what the symbol equals, when that holds, and a word about the branch."""

    expression: Expression
    conditions: tuple[Comparison, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Step:
    """Still to be solved: `side` (which holds the symbol) equals `value` (which does not)."""

    side: Expression
    value: Expression
    conditions: tuple[Comparison, ...] = ()
    note: str = ""

    def on(self, side: Expression, value: Expression, condition: Comparison | None = None, note: str = "") -> _Step:
        """The next step, keeping what was noted so far."""
        conditions = (
            self.conditions if condition is None or condition in self.conditions else (*self.conditions, condition)
        )
        return _Step(side, value, conditions, "; ".join(part for part in (self.note, note) if part))


def isolate(left: Expression, right: Expression, symbol: str) -> tuple[Candidate, ...]:
    """All candidates for `symbol` in left = right; none when the shape is beyond this method."""
    if contains(left, symbol) and contains(right, symbol):
        pending = _collected(_Step(left, right), symbol)
    elif contains(right, symbol):
        pending = [_Step(right, left)]
    else:
        pending = [_Step(left, right)]
    found: list[Candidate] = []
    for _ in range(_MAXIMUM_STEPS):
        if not pending:
            break
        step = pending.pop(0)
        if isinstance(step.side, Symbol):
            found.append(Candidate(step.value, _worth_saying(step.conditions), step.note))
        else:
            pending[:0] = _undo(step, symbol)
        if len(pending) + len(found) > _MAXIMUM_BRANCHES:
            return ()
    return tuple(dict.fromkeys(found))


def _worth_saying(conditions: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
    """Conditions without the factors that cannot change a sign; those on plain numbers are settled by verification."""
    kept: dict[Comparison, None] = {}
    for each in conditions:
        negative, parts = sign_parts(each.left)
        deciding = [part for part in parts if part != PI and not _is_positive(part)]
        if constant_of(each.left) is not None or (not deciding and not negative):
            continue
        left = times(*deciding) if deciding else ONE
        kept.setdefault(Comparison(each.relation, opposite(left) if negative else left, ZERO))
    return tuple(kept)


def _is_positive(part: Expression) -> bool:
    return isinstance(part, Call) and part.function in ("exp", "cosh", "sqrt")


def _undo(step: _Step, symbol: str) -> list[_Step]:
    match step.side:
        case Negate(operand):
            return [step.on(operand, opposite(step.value))]
        case Add(terms):
            inside = [term for term in terms if contains(term, symbol)]
            if len(inside) > 1:
                return _collected(step, symbol)
            others = [term for term in terms if not contains(term, symbol)]
            return [step.on(inside[0], minus(step.value, plus(*others)))]
        case Multiply(factors):
            inside = [factor for factor in factors if contains(factor, symbol)]
            if len(inside) > 1:
                return _collected(step, symbol)
            others = [factor for factor in factors if not contains(factor, symbol)]
            return [step.on(inside[0], over(step.value, times(*others)))]
        case Divide(numerator, denominator):
            return _undo_quotient(step, numerator, denominator, symbol)
        case Power(base, exponent):
            return _undo_power(step, base, exponent, symbol)
        case Call(function, arguments):
            return _undo_call(step, function, arguments)
        case _:
            return []


def _undo_quotient(step: _Step, numerator: Expression, denominator: Expression, symbol: str) -> list[_Step]:
    above, below = contains(numerator, symbol), contains(denominator, symbol)
    if above and below:
        return _collected(step, symbol)
    if above:
        return [step.on(numerator, times(step.value, denominator))]
    if step.value == ZERO:
        return []
    return [step.on(denominator, over(numerator, step.value))]


def _undo_power(step: _Step, base: Expression, exponent: Expression, symbol: str) -> list[_Step]:
    value = step.value
    if contains(exponent, symbol):
        if contains(base, symbol):
            return []
        positive = Comparison(">", value, ZERO)
        return [step.on(exponent, over(call("log", value), call("log", base)), positive)]
    constant = constant_of(exponent)
    if constant is None:
        return [step.on(base, power(value, over(ONE, exponent)), Comparison(">", value, ZERO))]
    if constant == 0:
        return []
    if constant < 0:
        return _undo_power(step.on(step.side, over(ONE, value)), base, literal(-constant), symbol)
    return _undo_rational_power(step, base, constant)


def _undo_rational_power(step: _Step, base: Expression, exponent: Fraction) -> list[_Step]:
    """x**(p/q) = v: even p has two signs; an uneven q-th root below takes the positive values only."""
    value, up, down = step.value, exponent.numerator, exponent.denominator
    if down == 1 and up == 1:
        return [step.on(base, value)]
    not_negative = Comparison(">=", value, ZERO)
    if down > 1:
        lifted = raised(value, down) if down <= 12 else power(value, Number(down))
        if up == 1:
            return [step.on(base, lifted, not_negative)]
        size = power(value, divide(Number(down), Number(up)))
        signs = [step.on(base, size, not_negative)]
        return [*signs, step.on(base, negate(size), not_negative, "negative root")] if up % 2 == 0 else signs
    if up % 2 == 0:
        size = root(value, up)
        return [
            step.on(base, size, not_negative, "positive root"),
            step.on(base, opposite(size), not_negative, "negative root"),
        ]
    if up == 3:
        return [step.on(base, root(value, 3))]
    flipped = opposite(root(opposite(value), up))
    return [step.on(base, root(value, up), not_negative), step.on(base, flipped, Comparison("<", value, ZERO))]


_INVERSES = {
    "exp": "log",
    "sinh": "asinh",
    "asinh": "sinh",
    "tanh": "atanh",
    "atanh": "tanh",
    "tan": "atan",
    "asin": "sin",
    "acos": "cos",
    "atan": "tan",
}
_PERIODS = {
    function: f"principal value; any multiple of {period} may be added"
    for function, period in (("sin", "2*pi"), ("cos", "2*pi"), ("tan", "pi"))
}


def _undo_call(step: _Step, function: str, arguments: Sequence[Expression]) -> list[_Step]:
    if len(arguments) != 1:
        return []
    inner, value = arguments[0], step.value
    positive = Comparison(">", value, ZERO)
    not_negative = Comparison(">=", value, ZERO)
    period = _PERIODS.get(function, "")
    match function:
        case "exp":
            return [step.on(inner, call("log", value), positive)]
        case "log":
            return [step.on(inner, call("exp", value))]
        case "log10" | "log2":
            return [step.on(inner, power(TEN if function == "log10" else TWO, value))]
        case "sqrt":
            return [step.on(inner, raised(value, 2), not_negative)]
        case "cbrt":
            return [step.on(inner, raised(value, 3))]
        case "abs":
            return [
                step.on(inner, value, not_negative),
                step.on(inner, opposite(value), not_negative, "negative branch"),
            ]
        case "sin":
            angle = call("asin", value)
            return [
                step.on(inner, angle, note=period),
                step.on(inner, minus(PI, angle), note=f"second angle; {period}"),
            ]
        case "cos":
            angle = call("acos", value)
            return [step.on(inner, angle, note=period), step.on(inner, opposite(angle), note=f"second angle; {period}")]
        case "cosh":
            size = call("acosh", value)
            return [step.on(inner, size), step.on(inner, opposite(size), note="negative branch")]
        case "acosh":
            return [step.on(inner, call("cosh", value), not_negative)]
        case _ if function in _INVERSES:
            return [step.on(inner, call(_INVERSES[function], value), note=period)]
        case _:
            return []


# -- collecting


def _collected(step: _Step, symbol: str) -> list[_Step]:
    """Collect powers of the one part through which the symbol enters, and solve the polynomial if it is a small one."""
    entries = entries_of(step.side, step.value, symbol)
    if len(entries) == 2 and Symbol(symbol) in entries:
        return _squared(step, next(each for each in entries if each != Symbol(symbol)), symbol)
    if len(entries) != 1:
        return _logarithmic(step, symbol)
    generator = entries[0]
    try:
        polynomial = numerator_of_difference(step.side, step.value, generator)
    except NotRationalError:
        return []
    return _roots(step, generator, polynomial)


def _logarithmic(step: _Step, symbol: str) -> list[_Step]:
    """Products of powers with the symbol in the exponents: their logarithms are sums in which it is no longer one."""
    left, right = _logarithm(step.side, symbol), _logarithm(step.value, symbol)
    if left is None or right is None:
        return []
    opened = step.on(left, right)
    return _collected(opened, symbol) if len(entries_of(left, right, symbol)) == 1 else []


def _logarithm(node: Expression, symbol: str) -> Expression | None:
    if not contains(node, symbol):
        return call("log", node)
    match node:
        case Multiply(factors):
            parts = [_logarithm(factor, symbol) for factor in factors]
            return plus(*(part for part in parts if part is not None)) if None not in parts else None
        case Divide(numerator, denominator):
            above, below = _logarithm(numerator, symbol), _logarithm(denominator, symbol)
            return None if above is None or below is None else minus(above, below)
        case Power(base, exponent) if not contains(base, symbol):
            return times(exponent, call("log", base))
        case Call("exp", (argument,)):
            return argument
        case _:
            return None


def _squared(step: _Step, part: Expression, symbol: str) -> list[_Step]:
    """One square root besides the symbol itself: put the root alone on a side and square."""
    if not (isinstance(part, Call) and part.function == "sqrt"):
        return []
    try:
        polynomial = numerator_of_difference(step.side, step.value, part)
    except NotRationalError:
        return []
    if set(polynomial) != {0, 1}:
        return []
    alone = raised(over(opposite(polynomial[0]), polynomial[1]), 2)
    return _collected(step.on(part.arguments[0], alone), symbol)


def _roots(step: _Step, part: Expression, polynomial: Polynomial) -> list[_Step]:
    if not polynomial or max(polynomial) == 0:
        return []
    lowest = min(polynomial)
    if lowest > 0:
        rest = {degree - lowest: value for degree, value in polynomial.items()}
        # Zero goes last: it solves the equation, but is seldom what is asked for.
        return [*_roots(step, part, rest), step.on(part, ZERO, note="trivial")]
    degrees = [degree for degree in polynomial if degree]
    stride = degrees[0] if len(degrees) == 1 else _common_divisor(degrees)
    if stride > 1:
        reduced = {degree // stride: value for degree, value in polynomial.items()}
        return _roots(step, power(part, Number(stride)), reduced)
    highest = max(polynomial)
    constant, linear = polynomial.get(0, ZERO), polynomial.get(1, ZERO)
    if highest == 1:
        return [step.on(part, over(opposite(constant), linear))]
    if highest == 2:
        return _quadratic(step, part, (polynomial[2], linear, constant))
    return []


def _common_divisor(degrees: Sequence[int]) -> int:
    return math.gcd(*degrees)


def _quadratic(step: _Step, part: Expression, coefficients: tuple[Expression, Expression, Expression]) -> list[_Step]:
    square, linear, constant = coefficients
    if sign_parts(square)[0]:
        square, linear, constant = opposite(square), opposite(linear), opposite(constant)
    discriminant = minus(raised(linear, 2), times(Number(4), square, constant))
    real = Comparison(">=", discriminant, ZERO)
    size = root(discriminant, 2)
    below = times(TWO, square)
    return [
        step.on(part, over(plus(opposite(linear), size), below), real, "root with +"),
        step.on(part, over(minus(opposite(linear), size), below), real, "root with -"),
    ]
