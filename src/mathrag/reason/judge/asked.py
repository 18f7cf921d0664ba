"""Whether the question asks for what a plan gives, and gives something to compute it from."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.choosing.systems import leans_on_knowledge
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.judge.spots import Spot, of_result, of_value
from mathrag.types.expression import Symbol

_GROUNDED = thresholds("grounded")
# Letters of a symbol; what is longer is a word.
_LONGEST_SYMBOL = 3


def unit_misfits(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """The unit asked for contradicts the quantity asked for."""
    if not view.units or not view.asked or not view.asked[0].is_named:
        return
    if view.asked[0].dimensions & view.units or how_asked(plan.evidence) >= _GROUNDED["named"]:
        return
    yield Spot(reason=f"{view.question.unit_text} is no unit of {view.asked[0].kinds[0].name}")


def nothing_asked(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """Nothing in the question asks for anything that could be computed, or only by a name that nobody knows, where the
    formula would have to be turned round."""
    if view.units:
        return
    if (not _is_spoken_of(plan, view) and not is_grounded(plan, view)) or _is_turned_round(plan, view):
        yield of_result(plan)


def _is_spoken_of(plan: Plan, view: QuestionView) -> bool:
    """Whether something is asked for. What only stands before the values of a query without a verb asks for something
    where the formula, its symbols or its headings have a word of it: "kart 200 kg 9 m/s" asks for nothing."""
    candidate = plan.step.candidate
    known = candidate.own_words | candidate.heading_stems
    return any(
        one.target.asked_by or one.kinds or one.parts is not None or not known.isdisjoint(one.stems)
        for one in view.asked
    )


def _is_turned_round(plan: Plan, view: QuestionView) -> bool:
    """Whether a formula is solved for what it takes as given, and what is asked for goes by a name that is neither its
    own nor that of any quantity."""
    if plan.evidence.get("target_alone") or any(one.dimensions or one.parts is not None for one in view.asked):
        return False
    candidate, names = plan.step.candidate, plan.step.slot.names
    known = candidate.word_stems | candidate.label_stems
    words = {word for one in view.asked for word in one.core or one.stems}
    return bool(words) and not any(word in known or names.has(word) for word in words)


def unstated_knowledge(plan: Plan, view: QuestionView) -> Iterator[Spot]:
    """The plan takes what nobody stated, though a stated value stays unused or further formulas come between."""
    if leans_on_knowledge(plan, view):
        taken = (view.values[value] for value in sorted(plan.taken()))
        yield of_value(*(one for one in taken if one.given.is_known))


def is_grounded(plan: Plan, view: QuestionView) -> bool:
    """Whether the question asks for the result and gives something to compute it from."""
    evidence = plan.evidence
    asked, label = how_asked(evidence), evidence.get("label", 0.0)
    is_other = bool(evidence.get("target_other")) and not view.units and any(one.is_named for one in view.asked)
    if is_other or evidence.get("nameless") or leans_on_knowledge(plan, view):
        return False
    if _is_renaming(plan) and not evidence.get("topic") and label < _GROUNDED["labelled"]:
        return False
    if all(view.values[value].given.implied for value in plan.taken()):
        return asked >= _GROUNDED["named"] and label >= _GROUNDED["labelled"]
    is_dimension_asked = any(plan.step.slot.dimension in one.dimensions for one in view.asked)
    if asked >= _GROUNDED["hinted"] or view.units or is_dimension_asked:
        return True
    if not view.asked and evidence.get("target_alone") and _has_words(view) and _are_all_assigned(plan):
        return True
    return bool(evidence.get("topic")) or label >= _GROUNDED["labelled"]


def _is_renaming(plan: Plan) -> bool:
    """Whether the formula only says that two symbols are equal: then the answer would be the value that was given."""
    equation = plan.step.candidate.equation
    return isinstance(equation.left, Symbol) and isinstance(equation.right, Symbol)


def _has_words(view: QuestionView) -> bool:
    """Whether there is a word beside the symbols: values alone ask for nothing."""
    return any(len(word) > _LONGEST_SYMBOL for word in view.stems)


def _are_all_assigned(plan: Plan) -> bool:
    """Whether every value is given by the very symbol of its slot: then the formula is meant as it is written."""
    values = sum(len(part.step.pairs) for part in plan.steps())
    return plan.evidence.get("symbol", 0.0) >= _GROUNDED["assigned"] * values
