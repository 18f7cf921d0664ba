"""Worked examples as evidence: a plan whose formulas solved a case that the question resembles is believed more.

Knows plans and cases, no numbers of either: what counts is which formulas stand together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.weights import thresholds
from mathrag.retrieve.case_search import CaseHit
from mathrag.types.answer import Citation

_CITED = thresholds("case")["cited"]


def with_cases(plans: Sequence[Plan], hits: Sequence[CaseHit], table: Mapping[str, float]) -> list[Plan]:
    """The plans with what the cases say for them added to their evidence and score."""
    if not hits:
        return list(plans)
    return [_supported(plan, _support(plan, hits), table) for plan in plans]


def cited_case(plan: Plan, hits: Sequence[CaseHit], name_document: Callable[[str], str]) -> Citation | None:
    """The worked example that a plan follows in all its formulas, the most alike; None where none is alike enough.

    It is cited by its name: the numbers of another problem have no place beside the answer.
    """
    used = _formulas(plan)
    hit = next((one for one in hits if one.resemblance >= _CITED and used <= set(one.formulas)), None)
    if hit is None:
        return None
    case = hit.case
    span = replace(case.span, quote=case.title)
    return Citation(case.document, name_document(case.document), span, label=f"as in {case.name}")


def _support(plan: Plan, hits: Sequence[CaseHit]) -> float:
    """How far the best case speaks for a plan: by its resemblance and the share of the plan's formulas it used."""
    used = _formulas(plan)
    return max(hit.resemblance * len(used & set(hit.formulas)) / len(used) for hit in hits)


def _formulas(plan: Plan) -> set[str]:
    return {part.step.candidate.formula.id for part in plan.steps()}


def _supported(plan: Plan, amount: float, table: Mapping[str, float]) -> Plan:
    if not amount:
        return plan
    return replace(plan, score=plan.score + table["case"] * amount, evidence={**plan.evidence, "case": amount})
