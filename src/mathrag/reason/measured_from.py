"""From where a value is measured: an angle from a surface or from what stands upright on it, a distance from a surface
or from the middle of a body, a temperature on this or that side of melting and boiling. A value stated from one must
not stand in a formula that counts from the other."""

from __future__ import annotations

import re
from itertools import combinations

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.word_classes import any_of, word_class
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
_DELTA, _REFERENCE = "Delta", "reference"
_BY_HOW_MUCH = re.compile(r"(?i)\bby\s+how\s+(?:many|much|far)\b|\bby\s+what\s+(?:amount|length|volume|distance)\b")
_DIFFERENCES = word_class("phrases.change_nouns")
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


def takes_a_whole_for_a_difference(best: Plan, view: QuestionView) -> bool:
    """Whether a value that is named for itself ("a density of 7850 kg/m³") stands for the difference of two, of which
    the formula has both: then it is counted from nothing instead of from the other one."""
    for part in best.steps():
        slots = part.step.candidate.slots
        for place, value in part.step.pairs:
            slot, one = slots[place], view.values[value]
            is_made = slot.meaning.origin == "inferred" and slot.parts.prefix == _DELTA
            is_whole = one.named and not (one.given.is_change or one.given.covers or one.given.symbol)
            if is_made and is_whole and not any(kind_of(each).is_difference for each in one.named):
                return _DIFFERENCES.isdisjoint(one.given.phrase.casefold().split())
    return False


def gives_a_whole_for_a_difference(best: Plan, view: QuestionView) -> bool:
    """Whether the question asks by how much something changes and the plan gives what it becomes, from what it was."""
    slot = best.step.slot
    bound = (best.step.candidate.slots[place] for place, _ in best.step.pairs)
    is_one_of_two = any(
        other.parts.letter == slot.parts.letter and other.dimension == slot.dimension and other.states != slot.states
        for other in bound
    )
    return is_one_of_two and slot.parts.prefix != _DELTA and _BY_HOW_MUCH.search(view.question.text) is not None


def takes_a_percentage_for_a_number(best: Plan, view: QuestionView) -> bool:
    """Whether a percentage stands for what is no share of anything: a pH, a number of turns, a refractive index."""
    for part in best.steps():
        slots = part.step.candidate.slots
        for place, value in part.step.pairs:
            kind = slots[place].kind
            is_share = (
                kind is None or not kind.dimension.is_dimensionless or "percent" in kind.units or kind.maximum <= 1
            )
            if view.values[value].given.is_percentage and not is_share:
                return True
    return False


def gives_a_reference(best: Plan, view: QuestionView) -> bool:
    """Whether the plan gives what others are compared with, and the question does not speak of such a thing."""
    described = best.step.slot.meaning.description.casefold()
    return described.startswith(_REFERENCE) and _REFERENCE not in view.question.text.casefold()


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
