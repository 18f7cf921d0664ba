"""Limits of expressions in which a sine or cosine turns faster and faster: squeezed to one value, or none at all.

The expression is A + B·s, where s is the sine or cosine of something that grows beyond every bound. As s comes to every
value between −1 and 1 again and again, there is a limit where B tends to 0, and none where B tends to anything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from mathrag.compute.algebra.analysis import INFINITY, limit
from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.types.expression import (
    ONE,
    ZERO,
    Call,
    Expression,
    Negate,
    Power,
    Symbol,
    add,
    map_parts,
    multiply,
    negate,
    substitute,
    subtract,
    symbols_of,
    walk,
)

_TURN = Symbol("turning_part")


@dataclass(frozen=True, slots=True)
class Oscillation:
    """What turns, and what the rest tends to. `limit` is the limit where there is one; else `values` are two that the
    expression comes near again and again, or none where it grows beyond every bound."""

    turning: Expression
    inside: Expression
    limit: Expression | None
    values: tuple[Expression, Expression] | None = None


def oscillating_limit(expression: Expression, symbol: str, place: Expression, side: int) -> Oscillation | None:
    """How an expression behaves near a place by one sine or cosine in it; None where that is not seen."""
    turning = {
        node for node in walk(expression) if symbol in symbols_of(node) and (_is_wave(node) or _is_alternating(node))
    }
    if len(turning) != 1:
        return None
    (call,) = turning
    inside = call.arguments[0] if isinstance(call, Call) else Symbol(symbol)
    ends = _ends(inside, symbol, place, side)
    if ends is None or not all(_is_endless(end) for end in ends):
        return None
    whole = _replaced(expression, call)
    if set(symbols_of(whole)) - {symbol, _TURN.name}:
        return None
    rest = tidied(substitute(whole, {_TURN.name: ZERO}))
    factor = tidied(subtract(substitute(whole, {_TURN.name: ONE}), rest))
    if not is_exactly_equal(Comparison(whole, "=", add(rest, multiply(factor, _TURN)))):
        return None
    ends_of = [_ends(part, symbol, place, side) for part in (rest, factor)]
    if ends_of[0] is None or ends_of[1] is None:
        return None
    return _judged(Oscillation(call, inside, None), ends_of[0], ends_of[1])


def _judged(found: Oscillation, rests: tuple[Expression, ...], factors: tuple[Expression, ...]) -> Oscillation | None:
    if all(constant_of(end) == 0 for end in factors):
        value = rests[0] if len(set(rests)) == 1 and not _is_endless(rests[0]) else None
        return None if value is None else replace(found, limit=value)
    rest, factor = rests[-1], factors[-1]
    if _is_endless(rest):
        return None
    if _is_endless(factor):
        return found
    if constant_of(factor) in (None, Fraction(0)):
        return None
    return replace(found, values=(tidied(subtract(rest, factor)), tidied(add(rest, factor))))


def _is_wave(node: Expression) -> bool:
    return isinstance(node, Call) and node.function in ("sin", "cos")


def _is_alternating(node: Expression) -> bool:
    """A power of −1 with a symbol as exponent, which stands for whole numbers then."""
    return isinstance(node, Power) and node.base == negate(ONE) and isinstance(node.exponent, Symbol)


def _is_endless(end: Expression) -> bool:
    return end in (INFINITY, Negate(INFINITY), negate(INFINITY))


def _ends(part: Expression, symbol: str, place: Expression, side: int) -> tuple[Expression, ...] | None:
    """The limits of a part from the sides that count."""
    if symbol not in symbols_of(part):
        return (tidied(part),)
    found = limit(part, symbol, place)
    if isinstance(found, Failure):
        return None
    wanted: Literal[-1, 0, 1] = 0 if side == 0 else 1 if side > 0 else -1
    if wanted and found.only is not None and found.only != wanted:
        return None
    return (found.above,) if wanted > 0 else (found.below,) if wanted < 0 else (found.below, found.above)


def _replaced(node: Expression, call: Expression) -> Expression:
    return _TURN if node == call else map_parts(node, lambda part: _replaced(part, call))
