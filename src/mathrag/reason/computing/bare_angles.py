"""Angles that a question states without a unit, or as a slope in percent: which angle is meant, and how that is said.

Beyond a whole turn nobody counts radians, so such a number is degrees; below it, it is radians, unless the question
speaks of degrees or slopes. Never silently: the source of the value carries how it was taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.cues import cue
from mathrag.reason.question.wording import AngleUnit
from mathrag.types.answer import Bound, Taken
from mathrag.types.expression import Call, Equation, Expression, Multiply, Number, Symbol, walk
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Quantity

_TRIGONOMETRY = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_STATED = frozenset(("question", "pinned"))
_WHOLE_TURN = 2.0 * math.pi
# A formula with one of these counts degrees itself (pi/180, 360).
_DEGREES_OF_TURNS = frozenset((180, 360))
_TAKEN: dict[AngleUnit, Taken] = {"deg": "degrees", "rad": "radians"}


def with_angle_unit(bound: Bound, kind: QuantityKind | None, equation: Equation, *, spoken: AngleUnit = "") -> Bound:
    """The value of an angle with the unit it must be meant in; every other value, and one with a unit, as it is."""
    quantity = bound.quantity
    if quantity is None or bound.provenance.origin not in _STATED or not _is_angle(bound.symbol, kind, equation):
        return bound
    if quantity.unit.text == "percent":
        return _from_slope(bound, quantity)
    if quantity.unit.text or quantity.value == 0 or _counts_degrees(equation):
        return bound
    if cue("radians").search(bound.provenance.text):
        unit: AngleUnit = "rad"
    else:
        unit = "deg" if abs(quantity.value) > _WHOLE_TURN else spoken or "rad"
    taken: Taken = "" if unit == spoken == "rad" else _TAKEN[unit]
    return replace(
        bound,
        quantity=replace(quantity, unit=read_canonical_unit(unit)),
        provenance=replace(bound.provenance, taken=taken),
    )


def _from_slope(bound: Bound, quantity: Quantity) -> Bound:
    """`a slope of 12 %` as the angle whose tangent is 0.12."""
    degrees = math.degrees(math.atan(quantity.si_value))
    return replace(
        bound,
        quantity=Quantity(degrees, read_canonical_unit("deg")),
        provenance=replace(bound.provenance, taken="slope"),
    )


def angle_notes(bound: Bound) -> Iterator[str]:
    """What has to be said about how an angle was taken."""
    taken, name = bound.provenance.taken, plain_symbol(bound.symbol)
    # A value set apart from the question comes with its symbol: `theta = 60`.
    stated = bound.provenance.text.rpartition("=")[2].strip()
    if taken == "degrees":
        yield f"{name} = {stated} has no unit and is taken as degrees; write rad behind it for radians"
    elif taken == "radians":
        yield f"{name} = {stated} has no unit and is taken as radians; write ° behind it for degrees"
    elif taken == "slope":
        yield f"{stated} is taken as a slope, rise over run: {name} is the angle with that tangent"


def _is_angle(symbol: str, kind: QuantityKind | None, equation: Equation) -> bool:
    if kind is not None:
        return kind.unit == "rad"
    return symbol in _under_sines(equation)


@lru_cache(maxsize=2048)
def _under_sines(equation: Equation) -> frozenset[str]:
    """Symbols that stand under a sine alone, or with a number: `sin theta`, `sin 2 theta`."""
    found: set[str] = set()
    for node in (node for side in (equation.left, equation.right) for node in walk(side)):
        if isinstance(node, Call) and node.function in _TRIGONOMETRY:
            found.update(_lone_symbol(node.arguments[0]))
    return frozenset(found)


def _lone_symbol(angle: Expression) -> tuple[str, ...]:
    parts = angle.factors if isinstance(angle, Multiply) else (angle,)
    names = tuple(part.name for part in parts if isinstance(part, Symbol))
    is_alone = len(names) == 1 and all(isinstance(part, Symbol | Number) for part in parts)
    return names if is_alone else ()


@lru_cache(maxsize=2048)
def _counts_degrees(equation: Equation) -> bool:
    return any(
        isinstance(node, Number) and node.value in _DEGREES_OF_TURNS
        for side in (equation.left, equation.right)
        for node in walk(side)
    )
