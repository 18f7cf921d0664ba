"""What the ranking says for a plan that was carried out, whoever chose it: how sure, and what speaks against it.

A language model may choose another plan than the first. Its word settles only what the ranking leaves open: a plan that
the ranking has too, that gives what is asked, and that no objection forbids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.reason.agent.carrying_out import is_carried_out
from mathrag.reason.agent.seams import Support
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import features, model, probability
from mathrag.reason.choosing.planning import ConstantSource, planned_steps
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.deciding import COMPUTED, Decision
from mathrag.reason.objections import contradiction, impossible_value, is_grounded, unit_misfit
from mathrag.reason.rebuilding import rebuilt_plan
from mathrag.retrieve.finding import Finder
from mathrag.types.answer import Choice, Refusal, RefusalCode, Step
from mathrag.types.quantity import Quantity

# How far behind the best plan another may be scored for a planner's word to count.
_FARTHEST = 3.0
# Refusals that no planner can talk away; what is unsure may be settled, what is not there may be found.
HARD: tuple[RefusalCode, ...] = ("contradiction", "impossible", "unit", "missing", "empty", "too_long")


def weigh(steps: Sequence[Step], decision: Decision, *, finder: Finder, constants: ConstantSource) -> Support:
    """The support that computed steps have in the ranking of their question."""
    first = decision.choices[0] if decision.choices else None
    if first is not None and not first.missing and is_carried_out(first.steps, steps):
        return _first(first, decision, steps, constants)
    ranking, plan = _ranked(steps, decision.ranking, finder=finder, constants=constants)
    if plan is None:
        refusal = decision.refusal
        return Support(objection=refusal if refusal is not None and refusal.code in HARD else None)
    objection = _objection(plan, ranking, decision)
    sure = _probability(plan, decision.ranking, steps[-1].result, constants)
    choice = Choice(planned_steps(plan, ranking.scorer, constants), plan.score, sure)
    best = decision.ranking.plans[0].score if decision.ranking.plans else plan.score
    is_near = best - plan.score <= _FARTHEST and sure >= model().show
    is_sound = is_grounded(plan, ranking.view) and not _is_backwards(plan, steps[-1].result)
    return Support(choice, sure, objection, is_near and is_sound)


def _first(choice: Choice, decision: Decision, steps: Sequence[Step], constants: ConstantSource) -> Support:
    """The support of the ranking's own first choice."""
    refusal = decision.refusal
    if refusal is None:
        return Support(choice, choice.confidence, is_fair=True)
    if refusal.code in HARD:
        return Support(choice, choice.confidence, refusal)
    plan = _match(steps, decision.ranking, constants)
    is_asked = plan is None or is_grounded(plan, decision.ranking.view)
    return Support(choice, choice.confidence, is_fair=choice.confidence >= model().show and is_asked)


def _ranked(
    steps: Sequence[Step], ranking: Ranking, *, finder: Finder, constants: ConstantSource
) -> tuple[Ranking, Plan | None]:
    """The plan that the steps are: among all that were ranked, among those of its formula alone, or scored anew with
    these values in these places."""
    plan = _match(steps, ranking, constants)
    if plan is not None:
        return ranking, plan
    if len(steps) == 1:
        alone = rank_plans(ranking.view.question, finder, only=steps[0].formula)
        plan = _match(steps, alone, constants)
        if plan is not None:
            return alone, plan
    return ranking, rebuilt_plan(steps, ranking, constants)


def _match(steps: Sequence[Step], ranking: Ranking, constants: ConstantSource) -> Plan | None:
    last = steps[-1]
    for plan in ranking.plans:
        if (plan.step.candidate.formula.id, plan.step.slot.symbol) != (last.formula.id, last.target):
            continue
        if plan.is_complete and is_carried_out(planned_steps(plan, ranking.scorer, constants), steps):
            return plan
    return None


def _objection(plan: Plan, ranking: Ranking, decision: Decision) -> Refusal | None:
    """What speaks against the plan itself; the objections to the first choice are gone where this one avoids them."""
    checks: tuple[tuple[RefusalCode, str], ...] = (
        ("contradiction", contradiction(plan, ranking.view)),
        ("impossible", impossible_value(plan, ranking.scorer)),
        ("unit", unit_misfit(plan, ranking.view)),
    )
    for code, reason in checks:
        if reason:
            refusal = decision.refusal or Refusal(ranking.view.question.text, code, reason)
            return replace(refusal, code=code, reason=reason, missing=(), proposal=())
    return None


def _probability(plan: Plan, ranking: Ranking, value: Quantity, constants: ConstantSource) -> float:
    """How sure the plan is by its own merits, as if it tied with the best: whoever chose it breaks the tie."""
    others = [each for each in ranking.plans[:COMPUTED] if each is not plan]
    values = [_value(each, ranking, constants) for each in others]
    found = features((plan, *others), (value, *values))
    found["margin"], found["gap"] = max(0.0, found["margin"]), max(0.0, found["gap"])
    return min(probability(found, model().weights), 0.99)


def _value(plan: Plan, ranking: Ranking, constants: ConstantSource) -> Quantity | None:
    if not plan.is_complete:
        return None
    steps = compute_steps(planned_steps(plan, ranking.scorer, constants), is_shown=False)
    return None if isinstance(steps, StepFailure) else steps[-1].result


def _is_backwards(plan: Plan, value: Quantity) -> bool:
    kind = plan.step.slot.kind
    return kind is not None and kind.sign != "any" and value.si_value < 0
