"""Whether what a planner computed may go out as the answer. Goes by the question and the ranking, not by the planner.

The gate sees that every number has a source. A planner can still compute the wrong thing from the right numbers: an
intermediate value, another quantity, a far-fetched formula, a value in the wrong place. This is where that ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.reason.agent.number_sources import is_same
from mathrag.reason.agent.seams import Problem, Support
from mathrag.reason.agent.state import EpisodeState
from mathrag.reason.choosing.confidence import confidence_model
from mathrag.reason.choosing.question_view import prepare_targets
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.types.answer import Choice, PlannedStep, Refusal, Step
from mathrag.types.expression import equation_symbols
from mathrag.types.question import Question

OTHER_FORMULA = "the model chose another formula than the rules"
OTHER_VALUES = "the model put the values in other places than the rules"
UNSURE = "the rules alone were not sure of this; a language model chose it"
_CONFIRM = "confirm the formula and the values to get the number"
_ONLY_MODEL = f"only a language model would compute this; {_CONFIRM}"
# Numbers this near to each other, relatively, are one for whoever writes them down.
_SAME = 1e-3


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer that may be given: with which confidence, by which ranked choice, with which warnings."""

    confidence: float
    choice: Choice | None = None
    warnings: tuple[str, ...] = ()


def judge_result(steps: Sequence[Step], state: EpisodeState) -> Judgement | Problem | Refusal:
    """What to make of a result: an answer, another try, or a refusal that shows what would be computed."""
    retrieved, suggestion = state.retrieved, state.suggestion
    if retrieved is None or retrieved.find_support is None:
        return Judgement(0.0)
    support = retrieved.find_support(steps)
    is_first = support.choice is not None and support.choice is suggestion
    if is_first and retrieved.refusal is None:
        return Judgement(support.confidence, support.choice)
    if support.objection is not None:
        return support.objection
    misfit = not_what_is_asked(state.question, steps[-1])
    if misfit:
        return _something_else(misfit, steps, state)
    if not support.is_fair:
        return _proposed(steps, state, _ONLY_MODEL, confidence=support.confidence)
    if retrieved.refusal is not None or suggestion is None:
        return _settled(support, suggestion, UNSURE)
    difference = _difference(steps, suggestion)
    # Two that are sure of different numbers: nobody here can say who is right, and a wrong number is the worst.
    if not _gives_the_same(suggestion, steps[-1]):
        return _proposed(
            steps, state, f"{difference}, and gets another number; {_CONFIRM}", confidence=support.confidence
        )
    return _settled(support, suggestion, difference)


def _settled(support: Support, suggestion: Choice | None, difference: str) -> Judgement:
    if support.choice is suggestion:
        return Judgement(support.confidence, support.choice, (UNSURE,))
    return Judgement(min(support.confidence, _most()), support.choice, (difference,))


def _difference(steps: Sequence[Step], suggestion: Choice) -> str:
    """How what was carried out is not what the rules would do."""
    other = suggestion.steps[-1].formula
    is_same = [step.formula.id for step in steps] == [step.formula.id for step in suggestion.steps]
    return OTHER_VALUES if is_same else f"{OTHER_FORMULA} (theirs: {other.label or other.id})"


def _gives_the_same(suggestion: Choice, step: Step) -> bool:
    """Whether the rules' own choice gives the same number, as far as anyone would write it down."""
    computed = compute_steps(suggestion.steps)
    if isinstance(computed, StepFailure):
        return False
    mine, theirs = step.result, computed[-1].result
    return mine.dimension == theirs.dimension and math.isclose(mine.si_value, theirs.si_value, rel_tol=_SAME)


def _most() -> float:
    """What only a planner's word lifts over the line is never shown as more certain than this."""
    return confidence_model().answer - thresholds("decision")["just_under"]


def not_what_is_asked(question: Question, step: Step) -> str:
    """Why the result of a step is not what the question asks for; empty where it may be."""
    dimension = step.result.dimension
    if question.units and all(unit.dimension != dimension for unit in question.units):
        return f"the question asks for a value in {question.unit_text or question.units[0].text}"
    asked = [each for each in prepare_targets(question.targets) if each.kinds]
    if asked and not question.units and not any(str(dimension) in each.dimensions for each in asked):
        return f"the question asks for {asked[0].target.phrase or asked[0].kinds[0].name}"
    given = next((each for each in question.givens if each.symbol and each.symbol == step.target), None)
    if given is not None and not any(target.symbol == step.target for target in question.targets):
        return f"the question itself gives {given.text}"
    return ""


def _something_else(misfit: str, steps: Sequence[Step], state: EpisodeState) -> Problem | Refusal:
    """Once a planner may go on to what is asked; then it is over."""
    message = f"something else was computed ({steps[-1].target}): {misfit}"
    if not any(event.observation.code == "computed_something_else" for event in state.events):
        return Problem("computed_something_else", message)
    return Refusal(state.question.text, "unsure", message)


def _proposed(steps: Sequence[Step], state: EpisodeState, reason: str, *, confidence: float) -> Refusal:
    """The plan without its number, for the user to confirm."""
    return Refusal(
        question=state.question.text,
        code="unsure",
        reason=reason,
        proposal=tuple(PlannedStep(step.formula, step.equation, step.target, step.bindings) for step in steps),
        confidence=min(confidence, _most()),
    )


# Whether computed steps are those of a plan: the same formulas, targets and values. Compares; judges nothing.


def is_carried_out(planned: Sequence[PlannedStep], steps: Sequence[Step]) -> bool:
    """Whether the steps are a plan, wholly."""
    pairs = zip(planned, steps, strict=False)
    return len(planned) == len(steps) and all(_is_same_step(one, other) for one, other in pairs)


def is_beginning(steps: Sequence[Step], choices: Sequence[Choice]) -> bool:
    """Whether the steps are the first ones of one of the choices; no steps are the beginning of anything."""
    if not steps:
        return True
    return any(
        len(steps) <= len(choice.steps) and is_carried_out(choice.steps[: len(steps)], steps) for choice in choices
    )


def _is_same_step(planned: PlannedStep, step: Step) -> bool:
    if (planned.formula.id, planned.target) != (step.formula.id, step.target):
        return False
    values = {bound.symbol: bound for bound in step.bindings}
    needed = equation_symbols(planned.equation)
    known = {bound.symbol for bound in planned.bindings}
    # A value that the plan lacks makes it another plan, unless it is a constant that the tool brought along.
    constants = {meaning.name for meaning in planned.formula.symbols if meaning.constant is not None}
    if any(
        bound.symbol in needed
        and bound.symbol not in known
        and not (bound.symbol in constants and bound.provenance.origin in ("constant", "document"))
        for bound in step.bindings
    ):
        return False
    for bound in planned.bindings:
        if bound.symbol not in needed or bound.symbol == planned.target:
            continue
        other = values.get(bound.symbol)
        if other is None or other.provenance.step != bound.provenance.step:
            return False
        if bound.quantity is not None and (other.quantity is None or not is_same(bound.quantity, other.quantity)):
            return False
    return True
