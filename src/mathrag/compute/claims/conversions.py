"""Two amounts in different units, such as 2 feet = 24 inches: compared in one unit, where both units are known."""

from __future__ import annotations

from functools import lru_cache

from mathrag.compute.claims.sides import ReadSide
from mathrag.compute.claims.values import compare, shown_value
from mathrag.compute.evaluate.exact import Value
from mathrag.compute.evaluate.floats import float_of
from mathrag.errors import MathragError
from mathrag.knowledge.units.reader import read_unit
from mathrag.types.quantity import Unit
from mathrag.types.solution import Claim, ClaimVerdict

# Factors of everyday units are often given with three or four figures: 1 mile = 1.609 km.
_TOLERANCE = 0.005


def judge_conversion(claim: Claim, left: ReadSide, right: ReadSide, values: tuple[Value, Value]) -> ClaimVerdict | None:
    """The verdict on two amounts of the same kind; None where a unit is not known or the kinds differ."""
    if len(left.labels) != 1 or len(right.labels) != 1 or left.labels == right.labels:
        return None
    first, second = _unit(left.labels[0]), _unit(right.labels[0])
    if first is None or second is None or first.dimension != second.dimension or first.offset or second.offset:
        return None
    factor = float(first.scale) / float(second.scale)
    converted = float_of(values[0]) * factor
    written = float_of(values[1])
    if compare(converted, written, decimals=right.decimals) != "different":
        return ClaimVerdict(claim, "verified")
    if abs(converted - written) <= _TOLERANCE * max(abs(converted), abs(written)):
        return ClaimVerdict(claim, "verified")
    shown = f"{shown_value(_tidy(converted))} {right.labels[0]}"
    return ClaimVerdict(claim, "refuted", f"the conversion gives {shown}", shown)


def _tidy(value: float) -> Value:
    """A whole number as such, where only the last digits of a float say otherwise."""
    nearest = round(value)
    return nearest if abs(value - nearest) <= 1e-9 * max(1.0, abs(value)) else value


@lru_cache(maxsize=512)
def _unit(label: str) -> Unit | None:
    try:
        return read_unit(label)
    except MathragError:
        return None
