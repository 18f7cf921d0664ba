"""What only a finished plan shows: whether its dimensions hold together, whether it merely repeats a value, and whether
anything tells two values of one kind apart. Ranks nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from mathrag.compute.canonical import canonical_key
from mathrag.compute.dimensions import check_dimensions
from mathrag.knowledge.kinds import kinds_for_dimension
from mathrag.reason.choosing.plans import Plan, worth_without_order
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.weights import thresholds, total_worth
from mathrag.types.expression import Equation, Symbol, rename_equation
from mathrag.types.quantity import Dimension

_TOLD_APART = thresholds("exchange")["told_apart"]
_SURELY_NAMED = thresholds("target")["surely_named"]
_SAME_SYMBOL = thresholds("symbol")["same"]
_TIME = Dimension.of({"time": 1})


def examined(plan: Plan, scorer: Scorer) -> Plan:
    """The plan with the evidence that only the whole of it shows."""
    found = {
        "incoherent": 0.0 if _is_coherent(plan, scorer) else 1.0,
        "repeated": 1.0 if any(_is_repetition(part.step) for part in plan.steps()) else 0.0,
        "undecided": float(sum(_undecided(part.step, scorer) for part in plan.steps())),
    }
    if not any(found.values()):
        return plan
    return replace(
        plan,
        score=plan.score + total_worth(found, scorer.table),
        evidence={**plan.evidence, **{name: amount for name, amount in found.items() if amount}},
    )


def _is_coherent(plan: Plan, scorer: Scorer) -> bool:
    """Whether the last step can have a result of the dimension that is asked for. Where every dimension is known, the
    slots have been compared already."""
    step = plan.step
    slots, derived = step.candidate.slots, dict(plan.derived)
    if all(slot.dimension is not None for slot in slots):
        return True
    known: dict[str, Dimension] = {}
    for place, slot in enumerate(slots):
        if place in step.values:
            known[slot.symbol] = scorer.quantity(step.candidate, place, step.values[place]).dimension
        elif place != step.target and place not in derived and slot.meaning.dimension is not None:
            known[slot.symbol] = slot.meaning.dimension
    report = check_dimensions(step.candidate.equation, known)
    if report.status == "inconsistent":
        return False
    own = step.slot.meaning.dimension
    result = report.dimensions.get(step.slot.symbol) or own
    if own not in (None, result) and not (step.slot.kind is not None and step.slot.kind.takes_any_unit):
        return False
    if result is not None and _is_of_nothing(plan, result, scorer):
        return False
    # What bears the very name or symbol that is asked for is meant, whatever else that name can mean.
    is_named = plan.evidence.get("target_words", 0.0) >= _SURELY_NAMED
    is_named = is_named or plan.evidence.get("target_symbol", 0.0) >= _SAME_SYMBOL
    return result is None or _is_asked(result, scorer, is_named=is_named)


def _is_of_nothing(plan: Plan, result: Dimension, scorer: Scorer) -> bool:
    """Whether a result of places that nobody knows is neither a quantity nor the rate of one: then a value stands in
    the wrong place, or a number in one of them is of a unit that was not said."""
    step = plan.step
    if result.is_dimensionless or str(result) in scorer.view.units or kinds_for_dimension(result):
        return False
    taken = [(step.candidate.slots[place], place, value) for place, value in step.pairs]
    opened = [(place, value) for slot, place, value in taken if slot.is_open]
    if any(not scorer.quantity(step.candidate, place, value).unit.text for place, value in opened):
        return True
    return bool(opened) and not kinds_for_dimension(result * _TIME)


def _is_asked(result: Dimension, scorer: Scorer, *, is_named: bool) -> bool:
    view = scorer.view
    if view.units:
        return str(result) in view.units
    if is_named:
        return True
    wanted = {dimension for one in view.asked for dimension in one.dimensions}
    return not wanted or str(result) in wanted


def _is_repetition(step: ScoredStep) -> bool:
    """Whether a step says that one thing is another, so that its result is a value of the question."""
    equation = step.candidate.equation
    return bool(step.pairs) and isinstance(equation.left, Symbol) and isinstance(equation.right, Symbol)


def _undecided(step: ScoredStep, scorer: Scorer) -> int:
    """How many pairs of values nothing but their order tells apart, though the formula does."""
    slots = step.candidate.slots
    matches = scorer.matches(step.candidate)
    count = 0
    for (one, first), (other, second) in combinations(step.pairs, 2):
        if slots[one].dimension != slots[other].dimension or _are_equal(first, second, scorer):
            continue
        pairs = ((one, second), (other, first))
        if any(pair not in matches.evidence for pair in pairs):
            continue
        change = sum(
            worth_without_order(matches.evidence[pair], scorer) for pair in ((one, first), (other, second))
        ) - sum(worth_without_order(matches.evidence[pair], scorer) for pair in pairs)
        if abs(change) <= _TOLD_APART and not _is_symmetric(
            step.candidate.equation, slots[one].symbol, slots[other].symbol
        ):
            count += 1
    return count


def _are_equal(one: int, other: int, scorer: Scorer) -> bool:
    values = scorer.view.values
    return one == other or values[one].given.readings[0] == values[other].given.readings[0]


@lru_cache(maxsize=4_096)
def _is_symmetric(equation: Equation, one: str, other: str) -> bool:
    """Whether two symbols can change places: the two masses that attract each other."""
    return canonical_key(equation) == canonical_key(rename_equation(equation, {one: other, other: one}))
