"""How far a question spells a plan out: which values it gives by the very symbol of their slot or by the whole name of
it, and whether it asks so for the result. Where it does for all and leaves none over, nobody needs to guess which
formula is meant."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.value_evidence import symbol_evidence
from mathrag.reason.choosing.weights import thresholds

_SAME_SYMBOL = thresholds("symbol")["same"]
_LIMITS = thresholds("spelled_out")


def is_spelled_out(plan: Plan, view: QuestionView) -> bool:
    """Whether all values of a plan of one step are given by symbol or whole name, and its result is asked for so."""
    if plan.derived or not plan.is_complete or not plan.step.pairs or plan.evidence.get("conflict"):
        return False
    slots, taken = plan.step.candidate.slots, plan.step.values
    used = set(taken.values())
    if any(one.index not in used for one in view.values if not (one.given.implied or one.is_covered)):
        return False
    values = [(slots[slot], view.values[value]) for slot, value in taken.items()]
    by_symbol = [is_given_by_symbol(one, slot) for slot, one in values]
    if not all(
        is_given or _is_given_by_name(one, slot) for is_given, (slot, one) in zip(by_symbol, values, strict=True)
    ):
        return False
    return any(by_symbol) and _is_asked(plan.step.candidate, plan.step.slot, view)


def told(plan: Plan, view: QuestionView) -> dict[str, float]:
    """As features of a plan: the share of its values that the question gives by symbol or whole name, and whether it
    asks so for the result."""
    taken = [
        (part.step.candidate.slots[slot], view.values[value])
        for part in plan.steps()
        for slot, value in part.step.values.items()
    ]
    given = sum(is_given_by_symbol(one, slot) or _bears_name(one, slot) for slot, one in taken)
    return {
        "told_places": given / len(taken) if taken else 0.0,
        "told_target": float(_is_asked(plan.step.candidate, plan.step.slot, view)),
    }


def is_given_by_symbol(one: PreparedValue, slot: Slot) -> bool:
    """Whether a value is assigned to the symbol of a slot, however either is written."""
    return not one.is_symbol_shared and symbol_evidence(one.parts, slot) >= _SAME_SYMBOL


def _is_given_by_name(one: PreparedValue, slot: Slot) -> bool:
    own = slot.names.own
    return own is not None and len(own.stems) > 1 and _bears_name(one, slot)


def _bears_name(one: PreparedValue, slot: Slot) -> bool:
    own = slot.names.own
    return one.parts is None and own is not None and own.near(one.near) >= _LIMITS["named"]


def _is_asked(candidate: Candidate, slot: Slot, view: QuestionView) -> bool:
    """Whether the slot is asked for by its symbol, or what the formula is for by its whole name."""
    if any(_is_asked_by_symbol(one, slot) for one in view.asked):
        return True
    said = view.stems | view.told
    own = slot.names.own
    names = [candidate.label_stems] if candidate.own_target == slot.symbol else []
    names += [frozenset(own.stems)] if own is not None else []
    return any(name and name <= said for name in names)


def _is_asked_by_symbol(one: PreparedTarget, slot: Slot) -> bool:
    return one.parts is not None and symbol_evidence(one.parts, slot) >= _SAME_SYMBOL


def spelled_first(plans: Sequence[Plan], view: QuestionView) -> list[Plan]:
    """The plans, with those of the one formula that the question spells out before all others."""
    spelled = [plan for plan in plans if is_spelled_out(plan, view)]
    if len({plan.step.candidate.formula.id for plan in spelled}) != 1:
        return list(plans)
    return [*spelled, *(plan for plan in plans if not any(plan is other for other in spelled))]
