"""Whether a question spells a formula out: it gives every value by the very symbol of its slot, or by the whole name of
it, leaves none over, and asks for the one that remains. Then nobody needs to guess which formula is meant. Nor where
somebody types the name under which a formula stands and its values, as into a search box, and one formula alone has all
these words and a place for each of these values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mathrag.language.stems import stem, stems_of_words
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, QuestionView
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.reason.choosing.value_evidence import symbol_evidence
from mathrag.reason.choosing.weights import thresholds
from mathrag.retrieve.query_expansion import technical_words

_SAME_SYMBOL = thresholds("symbol")["same"]
_LIMITS = thresholds("spelled_out")


def is_spelled_out(plan: Plan, view: QuestionView) -> bool:
    """Whether all values of a plan of one step are given by symbol or whole name, and its result is asked for so."""
    if plan.derived or not plan.is_complete or not plan.step.pairs:
        return False
    if plan.evidence.get("conflict") or plan.evidence.get("incoherent"):
        return False
    if not _takes_all(plan, view):
        return False
    slots, taken = plan.step.candidate.slots, plan.step.values
    values = [(slots[slot], view.values[value]) for slot, value in taken.items()]
    by_symbol = [is_given_by_symbol(one, slot) for slot, one in values]
    if not all(
        is_given or _is_given_by_name(one, slot) for is_given, (slot, one) in zip(by_symbol, values, strict=True)
    ):
        return False
    return any(by_symbol) and _is_asked(plan.step.candidate, plan.step.slot, view)


def is_looked_up(plans: Sequence[Plan], view: QuestionView) -> bool:
    """Whether a query without a verb has the name of the first plan's formula or of what stands over it, and nothing
    but words and values of that formula, each of which only one place can take."""
    best = plans[0]
    if any(one.target.asked_by for one in view.asked) or not _is_whole(best, view):
        return False
    same = best.step.candidate.formula.id
    others = (plan for plan in plans[1:] if plan.step.candidate.formula.id != same)
    return not any(plan.is_complete and _has_all_words(plan, view) for plan in others)


def _is_whole(plan: Plan, view: QuestionView) -> bool:
    """Whether a plan computes what its formula is for, from all that is stated, and no two could change places."""
    candidate, taken = plan.step.candidate, plan.step.values
    if plan.derived or not plan.is_complete or not taken or plan.step.slot.symbol != candidate.own_target:
        return False
    against = ("conflict", "contrary", "range", "regime", "target_other", "nameless")
    if not _takes_all(plan, view) or any(map(plan.evidence.get, against)) or not _has_all_words(plan, view):
        return False
    counts = Counter(slot.dimension for slot in candidate.slots if not slot.is_constant and slot is not plan.step.slot)
    placed = [(candidate.slots[slot], view.values[value]) for slot, value in taken.items()]
    return all(
        (slot.dimension is not None and counts[slot.dimension] == 1)
        or is_given_by_symbol(one, slot)
        or _is_given_by_name(one, slot)
        for slot, one in placed
    )


def _takes_all(plan: Plan, view: QuestionView) -> bool:
    """Whether a plan of one step leaves none of the stated values over."""
    used = set(plan.step.values.values())
    return all(one.index in used for one in view.values if not (one.given.implied or one.is_covered))


def _has_all_words(plan: Plan, view: QuestionView) -> bool:
    """Whether the formula, its symbols and its headings have every word, and its name or a heading some of them."""
    candidate = plan.step.candidate
    named = candidate.heading_stems | candidate.label_stems
    symbols = {stem(slot.symbol.replace("_", "").casefold()) for slot in candidate.slots if len(slot.symbol) > 1}
    known = named | candidate.own_words | symbols
    meant = {word: {word, *stems_of_words(technical_words([word]))} for word in view.stems}
    is_known = all(not known.isdisjoint(words) for words in meant.values())
    said = sum(not named.isdisjoint(words) for words in meant.values())
    return is_known and said >= _LIMITS["looked_up_words"]


def is_given_by_symbol(one: PreparedValue, slot: Slot) -> bool:
    """Whether a value is assigned to the symbol of a slot, however either is written."""
    return not one.is_symbol_shared and symbol_evidence(one.parts, slot) >= _SAME_SYMBOL


def _is_given_by_name(one: PreparedValue, slot: Slot) -> bool:
    own = slot.names.own
    return one.parts is None and own is not None and len(own.stems) > 1 and own.near(one.near) >= _LIMITS["named"]


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
