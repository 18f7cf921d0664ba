"""From where a value is measured: an angle from a surface or from what stands upright on it, a distance from a surface
or from the middle of a body, a temperature on this or that side of melting and boiling. A value stated from one must
not stand in a formula that counts from the other."""

from __future__ import annotations

import re
from itertools import combinations

from mathrag.language.word_classes import any_of
from mathrag.reason.angle_lines import is_asked_from_another_line, is_from_another_line
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import Slot
from mathrag.types.question import Given

_MIDDLE = re.compile(rf"(?i)\b(?:{any_of('choosing.middles')})\b")
_OUTSIDE = re.compile(
    rf"(?i)^\s*(?:high|deep|up|down)?\s*(?:above|below|over|under|beneath)\b(?!\s+(?:the\s+)?(?:{any_of('choosing.middles')}))"
)
_ICE_OR_WATER = re.compile(rf"(?i)\b(?:{any_of('choosing.changes_of_state')})\b")
# So many characters behind a value it is told from where it is measured: "60 degrees with the plane of the loop".
_BEHIND = 48
_LENGTH, _TEMPERATURE, _HEAT_CAPACITY = "m", "K", "m^2/(s^2*K)"
# Where water melts and boils, in kelvin.
_CHANGES = (273.15, 373.15)


def is_from_elsewhere(best: Plan, view: QuestionView) -> bool:
    """Whether a value of the plan, or what is asked for, is measured from elsewhere than its slot counts from."""
    text = view.question.text
    for part in best.steps():
        slots = part.step.candidate.slots
        for place, value in part.step.pairs:
            given = view.values[value].given
            if given.implied:
                continue
            if is_from_another_line(slots[place], given, view.question):
                return True
            if _is_from_outside(slots[place], text[given.end : given.end + _BEHIND]):
                return True
    return is_asked_from_another_line(best.step.slot, text)


def _is_from_outside(slot: Slot, behind: str) -> bool:
    is_from_middle = slot.dimension == _LENGTH and _MIDDLE.search(slot.meaning.description) is not None
    return is_from_middle and _OUTSIDE.match(behind) is not None


def passes_a_change_of_state(best: Plan, view: QuestionView) -> bool:
    """Whether water is warmed or cooled past melting or boiling, which takes heat of its own, by its specific heat
    alone."""
    if _ICE_OR_WATER.search(view.question.text) is None:
        return False
    if not any(slot.dimension == _HEAT_CAPACITY for part in best.steps() for slot in part.step.candidate.slots):
        return False
    degrees = [_kelvin(one.given) for one in view.values if not one.given.implied and one.dimensions[0] == _TEMPERATURE]
    return any(
        min(one, other) < change < max(one, other)
        for one, other in combinations((each for each in degrees if each is not None), 2)
        for change in _CHANGES
    )


def _kelvin(given: Given) -> float | None:
    reading = given.readings[0]
    return reading.si_value if reading.unit.is_absolute_temperature else None
