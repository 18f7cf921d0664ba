"""Inequalities in one symbol with exponentials, logarithms, sines and cosines, shown by the sign of the derivative.

What shall not be negative has a place where it is 0 or above; to the right of it its derivative is not negative, to the
left not positive. For the derivative that is shown in the same way, or seen: by its bounds, or as a quotient of
polynomials by the signs between its zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.inequalities import Interval, solve_inequality
from mathrag.compute.algebra.number_identities import shown_as_numbers
from mathrag.compute.algebra.points import fraction_text, value_at
from mathrag.compute.algebra.positive_forms import equal_for_positive
from mathrag.compute.algebra.value_ranges import EVERYTHING, INFINITE, Bound, Range, values_of
from mathrag.compute.calculus import derivative
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_formula, plain_symbol
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.types.expression import (
    ZERO,
    Call,
    Divide,
    Expression,
    Negate,
    Power,
    Symbol,
    call,
    map_parts,
    multiply,
    size_of,
    substitute,
    subtract,
    symbols_of,
    walk,
)

_SMOOTH = frozenset(("exp", "log", "log2", "log10", "sin", "cos", "sinh", "cosh", "tanh", "atan", "sqrt"))
_OF_POSITIVE = frozenset(("log", "log2", "log10", "sqrt"))
_DEEPEST = 3
_LARGEST_TREE = 120
_MOST_RANGES = 4
_ANCHORS = tuple(map(Fraction, (0, 1, -1, 2)))
_APART = 1e-25


class _NoSlopeError(ValueError):
    """What is not smooth, or too long, or has no known domain."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the difference is smallest in a range, and whether it is 0 there."""

    place: Fraction
    is_zero: bool


def shown_by_slope(statement: Comparison, conditions: Sequence[Comparison]) -> str:
    """How an inequality in one symbol is shown, in a sentence; empty where it is not."""
    if statement.sign not in ("<", "<=", ">", ">=") or len(statement.names) != 1:
        return ""
    larger, smaller = statement.left, statement.right
    if statement.sign in ("<", "<="):
        larger, smaller = smaller, larger
    symbol = statement.names[0]
    if any(isinstance(node, Call) and node.function == "abs" for node in walk(subtract(larger, smaller))):
        return _without_sizes(larger, smaller, conditions, is_strict=statement.sign in ("<", ">"))
    try:
        whole = _as_exponentials(subtract(larger, smaller))
        places = _Prover(symbol).places(whole, conditions, is_strict=statement.sign in ("<", ">"))
    except (_NoSlopeError, OverflowError, ZeroDivisionError):
        return ""
    if not places:
        return ""
    name = plain_symbol(symbol)
    said = dict.fromkeys(
        f"is {'0' if each.is_zero else 'above 0'} at {name} = {fraction_text(each.place)}" for each in places
    )
    difference = plain_formula(subtract(larger, smaller))
    return (
        f"The difference of both sides, {difference}, {' and '.join(said)}; by the sign of "
        "its derivative it does not fall to the right of that, and does not grow to the left (shown by algebra)."
    )


def _without_sizes(
    larger: Expression, smaller: Expression, conditions: Sequence[Comparison], *, is_strict: bool
) -> str:
    """The size of the symbol by cases of its sign; below something is a size where its inside and the opposite are."""
    sign = ">" if is_strict else ">="
    sizes = {node for node in walk(subtract(larger, smaller)) if isinstance(node, Call) and node.function == "abs"}
    of_symbol = next((node for node in sizes if isinstance(node.arguments[0], Symbol)), None)
    cases: list[tuple[Comparison, tuple[Comparison, ...]]] = []
    if of_symbol is not None:
        symbol = of_symbol.arguments[0]
        for side, value in ((">=", symbol), ("<=", Negate(symbol))):
            turned = [_replaced(each, of_symbol, value) for each in (larger, smaller)]
            cases.append((Comparison(turned[0], sign, turned[1]), (*conditions, Comparison(symbol, side, ZERO))))
    elif isinstance(smaller, Call) and smaller.function == "abs" and len(sizes) == 1:
        inside = smaller.arguments[0]
        cases = [(Comparison(larger, sign, each), tuple(conditions)) for each in (inside, Negate(inside))]
    shown = [shown_by_slope(*each) for each in cases]
    return (
        f"By cases: {' '.join(dict.fromkeys(each.removeprefix('By cases: ') for each in shown))}"
        if shown and all(shown)
        else ""
    )


def _replaced(node: Expression, part: Expression, value: Expression) -> Expression:
    return value if node == part else map_parts(node, lambda each: _replaced(each, part, value))


def _as_exponentials(node: Expression) -> Expression:
    """Powers with a symbol in the exponent, or with a broken one, as exponentials."""
    inner = map_parts(node, _as_exponentials)
    if isinstance(inner, Power):
        count = constant_of(inner.exponent)
        if symbols_of(inner.exponent) or (count is None or count.denominator != 1):
            return call("exp", multiply(inner.exponent, call("log", inner.base)))
    return inner


class _Prover:
    def __init__(self, symbol: str) -> None:
        self.symbol = symbol

    def places(self, whole: Expression, conditions: Sequence[Comparison], *, is_strict: bool) -> list[_Place]:
        """The lowest places in all ranges that the conditions allow; none where it is not shown."""
        functions = {node.function for node in walk(whole) if isinstance(node, Call)}
        if not functions or not functions <= _SMOOTH or size_of(whole) > _LARGEST_TREE:
            return []
        if is_strict and "sqrt" in functions:
            # At the ends of its domain only what is not strict follows from the inside.
            return []
        found: list[_Place] = []
        ranges = self._domain(whole, conditions)
        for given in ranges:
            lowest = self._lowest(whole, given, is_strict=is_strict)
            if lowest is None:
                return []
            found.append(lowest)
        return found

    def _lowest(self, whole: Expression, given: Range, *, is_strict: bool) -> _Place | None:
        for place in self._anchors(given):
            sign = self._sign_at(whole, place)
            # A function that is not constant and whose derivative is not negative grows strictly.
            is_enough = sign == 1 or (sign == 0 and not (is_strict and given.holds(place)))
            if sign in (0, 1) and is_enough and self._has_lowest_at(whole, given, place, _DEEPEST):
                return _Place(place, sign == 0)
        return None

    def _has_lowest_at(self, whole: Expression, given: Range, place: Fraction, depth: int) -> bool:
        found = derivative(whole, self.symbol)
        if isinstance(found, Failure) or size_of(found) > _LARGEST_TREE or not symbols_of(whole):
            return False
        slope = tidied(found)
        right = Range(max(place, given.low), given.high)
        left = Range(given.low, min(place, given.high))
        return (right.low >= right.high or self._is_not_negative(slope, right, depth - 1)) and (
            left.low >= left.high or self._is_not_negative(Negate(slope), left, depth - 1)
        )

    def _is_not_negative(self, node: Expression, given: Range, depth: int) -> bool:
        if values_of(node, given).low >= 0 or self._is_rational_and_not_negative(node, given):
            return True
        if depth <= 0:
            return False
        return any(
            self._sign_at(node, place) in (0, 1) and self._has_lowest_at(node, given, place, depth)
            for place in self._anchors(given)
        )

    def _is_rational_and_not_negative(self, node: Expression, given: Range) -> bool:
        if any(isinstance(each, Call) for each in walk(node)):
            return False
        fails = solve_inequality(node, "<", ZERO, self.symbol)
        if isinstance(fails, Failure):
            return False
        return not any(_overlap(each, given) for each in fails)

    def _anchors(self, given: Range) -> Iterator[Fraction]:
        ends = [Fraction(end) for end in (given.low, given.high) if abs(end) != INFINITE]
        yield from (each for each in dict.fromkeys((*ends, *_ANCHORS)) if given.low <= each <= given.high)

    def _sign_at(self, node: Expression, place: Fraction) -> int | None:
        """1 where it is above 0 at a place, 0 where it is just 0, -1 below; None where it has no value there."""
        value = value_at(node, {self.symbol: place})
        if not value.is_real:
            return None
        number = float(value.real)
        if abs(number) > _APART:
            return 1 if number > 0 else -1
        there = Comparison(_at_plain_places(substitute(node, {self.symbol: literal(place)})), "=", ZERO)
        is_zero = is_exactly_equal(there) or bool(shown_as_numbers(there)) or equal_for_positive(there, ())
        return 0 if is_zero else None

    # Where it is looked at.

    def _domain(self, whole: Expression, conditions: Sequence[Comparison]) -> list[Range]:
        ranges = [EVERYTHING]
        for condition in conditions:
            if condition.names != (self.symbol,):
                raise _NoSlopeError
            ranges = _met(ranges, self._solved(condition.left, condition.sign, condition.right))
        for node in walk(whole):
            if isinstance(node, Call) and node.function in _OF_POSITIVE and symbols_of(node):
                ranges = self._limited(ranges, node.arguments[0], ">")
            elif isinstance(node, Divide) and symbols_of(node.denominator):
                ranges = self._limited(ranges, node.denominator, "!=")
            elif isinstance(node, Power) and symbols_of(node) and isinstance(node.exponent, Negate):
                ranges = self._limited(ranges, node.base, "!=")
        if not ranges or len(ranges) > _MOST_RANGES:
            raise _NoSlopeError
        return ranges

    def _limited(self, ranges: list[Range], node: Expression, sign: str) -> list[Range]:
        """Ranges without those numbers for which a part is not above, or not unequal to, 0."""
        if any(isinstance(each, Call) for each in walk(node)):
            if all(values_of(node, each).low > 0 for each in ranges):
                return ranges
            raise _NoSlopeError
        return _met(ranges, self._solved(node, sign, ZERO))

    def _solved(self, left: Expression, sign: str, right: Expression) -> list[Range]:
        found = solve_inequality(left, sign, right, self.symbol)
        if isinstance(found, Failure) or sign == "=":
            raise _NoSlopeError
        return [_range_of(each) for each in found]


# Values that functions have at 0.
_AT_NOUGHT = {"sin": 0, "sinh": 0, "tanh": 0, "atan": 0, "sqrt": 0, "cos": 1, "cosh": 1, "exp": 1}


def _at_plain_places(node: Expression) -> Expression:
    inner = map_parts(node, _at_plain_places)
    if isinstance(inner, Call) and inner.function in _AT_NOUGHT and constant_of(tidied(inner.arguments[0])) == 0:
        return literal(Fraction(_AT_NOUGHT[inner.function]))
    return inner


def _range_of(interval: Interval) -> Range:
    ends: list[Bound] = []
    for root, infinite in ((interval.low, -INFINITE), (interval.high, INFINITE)):
        if root is not None and root.low != root.high:
            raise _NoSlopeError
        ends.append(infinite if root is None else root.low)
    return Range(ends[0], ends[1], interval.has_low, interval.has_high)


def _met(ranges: Sequence[Range], others: Sequence[Range]) -> list[Range]:
    found: list[Range] = []
    for one in ranges:
        for other in others:
            low, high = max(one.low, other.low), min(one.high, other.high)
            has_low = all(each.has_low for each in (one, other) if each.low == low)
            has_high = all(each.has_high for each in (one, other) if each.high == high)
            if low < high:
                found.append(Range(low, high, has_low, has_high))
    return found


def _overlap(interval: Interval, given: Range) -> bool:
    """Whether an open piece of an interval lies in a range; ends that are not told apart count as inside."""
    low = -INFINITE if interval.low is None else interval.low.low
    high = INFINITE if interval.high is None else interval.high.high
    return max(low, given.low) < min(high, given.high)
