"""What words say of amounts of money that a plan does not take up: how long a time they are for, whether tax is in
them, whether they are for one piece or for all. All of them are so many dollars, so that no unit tells them apart.

Asked where one hand wrote all formulas and names what it means.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from mathrag.language.cues import cue
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView, head_stems
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.judge.spots import Spot, of_result, of_value, placed

_MONEY, _PLAIN, _TIME = "USD", "1", "s"
_PERIODS = {stem(word): period for word, period in word_pairs("choosing.periods").items()}
_COUNTED = frozenset(map(stem, word_class("choosing.counted_periods")))
_ANYTHING = frozenset(map(stem, word_class("choosing.wholes")))
_TAX = stem("tax")
# What is so much for each piece is no matter of millions.
_MILLION = 1e6


def other_periods(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """An amount or a rate for a month stands for one of a year, or the other way round; a span of time for a rate; or
    the formula counts by months, of which nobody speaks."""
    spoken = _periods_in(view.stems | view.told)
    stated: set[str] = set()
    for _, slot, one in placed(best, view):
        if one.given.implied or slot.dimension not in (_MONEY, _PLAIN):
            continue
        said, own = _periods_of(one, view), _periods_in(stems(slot.meaning.description))
        stated |= said if not own else set()
        is_span = one.dimensions[0] == _TIME and slot.dimension == _PLAIN
        is_count = bool(own) or not _COUNTED.isdisjoint(stems(slot.meaning.description))
        is_unsaid = slot.dimension == _MONEY and _counts_unsaid(slot, spoken)
        if is_unsaid or (is_span and not is_count) or (said and own and said.isdisjoint(own)):
            yield of_value(one, slot=slot)
    if best.step.slot.dimension == _MONEY and _counts_unsaid(best.step.slot, spoken):
        yield of_result(best)
    if len(stated) > 1:
        # What is for a month and what is for a year are not taken together without a word.
        yield of_result(best)


def _periods_in(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_PERIODS[word] for word in words if word in _PERIODS)


def _periods_of(one: PreparedValue, view: QuestionView) -> frozenset[str]:
    """The time that a value is for, by its unit (`0.5 % a month`), its name (`monthly rent`) or the words behind it."""
    below = one.given.readings[0].unit.text.rpartition("/")[2]
    if below in _PERIODS.values() and one.dimensions[0] != _TIME:
        return frozenset((below,))
    behind = view.wording.behind(one.given, "for_a_time")
    before = cue("for_a_time").search(_said_before(one, view))
    around = (found[0] for found in (before, behind) if found is not None)
    return _periods_in(word for text in (one.given.phrase, *around) for word in stems(text))


def _said_before(one: PreparedValue, view: QuestionView) -> str:
    """What stands before a value in its clause, and belongs to no value before it."""
    start = view.wording.sentence_start(one.given)
    for other in view.values:
        if start <= other.given.end <= one.given.start and not other.given.implied:
            behind = view.wording.behind(other.given, "for_a_time")
            start = max(start, other.given.end if behind is None else min(behind.end(), one.given.start))
    return view.wording.between(start, one.given.start).rpartition(",")[2]


def _counts_unsaid(slot: Slot, spoken: Collection[str]) -> bool:
    """Whether something is for less than a year by all of its names, and the question does not speak of such a time."""
    names = [_periods_in(stems(name)) - {"year"} for name in slot.meaning.description.split(",")]
    return all(names) and frozenset().union(*names).isdisjoint(spoken)


def tax_otherwise(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """A price with the tax stands for one without it, or the other way round; or a price without the tax is asked for,
    and the tax comes out."""
    told = set()
    for _, slot, one in placed(best, view):
        behind = view.wording.behind(one.given, "taxed_behind")
        told |= set() if behind is None else {behind.end()}
        if slot.dimension == _MONEY and _are_opposite(slot, behind):
            yield of_value(one, slot=slot)
    if _head(best.step.slot) == _TAX:
        yield from (of_result(best, found) for found in view.wording.all("taxed") if found.end() not in told)
    asked = view.asked[0].target.phrase if view.asked else ""
    if _are_opposite(best.step.slot, cue("taxed").search(asked)):
        yield of_result(best)


def _are_opposite(slot: Slot, said: re.Match[str] | None) -> bool:
    """Whether the words have the tax in a price, and the name of what it stands for has not; or the reverse."""
    sides = {_has_tax(found) for found in cue("taxed").finditer(slot.meaning.description)}
    return said is not None and len(sides) == 1 and _has_tax(said) not in sides


def _has_tax(found: re.Match[str]) -> bool:
    return any(found.groupdict().values())


def millions_for_one(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """An amount of millions stands for what is earned or paid for one share."""
    for _, slot, one in placed(best, view):
        is_large = slot.dimension == _MONEY and abs(one.given.readings[0].value) >= _MILLION
        if is_large and cue("for_one").search(slot.meaning.description):
            yield of_value(one, slot=slot)


def asked_is_given(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """What is asked for is called as what a value of the plan stands for and not as what comes out; nothing that comes
    out is spoken of; or an inner step computes what another value is called."""
    step = best.step
    if all(slot.dimension != _MONEY for slot in step.candidate.slots):
        return
    head = view.asked[0].head if view.asked and view.asked[0].parts is None else ""
    if head and head != _head(step.slot):
        yield from (of_value(one, slot=slot) for _, slot, one in placed(best, view) if head == _head(slot))
    words = step.slot.names.telling | step.candidate.label_stems
    if step.slot.dimension == _MONEY and words & view.stems <= _ANYTHING:
        yield of_result(best)
    for part in best.steps():
        computed = [part.step.candidate.slots[place] for place, _ in part.derived]
        for _, slot, one in placed(best, view) if computed else ():
            name = frozenset(one.phrase)
            if name and not name <= _described(slot) and any(name <= _described(each) for each in computed):
                yield of_value(one, slot=slot)


def _described(slot: Slot) -> frozenset[str]:
    return frozenset(stems(slot.meaning.description))


def _head(slot: Slot) -> str:
    """The word that its name is about: the price, of a price for a margin."""
    return "".join(head_stems(slot.meaning.description)[-1:])
