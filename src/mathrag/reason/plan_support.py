"""What the ranking says for a plan that was carried out, whoever chose it: how sure, and what speaks against it.

A language model may choose another plan than the first. Its word settles only what the ranking leaves open: a plan that
the ranking has too, that gives what is asked, and that no objection forbids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mathrag.reason.agent.result_judge import is_carried_out
from mathrag.reason.agent.seams import Support
from mathrag.reason.choosing.chains import DEEPEST, inner_evidence, is_foreign, link_evidence
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import confidence_model, ranking_features
from mathrag.reason.choosing.plans import ConstantSource, Plan, planned_steps, with_exchanged_values
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.slots import Candidate, Slot, candidates_of
from mathrag.reason.choosing.weights import thresholds, total_worth
from mathrag.reason.decision import COMPUTED, Decision
from mathrag.reason.judge import Judge, is_grounded
from mathrag.reason.question.origins import is_taken_up
from mathrag.retrieve.candidates import FoundFormula
from mathrag.types.answer import Choice, Refusal, Step
from mathrag.types.finding import Finding
from mathrag.types.quantity import Quantity

# From computed steps back to the plan they would have been, scored like any other.
#
# The search for plans keeps only the best values for each formula, and leaves out chains that it holds far-fetched. A
# language model may have chosen one of those: here it gets the same evidence and the same score as all others.

# The rank of a formula that the search did not find.
_NOT_FOUND = 1_000
_LIMITS = thresholds("support")
_STATED = ("question", "implied", "pinned", "assumed")


def rebuilt_plan(steps: Sequence[Step], ranking: Ranking, constants: ConstantSource) -> Plan | None:
    """The plan that the steps are, under one of the readings of their formulas; None where they are none."""
    if not 1 <= len(steps) <= DEEPEST:
        return None
    scorer = ranking.scorer
    for plan in _last(steps, ranking):
        whole = _with_unused(plan, scorer)
        for option in (whole, *with_exchanged_values(whole, scorer)):
            if option.is_complete and is_carried_out(planned_steps(option, scorer, constants), steps):
                return option
    return None


def _last(steps: Sequence[Step], ranking: Ranking) -> Iterator[Plan]:
    """The plans of the last step, with the formula's own evidence and what speaks for its target."""
    last, scorer = steps[-1], ranking.scorer
    found = next((one for one in ranking.found if one.formula.id == last.formula.id), None)
    for candidate in candidates_of(last.formula):
        target = _place(candidate, last.target)
        about = None if target is None else scorer.target_of(candidate, candidate.slots[target])
        if target is None or about is None:
            continue
        base = scorer.formula_evidence(candidate, found or FoundFormula(last.formula, 0.0, 0.0, _NOT_FOUND, ()))
        plan = _plan(last, candidate, {**base, **about}, steps=steps, scorer=scorer)
        if plan is not None:
            yield plan


def _plan(
    step: Step, candidate: Candidate, base: Mapping[str, float], *, steps: Sequence[Step], scorer: Scorer
) -> Plan | None:
    """The plan of one step and of those that feed it; None where a value cannot stand where it does."""
    target = _place(candidate, step.target)
    inner: dict[int, Plan] = {}
    for bound in step.bindings:
        place, number = _place(candidate, bound.symbol), bound.provenance.step
        if number is None:
            continue
        feeding = steps[number - 1] if place is not None and 1 <= number < step.number else None
        plan = None if feeding is None or place is None else _inner(feeding, candidate.slots[place], steps, scorer)
        if plan is None or place is None:
            return None
        inner[place] = plan
    if target is None:
        return None
    origins = [bound.provenance for bound in step.bindings if bound.provenance.origin in _STATED]
    used = [one.index for one in scorer.view.values if is_taken_up(one.given, origins)]
    scored = scorer.plan(candidate, target, base, values=used, derived=tuple(inner))
    total = dict(scored.evidence)
    for plan in inner.values():
        for name, amount in plan.evidence.items():
            total[name] = total.get(name, 0.0) + amount
    return Plan(replace(scored, unused=()), tuple(sorted(inner.items())), total_worth(total, scorer.table), total)


def _inner(step: Step, wanted: Slot, steps: Sequence[Step], scorer: Scorer) -> Plan | None:
    """The plan of a step whose result stands in a slot of another; every hop costs."""
    for candidate in candidates_of(step.formula):
        target = _place(candidate, step.target)
        if target is None or candidate.slots[target].dimension != wanted.dimension:
            continue
        link = link_evidence(wanted, candidate.slots[target])
        if is_foreign(link):
            continue
        base = inner_evidence(candidate, link, scorer.view)
        plan = _plan(step, candidate, base, steps=steps, scorer=scorer)
        if plan is not None:
            return plan
    return None


def _place(candidate: Candidate, symbol: str) -> int | None:
    return next((place for place, slot in enumerate(candidate.slots) if slot.symbol == symbol), None)


def _with_unused(plan: Plan, scorer: Scorer) -> Plan:
    """The plan with all values of the question that it leaves unused."""
    taken = plan.taken()
    unused = scorer.view.left_over(scorer.view.usable, taken)
    total = {name: amount for name, amount in plan.evidence.items() if not name.startswith("unused")}
    scorer.count_unused(total, unused, taken)
    return replace(plan, step=replace(plan.step, unused=unused), evidence=total, score=total_worth(total, scorer.table))


def support_for(steps: Sequence[Step], decision: Decision, judge: Judge) -> Support:
    """The support that computed steps have in the ranking of their question."""
    if any(step.formula.is_made for step in steps):
        # What was put together for this question is no plan of the ranking.
        return Support()
    first = decision.choices[0] if decision.choices else None
    if first is not None and not first.missing and is_carried_out(first.steps, steps):
        return _first(first, decision, steps, judge.constants)
    ranking, plan = _ranked(steps, decision.ranking, judge)
    if plan is None:
        # What the rules say against their own plan need not hold for another.
        return Support()
    findings = judge.findings(plan, ranking, judge.trial(plan, ranking))
    sure = _probability(plan, decision.ranking, steps[-1].result, judge)
    choice = Choice(planned_steps(plan, ranking.scorer, judge.constants), plan.score, sure)
    best = decision.ranking.plans[0].score if decision.ranking.plans else plan.score
    is_near = best - plan.score <= _LIMITS["farthest"] and sure >= confidence_model().show
    is_sound = is_grounded(plan, ranking.view)
    return Support(choice, sure, _objection(findings, decision), is_near and is_sound, _doubts(findings))


def _first(choice: Choice, decision: Decision, steps: Sequence[Step], constants: ConstantSource) -> Support:
    """The support of the ranking's own first choice."""
    if decision.refusal is None:
        return Support(choice, choice.confidence, is_fair=True)
    plan = _match(steps, decision.ranking, constants)
    is_asked = plan is None or is_grounded(plan, decision.ranking.view)
    is_fair = choice.confidence >= confidence_model().show and is_asked
    objection = _objection(choice.findings, decision)
    return Support(choice, choice.confidence, objection, is_fair, _doubts(choice.findings))


def _ranked(steps: Sequence[Step], ranking: Ranking, judge: Judge) -> tuple[Ranking, Plan | None]:
    """The plan that the steps are: among all that were ranked, among those of its formula alone, or scored anew with
    these values in these places."""
    plan = _match(steps, ranking, judge.constants)
    if plan is not None:
        return ranking, plan
    if len(steps) == 1:
        alone = rank_plans(ranking.view.question, judge.finder, only=steps[0].formula)
        plan = _match(steps, alone, judge.constants)
        if plan is not None:
            return alone, plan
    return ranking, rebuilt_plan(steps, ranking, judge.constants)


def _match(steps: Sequence[Step], ranking: Ranking, constants: ConstantSource) -> Plan | None:
    last = steps[-1]
    for plan in ranking.plans:
        if (plan.step.candidate.formula.id, plan.step.slot.symbol) != (last.formula.id, last.target):
            continue
        if plan.is_complete and is_carried_out(planned_steps(plan, ranking.scorer, constants), steps):
            return plan
    return None


def _objection(findings: Sequence[Finding], decision: Decision) -> Refusal | None:
    """A refusal for what forbids the plan; the objections to the first choice are gone where this one avoids them."""
    first = next((each for each in findings if each.weight == "hard"), None)
    if first is None:
        return None
    asked = decision.ranking.view.question.text
    refusal = decision.refusal or Refusal(asked, first.consequence, first.reason)
    return replace(
        refusal,
        code=first.consequence,
        reason=first.reason,
        missing=(),
        proposal=(),
        findings=tuple(findings),
    )


def _doubts(findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.reason for each in findings if each.weight == "doubt"))


def _probability(plan: Plan, ranking: Ranking, value: Quantity, judge: Judge) -> float:
    """How sure the plan is by its own merits, as if it tied with the best: whoever chose it breaks the tie."""
    others = [each for each in ranking.plans[:COMPUTED] if each is not plan]
    values = [judge.trial(each, ranking).value for each in others]
    flags = {"ungrounded": float(not is_grounded(plan, ranking.view))}
    found = ranking_features((plan, *others), (value, *values), view=ranking.view, flags=flags)
    found["margin"], found["gap"] = max(0.0, found["margin"]), max(0.0, found["gap"])
    return min(confidence_model().sure(found, len(judge.finder.signatures)), _LIMITS["most"])
