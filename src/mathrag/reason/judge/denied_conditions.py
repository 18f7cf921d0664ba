"""Whether a question denies the conditions of a formula: it speaks of the very thing that the formula leaves out
("without air resistance", where something falls in air), keeps another thing constant, feeds with a battery what needs
an alternating voltage, swings widely what may swing but little, or takes a liquid for a gas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from mathrag.language.cues import cue
from mathrag.language.stems import stems
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.judge.spots import ANYWHERE, Spot
from mathrag.reason.question.known_values import named_elements
from mathrag.reason.question.wording import Wording

DENIED = "the question does not meet a condition of the formula found"
_PREPOSITIONS = word_class("grammar.prepositions")
_ENERGY = "m^2*kg/s^2"
_VOLUME = frozenset(stems("volume"))
# An angle and its sine differ by one part in a hundred at 14 degrees; in radians.
_SMALL_ANGLE = 0.25
_ANGLES = frozenset(("deg", "°", "rad"))
_BOILING_WATER = 373.15
_TEMPERATURE, _PRESSURE, _VOLUME_UNIT, _MOLARITY, _NUMBER = "K", "kg/(m*s^2)", "m^3", "mol/m^3", "1"
FROM_VACUUM = "the pressure is above that of the air, and the formula found counts from vacuum; state it as absolute"
# So many characters before a word it would be said that the thing is left aside, and behind it that it is negligible.
_BEFORE, _BEHIND = 28, 24


def leaves_air_aside(wording: Wording) -> bool:
    """Whether a question says that there is no air, or that it is not to count."""
    return wording.says("airless") or any(_is_left_aside(found, wording) for found in wording.all("air"))


def denied_conditions(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question has what a formula of the plan holds without."""
    for part in best.steps():
        if _is_of_other_matter(part, view.wording) or _leaves_open_what_is_kept(part, view.wording):
            yield ANYWHERE
        if _counts_from_vacuum(part) and view.wording.says("above_the_air"):
            yield Spot(reason=FROM_VACUUM)
        if _is_in_other_ratio(part, view.wording):
            yield ANYWHERE
        for validity in part.step.candidate.formula.conditions:
            if _is_denied(validity.text, part, view):
                yield Spot(reason=f"{DENIED}: “{validity.text}”")


def _is_denied(condition: str, part: Plan, view: QuestionView) -> bool:
    wording = view.wording
    if _keeps_another_constant(condition, wording, _taken_once(part)) or _is_outside(condition, part, view):
        return True
    if cue("air_resistance").search(condition) and wording.says("slowed_by_air") and not leaves_air_aside(wording):
        return True
    things = (word for found in cue("left_out").finditer(condition) for word in stems(found["thing"]))
    return any(_is_spoken_of(word, wording) for word in things)


def _is_of_other_matter(part: Plan, wording: Wording) -> bool:
    """Whether a formula is for one substance, or for single atoms, and the question is of another, or of molecules."""
    label = part.step.candidate.formula.label
    if cue("monatomic").search(label) and not wording.says("monatomic") and wording.molecules:
        return True
    own, said = named_elements(label), wording.elements
    return bool(own) and bool(said) and own.isdisjoint(said)


def _leaves_open_what_is_kept(part: Plan, wording: Wording) -> bool:
    """Whether a formula for work or heat is for one way in which a gas may go from state to state, and the question
    does not say which way it goes."""
    of_one_way = cue("process").search(part.step.candidate.formula.label) is not None
    return of_one_way and part.step.slot.dimension == _ENERGY and not wording.says("said_of_process")


def _counts_from_vacuum(part: Plan) -> bool:
    """Whether a formula is a law of gases, whose pressures are not above that of the air."""
    slots = part.step.candidate.slots
    pressures = [slot for slot in slots if slot.dimension == _PRESSURE and not slot.is_constant]
    is_of_gas = any(slot.dimension in (_TEMPERATURE, _VOLUME_UNIT) for slot in slots)
    is_told = any(cue("above_the_air").search(each.meaning.description) for each in pressures)
    return is_of_gas and bool(pressures) and not is_told


def _is_in_other_ratio(part: Plan, wording: Wording) -> bool:
    """Whether a unit of one substance meets several of the other, or the other of two is asked for, and the formula
    takes them one for one: a titration of an acid with two protons, the ratio of a buffer."""
    slots, told = part.step.candidate.slots, part.step.slot.meaning.description
    if part.step.slot.dimension == _NUMBER and wording.says("acid_over_base"):
        return cue("ratio").search(told) is not None and cue("acid_over_base").search(told) is None
    if sum(slot.dimension == _MOLARITY for slot in slots) < 2 or any(slot.dimension == _NUMBER for slot in slots):
        return False
    return wording.exchanges_several_protons


def _is_outside(condition: str, part: Plan, view: QuestionView) -> bool:
    """Whether a value or a thing of the question is not as a condition in words says."""
    wording = view.wording
    if cue("small_angles").search(condition) and any(map(_is_wide, view.values)):
        return True
    is_steady = wording.says("steady_current") and not wording.says("alternating")
    if is_steady and cue("alternating").search(condition):
        return True
    is_water = wording.says("water") and not wording.says("as_gas")
    if not is_water or cue("gas_alone").search(condition) is None:
        return False
    taken = (view.values[value] for _, value in part.step.pairs)
    return any(one.dimensions[0] == _TEMPERATURE and one.given.readings[0].si_value < _BOILING_WATER for one in taken)


def _is_wide(one: PreparedValue) -> bool:
    # "80 degrees" may also be a temperature; beside small angles it is none.
    return any(reading.unit.text in _ANGLES and abs(reading.si_value) > _SMALL_ANGLE for reading in one.given.readings)


def _keeps_another_constant(condition: str, wording: Wording, taken_once: frozenset[str]) -> bool:
    """Whether the formula keeps one thing constant and the question another: volume, where the pressure stays. What
    the formula takes only once is constant in it anyway: a constant current, in a law of current and voltage."""
    kept = cue("kept_constant")
    said = _kept_constant(wording.all("kept_constant")) | (_VOLUME if wording.says("rigid") else frozenset())
    own, said = _kept_constant(kept.finditer(condition)), said - taken_once
    return bool(own) and bool(said) and own.isdisjoint(said)


def _kept_constant(cues: Iterable[re.Match[str]]) -> frozenset[str]:
    """The stems of what is said to be kept constant; "constant between them" names nothing behind it."""
    things = (found["thing"] for found in cues)
    return frozenset(stem for thing in things if thing.casefold() not in _PREPOSITIONS for stem in stems(thing))


def _taken_once(part: Plan) -> frozenset[str]:
    """The words for quantities of which the formula has one value, and no change."""
    words = Counter(stem for slot in part.step.candidate.slots for stem in frozenset(stems(slot.meaning.description)))
    changes = {
        stem for slot in part.step.candidate.slots if "Delta" in slot.symbol for stem in stems(slot.meaning.description)
    }
    return frozenset(stem for stem, times in words.items() if times == 1 and stem not in changes)


def _is_spoken_of(word: str, wording: Wording) -> bool:
    """Whether the question has the word and does not leave the thing aside itself."""
    return any(stems(found[0]) == (word,) and not _is_left_aside(found, wording) for found in wording.words)


def _is_left_aside(found: re.Match[str], wording: Wording) -> bool:
    return cue("left_aside").search(wording.around(found, _BEFORE, _BEHIND)) is not None
