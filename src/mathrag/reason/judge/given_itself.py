"""Whether a question itself gives what a plan computes: then who asks means something else, or the plan goes in a
circle. Also what a value is by a better plan, which computes it from the others.

A question may state the same quantity of two things or at two times. What is told apart by its words, its place or by
other values that are there twice is nothing that is given already.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from mathrag.knowledge.kinds import lineage
from mathrag.knowledge.roles import opposite_of, role
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView, head_stems
from mathrag.reason.choosing.slots import Slot, meaning_words
from mathrag.reason.choosing.symbol_spelling import is_same_symbol
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.reason.judge.left_over import OF_ANYTHING
from mathrag.reason.judge.spots import Spot, of_value, placed
from mathrag.types.quantity import Quantity

_LIMITS = thresholds("given_itself")
_SHOWN_FIGURES = 3
# How a bar or an accent over a symbol is noted among its states: it says nothing that words would say.
_MARK = "mark_"
_DELTA = "Delta"
# Dimensions of quantities that a thing has many of, one after the other or beside each other.
_OF_MANY_STATES = OF_ANYTHING | {"m/s"}


def echoes(plan: Plan, result: Quantity | None, view: QuestionView) -> Iterator[Spot]:
    """A value of the question that is what comes out, by its number and by all that is said of it."""
    if result is None:
        return
    slot = plan.step.slot
    unused = [one for one in view.values if one.index not in plan.taken() and _may_be(one, slot, view)]
    agreeing = [one for one in unused if _agrees(one, result)]
    # Of several that are left, one may well have that number: they are what the answer is chosen from.
    alone = agreeing if len(_unlike(unused)) == 1 else []
    for one in (*alone, *(one for one in _going_round(plan, view) if _agrees(one, result))):
        yield of_value(one, slot=slot, reason=f"the question itself gives the {_name(slot)} as {one.given.text}")


def called_as_the_result(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """Values that are called as what comes out, where what is asked for is called as the place they stand in: a plan
    that takes a gain of 3 % for the margin asked for, and gives a gain."""
    own = plan.step.slot.names.own
    name = () if own is None else tuple(own.stems)
    for _, slot, one in placed(plan, view) if len(name) > 1 else ():
        theirs = frozenset(() if slot.names.own is None else slot.names.own.stems)
        is_called_so = head_stems(one.given.phrase)[-len(name) :] == name
        if is_called_so and not theirs.issuperset(name) and _is_asked_for(slot, view):
            yield of_value(one, slot=slot, reason=f"the question itself gives the {_name(plan.step.slot)}")


def _is_asked_for(slot: Slot, view: QuestionView) -> bool:
    """Whether what is asked for goes by the name of a place, or by its symbol."""
    own = slot.names.own
    return any(
        (one.core and own is not None and set(one.core) <= set(own.stems))
        or (one.parts is not None and is_same_symbol(one.parts, slot.parts))
        for one in view.asked
    )


def given_otherwise(plan: Plan, result: Quantity | None, view: QuestionView) -> Iterator[Spot]:
    """A value of the question that is what comes out by all but its number: the only one of a dimension that tells what
    it is of, or one from which a chain goes to the very same, with nothing of a second thing or of a second time."""
    if result is None:
        return
    slot = plan.step.slot
    alone = (one for one in view.values if one.index not in plan.taken() and _is_alone(one, slot, view))
    for one in (*alone, *_going_round(plan, view)):
        if not _agrees(one, result):
            shown = plain_quantity(result, _SHOWN_FIGURES)
            reason = f"the question itself gives the {_name(slot)} as {one.given.text}, and this would make it {shown}"
            yield of_value(one, slot=slot, reason=reason)


def taken_otherwise(plan: Plan, others: Iterable[tuple[Plan, Quantity]], view: QuestionView) -> Iterator[Spot]:
    """Values that another plan for what is asked computes from the rest, and that stand for something else in this one:
    where a frequency and a speed make a wavelength of 2 m, the 2 m are no height."""
    for other, result in others:
        meant = other.step.slot
        left = {spot.values[0] for spot in echoes(other, result, view)}
        for _, slot, one in placed(plan, view):
            if one.index in left and not _are_alike(meant, slot):
                reason = f"{one.given.text} is what the other values make the {_name(meant)}, and no {_words(slot)}"
                yield of_value(one, slot=slot, reason=reason)


def may_tell(other: Plan, plan: Plan, view: QuestionView) -> bool:
    """Whether another plan computes what is plainly asked for, and that could be a value that this one takes."""
    if not other.is_complete or how_asked(other.evidence) < _LIMITS["asked"]:
        return False
    taken = plan.taken() - other.taken()
    return any(_may_be(view.values[value], other.step.slot, view) for value in taken)


def _going_round(plan: Plan, view: QuestionView) -> Iterator[PreparedValue]:
    """Values from which inner steps of a chain go, and that are of the very quantity to which it comes."""
    *inner, last = plan.steps()
    if not inner or _is_of_several(plan.taken(), view):
        return
    for part in inner:
        for place, value in part.step.pairs:
            one = view.values[value]
            if _is_same(part.step.candidate.slots[place], last.step.slot) and _may_be(one, last.step.slot, view):
                yield one


def _is_of_several(taken: Collection[int], view: QuestionView) -> bool:
    """Whether there are two of anything: two things, or two times."""
    dimensions = Counter(view.values[value].dimensions[0] for value in taken)
    return any(count > 1 for count in dimensions.values())


def _is_same(one: Slot, other: Slot) -> bool:
    is_kind = one.kind == other.kind if one.kind is not None else one.symbol == other.symbol
    states, others = _states(one), _states(other)
    return is_kind and one.dimension == other.dimension and (states == others or not states.isdisjoint(others))


def _is_alone(one: PreparedValue, slot: Slot, view: QuestionView) -> bool:
    """Whether nothing else in the question has the dimension of a value, which is that of few quantities."""
    alike = [each for each in view.values if each.dimensions[0] == one.dimensions[0] and not each.given.implied]
    if len(alike) > 1 or slot.dimension in _OF_MANY_STATES or not _may_be(one, slot, view):
        return False
    return _telling(one.roles) == _telling(_asked_roles(view)) and _telling(_states(slot)) <= one.roles


def _may_be(one: PreparedValue, slot: Slot, view: QuestionView) -> bool:
    """Whether nothing that is said of a value speaks against its being what a slot stands for."""
    given = one.given
    is_stated = not (given.implied or given.covers or one.is_copy) and given.series is None
    if not is_stated or one.owner < 0 or slot.dimension not in one.dimensions or not given.readings[0].unit.text:
        return False
    if given.is_change and slot.parts.prefix != _DELTA:
        return False
    # "The pressure then" is another than the one that is told first.
    if view.wording.asked("afterwards"):
        return False
    known = _states(slot) | _asked_roles(view)
    is_other = any(_opposite(each) in known for each in one.roles)
    return not is_other and (not one.named or _is_named(one.named, slot))


def _asked_roles(view: QuestionView) -> frozenset[str]:
    return view.asked[0].roles if view.asked else frozenset()


def _telling(roles: Iterable[str]) -> frozenset[str]:
    """Those that tell two of a kind apart: "initial" does, "mechanical" does not."""
    return frozenset(each for each in roles if _opposite(each))


def _opposite(told: str) -> str:
    found = opposite_of(role(told))
    return "" if found is None else found.id


def _is_named(kinds: Collection[str], slot: Slot) -> bool:
    own = slot.kind
    return not slot.lineage.isdisjoint(kinds) or (own is not None and any(own.id in lineage(each) for each in kinds))


def _are_alike(one: Slot, other: Slot) -> bool:
    """Whether two slots stand for a kind and one that is a sort of it, or are not known to stand for anything."""
    if one.kind is None or other.kind is None:
        return True
    return one.kind.id in other.lineage or other.kind.id in one.lineage


def _states(slot: Slot) -> frozenset[str]:
    return frozenset(state for state in slot.states if not state.startswith(_MARK))


def _unlike(ones: Iterable[PreparedValue]) -> set[float]:
    return {one.given.readings[0].si_value for one in ones}


def _agrees(one: PreparedValue, result: Quantity) -> bool:
    readings = (each for each in one.given.readings if each.dimension == result.dimension)
    return any(math.isclose(each.si_value, result.si_value, rel_tol=_LIMITS["agreement"]) for each in readings)


def _name(slot: Slot) -> str:
    return slot.kind.name if slot.kind is not None else _words(slot)


def _words(slot: Slot) -> str:
    return meaning_words(slot.meaning) or slot.symbol
