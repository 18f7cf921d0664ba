"""Which of several variants of a formula is meant.

Where all formulas are of one hand, the plain one, unless words speak for another: whatever a question leaves out of the
name of a variant (an annuity, compounded monthly) is so because the question is not about it. A document that has a
formula for goats and one for sheep means neither by a question that names none: there nothing tells.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.extract.same_things import kinds_of, special_words
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.judge.impossible import Trial

_CLOSE = thresholds("variants")["close"]
_EQUAL = thresholds("variants")["equal"]


def plain_first(
    plans: Sequence[Plan], trials: Sequence[Trial], said: frozenset[str]
) -> tuple[tuple[Plan, ...], tuple[Trial, ...]]:
    """The plans with what came of the first ones; in front one that makes as much of the question as the best, and
    whose name tells less that nobody said."""
    best = plans[0]
    for place in range(1, len(trials) if best.is_complete else 0):
        plan = plans[place]
        is_possible = trials[place].value is not None and not trials[place].against
        is_close = best.score - plan.score <= _CLOSE and plan.taken() == best.taken()
        if is_possible and is_close and _is_plainer(plan, best, said):
            front = (plan, *plans[:place], *plans[place + 1 :])
            return front, (trials[place], *trials[:place], *trials[place + 1 :])
    return tuple(plans), tuple(trials)


def _is_plainer(plan: Plan, best: Plan, said: frozenset[str]) -> bool:
    one, other = plan.step.candidate.formula, best.step.candidate.formula
    if one.id == other.id or plan.step.slot.dimension != best.step.slot.dimension:
        return False
    kinds = kinds_of((one, other))
    return special_words(one, kinds) - said < special_words(other, kinds) - said


def are_equal(best: Plan, other: Plan, said: frozenset[str]) -> bool:
    """Whether another plan makes something else of the same values and nothing tells which is meant: no word of the
    question belongs to what came first alone, and it came first by next to nothing, or one document gives the same
    symbol otherwise from the same values of the same symbols."""
    one, two = best.step.candidate, other.step.candidate
    is_same = one.formula.id == two.formula.id and best.step.slot.symbol == other.step.slot.symbol
    if is_same or best.derived or other.derived or not other.is_complete or other.taken() != best.taken():
        return False
    if two.equation.relation == "≈" and one.equation.relation != "≈":
        # What is nearly so is no rival of what is so.
        return False
    is_near = abs(best.score - other.score) <= _EQUAL
    if not is_near and not (one.formula.documents & two.formula.documents and _by_symbol(best) == _by_symbol(other)):
        return False
    # Words of the values are those of both.
    own, their = (each.known_stems | each.own_words for each in (one, two))
    return said.isdisjoint(own - their)


def _by_symbol(plan: Plan) -> tuple[str, dict[str, int]]:
    """What comes out, and the value that stands for each other symbol."""
    slots = plan.step.candidate.slots
    return plan.step.slot.symbol, {slots[place].symbol: value for place, value in plan.step.pairs}
