"""Which of several variants of a formula is meant: the plain one, unless words speak for another.

Where all formulas are of one hand, whatever a question leaves out of the name of a variant (an annuity, compounded
monthly) is so because the question is not about it.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.extract.same_things import kinds_of, special_words
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.judge.impossible import Trial

_CLOSE = thresholds("variants")["close"]


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
