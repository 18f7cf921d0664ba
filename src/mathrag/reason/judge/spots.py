"""Where a check found something: values of the question, a symbol of the formula, words of the question.

A check looks at a plan and at the question as it was read, and gives a spot for each thing that it finds. What that
means, and how much it counts, stands in `checks.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Slot


@dataclass(frozen=True, slots=True)
class Spot:
    """Values by their places among those of the question, symbols of the formulas, and spans of the question's text.
    `reason` says it in words where these depend on what was found."""

    values: tuple[int, ...] = ()
    symbols: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    reason: str = ""


# The plan as a whole.
ANYWHERE = Spot()
Check: TypeAlias = Callable[[Plan, QuestionView], Iterator[Spot]]


def of_value(*ones: PreparedValue, slot: Slot | None = None, reason: str = "") -> Spot:
    """Values, and the place in the formula where they stand."""
    spans = tuple((one.given.start, one.given.end) for one in ones if one.given.end > one.given.start)
    return Spot(tuple(one.index for one in ones), () if slot is None else (slot.symbol,), spans, reason)


def of_words(*found: re.Match[str]) -> Spot:
    """Words of the question."""
    return Spot(spans=tuple(each.span() for each in found))


def of_result(plan: Plan, *found: re.Match[str]) -> Spot:
    """What comes out, and the words of the question that speak of it."""
    return Spot(symbols=(plan.step.slot.symbol,), spans=tuple(each.span() for each in found))


def placed(plan: Plan, view: QuestionView) -> Iterator[tuple[Plan, Slot, PreparedValue]]:
    """Every value of a plan, with the step and the place where it stands."""
    for part in plan.steps():
        for place, value in part.step.pairs:
            yield part, part.step.candidate.slots[place], view.values[value]
