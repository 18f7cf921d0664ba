"""Whether a chain takes one value of the question for two different things (2 m as the length of a rope and as the
radius of a drum). What two steps call alike (the mass of both) is one thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.slots import Slot, meaning_words
from mathrag.reason.judge.spots import Spot, of_value, placed


def used_twice(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """Values that stand for two things in the steps of a plan."""
    places: dict[int, list[Slot]] = defaultdict(list)
    for _, slot, one in placed(plan, view) if plan.derived else ():
        other = next((each for each in places[one.index] if not _may_be_one(each, slot)), None)
        places[one.index].append(slot)
        if other is not None:
            names = " and for ".join(meaning_words(each.meaning) or each.symbol for each in (other, slot))
            yield of_value(one, slot=slot, reason=f"{one.given.text} would stand for {names}")


def _may_be_one(one: Slot, other: Slot) -> bool:
    """Whether two places are called alike, by letter or in words, or are for one kind of quantity."""
    if one.parts.letter == other.parts.letter or (one.names.own is not None and one.names.own == other.names.own):
        return True
    return one.kind is not None and one.kind == other.kind
