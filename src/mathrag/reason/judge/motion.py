"""Whether what comes out goes with how the question says that things move, and with the sign that its kind has."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.language.stems import stem
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.regimes import contradicts_motion, is_too_steady
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.judge.bounds import is_signed
from mathrag.reason.judge.spots import Spot, of_result
from mathrag.types.quantity import Quantity


def too_steady(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """Something falls or brakes, and the formula is for a steady speed."""
    # What is asked for as an average may change as it likes.
    is_average = any("average" in one.roles for one in view.asked[:1])
    is_changing = view.wording.says("changing_speed") and not is_average
    if any(is_too_steady(part.step.candidate, is_changing=is_changing) for part in plan.steps()):
        yield of_result(plan)


def backwards(plan: Plan, value: Quantity | None, view: QuestionView) -> Iterator[Spot]:
    """A quantity that is never negative comes out so: the values stand in each other's places. What is asked for by a
    name of its own says better than the slot whether it can be: an image distance can, a distance cannot."""
    kind = plan.step.slot.kind
    if value is None or kind is None or value.si_value >= 0 or is_signed(plan.step.slot, plan.step.candidate):
        return
    asked = [one for one in view.asked[:1] if one.is_named]
    named = [each for one in asked for each in one.kinds[:1] if each.dimension == kind.dimension]
    if (named[0] if named else kind).sign != "any":
        yield of_result(plan)


def is_against_motion(plan: Plan, value: Quantity | None, scorer: Scorer) -> bool:
    """Whether a number contradicts which way things move."""
    step = plan.step
    if value is None:
        return False
    bound = [
        (step.candidate.slots[slot], scorer.quantity(step.candidate, slot, given).si_value)
        for slot, given in step.pairs
    ]
    # Small words count here: "toward" and "off" say which way something moves.
    words = frozenset(map(stem, scorer.view.wording.tokens))
    return contradicts_motion(step.candidate, words, [*bound, (step.slot, value.si_value)])
