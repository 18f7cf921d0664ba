"""The same plan with two values in each other's places: what was meant where a plan gives a number that cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from mathrag.reason.choosing.assignment import Pairs
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.scoring import Scored, Scorer


def exchanged(plan: Plan, scorer: Scorer) -> Iterator[Plan]:
    """Every plan that differs by one exchange of two values of one dimension in one step, with what it is worth."""
    for part in plan.steps():
        worths = scorer.matches(part.step.candidate).worths
        for pairs in _exchanges(part.step):
            if all(pair in worths for pair in pairs):
                change = sum(worths[pair] for pair in pairs) - sum(worths[pair] for pair in part.step.pairs)
                yield _replaced(plan, part, replace(part.step, pairs=pairs, score=part.step.score + change), change)


def _exchanges(step: Scored) -> Iterator[Pairs]:
    slots = step.candidate.slots
    for (one, first), (other, second) in combinations(step.pairs, 2):
        if slots[one].dimension == slots[other].dimension and first != second:
            changed = {**step.values, one: second, other: first}
            yield tuple(sorted(changed.items()))


def _replaced(plan: Plan, part: Plan, step: Scored, change: float) -> Plan:
    """The plan with another step in place of the one of `part`."""
    if plan is part:
        return replace(plan, step=step, score=plan.score + change)
    derived = tuple((slot, _replaced(inner, part, step, change)) for slot, inner in plan.derived)
    is_inside = any(one is not other for (_, one), (_, other) in zip(derived, plan.derived, strict=True))
    return replace(plan, derived=derived, score=plan.score + change) if is_inside else plan
