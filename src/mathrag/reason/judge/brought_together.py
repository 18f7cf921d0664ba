"""Things that a question brings together, and what happens one after the other: a value of the one is not a value of
the whole. Water that is added to a solution is not what the solution was before; what a driver does before he brakes
takes time of its own; two alike things together have more than one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Slot
from mathrag.reason.judge.spots import Spot, of_result, of_value, of_words
from mathrag.types.expression import Add

_CIRCUMSTANCES = frozenset(map(stem, word_class("choosing.circumstances")))
_SEVERAL = 2
# What two things have together is the sum of what each has.
_ADDITIVE = frozenset(("kg", "m^3", "mol"))


def values_of_two_times(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """One formula takes a value from before a "then" and one from behind it, as if both were of one and the same time.
    What was at first and what comes of it are two states, and told apart as such."""
    places = [found.start() for found in view.wording.all("afterwards")]
    for part in best.steps():
        slots = part.step.candidate.slots
        timeless = [view.values[value] for slot, value in part.step.pairs if not slots[slot].states]
        stated = [one for one in timeless if not one.given.implied and not one.roles]
        for one, other in combinations(stated, 2):
            if _is_between(places, one, other):
                yield of_value(one, other)


def added_for_a_state(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """One thing is added to another and the formula takes their amounts for before and after."""
    added = [found.end() - 1 for found in view.wording.all("added_to")]
    for part in best.steps():
        slots = part.step.candidate.slots
        stated = [(slots[slot], view.values[value]) for slot, value in part.step.pairs]
        for (slot, one), (second, other) in combinations(stated, 2):
            if _are_states(slot, second) and _is_between(added, one, other):
                yield of_value(one, other)


def _are_states(one: Slot, other: Slot) -> bool:
    """Whether two slots are one quantity at two times."""
    is_same = one.dimension == other.dimension and one.parts.letter == other.parts.letter
    is_told = one.meaning.description == other.meaning.description or one.states != other.states
    return is_same and one.dimension in _ADDITIVE and is_told


def _is_between(places: list[int], one: PreparedValue, other: PreparedValue) -> bool:
    first, last = sorted((one.given.start, other.given.start))
    return any(first < place < last for place in places)


def alike_things_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """The question asks for what several alike things have together and the plan takes one of them."""
    alike = view.wording.first("alike")
    if alike is None:
        return
    said = [found[0] for found in view.wording.asked("together")]
    known = frozenset().union(*(part.step.candidate.own_words for part in best.steps()))
    if said and not _takes_several(best, view) and all(stem(each.casefold()) not in known for each in said):
        yield of_words(alike)


def part_for_the_whole(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """All of a quantity is asked for where something happens that adds to it and that the plan knows nothing of: the
    total kinetic energy of what rolls is more than that of its motion from place to place."""
    if not view.wording.asked("whole") or _takes_several(best, view) or _is_sum(best):
        return
    known = frozenset().union(*(part.step.candidate.own_words for part in best.steps()))
    if not (view.stems | view.told) & _CIRCUMSTANCES <= known:
        yield of_result(best)


def _takes_several(best: Plan, view: QuestionView) -> bool:
    return any(view.values[value].is_copy or view.values[value].is_count for value in best.taken())


def _is_sum(best: Plan) -> bool:
    """Whether the formula puts together what is asked for from several parts."""
    equation = best.step.candidate.equation
    return isinstance(equation.left, Add) or isinstance(equation.right, Add)


def removed_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Something is cut off, let out or used up, and how much of it stands beside a value that the plan takes as if all
    were still there."""
    if not view.wording.says("removed"):
        return
    taken = best.taken()
    used = {view.values[value].dimensions[0] for value in taken}
    left = (one for one in view.values if one.index not in taken and not one.given.implied)
    yield from (of_value(one) for one in left if one.dimensions[0] in used and one.given.readings[0].unit.text)


def others_left_out(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """Several things have a value "each", or several of what the formula speaks of are counted, and the plan takes one
    of them."""
    wording, taken = view.wording, best.taken()
    if _takes_several(best, view):
        return
    used = [view.values[value] for value in sorted(taken)]
    for one in used:
        if wording.behind(one.given, "each_behind") and one.given.count == 1 and not one.given.implied:
            yield of_value(one)
    # "The polariser" of a label is one; its "plates", or a "parallel-plate" capacitor, are several as they are.
    labels = [part.step.candidate.formula.label.casefold().split() for part in best.steps()]
    known = frozenset(stem(word) for words in labels for word in words if word.isalpha() and not word.endswith("s"))
    dimensions = [one.dimensions[0] for one in used if not one.given.implied]
    for one in view.values:
        if one.index in taken or not one.is_count or one.given.readings[0].value < _SEVERAL:
            continue
        noun = wording.behind(one.given, "counted_noun")
        is_of_formula = noun is not None and not known.isdisjoint(stems(noun[1]))
        is_listed = any(dimensions.count(each) >= one.given.readings[0].value for each in dimensions)
        if is_of_formula and not is_listed:
            yield of_value(one)
