"""What words say of a value that its place in a plan does not have: that it counts the other way (a diverging lens, a
virtual image, bodies that move against each other, a gas that is compressed), or that it is what another symbol of the
formula stands for (so many kilograms of fuel are no final mass)."""

from __future__ import annotations

import re
from itertools import combinations

from mathrag.language.stems import stem
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import Slot

_DIVERGING = re.compile(rf"(?i)\b(?:{any_of('choosing.diverging')})\b")
_VIRTUAL = re.compile(rf"(?i)\b(?:{any_of('choosing.virtual')})\b")
_COMPRESSING = re.compile(rf"(?i)\b(?:{any_of('choosing.compressing')})\b")
_EXPANDING = re.compile(rf"(?i)\b(?:{any_of('choosing.expanding')})\b")
_OF = re.compile(r"\s+of\s+(?:the\s+|its\s+)?([A-Za-z-]{3,20})")
_DONE_BY = re.compile(r"(?i)\bdone by\b")
_FOCAL, _IMAGE = re.compile(r"(?i)\bfocal\b"), re.compile(r"(?i)\bimage\b")
_LENGTH, _SPEED, _MASS, _ENERGY = "m", "m/s", "kg", "m^2*kg/s^2"


def counts_the_other_way(best: Plan, view: QuestionView) -> bool:
    """Whether words say that a quantity of the plan is negative, and the plan takes or gives its size."""
    text = view.question.text
    signed = [name for said, name in ((_DIVERGING, _FOCAL), (_VIRTUAL, _IMAGE)) if said.search(text)]
    is_against = _move_against_each_other(text)
    is_compressed = _COMPRESSING.search(text) is not None and _EXPANDING.search(text) is None
    for part in best.steps():
        slots = part.step.candidate.slots
        negative = {place for place, slot in enumerate(slots) if any(_is_called(slot, name) for name in signed)}
        sizes = [view.values[value].given.readings[0].value for place, value in part.step.pairs if place in negative]
        # What is not stated would have to come out as it is said to be, and nothing else may give its size.
        if negative and (not sizes or any(size > 0 for size in sizes)):
            return True
        # What has a symbol has its sign, too.
        stated = [(slots[place], view.values[value].given) for place, value in part.step.pairs]
        bound = [(slot, given.readings[0].si_value) for slot, given in stated if not given.symbol]
        if is_against and any(slot.dimension == _MASS for slot in slots) and _have_one_sign(bound):
            return True
        if is_compressed and any(_is_done_by(slot) and size > 0 for slot, size in bound):
            return True
    return False


def _is_called(slot: Slot, name: re.Pattern[str]) -> bool:
    return slot.dimension == _LENGTH and name.search(slot.meaning.description) is not None


def _move_against_each_other(text: str) -> bool:
    words = set(re.findall(r"[a-z]+", text.casefold()))
    return any(one in words and other in words for one, other in word_pairs("choosing.against_each_other").items())


def _have_one_sign(bound: list[tuple[Slot, float]]) -> bool:
    """Whether two speeds of like symbols both count the same way."""
    speeds = [(slot.parts.letter, slot.parts.marks, size) for slot, size in bound if slot.dimension == _SPEED and size]
    return any(one[:2] == other[:2] and (one[2] > 0) == (other[2] > 0) for one, other in combinations(speeds, 2))


def _is_done_by(slot: Slot) -> bool:
    return slot.dimension == _ENERGY and _DONE_BY.search(slot.meaning.description) is not None


def belongs_elsewhere(best: Plan, view: QuestionView) -> bool:
    """Whether a value is called by what tells another symbol of the formula apart from the one it stands for."""
    for part in best.steps():
        slots = part.step.candidate.slots
        for place, value in part.step.pairs:
            one, slot = view.values[value], slots[place]
            if one.given.implied or one.given.symbol or slot.kind is None:
                continue
            if any(view.values[other].phrase == one.phrase for _, other in part.step.pairs if other != value):
                # Two of one name are told apart by other words.
                continue
            rivals = [
                other
                for other in slots
                if other is not slot and other.dimension == slot.dimension and not other.is_constant
            ]
            own = _stuff(view.question.text, one.given.end)
            is_called = any(own in other.distinct & other.names.telling for other in rivals)
            is_named = any(one.named & other.lineage for other in rivals) and one.named.isdisjoint(slot.lineage)
            if is_named or (is_called and own not in slot.names.telling):
                return True
    return False


def _stuff(text: str, end: int) -> str:
    """The stem of what a value is of: "1000 kg of fuel"."""
    found = _OF.match(text, end)
    return stem(found[1].casefold()) if found is not None else ""
