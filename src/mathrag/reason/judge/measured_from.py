"""From where a value is measured: an angle from a surface or from what stands upright on it, a distance from a surface
or from the middle of a body, a temperature on this or that side of melting and boiling. A value stated from one must
not stand in a formula that counts from the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.cues import cue
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.judge.angle_lines import is_asked_from_another_line, is_from_another_line
from mathrag.reason.judge.spots import Spot, of_result, of_value, placed
from mathrag.reason.question.wording import Wording, has_word
from mathrag.types.question import Given

# Before one end of a change: from 15 °C, to 40 °C, at 20 °C.
_OF_ENDS = frozenset(("from", "to", "at"))
_DELTA, _REFERENCE, _RADIUS = "Delta", "reference", "radius"
_DIFFERENCES = word_class("phrases.change_nouns")
# So many characters behind a value it is told from where it is measured: "60 degrees with the plane of the loop".
_BEHIND = 48
_OF_SIZES = frozenset(("m", "m^2", "m^3", "K"))
_LENGTH, _TEMPERATURE, _HEAT_CAPACITY = "m", "K", "m^2/(s^2*K)"
# Where water melts and boils, in kelvin.
_CHANGES = (273.15, 373.15)


def other_origins(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Values of the plan, or what is asked for, that are measured from elsewhere than their slot counts from."""
    for _, slot, one in placed(best, view):
        given = one.given
        if given.implied:
            continue
        if _is_from_outside(slot, given, view.wording) or is_from_another_line(slot, given, view.wording):
            yield of_value(one, slot=slot)
    if is_asked_from_another_line(best.step.slot, view.wording):
        yield of_result(best)


def _is_from_outside(slot: Slot, given: Given, wording: Wording) -> bool:
    is_from_middle = slot.dimension == _LENGTH and cue("middle").search(slot.meaning.description) is not None
    return is_from_middle and wording.behind(given, "outside_behind") is not None


def wholes_for_differences(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Values that are named for themselves ("a density of 7850 kg/m³") and stand for the difference of two, of which
    the formula has both: then they are counted from nothing instead of from the other one. And sizes ("a rod of 2 m")
    that stand for a change of the very thing whose size comes out; and one end ("from 15 °C") that stands for the
    whole way."""
    for part, slot, one in placed(best, view):
        if slot.parts.prefix != _DELTA or one.given.is_change or one.given.covers or one.given.symbol:
            continue
        is_difference = any(kind_of(each).is_difference for each in one.named)
        is_called_so = not _DIFFERENCES.isdisjoint(one.given.phrase.casefold().split())
        if is_difference or is_called_so:
            continue
        is_made = slot.meaning.origin == "inferred" and (bool(one.named) or len(one.phrase) > 1)
        is_end = one.given.preposition in _OF_ENDS and one.given.readings[0].unit.is_absolute_temperature
        if is_made or is_end or _is_size_for_change(slot, part.step.slot, one.given, view.wording):
            yield of_value(one, slot=slot)


def _is_size_for_change(slot: Slot, result: Slot, given: Given, wording: Wording) -> bool:
    is_of_result = (slot.parts.letter, slot.dimension) == (result.parts.letter, result.dimension)
    if not is_of_result or slot.dimension not in _OF_SIZES or result.parts.prefix == _DELTA:
        return False
    return wording.before(given, "grown") is None and wording.before(given, "by_before") is None


def whole_instead_of_change(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question asks by how much something changes and the plan gives what it becomes, from what it was."""
    slot = best.step.slot
    bound = (best.step.candidate.slots[place] for place, _ in best.step.pairs)
    is_one_of_two = any(
        other.parts.letter == slot.parts.letter and other.dimension == slot.dimension and other.states != slot.states
        for other in bound
    )
    asked = view.wording.first("by_how_much")
    if is_one_of_two and slot.parts.prefix != _DELTA and asked is not None:
        yield of_result(best, asked)


def reference_instead(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The plan gives what others are compared with, and the question does not speak of such a thing."""
    described = best.step.slot.meaning.description.casefold()
    if described.startswith(_REFERENCE) and not any(_REFERENCE in each for each in view.wording.spelled):
        yield of_result(best)


def changes_of_state(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Water that is warmed or cooled past melting or boiling, which takes heat of its own, by its specific heat
    alone."""
    if not view.wording.says("changes_of_state"):
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
    found = view.wording.first("distance_from")
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
            or _is_told_of(found[1], view.values[value].given, view.wording)
        )
        for place, value in best.step.pairs
    ):
        yield of_result(best, found)


def _is_told_of(thing: str, given: Given, wording: Wording) -> bool:
    """Whether a value is said of a thing, "the candle is 30 cm", and not from it: "30 cm from the lens"."""
    behind = wording.between(given.end, given.end + _BEHIND)
    return has_word(wording.clause_before(given), thing) and not has_word(behind, thing)


def radius_instead_of_width(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """It is asked how wide something round is, and the formula gives its radius."""
    kind = best.step.slot.kind
    across = cue("across")
    is_width = any(across.search(each) and _RADIUS not in each.casefold() for each in view.wording.asking)
    if kind is not None and _RADIUS in kind.id and is_width:
        yield of_result(best)


def change_instead_of_whole(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """It is asked how large something is, and the formula gives by how much it changes."""
    slot = best.step.slot
    # Of energies only differences are known, and people call them by the name of the whole.
    if slot.parts.prefix != _DELTA or slot.dimension not in _OF_SIZES:
        return
    asked = view.asked[0] if view.asked else None
    is_named_so = asked is not None and slot.kind in asked.kinds
    # Where the formula takes the whole by its name, the name means the whole in what is asked for, too.
    is_whole_meant = asked is not None and asked.is_named and _is_of_whole(best, asked.kinds[0].id)
    if is_named_so and not is_whole_meant:
        return
    wording = view.wording
    named = any(not _DIFFERENCES.isdisjoint(each.casefold().split()) for each in wording.asking)
    if (is_whole_meant or wording.asked("size_asked")) and not wording.asked("grown") and not named:
        yield of_result(best)


def _is_of_whole(best: Plan, kind: str) -> bool:
    """Whether the last step takes the whole of what it gives the change of, and that is of a kind."""
    changed = best.step.slot
    slots = (best.step.candidate.slots[place] for place, _ in best.step.pairs)
    wholes = (slot for slot in slots if slot.parts.letter == changed.parts.letter and slot.parts.prefix != _DELTA)
    return any(slot.dimension == changed.dimension and kind in slot.lineage for slot in wholes)
