"""Whether an angle is counted from another line than a formula counts from, which says it by the description of its
symbol: what stands upright on a surface, the horizontal, one of two directions."""

from __future__ import annotations

from typing import Literal, TypeAlias

from mathrag.language.cues import cue
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.question.wording import Wording
from mathrag.types.question import Given

_From: TypeAlias = Literal["upright", "flat", "between"]
_ANGLE = "1"


def is_from_another_line(slot: Slot, given: Given, wording: Wording) -> bool:
    """Whether a stated angle is counted from another line than a slot counts from."""
    line = _line_of(slot)
    if line is None:
        return False
    said = wording.references(given)
    if line == "upright":
        if said & {"upright", "axis"}:
            return False
        return "flat" in said or ("body" in said and "normal" not in said)
    if line == "flat":
        return "upright" in said
    # Between two directions: which of them is upright, if any, what moves tells.
    is_upright = wording.says("moves_upright")
    if "vertical" in said:
        return not is_upright
    return "upright" in said or (is_upright and "level" in said)


def is_asked_from_another_line(slot: Slot, wording: Wording) -> bool:
    """Whether an angle is asked for from another line than a slot counts from."""
    line = _line_of(slot)
    if line is None:
        return False
    asked = wording.asked_lines
    if line == "upright":
        return "flat" in asked and not asked & {"upright", "axis"}
    return "upright" in asked and (line == "flat" or not wording.says("moves_upright"))


def _line_of(slot: Slot) -> _From | None:
    described = slot.meaning.description
    if slot.dimension != _ANGLE or slot.is_constant:
        return None
    is_angle = cue("angle").search(described) is not None or (slot.kind is not None and slot.kind.unit == "rad")
    if not is_angle:
        return None
    if cue("angle_from_normal").search(described):
        return "upright"
    if cue("angle_from_horizontal").search(described):
        return "flat"
    return "between" if cue("between").search(described) else None
