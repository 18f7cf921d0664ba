"""From where a value is measured: an angle from a surface or from what stands upright on it, a distance from a surface
or from the middle of a body, a temperature on this or that side of melting and boiling. A value stated from one must
not stand in a formula that counts from the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.stems import stem, stems
from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.judge.angle_lines import is_asked_from_another_line, is_from_another_line
from mathrag.reason.judge.spots import Spot, of_result, of_value, placed
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


def other_origins(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Values of the plan, or what is asked for, that are measured from elsewhere than their slot counts from."""
    text = view.question.text
    for _, slot, one in placed(best, view):
        given = one.given
        if given.implied:
            continue
        is_outside = _is_from_outside(slot, text[given.end : given.end + _BEHIND])
        if is_outside or is_from_another_line(slot, given, view.question):
            yield of_value(one, slot=slot)
    if is_asked_from_another_line(best.step.slot, text):
        yield of_result(best)


def _is_from_outside(slot: Slot, behind: str) -> bool:
    is_from_middle = slot.dimension == _LENGTH and _MIDDLE.search(slot.meaning.description) is not None
    return is_from_middle and _OUTSIDE.match(behind) is not None


def wholes_for_differences(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Values that are named for themselves ("a density of 7850 kg/m³") and stand for the difference of two, of which
    the formula has both: then they are counted from nothing instead of from the other one. And sizes ("a rod of 2 m")
    that stand for a change of the very thing whose size comes out."""
    for part, slot, one in placed(best, view):
        if slot.parts.prefix != _DELTA or one.given.is_change or one.given.covers or one.given.symbol:
            continue
        is_difference = any(kind_of(each).is_difference for each in one.named)
        is_called_so = not _DIFFERENCES.isdisjoint(one.given.phrase.casefold().split())
        if is_difference or is_called_so:
            continue
        is_made = slot.meaning.origin == "inferred" and bool(one.named)
        if is_made or _is_size_for_change(slot, part.step.slot, one.given, view.question.text):
            yield of_value(one, slot=slot)


def _is_size_for_change(slot: Slot, result: Slot, given: Given, text: str) -> bool:
    is_of_result = (slot.parts.letter, slot.dimension) == (result.parts.letter, result.dimension)
    if not is_of_result or slot.dimension not in _OF_SIZES or result.parts.prefix == _DELTA:
        return False
    clause = SENTENCE_BREAK.split(text[: given.start])[-1]
    return _GROWN.search(clause) is None and re.search(r"(?i)\bby\s*$", clause) is None


def whole_instead_of_change(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question asks by how much something changes and the plan gives what it becomes, from what it was."""
    slot = best.step.slot
    bound = (best.step.candidate.slots[place] for place, _ in best.step.pairs)
    is_one_of_two = any(
        other.parts.letter == slot.parts.letter and other.dimension == slot.dimension and other.states != slot.states
        for other in bound
    )
    asked = _BY_HOW_MUCH.search(view.question.text)
    if is_one_of_two and slot.parts.prefix != _DELTA and asked is not None:
        yield of_result(best, asked)


def percentages_for_numbers(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Percentages that stand for what is no share of anything: a pH, a number of turns, a refractive index."""
    for _, slot, one in placed(best, view):
        kind = slot.kind
        is_share = kind is None or not kind.dimension.is_dimensionless or "percent" in kind.units or kind.maximum <= 1
        if one.given.is_percentage and not is_share:
            yield of_value(one, slot=slot)


def reference_instead(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The plan gives what others are compared with, and the question does not speak of such a thing."""
    described = best.step.slot.meaning.description.casefold()
    if described.startswith(_REFERENCE) and _REFERENCE not in view.question.text.casefold():
        yield of_result(best)


def changes_of_state(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Water that is warmed or cooled past melting or boiling, which takes heat of its own, by its specific heat
    alone."""
    if _ICE_OR_WATER.search(view.question.text) is None:
        return
    if not any(slot.dimension == _HEAT_CAPACITY for part in best.steps() for slot in part.step.candidate.slots):
        return
    degrees = [one for one in view.values if not one.given.implied and one.dimensions[0] == _TEMPERATURE]
    for one, other in combinations(degrees, 2):
        first, second = _kelvin(one.given), _kelvin(other.given)
        if (
            first is not None
            and second is not None
            and any(min(first, second) < t < max(first, second) for t in _CHANGES)
        ):
            yield of_value(one, other)


def _kelvin(given: Given) -> float | None:
    reading = given.readings[0]
    return reading.si_value if reading.unit.is_absolute_temperature else None


def distance_from_elsewhere(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """A distance from one thing is asked for, and the formula counts its distances, that of this very thing among them,
    from a third: how far an image is from the object, where both are counted from the lens."""
    slot = best.step.slot
    found = _FROM_THING.search(view.question.text)
    if found is None or slot.dimension != _LENGTH:
        return
    thing = stem(found[1].casefold())
    slots = best.step.candidate.slots
    if thing in stems(slot.meaning.description):
        return
    if any(
        slots[place].parts.letter == slot.parts.letter
        and slots[place].dimension == _LENGTH
        and (
            thing in stems(slots[place].meaning.description)
            or _is_told_of(found[1], view.values[value].given, view.question.text)
        )
        for place, value in best.step.pairs
    ):
        yield of_result(best, found)


def _is_told_of(thing: str, given: Given, text: str) -> bool:
    """Whether a value is said of a thing, "the candle is 30 cm", and not from it: "30 cm from the lens"."""
    word = re.compile(rf"(?i)\b{re.escape(thing)}\b")
    before = SENTENCE_BREAK.split(text[: given.start])[-1]
    return word.search(before) is not None and word.search(text[given.end : given.end + _BEHIND]) is None


def radius_instead_of_width(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """It is asked how wide something round is, and the formula gives its radius."""
    kind = best.step.slot.kind
    asked = [each for each in SENTENCE_BREAK.split(view.question.text) if "?" in each]
    is_width = any(_ACROSS.search(each) and _RADIUS not in each.casefold() for each in asked)
    if kind is not None and _RADIUS in kind.id and is_width:
        yield of_result(best)


def change_instead_of_whole(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """It is asked how large something is, and the formula gives by how much it changes."""
    slot = best.step.slot
    # Of energies only differences are known, and people call them by the name of the whole.
    if slot.parts.prefix != _DELTA or slot.dimension not in _OF_SIZES:
        return
    if view.asked and slot.kind in view.asked[0].kinds:
        return
    asked = [each for each in SENTENCE_BREAK.split(view.question.text) if "?" in each]
    is_size = any(_SIZE.search(each) for each in asked)
    is_change = any(_GROWN.search(each) or not _DIFFERENCES.isdisjoint(each.casefold().split()) for each in asked)
    if is_size and not is_change:
        yield of_result(best)
