"""The same plan with two values in each other's places: what was meant where a plan gives a number that cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from mathrag.reason.choosing.assignment import Pairs
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.scores import Scored, Scorer

_WORTHWHILE = 0.05


def exchanged(plan: Plan, scorer: Scorer) -> Iterator[Plan]:
    """Every plan that differs by one exchange of two values of one dimension in one step, with what it is worth."""
    for part in plan.steps():
        worths = scorer.matches(part.step.candidate).worths
        for pairs in _exchanges(part.step):
            if all(pair in worths for pair in pairs):
                change = sum(worths[pair] for pair in pairs) - sum(worths[pair] for pair in part.step.pairs)
                yield _replaced(plan, part, replace(part.step, pairs=pairs, score=part.step.score + change), change)


def improved(plan: Plan, scorer: Scorer) -> Plan:
    """The plan with values of different steps in each other's places, where that is worth more: a chain binds its outer
    step first, without knowing what the inner one needs."""
    best = plan
    for one, other in combinations(list(plan.steps()), 2):
        for changed in _across(plan, one, other, scorer):
            if changed.score > best.score + _WORTHWHILE:
                best = changed
    return best


def _across(plan: Plan, one: Plan, other: Plan, scorer: Scorer) -> Iterator[Plan]:
    first, second = scorer.matches(one.step.candidate).worths, scorer.matches(other.step.candidate).worths
    for place, value in one.step.pairs:
        for target, found in other.step.pairs:
            is_possible = value != found and (place, found) in first and (target, value) in second
            if not is_possible or found in one.step.values.values() or value in other.step.values.values():
                continue
            change = first[place, found] - first[place, value]
            again = second[target, value] - second[target, found]
            here = replace(one.step, pairs=_with_value(one.step, place, found), score=one.step.score + change)
            there = replace(other.step, pairs=_with_value(other.step, target, value), score=other.step.score + again)
            moved = _replaced(plan, one, here, change)
            part = next((each for each in moved.steps() if each.step is other.step), None)
            if part is not None:
                yield _replaced(moved, part, there, again)


def _with_value(step: Scored, slot: int, value: int) -> Pairs:
    return tuple(sorted({**step.values, slot: value}.items()))


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
