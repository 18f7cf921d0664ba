"""From where a value is measured: an angle from a surface or from what stands upright on it, a distance from a surface
or from the middle of a body, a temperature on this or that side of melting and boiling. A value stated from one must
not stand in a formula that counts from the other."""

from __future__ import annotations

import re
from itertools import combinations

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.stems import stem, stems
from mathrag.language.tokens import SENTENCE_BREAK
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
_DELTA, _REFERENCE, _RADIUS = "Delta", "reference", "radius"
_SIZE = re.compile(
    r"(?i)\bhow (?:wide|long|large|big|high|tall|deep|thick|hot|cold|warm)\s+(?:is|are|will|does|was|were)\b|\bnew\b"
)
_BY_HOW_MUCH = re.compile(r"(?i)\bby\s+how\s+(?:many|much|far)\b|\bby\s+what\s+(?:amount|length|volume|distance)\b")
_FROM_THING = re.compile(
    r"(?i)\b(?:how far|distance)\b[^.?!;]{0,60}\b(?:from|to)\s+(?:the|its|his|her)\s+([a-z-]{3,20})"
)
_ACROSS = re.compile(rf"(?i)\b(?:{any_of('choosing.across')})\b")
_GROWN = re.compile(
    rf"(?i)\b(?:{any_of('choosing.grown')}|{any_of('choosing.rising')}|{any_of('choosing.falling')}|{any_of('choosing.expanding')})\b"
)
_DIFFERENCES = word_class("phrases.change_nouns")
# So many characters behind a value it is told from where it is measured: "60 degrees with the plane of the loop".
_BEHIND = 48
_OF_SIZES = frozenset(("m", "m^2", "m^3", "K"))
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


def is_asked_from_elsewhere(best: Plan, view: QuestionView) -> bool:
    """Whether a distance from one thing is asked for, and the formula counts its distances, that of this very thing
    among them, from a third: how far an image is from the object, where both are counted from the lens."""
    slot = best.step.slot
    found = _FROM_THING.search(view.question.text)
    if found is None or slot.dimension != _LENGTH:
        return False
    thing = stem(found[1].casefold())
    slots = best.step.candidate.slots
    if thing in stems(slot.meaning.description):
        return False
    return any(
        slots[place].parts.letter == slot.parts.letter
        and slots[place].dimension == _LENGTH
        and (
            thing in stems(slots[place].meaning.description)
            or _is_told_of(found[1], view.values[value].given, view.question.text)
        )
        for place, value in best.step.pairs
    )


def _is_told_of(thing: str, given: Given, text: str) -> bool:
    """Whether a value is said of a thing, "the candle is 30 cm", and not from it: "30 cm from the lens"."""
    word = re.compile(rf"(?i)\b{re.escape(thing)}\b")
    before = SENTENCE_BREAK.split(text[: given.start])[-1]
    return word.search(before) is not None and word.search(text[given.end : given.end + _BEHIND]) is None


def gives_a_radius_for_a_width(best: Plan, view: QuestionView) -> bool:
    """Whether it is asked how wide something round is, and the formula gives its radius."""
    kind = best.step.slot.kind
    asked = [each for each in SENTENCE_BREAK.split(view.question.text) if "?" in each]
    is_width = any(_ACROSS.search(each) and _RADIUS not in each.casefold() for each in asked)
    return kind is not None and _RADIUS in kind.id and is_width


def gives_a_difference_for_a_whole(best: Plan, view: QuestionView) -> bool:
    """Whether it is asked how large something is, and the formula gives by how much it changes."""
    slot = best.step.slot
    # Of energies only differences are known, and people call them by the name of the whole.
    if slot.parts.prefix != _DELTA or slot.dimension not in _OF_SIZES:
        return False
    if view.asked and slot.kind in view.asked[0].kinds:
        return False
    asked = [each for each in SENTENCE_BREAK.split(view.question.text) if "?" in each]
    is_size = any(_SIZE.search(each) for each in asked)
    return is_size and not any(
        _GROWN.search(each) or not _DIFFERENCES.isdisjoint(each.casefold().split()) for each in asked
    )
