"""Whether a question contradicts itself: it gives two values for one thing."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.language.stems import stems
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.judge.spots import Spot, of_value
from mathrag.reason.question.wording import Wording

# Characters before a value in which its own name would stand.
_NEARBY = 12


def two_values(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """A value that is used, and another of the same symbol or name that is not."""
    taken = plan.taken()
    used = [one for one in view.values if one.index in taken]
    for one in view.values:
        if one.index in taken or one.given.implied or one.given.series is not None:
            continue
        rival = next((other for other in used if _is_same_thing(one, other, view.wording)), None)
        if rival is not None:
            name = one.given.written or one.given.phrase or one.given.symbol
            reason = f"the question gives two values for {name}: {rival.given.text} and {one.given.text}"
            yield of_value(rival, one, reason=reason)


def _is_same_thing(one: PreparedValue, other: PreparedValue, wording: Wording) -> bool:
    if one.dimensions[0] != other.dimensions[0] or other.given.implied or one.owner < 0 < other.owner:
        return False
    if one.given.readings[0].si_value == other.given.readings[0].si_value:
        return False
    if one.given.symbol or other.given.symbol:
        return one.given.symbol == other.given.symbol
    is_alike = bool(one.phrase) and one.phrase == other.phrase and bool(one.named) and one.roles == other.roles
    # In "lengths of 3 m and 7 m" the second has no name of its own: two things, not two values of one.
    return is_alike and _is_named_itself(one, wording) and _is_named_itself(other, wording)


def _is_named_itself(seen: PreparedValue, wording: Wording) -> bool:
    before = wording.between(seen.given.start - _NEARBY, seen.given.start)
    return bool(set(stems(before)) & set(seen.phrase)) and not any(character.isdigit() for character in before)
