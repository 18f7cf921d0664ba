"""From computed steps back to the plan they would have been, scored like any other. Searches nothing; proposes nothing.

The search for plans keeps only the best values for each formula, and leaves out chains that it holds far-fetched. A
language model may have chosen one of those: here it gets the same evidence and the same score as all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mathrag.reason.agent.carrying_out import is_carried_out
from mathrag.reason.choosing.chaining import DEEPEST, link_evidence
from mathrag.reason.choosing.choose import Ranking
from mathrag.reason.choosing.exchanging import exchanged
from mathrag.reason.choosing.planning import ConstantSource, planned_steps
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.scoring import Scorer
from mathrag.reason.choosing.slots import Candidate, Slot, candidates_of
from mathrag.reason.choosing.weights import worth
from mathrag.retrieve.finding import FoundFormula
from mathrag.types.answer import Step

_NOT_FOUND = 1_000
_ALIKE = 0.5
_STATED = ("question", "implied", "pinned", "assumed")


def rebuilt_plan(steps: Sequence[Step], ranking: Ranking, constants: ConstantSource) -> Plan | None:
    """The plan that the steps are, under one of the readings of their formulas; None where they are none."""
    if not 1 <= len(steps) <= DEEPEST:
        return None
    scorer = ranking.scorer
    for plan in _last(steps, ranking):
        whole = _with_unused(plan, scorer)
        for option in (whole, *exchanged(whole, scorer)):
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
    texts = [bound.provenance.text for bound in step.bindings if bound.provenance.origin in _STATED]
    seen = scorer.view.seen
    used = [one.index for one in seen if any(one.given.text and one.given.text in text for text in texts)]
    scored = scorer.plan(candidate, target, base, values=used, derived=tuple(inner))
    total = dict(scored.evidence)
    for plan in inner.values():
        for name, amount in plan.evidence.items():
            total[name] = total.get(name, 0.0) + amount
    return Plan(replace(scored, unused=()), tuple(sorted(inner.items())), worth(total, scorer.table), total)


def _inner(step: Step, wanted: Slot, steps: Sequence[Step], scorer: Scorer) -> Plan | None:
    """The plan of a step whose result stands in a slot of another; every hop costs."""
    for candidate in candidates_of(step.formula):
        target = _place(candidate, step.target)
        if target is None or candidate.slots[target].dimension != wanted.dimension:
            continue
        label, link = candidate.label_stems, link_evidence(wanted, candidate.slots[target])
        if link["link_kind"] < 0 and not link["link_symbol"] and link["link_words"] < _ALIKE:
            # A torque is no energy, whatever their dimension.
            continue
        base = {
            **link,
            "hops": 1.0,
            "inner_prior": candidate.prior,
            "inner_label": len(label & scorer.view.stems) / len(label) if label else 0.0,
            "worked": 1.0 if candidate.is_worked else 0.0,
        }
        plan = _plan(step, candidate, base, steps=steps, scorer=scorer)
        if plan is not None:
            return plan
    return None


def _place(candidate: Candidate, symbol: str) -> int | None:
    return next((place for place, slot in enumerate(candidate.slots) if slot.symbol == symbol), None)


def _with_unused(plan: Plan, scorer: Scorer) -> Plan:
    """The plan with all values of the question that it leaves unused."""
    taken = plan.taken()
    unused = scorer.view.left_over(scorer.view.values, taken)
    total = {name: amount for name, amount in plan.evidence.items() if not name.startswith("unused")}
    scorer.count_unused(total, unused, taken)
    return replace(plan, step=replace(plan.step, unused=unused), evidence=total, score=worth(total, scorer.table))
