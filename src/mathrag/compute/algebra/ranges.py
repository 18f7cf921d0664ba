"""Which solutions of an equation lie in a range, where those with a period come again and again."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.solving import Found, Solved, as_fraction
from mathrag.compute.solve.tidy import plus, tidied, times
from mathrag.types.expression import Expression, Symbol, number, subtract, symbols_of

_MOST_FOUND = 200
_NEARLY = 1e-30
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds below and above, each with whether it belongs to the range; none where it is open to that side."""

    low: tuple[Expression, bool] | None
    high: tuple[Expression, bool] | None


def range_of(limits: Iterable[Comparison], symbol: str) -> Range | None:
    """The range that relations between the symbol and numbers give; None where they say anything else."""
    low: tuple[Expression, bool] | None = None
    high: tuple[Expression, bool] | None = None
    for limit in limits:
        left, sign, right = limit.left, limit.sign, limit.right
        if right == Symbol(symbol):
            left, sign, right = right, _TURNED.get(sign, ""), left
        if left != Symbol(symbol) or symbols_of(right) or sign not in _TURNED or not value_at(right, {}).is_real:
            return None
        if sign in (">", ">="):
            if low is not None:
                return None
            low = (right, sign == ">=")
        else:
            if high is not None:
                return None
            high = (right, sign == "<=")
    return Range(low, high) if low is not None or high is not None else None


def solutions_within(found: Solved, span: Range) -> list[Found] | None:
    """The solutions in the range, in order; None where there are infinitely many."""
    inside: dict[str, Found] = {}
    for each in found.solutions:
        if each.exact is None:
            return None
        if each.period is None:
            if _is_inside(each.exact, span):
                inside[str(each.exact)] = each
            continue
        if span.low is None or span.high is None:
            return None
        step, start = _float(each.period), _float(each.exact)
        ends = sorted((_float(end[0]) - start) / step for end in (span.low, span.high))
        if ends[1] - ends[0] > _MOST_FOUND:
            return None
        for count in range(math.floor(ends[0]) - 1, math.ceil(ends[1]) + 2):
            exact = as_fraction(tidied(plus(each.exact, times(number(count), each.period)))) if count else each.exact
            if _is_inside(exact, span):
                inside[f"{_float(exact):.12g}"] = replace(each, exact=exact, number=_float(exact), period=None)
    return sorted(inside.values(), key=lambda each: each.number if each.number is not None else _float(each.exact))


def _float(expression: Expression | None) -> float:
    assert expression is not None
    return float(value_at(expression, {}).real)


def _is_inside(place: Expression, span: Range) -> bool:
    for end, side in ((span.low, 1), (span.high, -1)):
        if end is None:
            continue
        bound, is_in = end
        known = value_at(subtract(place, bound), {})
        # What cancels wholly has no digits of its own: then both are compared.
        distance = known.real if known.is_real else value_at(place, {}).real - value_at(bound, {}).real
        if abs(distance) < _NEARLY:
            if not is_in:
                return False
        elif distance * side < 0:
            return False
    return True
