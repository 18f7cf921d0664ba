"""Inequalities between quotients of polynomials in one unknown, also several at once and with absolute values: where
they hold, as intervals, by a table of signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Quotient,
    Root,
    quotient_of,
    roots_of,
)
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.algebra.solving import substitute_part
from mathrag.compute.algebra.surds import NotSurdError, sign_of, surd_of
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import literal
from mathrag.types.expression import Call, Expression, negate, substitute, subtract, walk


@dataclass(frozen=True, slots=True)
class Interval:
    """From one end to another; an end that is None is infinite. `has_low`, `has_high`: the end belongs to it."""

    low: Root | None
    high: Root | None
    has_low: bool = False
    has_high: bool = False


_Pieces = tuple[Interval, ...]


def solve_inequality(left: Expression, sign: str, right: Expression, symbol: str) -> tuple[Interval, ...] | Failure:
    """The intervals of the symbol on which the relation holds; all of them."""
    try:
        whole = quotient_of(subtract(left, right), symbol)
    except NotPolynomialError:
        return Failure("unsolved", "inequalities are solved between quotients of polynomials in one unknown")
    polynomials = [each for each in (whole.above, *whole.forbidden) if len(each) > 1]
    ends = _ends([root for each in polynomials for root in roots_of(each).real])
    if ends is None:
        return Failure("unsolved", "two of the ends lie too close together to be told apart")
    intervals: list[Interval] = []
    for place in range(len(ends) + 1):
        low, high = ends[place - 1] if place else None, ends[place] if place < len(ends) else None
        if _holds(whole, _between(low, high), sign):
            intervals.append(Interval(low, high))
    closed = [root for root in ends if sign in ("<=", ">=") and _is_zero(whole, root)]
    return _joined(intervals, closed)


def _ends(roots: Sequence[Root]) -> list[Root] | None:
    """The roots in order, each once; None where two overlap without being the same."""
    found: list[Root] = []
    for root in sorted(roots, key=lambda each: (each.low, each.high)):
        if found and root.low <= found[-1].high:
            if root.exact is None or root.exact != found[-1].exact:
                return None
            continue
        found.append(root)
    return found


def _between(low: Root | None, high: Root | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else high.low - 1
    return low.high + 1 if high is None else (low.high + high.low) / 2


def _holds(whole: Quotient, place: Fraction, sign: str) -> bool:
    value = polynomial_value(whole.above, place) * polynomial_value(whole.below, place)
    return value < 0 if sign in ("<", "<=") else value > 0 if sign in (">", ">=") else bool(value)


def _is_zero(whole: Quotient, root: Root) -> bool:
    """Whether the difference of both sides is zero there, and not without a value."""
    own = {each.exact or each.low for each in roots_of(whole.above).real} if len(whole.above) > 1 else set()
    gone = {each.exact or each.low for part in whole.forbidden if len(part) > 1 for each in roots_of(part).real}
    return (root.exact or root.low) in own - gone


def _joined(intervals: Sequence[Interval], closed: Sequence[Root]) -> _Pieces:
    """Intervals that meet at an end which belongs to them are one; ends that belong to none stand alone."""
    found: list[Interval] = []
    left = list(closed)
    for each in intervals:
        has_low, has_high = each.low in closed, each.high in closed
        left = [root for root in left if root not in (each.low, each.high)]
        if found and found[-1].high == each.low and has_low and found[-1].has_high:
            found[-1] = Interval(found[-1].low, each.high, found[-1].has_low, has_high)
        else:
            found.append(Interval(each.low, each.high, has_low, has_high))
    alone = [Interval(root, root, has_low=True, has_high=True) for root in left]
    return tuple(sorted((*found, *alone), key=lambda each: (each.low is not None, each.low.low if each.low else 0)))


# Several relations at once, with absolute values: by the signs between all places where one of them may change.

_MOST_CASES = 64
_NEARLY = 1e-35
Relation: TypeAlias = tuple[Expression, str, Expression]


def solve_relations(relations: Sequence[Relation], symbol: str) -> tuple[Interval, ...] | Failure:
    """The intervals of the symbol on which all relations hold; all of them. An equation holds at single places."""
    try:
        roots = _places_of_change(relations, symbol)
    except NotPolynomialError:
        return Failure("unsolved", "absolute values and several relations are solved with polynomials in one unknown")
    ends = _ends(roots)
    if ends is None or any(root.exact is None for root in ends):
        return Failure("unsolved", "the ends have no exact form, or lie too close together to be told apart")
    try:
        return _table(relations, symbol, ends)
    except NotPolynomialError:
        return Failure("unsolved", "at one of the ends it could not be decided exactly")


def _table(relations: Sequence[Relation], symbol: str, ends: Sequence[Root]) -> tuple[Interval, ...]:
    pieces: list[Interval] = []
    for place in range(len(ends) + 1):
        low, high = ends[place - 1] if place else None, ends[place] if place < len(ends) else None
        middle = literal(_between(low, high))
        if all(_is_true(relation, symbol, middle) for relation in relations):
            pieces.append(Interval(low, high))
    closed = [root for root in ends if all(_is_true(relation, symbol, root.exact) for relation in relations)]
    return _joined(pieces, closed)


def _places_of_change(relations: Sequence[Relation], symbol: str) -> list[Root]:
    """Where one of the relations may begin or cease to hold; raises `NotPolynomialError`."""
    roots: list[Root] = []
    for left, _, right in relations:
        for part in _turning_parts(subtract(left, right)):
            whole = quotient_of(part, symbol)
            polynomials = [each for each in (whole.above, *whole.forbidden) if len(each) > 1]
            roots.extend(root for each in polynomials for root in roots_of(each).real)
    return roots


def _turning_parts(whole: Expression) -> list[Expression]:
    """The expression without absolute values: each as its inside and as the opposite; and the insides alone."""
    found: list[Expression] = []
    waiting = [whole]
    while waiting:
        each = waiting.pop()
        inner = next(
            (
                node
                for node in walk(each)
                if isinstance(node, Call)
                and node.function == "abs"
                and not any(isinstance(part, Call) and part.function == "abs" for part in walk(node.arguments[0]))
            ),
            None,
        )
        if inner is None:
            found.append(each)
        else:
            inside = inner.arguments[0]
            found.append(inside)
            waiting += [substitute_part(each, inner, inside), substitute_part(each, inner, negate(inside))]
        if len(found) + len(waiting) > _MOST_CASES:
            raise NotPolynomialError
    return found


def _is_true(relation: Relation, symbol: str, place: Expression | None) -> bool:
    """Whether a relation holds at a place: exactly at fractions and square roots, with many digits at others."""
    assert place is not None
    left, sign, right = relation
    value = _sign_of(substitute(subtract(left, right), {symbol: place}))
    if value is None:
        return False
    holds = {"=": value == 0, "!=": value != 0, "<": value < 0, ">": value > 0, "<=": value <= 0, ">=": value >= 0}
    return holds[sign]


def _sign_of(difference: Expression) -> int | None:
    """The sign of a number; None where it has no value. Raises `NotPolynomialError` where it is not known."""
    try:
        return sign_of(surd_of(difference))
    except (NotSurdError, ZeroDivisionError):
        known = value_at(difference, {})
    if known.is_undefined:
        return None
    if not known.is_real or abs(known.real) < _NEARLY:
        raise NotPolynomialError
    return 1 if known.real > 0 else -1
