"""Whether what a planner computed may go out as the answer. Goes by the question and the ranking, not by the planner.

The gate sees that every number has a source. A planner can still compute the wrong thing from the right numbers: an
intermediate value, another quantity, a far-fetched formula, a value in the wrong place. This is where that ends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.errors import readable
from mathrag.extract.known_relations import recognition
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of
from mathrag.reason.agent.calculations import is_own_formula
from mathrag.reason.agent.number_sources import is_same
from mathrag.reason.agent.quoted_values import passage_of
from mathrag.reason.agent.said_definitions import Definition, built_dimensions, definition_in, is_put_together
from mathrag.reason.agent.seams import Problem, Support, Workbench
from mathrag.reason.agent.state import EpisodeState
from mathrag.reason.choosing.confidence import confidence_model
from mathrag.reason.choosing.question_view import PreparedTarget, prepare_targets
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.question.origins import is_taken_up
from mathrag.types.answer import Choice, PlannedStep, Provenance, Refusal, Step, is_of_model
from mathrag.types.expression import equation_symbols
from mathrag.types.library import PURPOSE_TEXTS, Formula
from mathrag.types.quantity import Dimension
from mathrag.types.question import Given, Question

OTHER_FORMULA = "the model chose another formula than the rules"
OTHER_VALUES = "the model put the values in other places than the rules"
UNSURE = "the rules alone were not sure of this; a language model chose it"
_CONFIRM = "confirm the formula and the values to get the number"
BY_MODEL = "a language model planned this; every value and every formula has its source, and a second look agreed"
_ASSUMED = "a language model planned this and took a value to be known that stands nowhere; a second look agreed"
_NOT_AGREED = "a language model would compute this, but a second look did not agree"
_SECOND_LOOK = "a second look does not find that this answers the question"
_NO_FORMULA = "no formula of the documents says this: retrieve one that does, and use it"
_ONLY_MODEL = f"only a language model would compute this; {_CONFIRM}"
_SIZE = "its absolute value by COMPUTE"
_NEGATIVE = "the question asks for an amount: it is the number without its sign, which tells the direction"
_SENTENCE = re.compile(r"[^.?!]+(?:[.](?=\d)[^.?!]*)*[.?!]?")
_AMOUNT = re.compile(rf"\b(?:{any_of('questions.amounts')})\b")
_SIGNED = re.compile(rf"\b(?:{any_of('questions.signed_amounts')})\b")
# Numbers this near to each other, relatively, are one for whoever writes them down.
_SAME = 1e-3
_MORE_LIKELY = 0.5
_MONEY = str(Dimension.of({"currency": 1}))


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer that may be given: with which confidence, by which ranked choice, with which warnings, and what the
    rules would have computed instead."""

    confidence: float
    choice: Choice | None = None
    warnings: tuple[str, ...] = ()
    rival: Step | None = None


def judge_result(
    steps: Sequence[Step], state: EpisodeState, bench: Workbench, *, because: str = ""
) -> Judgement | Problem | Refusal:
    """What to make of a result: an answer, another try, or a refusal that shows what would be computed.

    What the rules would have done themselves stands. Anything else is judged by its evidence: it must be what is asked,
    nothing may speak against it, and, where somebody can judge, it must be agreed that it answers the question.
    """
    retrieved, suggestion = state.retrieved, state.suggestion
    if retrieved is None:
        # Without a search there is arithmetic alone, and nothing that the rules could say to it.
        support = Support()
    elif retrieved.find_support is None:
        return Judgement(0.0)
    else:
        support = retrieved.find_support(steps)
    is_first = support.choice is not None and support.choice is suggestion
    if is_first and retrieved is not None and retrieved.refusal is None:
        return Judgement(support.confidence, support.choice)
    misfit = not_what_is_asked(state.question, steps[-1], is_defined=len(state.steps) in state.identified)
    if misfit and support.objection is None:
        return _something_else(misfit, steps, state)
    judged = _judged(steps, support, state, bench, because=because)
    if judged is not None:
        return judged
    if support.objection is not None:
        return support.objection
    if support.doubts:
        return _proposed(steps, state, f"{support.doubts[0]}; {_CONFIRM}", confidence=support.confidence)
    if not support.is_fair or retrieved is None:
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


def _judged(
    steps: Sequence[Step], support: Support, state: EpisodeState, bench: Workbench, *, because: str
) -> Judgement | Problem | Refusal | None:
    """What a judge makes of a chain that the rules would not have computed; None where there is no judge.

    What speaks against it is told once, and the planner may mend it or answer it; then the judge hears both.
    """
    if not bench.can_judge:
        return None
    number = len(state.steps)
    is_own = _is_no_formula(steps) and number not in state.identified
    hard = [*([] if support.objection is None else [support.objection.reason]), *([_NO_FORMULA] if is_own else [])]
    rival = _surer_rules(steps, state)
    rivalry = [] if rival is None else [_rivalry(rival)]
    against = [*hard, *rivalry, *support.doubts, *_soft(steps, state)]
    # What a planner says without having heard it is no answer to what forbids the plan.
    is_settled = _was_seen("objections", state) or (bool(because) and not hard and not rivalry)
    if (against and not is_settled) or (hard == [_NO_FORMULA] and number not in state.doubted):
        return _objections(against, hard, state, is_own=is_own)
    if hard:
        return support.objection or _proposed(steps, state, f"{hard[0]}; {_CONFIRM}", confidence=0.0)
    because = "; ".join(each for each in (because, state.identified.get(number, "")) if each)
    verdict = bench.judge(state.question, steps, objections=against, because=because)
    if not verdict.is_answer and not _was_seen("judge_disagrees", state):
        return Problem("judge_disagrees", f"{_SECOND_LOOK}: {verdict.reason}")
    if not verdict.is_answer:
        return _proposed(steps, state, f"{_NOT_AGREED}; {_CONFIRM}", confidence=0.0)
    if rival is not None and not bench.prefers(state.question, steps, rival):
        return _proposed(steps, state, f"{rivalry[0]}; {_CONFIRM}", confidence=0.0)
    return _agreed(steps, support, state, rival)


def _was_seen(code: str, state: EpisodeState) -> bool:
    return any(event.observation.code == code for event in state.events)


def _agreed(steps: Sequence[Step], support: Support, state: EpisodeState, rival: tuple[Step, ...] | None) -> Judgement:
    """What goes out on the word of a planner and of a judge, with what is to be said of it."""
    # What is left unused is said of every answer.
    signed = (_NEGATIVE,) if _sign(steps, state.question) else ()
    is_assumed = any(is_of_model(bound) for step in steps for bound in step.bindings)
    rivalry = () if rival is None else (_rivalry(rival),)
    warnings = (_ASSUMED if is_assumed else BY_MODEL, *rivalry, *signed, *_stated_for_less(steps))
    limits = thresholds("model")
    sure = max(min(support.confidence, _most()), limits["judged"])
    sure = min(sure, limits["assumed"]) if is_assumed else sure
    return Judgement(sure, support.choice, warnings, None if rival is None else rival[-1])


def _objections(against: Sequence[str], hard: Sequence[str], state: EpisodeState, *, is_own: bool) -> Problem:
    """What speaks against a result, with what would mend it."""
    way = "Mend this, or say no" if hard else "Mend this, or answer again and say in because why it is right"
    if is_own:
        state.doubted.add(len(state.steps))
        way = f"Mend this, or quote by SAME_AS a sentence that defines {_asked_words(state.question)} so, or say no"
    return Problem("objections", f"{'; '.join(against)}. {way}")


def _is_no_formula(steps: Sequence[Step]) -> bool:
    """Whether a chain says how quantities go together and rests on no formula of a document."""
    return all(step.formula.is_made and not step.parts for step in steps) and any(map(is_own_formula, steps))


def _surer_rules(steps: Sequence[Step], state: EpisodeState) -> tuple[Step, ...] | None:
    """What the rules compute, where they are sure of another number."""
    suggestion, retrieved = state.suggestion, state.retrieved
    if retrieved is None or retrieved.refusal is not None or suggestion is None or suggestion.missing:
        return None
    computed = compute_steps(suggestion.steps)
    if isinstance(computed, StepFailure) or _is_same_number(computed[-1], steps[-1]):
        return None
    return computed


def _rivalry(rival: Sequence[Step]) -> str:
    formula = rival[-1].formula
    return f"by rules, which are sure of it, “{formula.label or formula.id}” gives another number"


def asks_amount(question: Question) -> str:
    """The words with which a question asks for an amount without a direction ("how much", "lost"); empty where it asks
    for something that may be negative, or does not say."""
    asking = [each for each in _SENTENCE.findall(question.text.casefold()) if each.endswith("?")]
    text = " ".join(asking) or question.text.casefold()
    found = _AMOUNT.search(text)
    return found.group() if found is not None and not _SIGNED.search(text) else ""


def _sign(steps: Sequence[Step], question: Question) -> list[str]:
    """That a result is below zero where an amount is asked: a direction was taken as positive that nobody asked for."""
    words = asks_amount(question)
    if steps[-1].result.value >= 0 or not words or steps[-1].result.unit.is_absolute_temperature:
        return []
    return [
        f"the result is negative, but the question asks for an amount (“{words}”): if its size is meant, take {_SIZE}"
    ]


def _soft(steps: Sequence[Step], state: EpisodeState) -> list[str]:
    """What makes a careful reader look twice."""
    used = [bound.provenance for step in steps for bound in step.bindings]
    left = [given.text for given in state.question.givens if _is_worth_using(given) and not _is_used(given, used)]
    found = [f"the question also gives {', '.join(left[:4])}, which is not used"] if left else []
    return [*_sign(steps, state.question), *found, *_stated_for_less(steps)]


def _is_used(given: Given, used: Sequence[Provenance]) -> bool:
    """Whether a value was taken, or one that was read out of it (a radius that is half of the diameter, the difference
    of two temperatures), or the same that is said again."""
    return is_taken_up(given, used) or any(passage_of(given.text, each.text) for each in used)


def _is_worth_using(given: Given) -> bool:
    """Whether a value of the question tells how much of something there is: no count in words, no definition of a unit
    ("1 mile is …"), nothing that was only implied."""
    first = given.readings[0]
    is_one = float(first.value) > 0 and math.log10(float(first.value)).is_integer() and given.text[:1] == "1"
    return not given.implied and not given.is_pinned and bool(first.unit.text) and not is_one


def _stated_for_less(steps: Sequence[Step]) -> list[str]:
    """Of formulas that a document states for one case only, that it does; but not of a law that everybody knows, which
    a document may well write down where it first needs it."""
    formulas = {formula.id: formula for step in steps for formula in step.sources}.values()
    narrow = [
        each
        for each in formulas
        if not each.is_made and (each.purpose == "instance" or (each.purpose == "case" and not _is_known_law(each)))
    ]
    return [f"{formula.label or formula.id} is {PURPOSE_TEXTS[formula.purpose]}" for formula in narrow]


def _is_known_law(formula: Formula) -> bool:
    """Whether a formula is more likely than not a relation that people of some field know."""
    return formula.equation is not None and recognition(formula.equation) > _MORE_LIKELY


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
    return not isinstance(computed, StepFailure) and _is_same_number(computed[-1], step)


def _is_same_number(one: Step, other: Step) -> bool:
    mine, theirs = one.result, other.result
    return mine.dimension == theirs.dimension and math.isclose(mine.si_value, theirs.si_value, rel_tol=_SAME)


def _most() -> float:
    """What only a planner's word lifts over the line is never shown as more certain than this."""
    return confidence_model().answer - thresholds("decision")["just_under"]


def not_what_is_asked(question: Question, step: Step, *, is_defined: bool = False) -> str:
    """Why the result of a step is not what the question asks for; empty where it may be. Where words define what is
    asked so (`is_defined`), what its name usually means does not count."""
    dimension = step.result.dimension
    if question.units and all(unit.dimension != dimension for unit in question.units):
        return f"the question asks for a value in {question.unit_text or question.units[0].text}"
    asked = [each for each in prepare_targets(question.targets) if each.kinds and _may_be_paid(each, question)]
    fits = [
        each for each in asked if str(dimension) in each.dimensions or dimension in built_dimensions(each.target.phrase)
    ]
    called = "" if fits or step.formula.is_made else _called(step)
    if asked and not question.units and not fits and not is_defined and not _is_asked_by_name(called, asked):
        kinds = dict.fromkeys(f"{kind.name}, in {kind.unit or 'plain numbers'}" for kind in asked[0].kinds[:3])
        return f"the question asks for “{asked[0].target.phrase or asked[0].target.symbol}” ({'; or '.join(kinds)})"
    return _given_already(question, step, is_kind_asked=bool(fits))


def _may_be_paid(target: PreparedTarget, question: Question) -> bool:
    """Whether what is asked may be of its kind: no sum of money where the question speaks of none ("consumption")."""
    speaks_of_money = any(_MONEY in str(reading.dimension) for given in question.givens for reading in given.readings)
    return speaks_of_money or any(_MONEY not in str(kind.dimension) for kind in target.kinds)


def _called(step: Step) -> str:
    """What a document calls the result of a step; empty where only its letter says what it is."""
    meaning = next((each for each in step.formula.symbols if each.name == step.target), None)
    return meaning.description if meaning is not None and meaning.origin == "document" else ""


def _is_asked_by_name(called: str, asked: Sequence[PreparedTarget]) -> bool:
    """Whether a document calls a result by the noun that is asked for: the power of a lens is a power, too, whatever
    a power is elsewhere."""
    head = _head(called)
    return bool(head) and any(_head(each.target.phrase) == head for each in asked)


def _head(phrase: str) -> str:
    words = stems(re.split(r"\b(?:of|in|for|at|by)\b", phrase.casefold())[0])
    return words[-1] if words else ""


def _given_already(question: Question, step: Step, *, is_kind_asked: bool) -> str:
    """That the question gives the value of the very symbol that was computed; empty where it does not."""
    given = next((each for each in question.givens if each.symbol and each.symbol == step.target), None)
    if given is None or any(target.symbol == step.target for target in question.targets):
        return ""
    # A letter may stand for two things of one question: another value of what is asked is no value that it gives.
    readings = [each for each in given.quantities if each.dimension == step.result.dimension]
    is_it = not is_kind_asked or any(is_same(each, step.result) for each in readings)
    return f"the question itself gives {given.text}" if readings and is_it else ""


def identity_problem(quote: str, steps: Sequence[Step], question: Question) -> Problem | None:
    """Why words do not say that a result is what is asked: they must define that, in the dimension of the result, and
    where the chain rests on no formula of a document, just by the calculation that was done."""
    last, asked = steps[-1], _asked_words(question)
    if question.units and all(unit.dimension != last.result.dimension for unit in question.units):
        return Problem("dimension", f"the question asks for a value in {question.unit_text or question.units[0].text}")
    definitions = [each for each in (definition_in(quote, target) for target in question.targets) if each is not None]
    if not definitions:
        return Problem(
            "not_a_definition",
            f"“{readable(quote[:120])}” does not say what {asked} is; quote a statement such as “density is the "
            "mass per volume”, or say no",
        )
    fitting = [each for each in definitions if last.result.dimension in each.dimensions]
    if not fitting:
        wanted = " or ".join(sorted({str(one) for each in definitions for one in each.dimensions}))
        return Problem("dimension", f"by these words {asked} is in {wanted}, not in {last.result.dimension}")
    own = [step for step in steps if is_own_formula(step)] if _is_no_formula(steps) else []
    if any(not any(_is_said(step, each) for each in fitting) for step in own):
        return Problem(
            "not_a_definition",
            f"{last.target} was not calculated just as these words say; do that by COMPUTE, or retrieve a formula",
        )
    return None


def _is_said(step: Step, definition: Definition) -> bool:
    """Whether a calculation is what a definition spells out."""
    dimensions = {bound.symbol: bound.quantity.dimension for bound in step.bindings if bound.quantity is not None}
    joined = definition.joined
    return joined is not None and is_put_together(step.equation.right, joined, dimensions)


def _something_else(misfit: str, steps: Sequence[Step], state: EpisodeState) -> Problem | Refusal:
    """What was computed instead, with what would mend it; once for each result, then it is over."""
    last, number = steps[-1], len(state.steps)
    meaning = next((one.description for one in last.formula.symbols if one.name == last.target), "")
    called = f"{last.target}{f', “{readable(meaning)}”,' if meaning else ''}"
    message = f"something else was computed ({called} in {last.result.unit.text or 'plain numbers'}): {misfit}"
    if number in state.doubted:
        return Refusal(state.question.text, "unsure", message)
    state.doubted.add(number)
    return Problem(
        "computed_something_else",
        f"{message}. Compute that, or retrieve a formula for it; if this is the same, quote by SAME_AS a sentence of "
        "the question or of a document that says so",
    )


def _asked_words(question: Question) -> str:
    """What a question asks for, in its own words."""
    said = next((each.phrase or each.symbol for each in question.targets if each.phrase or each.symbol), "")
    return f"“{said}”" if said else "what is asked"


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
