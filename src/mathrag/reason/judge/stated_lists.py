"""Values that a question states as one list: those that one plural noun introduces ("rate constants: 0.010 and 0.012"),
and those stated in pairs ("0.010 at 300 K and 0.012 at 310 K"). A plan that takes such a list apart is not meant: it
puts values of one kind into slots of different kinds, takes one of them and leaves the others, or computes once for
each of them what is asked of one thing that has them all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from mathrag.language.cues import cue
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.judge.spots import Spot, of_value

_NEARBY = 40


def lists_taken_apart(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The plan takes some values of a list and leaves others, or puts them into slots of different kinds."""
    slots = {value: part.step.candidate.slots[place] for part in best.steps() for place, value in part.step.pairs}
    left = set(view.left_over(range(len(view.values)), best.taken()))
    for group in _lists(view):
        taken = [one for one in group if one.index in slots]
        if taken and (any(one.index in left for one in group) or _are_mixed(taken, slots, group[0])):
            yield of_value(*group)
    yield from _parts_for_cases(view, slots.keys())
    yield from _split_pairs(view, slots.keys(), left)


def _parts_for_cases(view: QuestionView, taken: Collection[int]) -> Iterator[Spot]:
    """The members of a list are parts of one thing ("a frame with sides of 3, 4 and 6 m"), and each is taken for a case
    of its own, as if several results were asked for."""
    if view.is_list_spread:
        return
    for one in view.values:
        start = one.given.start
        before = view.wording.between(max(start - _NEARBY * 2, 0), start)
        if one.given.series is not None and one.index in taken and cue("parts_before").search(before):
            yield of_value(one)


def _lists(view: QuestionView) -> Iterator[Sequence[PreparedValue]]:
    """The values of one dimension that stand behind a plural noun of their kind, to the end of the sentence or to the
    next such noun."""
    wording = view.wording
    stated = [one for one in view.values if _is_stated(one)]
    heads = [
        one
        for one in stated
        if one.named and cue("plural_before").search(wording.between(one.given.start - _NEARBY, one.given.start))
    ]
    for head in heads:
        begin = head.given.start
        stop = wording.next_after(head.given, "sentence_end")
        ends = [wording.end if stop is None else stop.start()]
        ends += [other.given.start for other in heads if other.given.start > begin and other.named == head.named]
        told = wording.next_after(head.given, "told")
        # With a verb something else is told: "the slits are 0.25 mm apart, the screen is 2 m away".
        ends += [] if told is None else [told.start()]
        group = [
            one
            for one in stated
            if begin <= one.given.start < min(ends)
            and one.dimensions[0] == head.dimensions[0]
            and (not one.named or one.named == head.named)
        ]
        if len(group) > 1:
            yield group


def _is_stated(one: PreparedValue) -> bool:
    given = one.given
    is_plain = not (given.implied or given.covers or given.is_pinned or one.is_copy or given.symbol)
    return is_plain and given.series is None and bool(given.readings[0].unit.text)


def _are_mixed(taken: Sequence[PreparedValue], slots: Mapping[int, Slot], head: PreparedValue) -> bool:
    """Whether values of one kind stand for different ones."""
    chosen = [slots[one.index] for one in taken]
    if len({slot.parts.letter for slot in chosen}) == 1 or len({slot.kind for slot in chosen}) == 1:
        return False
    return any(head.named.isdisjoint(slot.lineage) for slot in chosen)


def _split_pairs(view: QuestionView, taken: Collection[int], left: Collection[int]) -> Iterator[Spot]:
    """Values stated in pairs, of the one sort of which all are taken, of the other only some."""
    by_dimension: dict[str, list[int]] = {}
    for one in view.values:
        if _is_stated(one):
            by_dimension.setdefault(one.dimensions[0], []).append(one.index)
    pairs = view.together.companions(None)
    for dimension, ones in by_dimension.items():
        if len(ones) < 2 or not all(one in taken for one in ones):
            continue
        for other, others in by_dimension.items():
            if other == dimension or len(others) != len(ones):
                continue
            are_paired = sum({one, second} in map(set, pairs) for one in ones for second in others) == len(ones)
            is_split = any(one in taken for one in others) and any(one in left for one in others)
            if are_paired and is_split:
                yield of_value(*(view.values[one] for one in others))
