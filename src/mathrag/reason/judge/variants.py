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
    """Whether two formulas take the same values equally well for the same thing, or one takes them for two things, and
    no word of the question belongs to what came first more than to the other."""
    one, two = best.step.candidate, other.step.candidate
    is_same = one.formula.id == two.formula.id and best.step.slot.symbol == other.step.slot.symbol
    if is_same or best.derived or other.derived or not other.is_complete:
        return False
    if abs(best.score - other.score) > _EQUAL or set(other.taken()) != set(best.taken()):
        return False
    kinds = kinds_of((one.formula, two.formula))
    own, their = (special_words(each.formula, kinds) | each.heading_stems for each in (one, two))
    return not (own - their) & said
