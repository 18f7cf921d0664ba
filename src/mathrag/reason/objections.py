"""What speaks against computing a plan, however well it scores: contradictions, impossible values, nothing asked."""

from __future__ import annotations

from mathrag.language.stems import stems
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import View
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.value_evidence import Seen
from mathrag.types.expression import Symbol

_ASKING = ("target_symbol", "target_kind", "target_words")
# From here on the words name the result; a formula that is named itself needs less.
_NAMED, _HINTED, _LABELLED, _ASSIGNED = 0.5, 0.15, 0.6, 0.9
_LONGEST_SYMBOL = 3
_NEARBY = 12


def how_asked(plan: Plan) -> float:
    """How plainly the question asks for the result of a plan."""
    return max(plan.evidence.get(name, 0.0) for name in _ASKING)


def contradiction(plan: Plan, view: View) -> str:
    """Why the question contradicts itself: a value that is used, and another of the same symbol or name that is not."""
    taken = plan.taken()
    used = [one for one in view.seen if one.index in taken]
    for one in view.seen:
        if one.index in taken or one.given.implied or one.given.series is not None:
            continue
        rival = next((other for other in used if _is_same_thing(one, other, view.question.text)), None)
        if rival is not None:
            name = one.given.written or one.given.phrase or one.given.symbol
            return f"the question gives two values for {name}: {rival.given.text} and {one.given.text}"
    return ""


def _is_same_thing(one: Seen, other: Seen, text: str) -> bool:
    if one.dimensions[0] != other.dimensions[0] or other.given.implied or one.owner < 0 < other.owner:
        return False
    if one.given.readings[0].si_value == other.given.readings[0].si_value:
        return False
    if one.given.symbol or other.given.symbol:
        return one.given.symbol == other.given.symbol
    is_alike = bool(one.phrase) and one.phrase == other.phrase and bool(one.named) and one.roles == other.roles
    # In "masses of 12 u and 16 u" the second has no name of its own: two things, not two values of one.
    return is_alike and _is_named_itself(one, text) and _is_named_itself(other, text)


def _is_named_itself(seen: Seen, text: str) -> bool:
    before = text[max(0, seen.given.start - _NEARBY) : seen.given.start]
    return bool(set(stems(before)) & set(seen.phrase)) and not any(character.isdigit() for character in before)


def impossible_value(plan: Plan, scorer: Scorer) -> str:
    """Why a value cannot be: a quantity that is never negative is."""
    for part in plan.steps():
        candidate = part.step.candidate
        for slot, value in part.step.pairs:
            kind, seen = candidate.slots[slot].kind, scorer.view.seen[value]
            quantity = scorer.quantity(candidate, slot, value)
            # What is only assumed to be a radius may be a place, which can be negative; a mass never can.
            is_sure = kind is not None and (
                bool(seen.named & candidate.slots[slot].lineage) or kind.unit in ("kg", "K")
            )
            if kind is not None and is_sure and kind.sign != "any" and quantity.si_value < 0:
                return f"{seen.given.text} is no {kind.name}: it cannot be negative"
    return ""


def unit_misfit(plan: Plan, view: View) -> str:
    """Why the unit asked for contradicts the quantity asked for."""
    if not view.units or not view.asked or not view.asked[0].is_named:
        return ""
    if view.asked[0].dimensions & view.units or how_asked(plan) >= _NAMED:
        return ""
    kind = view.asked[0].kinds[0].name
    return f"{view.question.unit_text} is no unit of {kind}"


def is_grounded(plan: Plan, view: View) -> bool:
    """Whether the question asks for the result and gives something to compute it from."""
    evidence = plan.evidence
    asked = how_asked(plan)
    is_other = bool(evidence.get("target_other")) and not view.units and any(one.is_named for one in view.asked)
    if is_other or evidence.get("nameless"):
        return False
    if _is_renaming(plan) and not evidence.get("topic") and evidence.get("label", 0.0) < _LABELLED:
        return False
    if not any(part.step.pairs for part in plan.steps()):
        return asked >= _NAMED and evidence.get("label", 0.0) >= _LABELLED
    if asked >= _HINTED or view.units or any(plan.step.slot.dimension in one.dimensions for one in view.asked):
        return True
    if not view.asked and evidence.get("target_alone") and _has_words(view) and _are_all_assigned(plan):
        return True
    return bool(evidence.get("topic")) or evidence.get("label", 0.0) >= _LABELLED


def _is_renaming(plan: Plan) -> bool:
    """Whether the formula only says that two symbols are equal: then the answer would be the value that was given."""
    equation = plan.step.candidate.equation
    return isinstance(equation.left, Symbol) and isinstance(equation.right, Symbol)


def _has_words(view: View) -> bool:
    """Whether there is a word beside the symbols: values alone ask for nothing."""
    return any(len(word) > _LONGEST_SYMBOL for word in view.stems)


def _are_all_assigned(plan: Plan) -> bool:
    """Whether every value is given by the very symbol of its slot: then the formula is meant as it is written."""
    return plan.evidence.get("symbol", 0.0) >= _ASSIGNED * sum(len(part.step.pairs) for part in plan.steps())
