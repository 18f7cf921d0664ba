"""Whether a question denies the conditions of a formula: it speaks of the very thing that the formula leaves out
("without air resistance", where something falls in air), keeps another thing constant, feeds with a battery what needs
an alternating voltage, swings widely what may swing but little, or takes a liquid for a gas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.judge.spots import ANYWHERE, Spot
from mathrag.reason.question.known_values import molecules_of, named_elements

DENIED = "the question does not meet a condition of the formula found"
_WITHOUT = rf"(?:{any_of('choosing.left_aside')})"
_LEFT_OUT = re.compile(
    rf"(?i)\b{_WITHOUT}\s+(?:the\s+|any\s+|an?\s+)?(?:change\s+of\s+)?(?P<thing>[a-z]+(?:\s+[a-z]+)?)"
)
_AIR = re.compile(r"(?i)\b(?:air|drag)\b")
_AIRLESS = re.compile(rf"(?i)\b(?:{any_of('choosing.airless')})\b")
_SLOWED_BY_AIR = re.compile(rf"(?i)\b(?:{any_of('choosing.slowed_by_air')})s?\b")
_NEGLECTS_AIR = re.compile(r"(?i)\bair resistance\b")
_PREPOSITIONS = word_class("grammar.prepositions")
_CONSTANT = re.compile(rf"(?i)\b(?:{any_of('choosing.kept')})\s+(?P<thing>[a-z]+)")
_ASIDE = re.compile(rf"(?i)\b{_WITHOUT}\b|less\b|free\b")
_PROCESS = re.compile(rf"(?i)\b(?:{any_of('choosing.processes')})\b")
_SAID_OF_PROCESS = re.compile(rf"(?i)\b(?:{any_of('choosing.said_of_processes')})\b")
_ENERGY = "m^2*kg/s^2"
_RIGID = re.compile(rf"(?i)\b(?:{any_of('choosing.rigid')})\b")
_VOLUME = frozenset(stems("volume"))
_MONATOMIC = re.compile(r"(?i)\bmonatomic\b")
_ALTERNATING = re.compile(r"(?i)\balternating\b|\bac\b")
_STEADY_CURRENT = re.compile(rf"(?i)\b(?:{any_of('choosing.steady_currents')})\b")
_SMALL_ANGLES = re.compile(r"(?i)\bsmall (?:angle|amplitude|swing|deflection|oscillation)s?\b")
_GAS_ALONE = re.compile(r"(?i)\bcondens")
_WATER = re.compile(r"(?i)\b(?:water|ice)\b")
_AS_GAS = re.compile(rf"(?i)\b(?:{any_of('choosing.of_gases')})s?\b")
# An angle and its sine differ by one part in a hundred at 14 degrees; in radians.
_SMALL_ANGLE = 0.25
_ANGLES = frozenset(("deg", "°", "rad"))
_BOILING_WATER = 373.15
_TEMPERATURE = "K"
# So many characters before a word it would be said that the thing is left aside, and behind it that it is negligible.
_BEFORE, _BEHIND = 28, 24


def leaves_air_aside(text: str) -> bool:
    """Whether a question says that there is no air, or that it is not to count."""
    return _AIRLESS.search(text) is not None or any(
        _ASIDE.search(_around(text, found)) is not None for found in _AIR.finditer(text)
    )


def denied_conditions(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question has what a formula of the plan holds without."""
    text = view.question.text
    for part in best.steps():
        if _is_of_other_matter(part, text) or _leaves_open_what_is_kept(part, text):
            yield ANYWHERE
        for validity in part.step.candidate.formula.conditions:
            if _is_denied(validity.text, part, view):
                yield Spot(reason=f"{DENIED}: “{validity.text}”")


def _is_denied(condition: str, part: Plan, view: QuestionView) -> bool:
    text = view.question.text
    if _keeps_another_constant(condition, text, _taken_once(part)) or _is_outside(condition, part, view):
        return True
    if _NEGLECTS_AIR.search(condition) and _SLOWED_BY_AIR.search(text) and not leaves_air_aside(text):
        return True
    things = (word for found in _LEFT_OUT.finditer(condition) for word in stems(found["thing"]))
    return any(_is_spoken_of(word, text) for word in things)


def _is_of_other_matter(part: Plan, text: str) -> bool:
    """Whether a formula is for one substance, or for single atoms, and the question is of another, or of molecules."""
    label = part.step.candidate.formula.label
    if _MONATOMIC.search(label) and not _MONATOMIC.search(text) and molecules_of(text):
        return True
    own, said = named_elements(label), named_elements(text)
    return bool(own) and bool(said) and own.isdisjoint(said)


def _leaves_open_what_is_kept(part: Plan, text: str) -> bool:
    """Whether a formula for work or heat is for one way in which a gas may go from state to state, and the question
    does not say which way it goes."""
    of_one_way = _PROCESS.search(part.step.candidate.formula.label) is not None
    return of_one_way and part.step.slot.dimension == _ENERGY and _SAID_OF_PROCESS.search(text) is None


def _is_outside(condition: str, part: Plan, view: QuestionView) -> bool:
    """Whether a value or a thing of the question is not as a condition in words says."""
    text = view.question.text
    if _SMALL_ANGLES.search(condition) and any(map(_is_wide, view.values)):
        return True
    if _ALTERNATING.search(condition) and _STEADY_CURRENT.search(text) and not _ALTERNATING.search(text):
        return True
    is_water = _GAS_ALONE.search(condition) and _WATER.search(text) and not _AS_GAS.search(text)
    if not is_water:
        return False
    taken = (view.values[value] for _, value in part.step.pairs)
    return any(one.dimensions[0] == _TEMPERATURE and one.given.readings[0].si_value < _BOILING_WATER for one in taken)


def _is_wide(one: PreparedValue) -> bool:
    # "80 degrees" may also be a temperature; beside small angles it is none.
    return any(reading.unit.text in _ANGLES and abs(reading.si_value) > _SMALL_ANGLE for reading in one.given.readings)


def _keeps_another_constant(condition: str, text: str, taken_once: frozenset[str]) -> bool:
    """Whether the formula keeps one thing constant and the question another: volume, where the pressure stays. What
    the formula takes only once is constant in it anyway: a constant current, in a law of current and voltage."""
    said = _kept_constant(text) | (_VOLUME if _RIGID.search(text) else frozenset())
    own, said = _kept_constant(condition), said - taken_once
    return bool(own) and bool(said) and own.isdisjoint(said)


def _kept_constant(text: str) -> frozenset[str]:
    """The stems of what a text says is kept constant; "constant between them" names nothing behind it."""
    things = (found["thing"] for found in _CONSTANT.finditer(text))
    return frozenset(stem for thing in things if thing.casefold() not in _PREPOSITIONS for stem in stems(thing))


def _taken_once(part: Plan) -> frozenset[str]:
    """The words for quantities of which the formula has one value, and no change."""
    words = Counter(stem for slot in part.step.candidate.slots for stem in frozenset(stems(slot.meaning.description)))
    changes = {
        stem for slot in part.step.candidate.slots if "Delta" in slot.symbol for stem in stems(slot.meaning.description)
    }
    return frozenset(stem for stem, times in words.items() if times == 1 and stem not in changes)


def _is_spoken_of(word: str, text: str) -> bool:
    """Whether the question has the word and does not leave the thing aside itself."""
    for found in re.finditer(r"[A-Za-z]+", text):
        if stems(found[0]) == (word,) and _ASIDE.search(_around(text, found)) is None:
            return True
    return False


def _around(text: str, found: re.Match[str]) -> str:
    return text[max(0, found.start() - _BEFORE) : found.end() + _BEHIND]
