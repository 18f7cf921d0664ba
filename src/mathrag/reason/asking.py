"""One question from text to outcome: read it, set up the workbench over a library, run the episode.

Everything from the library comes in as functions and the finder, so that this room needs no library object.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from mathrag.compute.stemming import stems_of_words
from mathrag.reason.agent import Candidate, Episode, EpisodeResult, FoundConstant, Planner, Retrieved
from mathrag.reason.agent.direct_answers import answer_directly
from mathrag.reason.agent.seams import CANDIDATES_RETRIEVED, FORMULAS_HYDRATED
from mathrag.reason.agent.workbench import LibraryWorkbench
from mathrag.reason.choosing.planning import stored_quantity
from mathrag.reason.deciding import Decider, Decision
from mathrag.reason.question import read_question
from mathrag.reason.replying import Passages, make_reply
from mathrag.reason.tables import result_rows
from mathrag.retrieve.finding import Finder
from mathrag.retrieve.properties import Property
from mathrag.types.answer import Answer, Bound, Provenance, Refusal
from mathrag.types.episode import Event
from mathrag.types.library import Constant, Formula
from mathrag.types.quantity import Quantity, Unit
from mathrag.types.question import LONGEST_QUESTION, Given, Question

MOST_VALUES = 60
_MOST_PROPERTIES = 12


@dataclass(frozen=True, slots=True)
class Sources:
    """What asking needs of a library. `load_constant` takes the id of a constant or of the standard one it is."""

    finder: Finder
    load_formula: Callable[[str], Formula | None]
    load_constant: Callable[[str], Constant | None]
    find_constants: Callable[[str], Sequence[FoundConstant]]
    find_properties: Callable[[Collection[str]], Sequence[Property]]
    find_passages: Passages
    name_document: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Options:
    """What the user fixed apart from the question: values by symbol, one formula, the unit of the answer."""

    pinned: Mapping[str, Quantity]
    formula: Formula | None = None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """An episode's result with the ids of the formulas that were considered, best first."""

    result: EpisodeResult
    candidates: tuple[str, ...]


def ask(
    text: str,
    sources: Sources,
    *,
    planner: Planner,
    options: Options,
    listener: Callable[[Event], None] | None = None,
) -> Asked:
    """Answer a question from a library, or say why not."""
    # Half a surrogate pair comes from bytes that are no text; nothing that reads words can take it.
    text = text.encode("utf-8", "replace").decode("utf-8")
    unusable = _unusable(text)
    if unusable is not None:
        return Asked(EpisodeResult(unusable, ()), ())
    question = _with_options(_with_properties(read_question(text), sources), options)
    if len(question.givens) > MOST_VALUES:
        reason = f"the question gives {len(question.givens)} values; at most {MOST_VALUES} are weighed at once"
        return Asked(EpisodeResult(Refusal(text[:200], "too_long", reason), ()), ())
    decider = Decider(sources.finder, constants=sources.load_constant, name_document=sources.name_document)
    decisions: list[Decision] = []

    def search(_query: str, _terms: Sequence[str]) -> Retrieved:
        if not decisions:
            decisions.append(decider.decide(question, only=options.formula))
        return _retrieved(decisions[0])

    bench = LibraryWorkbench(
        question,
        search=search,
        load_formula=sources.load_formula,
        find_constants=sources.find_constants,
        compute_directly=lambda asked: None if options.pinned or options.formula else answer_directly(asked),
        make_reply=lambda asked: make_reply(asked, sources.finder, sources.find_passages, sources.name_document),
        name_document=sources.name_document,
    )
    pinned = tuple(
        Bound(symbol, Provenance("pinned", f"{symbol} set by the user"), quantity)
        for symbol, quantity in options.pinned.items()
    )
    result = Episode(planner, bench, listener=listener).run(question, pinned=pinned)
    if isinstance(result.outcome, Answer) and decisions:
        result = replace(result, outcome=_completed(result.outcome, question, decisions[0]))
    return Asked(result, _considered(decisions))


def _unusable(text: str) -> Refusal | None:
    if not text.strip():
        return Refusal("", "empty", "there is no question", suggestions=("ask one in a sentence, with its values",))
    if len(text) > LONGEST_QUESTION:
        reason = f"the question has {len(text):,} characters; at most {LONGEST_QUESTION:,} are read"
        return Refusal(text[:200], "too_long", reason, suggestions=("ask one thing at a time",))
    return None


def _with_properties(question: Question, sources: Sources) -> Question:
    """The question with the properties of its substances that the library states; used only where a value is needed."""
    if question.intent != "compute":
        return question
    found = [_property_given(each, sources) for each in sources.find_properties(stems_of_words(question.words))]
    return replace(question, givens=(*question.givens, *found[:_MOST_PROPERTIES])) if found else question


def _property_given(found: Property, sources: Sources) -> Given:
    constant = found.constant
    place = f"{sources.name_document(constant.spans[0].document)} {constant.spans[0].place}".strip()
    quantity = stored_quantity(constant)
    value = f"{constant.value} {constant.unit}".strip()
    return Given(
        constant.name,
        0,
        0,
        (quantity,),
        phrase=constant.name,
        significant_figures=len(constant.value.as_tuple().digits),
        implied=True,
        assumption=f"{constant.name} is {value} ({place})",
        kinds=found.kinds,
    )


def _with_options(question: Question, options: Options) -> Question:
    """The question with the values and the unit that the user set; a value set for a symbol replaces a stated one."""
    kept = [given for given in question.givens if given.symbol not in options.pinned]
    for symbol, quantity in options.pinned.items():
        kept.append(
            Given(
                f"{symbol} = {quantity.value} {quantity.unit.text}".strip(),
                0,
                0,
                (quantity,),
                symbol=symbol,
                is_pinned=True,
            )
        )
    question = replace(question, givens=tuple(kept))
    if options.unit is not None:
        question = replace(question, units=(options.unit,), unit_text=options.unit.text)
    if question.intent != "compute" and (options.pinned or options.formula is not None):
        question = replace(question, intent="compute")
    return question


def _retrieved(decision: Decision) -> Retrieved:
    formulas: dict[str, Formula] = {}
    scores: dict[str, float] = {}
    for plan in decision.ranking.plans:
        formula = plan.step.candidate.formula
        formulas.setdefault(formula.id, formula)
        scores.setdefault(formula.id, plan.score)
    for one in decision.ranking.found:
        formulas.setdefault(one.formula.id, one.formula)
    listed = list(formulas.values())[:CANDIDATES_RETRIEVED]
    planned = {step.formula.id: step.formula for choice in decision.choices for step in choice.steps}
    hydrated = {**planned, **{formula.id: formula for formula in listed[:FORMULAS_HYDRATED]}}
    return Retrieved(
        candidates=tuple(Candidate(each.id, each.label, each.latex, scores.get(each.id, 0.0)) for each in listed),
        formulas=tuple(hydrated.values()),
        choices=decision.choices,
        refusal=decision.refusal,
    )


def _completed(answer: Answer, question: Question, decision: Decision) -> Answer:
    """What the ranking knows beyond the steps: formulas that agree or not, values left over, a table."""
    if not answer.steps or not decision.choices:
        return answer
    choice = decision.choices[0]
    rows = result_rows(choice, question, answer, decision.ranking.view)
    listed = {given.text for given in question.givens if given.series is not None} if rows else set()
    unused = [text for text in choice.unused if text not in listed]
    warnings = (*answer.warnings, *((f"not used: {', '.join(unused)}",) if unused else ()))
    return replace(answer, warnings=warnings, agreeing=decision.agreeing, disagreeing=decision.disagreeing, rows=rows)


def _considered(decisions: Sequence[Decision]) -> tuple[str, ...]:
    ids: dict[str, None] = {}
    for decision in decisions:
        for plan in decision.ranking.plans:
            for part in plan.steps():
                ids.setdefault(part.step.candidate.formula.id)
        for one in decision.ranking.found:
            ids.setdefault(one.formula.id)
    return tuple(ids)
