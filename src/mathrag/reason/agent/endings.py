"""How an episode ends: an answer made of computed steps, an honest no, or a reply in words. Computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast, get_args

from mathrag.errors import MathragError, readable
from mathrag.knowledge.units import convert
from mathrag.reason.agent.result_judge import is_carried_out, judge_result
from mathrag.reason.agent.seams import FoundConstant, Problem, Workbench
from mathrag.reason.agent.state import EpisodeState
from mathrag.reason.computing import step_assumptions
from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly
from mathrag.types.answer import (
    MODEL_WORDS,
    Answer,
    Bound,
    Choice,
    Citation,
    Nearest,
    Outcome,
    Refusal,
    RefusalCode,
    Reply,
    Step,
)
from mathrag.types.library import Formula, Span
from mathrag.types.question import LONGEST_QUESTION, Question

_REFUSAL_CODES: tuple[str, ...] = get_args(RefusalCode)
# What a calculation says, as the kind of refusal it leads to.
_CODE_OF_PROBLEM = {
    "missing_parameter": "missing",
    "division_by_zero": "impossible",
    "domain": "impossible",
    "complex": "impossible",
    "no_solution": "impossible",
    "undefined": "impossible",
    "dimension": "unit",
}
_NEAREST_SHOWN = 3
_CLUMSY = frozenset(
    "retrieve_first create_tool_first unknown_formula ambiguous_formula unknown_tool unknown_parameter unknown_source "
    "malformed_inputs wrong_type number_without_source unknown_unit".split()
)


def computed_answer(
    state: EpisodeState, bench: Workbench, *, text: str, because: str = ""
) -> Answer | Refusal | Problem:
    """The result of the last call, with the steps it rests on and the places of their formulas; a refusal where it may
    not be given, a problem where the planner may still do better."""
    steps = steps_of_result(state.steps)
    verdict = judge_result(steps, state, bench, because=because)
    if isinstance(verdict, Problem):
        return verdict
    if isinstance(verdict, Refusal):
        return verdict if verdict.nearest else replace(verdict, nearest=nearest_formulas(state, bench))
    last, used = steps[-1], used_formulas(steps)
    choice = verdict.choice or _choice_of(steps, state)
    built_in = frozenset() if state.retrieved is None else state.retrieved.built_in
    warnings = [*verdict.warnings, *(warning for step in steps for warning in step.warnings)]
    return Answer(
        question=state.question.text,
        quantity=last.result,
        significant_figures=last.significant_figures,
        steps=steps,
        confidence=verdict.confidence if verdict.choice or choice is None else choice.confidence,
        words=text,
        citations=tuple(
            replace(citation, origin="handbook") if formula.id in built_in else citation
            for formula in used
            for citation in citations_of(formula, bench)[:1]
        )
        + _stated_at(steps, bench),
        assumptions=(*_translation(state), *state.notes, *_assumptions(steps, choice)),
        warnings=tuple(dict.fromkeys(warnings)),
        disagreeing=() if verdict.rival is None else ((verdict.rival.formula.id, verdict.rival.result),),
        origin="handbook" if any(formula.id in built_in for formula in used) else "documents",
    )


def _stated_at(steps: Sequence[Step], bench: Workbench) -> tuple[Citation, ...]:
    """The places where documents state the values that were taken from them."""
    spans = dict.fromkeys(
        (bound.provenance.span, bound.symbol)
        for step in steps
        for bound in step.bindings
        if bound.provenance.origin == "assumed" and bound.provenance.span is not None
    )
    return tuple(_citation(span, bench, label=symbol) for span, symbol in spans if span is not None)


def used_formulas(steps: Sequence[Step]) -> tuple[Formula, ...]:
    """The formulas that steps rest on, each once; those that were put together stand for what was made of them."""
    return tuple({formula.id: formula for step in steps for formula in step.sources}.values())


def constant_answer(state: EpisodeState, bench: Workbench, *, constant: FoundConstant, text: str) -> Answer:
    """The value of a constant that was asked for by name."""
    span = constant.provenance.span
    return Answer(
        question=state.question.text,
        quantity=constant.quantity,
        significant_figures=constant.significant_figures or 6,
        steps=(),
        confidence=1.0,
        words=text,
        citations=() if span is None else (_citation(span, bench, label=constant.name),),
        provenance=(constant.provenance,),
    )


def steps_of_result(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The last step and those whose results it uses, numbered anew from 1."""
    needed: set[int] = set()
    pending = [len(steps)]
    while pending:
        number = pending.pop()
        if number not in needed and 1 <= number <= len(steps):
            needed.add(number)
            pending += [bound.provenance.step for bound in steps[number - 1].bindings if bound.provenance.step]
    numbers = {old: new for new, old in enumerate(sorted(needed), start=1)}
    return tuple(_renumbered(steps[old - 1], numbers) for old in numbers)


def _renumbered(step: Step, numbers: dict[int, int]) -> Step:
    if all(old == new for old, new in numbers.items()):
        return step
    return replace(step, number=numbers[step.number], bindings=tuple(_moved(bound, numbers) for bound in step.bindings))


def _moved(bound: Bound, numbers: dict[int, int]) -> Bound:
    origin = bound.provenance
    if origin.step is None or origin.step not in numbers:
        return bound
    number = numbers[origin.step]
    return replace(bound, provenance=replace(origin, step=number, text=f"derived in step {number}"))


def _choice_of(steps: Sequence[Step], state: EpisodeState) -> Choice | None:
    """The ranked choice that was carried out; another plan than those ranked has no known confidence."""
    for choice in () if state.retrieved is None else state.retrieved.choices:
        if is_carried_out(choice.steps, steps):
            return choice
    return None


def _translation(state: EpisodeState) -> tuple[str, ...]:
    """That the question was translated: whoever asked should see whether it still says the same."""
    if not state.translated_from:
        return ()
    return (f"the question was translated by a language model: “{readable(state.question.text)}”",)


def _assumptions(steps: Sequence[Step], choice: Choice | None) -> tuple[str, ...]:
    said = list(choice.assumptions) if choice is not None else []
    for step in steps:
        said += [bound.provenance.text for bound in step.bindings if bound.provenance.origin == "assumed"]
        said += step_assumptions(step)
    return tuple(dict.fromkeys(text for text in said if text))


def citations_of(formula: Formula, bench: Workbench) -> tuple[Citation, ...]:
    """The places a formula was found at."""
    return tuple(_citation(span, bench, formula=formula.id, label=formula.label) for span in formula.spans)


def _citation(span: Span, bench: Workbench, *, formula: str = "", label: str = "") -> Citation:
    return Citation(span.document, _document_name(span.document, bench), span, formula, label)


def _document_name(document: str, bench: Workbench) -> str:
    """A library that fails now must not cost the answer: its documents then go by their ids."""
    try:
        return bench.document_name(document)
    except MathragError:
        return document


def nearest_formulas(state: EpisodeState, bench: Workbench) -> tuple[Nearest, ...]:
    """What was found, by name, with what it would need."""
    found = []
    for formula in state.formulas():
        document = _document_name(formula.spans[0].document, bench) if formula.spans else ""
        needs = tuple(symbol.description or symbol.name for symbol in formula.symbols if symbol.name != formula.target)
        found.append(Nearest(formula.id, formula.label, formula.latex, document, needs))
    return tuple(found[:_NEAREST_SHOWN])


def refusal(state: EpisodeState, bench: Workbench, *, text: str = "") -> Refusal:
    """An honest no: what the choice of formulas said, what went wrong last, or that nothing fits.

    The reason is ours; what a planner says to it (`text`) stands beside it, marked as its own words.
    """
    return _with_words(_refusal(state, bench), text)


def _refusal(state: EpisodeState, bench: Workbench) -> Refusal:
    if state.refusal is not None and not state.steps:
        return state.refusal
    if state.question.language == "other" and not state.has_retrieved_knowledge:
        return _no(state, bench, code="language", reason=_translation_failure(state) or _LANGUAGE)
    problem = _last_problem(state)
    suggestion = state.suggestion
    if problem is None and suggestion is not None and not suggestion.missing and not state.steps:
        # The planner did not do what the ranking would: then it is for the user to say.
        said = _no(state, bench, code="unsure", reason=_NOT_FOLLOWED)
        return replace(said, proposal=suggestion.steps)
    if problem is not None:
        return _no(state, bench, code=_code_of(problem), reason=problem.message)
    if not state.has_retrieved_knowledge:
        return _no(state, bench, code="no_formula", reason="no formula of the library fits this question")
    if state.steps:
        return _no(state, bench, code="unsure", reason=_NOT_THE_ANSWER)
    return _no(state, bench, code="unsure", reason="formulas were found, but none was computed")


def said_no(state: EpisodeState, bench: Workbench, *, text: str) -> Refusal:
    """A planner's own no: its reason first, marked as its words; what the rules say stands behind it."""
    ours = _refusal(state, bench)
    code: RefusalCode = ours.code if ours.code != "failed" else "unsure"
    behind = (*ours.suggestions, ours.reason) if ours.reason not in ours.suggestions else ours.suggestions
    if not text:
        return replace(ours, code=code, proposal=())
    return replace(ours, code=code, reason=f"{MODEL_WORDS}{readable(text)}", suggestions=behind, proposal=())


def _with_words(refusal: Refusal, text: str) -> Refusal:
    """The ranking's own reason, and beside it what the planner says to it."""
    if not text:
        return refusal
    return replace(refusal, suggestions=(*refusal.suggestions, f"{MODEL_WORDS}{readable(text)}"))


def _translation_failure(state: EpisodeState) -> str:
    """Why a translation that was made could not be used."""
    for event in state.events:
        if event.action.name == "TRANSLATE_INPUT" and event.observation.code not in ("no_model", "translated"):
            return f"the question seems not to be in English; {event.observation.message}"
    return ""


_NOT_THE_ANSWER = "something was computed, but it was not held for the answer"
_NOT_FOLLOWED = "a formula may fit, but nothing was computed with it; confirm it to get the number"
_LANGUAGE = "the question seems not to be in English, and no language model is set up to translate it; ask in English"


def _no(state: EpisodeState, bench: Workbench, *, code: RefusalCode, reason: str) -> Refusal:
    suggestion = state.suggestion
    return Refusal(
        question=state.question.text,
        code=code,
        reason=readable(reason),
        missing=() if suggestion is None else suggestion.missing,
        nearest=nearest_formulas(state, bench),
        confidence=0.0 if suggestion is None else suggestion.confidence,
    )


def _last_problem(state: EpisodeState) -> Problem | None:
    """What a tool said, where making or calling one failed and nothing succeeded after it."""
    for event in reversed(state.events):
        if event.action.name in ("CREATE_DYNAMIC_TOOL", "CALL_TOOL"):
            seen = event.observation
            if seen.code in _CLUMSY:
                # A slip of the planner says nothing about the question.
                continue
            return None if seen.succeeded else Problem(seen.code, seen.message)
    return None


def _code_of(problem: Problem) -> RefusalCode:
    code = _CODE_OF_PROBLEM.get(problem.code, problem.code)
    return cast("RefusalCode", code) if code in _REFUSAL_CODES else "failed"


def clarification(state: EpisodeState, bench: Workbench, *, text: str) -> Refusal:
    """A question back: what is missing or ambiguous; a planner's own words beside it."""
    return _with_words(_clarification(state, bench), text)


def _clarification(state: EpisodeState, bench: Workbench) -> Refusal:
    if state.refusal is not None:
        return state.refusal
    suggestion = state.suggestion
    missing = () if suggestion is None else suggestion.missing
    if missing:
        words = ", ".join(each.words or each.symbol for each in missing)
        return _no(state, bench, code="missing", reason=f"the question does not give {words}")
    return _no(state, bench, code="unsure", reason="it is not clear what is asked; say it in other words")


def out_of_rounds(state: EpisodeState, bench: Workbench, *, rounds: int) -> Refusal:
    """The end after the last round: what was found, and that it led to no answer. Never a number."""
    labels = [formula.label or formula.latex for formula in state.formulas()][:_NEAREST_SHOWN]
    found = f"found: {'; '.join(labels)}" if labels else "nothing that fits was found"
    return _no(state, bench, code="failed", reason=f"no answer was reached within {rounds} rounds; {found}")


def broken_off(state: EpisodeState, bench: Workbench, *, reason: str) -> Refusal:
    """The end where whoever plans could not go on."""
    return _no(state, bench, code="failed", reason=f"the planner stopped: {reason}")


# What needs no formula, as the outcome of an episode. The computing is done in `mathrag.reason.direct`.

# The rest is a failure of the calculation itself.
_CODES: dict[str, RefusalCode] = {
    "division_by_zero": "impossible",
    "domain": "impossible",
    "complex": "impossible",
    "undefined": "impossible",
    "not_whole": "impossible",
    "dimension": "unit",
    "temperature": "unit",
    "ambiguous": "unsure",
    "contradiction": "contradiction",
}


# Of word problems never read while their rules were written, so many of the numbers given were right, unit and all.
_STORY_CONFIDENCE = 0.92


def computed_directly(question: Question) -> DirectResult | DirectStatement | DirectFailure | None:
    """What a question that needs no formula comes to; None for every other question."""
    return None if len(question.text) > LONGEST_QUESTION else compute_directly(question.text)


def answer_directly(question: Question) -> Outcome | None:
    """The outcome of a question that needs no formula; None for every other question."""
    found = computed_directly(question)
    return None if found is None else direct_outcome(question, found)


def direct_outcome(question: Question, found: DirectResult | DirectStatement | DirectFailure) -> Outcome:
    """What was computed without a formula, as the outcome of its question."""
    if isinstance(found, DirectFailure):
        return Refusal(question.text, _CODES.get(found.code, "failed"), found.message)
    if isinstance(found, DirectStatement):
        return Reply(question.text, found.text, warnings=found.notes, working=found.lines)
    # The result of a list comes in the unit asked for; that of a story has its unit in its words already.
    unit = next((each for each in question.units if each.dimension == found.quantity.dimension), None)
    if found.kind == "list" and unit is not None and unit != found.quantity.unit:
        found = replace(found, quantity=convert(found.quantity, unit), exact="")
    return Answer(
        question=question.text,
        quantity=found.quantity,
        significant_figures=found.significant_figures,
        steps=(),
        confidence=_STORY_CONFIDENCE if found.kind in ("story", "list") else 1.0,
        words=found.text,
        exact=found.exact,
        warnings=found.notes,
        provenance=found.provenance,
        # A constant is called by its name; everything else by what was computed.
        expression="" if found.kind == "constant" else found.expression,
        working=found.lines,
    )
