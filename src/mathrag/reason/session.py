"""One question from text to outcome: read it, set up the workbench over a library, run the episode.

Everything from the library comes in as functions and the finder, so that this room needs no library object.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mathrag.extract.phrases import content_words
from mathrag.language.stems import stem, stems, stems_of_words
from mathrag.language.word_classes import word_class
from mathrag.reason.agent import (
    CandidateCard,
    Episode,
    EpisodeResult,
    FoundConstant,
    Planner,
    Problem,
    Retrieved,
    RulesPlanner,
)
from mathrag.reason.agent.endings import computed_directly, direct_outcome
from mathrag.reason.agent.result_judge import is_carried_out
from mathrag.reason.agent.seams import CANDIDATES_RETRIEVED, NO_PERMISSIONS, Permissions, Support
from mathrag.reason.agent.two_calls.offers import Offer, offers
from mathrag.reason.agent.workbench import LibraryWorkbench, SecondLook
from mathrag.reason.choosing.choose import rank_plans
from mathrag.reason.choosing.plans import stored_quantity
from mathrag.reason.choosing.question_view import QuestionView, prepare_targets
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.decision import Decider, Decision, as_nearest
from mathrag.reason.direct import DirectResult
from mathrag.reason.direct.comparisons import answer_comparison
from mathrag.reason.direct.concept_clauses import plainly_asked
from mathrag.reason.direct.concept_examples import without_wish
from mathrag.reason.direct.concept_wordings import described
from mathrag.reason.direct.definitions import Surroundings, answer_definition, says_unknown
from mathrag.reason.direct.documents import (
    DocumentParts,
    answer_documents,
    answer_documents_late,
    are_papers,
    named_documents,
)
from mathrag.reason.direct.framed_names import asked_of_it
from mathrag.reason.direct.frames import unframed
from mathrag.reason.direct.notations import answer_notation
from mathrag.reason.direct.reverse_dictionary import answer_description
from mathrag.reason.judge import Judge, with_doubts
from mathrag.reason.model_texts import PASSAGES, Writer
from mathrag.reason.plan_support import support_for
from mathrag.reason.question import read_question
from mathrag.reason.question.known_values import with_known_values
from mathrag.reason.question.origins import is_from, is_taken_up, origin_of
from mathrag.reason.several_parts import (
    AskedPart,
    answer_parts,
    other_questions,
    parts_of,
    separate_questions,
)
from mathrag.reason.sources import (
    Passages,
    Sources,
    built_in_formulas,
    formulas_for_words,
    with_handbook_behind,
)
from mathrag.retrieve.candidates import Finder
from mathrag.retrieve.document_parts import DocumentCard
from mathrag.retrieve.substance_properties import Property
from mathrag.retrieve.table_cells import FoundCell
from mathrag.types.answer import (
    Answer,
    Bound,
    Choice,
    Citation,
    Outcome,
    PlannedStep,
    Provenance,
    Refusal,
    Reply,
    Row,
    Step,
)
from mathrag.types.episode import Event
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity, Unit
from mathrag.types.question import LONGEST_QUESTION, Given, Question


class Adviser(Protocol):
    """Chooses among more plans than the ranking's first ones. Its choice counts for how tools are made, and for nothing
    else: what is carried out is judged as ever."""

    @property
    def chosen(self) -> Choice | None:
        """The plan that is carried out; None while there is none."""
        ...

    def offers(self, question: Question, offered: Callable[[Question], Sequence[Offer]]) -> tuple[Choice, ...]:
        """The plans to choose among; `offered` gives those for a question in which values may have more names."""
        ...


MOST_VALUES = 60
_MOST_PROPERTIES = 12
# A property and what it is of: with fewer words than two, any property of the thing would do.
_NAMED_WHOLLY = 2
_MOST_ROWS = 100
# Formulas of the documents that stand before those of the handbook.
_BEFORE_BUILT_IN = 6
# A formula that is less surely the one meant may give the same number by chance, under a name that misleads.
_SURE = 0.9


@dataclass(frozen=True, slots=True)
class Options:
    """What the user fixed apart from the question: values by symbol, one formula, the unit of the answer, and how often
    a number that is given shall be right (None: the usual promise). `permissions` are for a model that plans."""

    pinned: Mapping[str, Quantity]
    formula: Formula | None = None
    unit: Unit | None = None
    promise: float | None = None
    permissions: Permissions = NO_PERMISSIONS

    @property
    def asks_for_computing(self) -> bool:
        """Whether a value, a formula or a unit is fixed, so that only a computed number answers."""
        return bool(self.pinned) or self.formula is not None or self.unit is not None


@dataclass(frozen=True, slots=True)
class SessionResult:
    """An episode's result with the ids of the formulas that were considered, best first.

    `question` is how it was read in the end, `choices` what the ranking would have computed, `features` what the
    confidence in the first of them was judged by.
    """

    result: EpisodeResult
    candidates: tuple[str, ...]
    question: Question | None = None
    choices: tuple[Choice, ...] = ()
    features: tuple[tuple[str, float], ...] = ()


def ask(
    text: str,
    sources: Sources,
    *,
    planner: Planner,
    options: Options,
    listener: Callable[[Event], None] | None = None,
    writer: Writer | None = None,
    judge: SecondLook | None = None,
    adviser: Adviser | None = None,
) -> SessionResult:
    """Answer a question from a library, or say why not. `writer` translates and explains, `judge` looks a second time
    at what another planner than the rules computed, `adviser` chooses among plans, where there is one."""
    # Half a surrogate pair comes from bytes that are no text; nothing that reads words can take it.
    text = text.encode("utf-8", "replace").decode("utf-8")
    unusable = _unusable(text)
    if unusable is not None:
        return SessionResult(EpisodeResult(unusable, ()), ())
    question = prepare_question(text, sources, options)
    if len(question.givens) > MOST_VALUES:
        reason = f"the question gives {len(question.givens)} values; at most {MOST_VALUES} are weighed at once"
        return SessionResult(EpisodeResult(Refusal(text[:200], "too_long", reason), ()), (), question)
    looked_up = _looked_up(question, sources, options)
    if looked_up is not None:
        return SessionResult(EpisodeResult(looked_up, ()), (), question)
    session = QuestionSession(question, sources, options=options, writer=writer, judge=judge, adviser=adviser)
    pinned = tuple(
        Bound(symbol, Provenance("pinned", f"{symbol} set by the user"), quantity)
        for symbol, quantity in options.pinned.items()
    )
    episode = Episode(planner, session.bench(), listener=listener, permissions=options.permissions)
    result = episode.run(question, pinned=pinned)
    decision = session.decision
    quoted = _quoted_late(result.outcome, question, sources, options)
    if quoted is not None:
        return SessionResult(replace(result, outcome=quoted), (), session.question)
    if isinstance(result.outcome, Answer) and decision is not None:
        broken = broken_pin(result.outcome, options.pinned)
        completed = _completed(result.outcome, session.question, decision)
        result = replace(result, outcome=broken or _doubted(completed, decision, session.judge_of_plans))
    outcome = _of_named(_unexplained(result.outcome, question), question, sources)
    result = replace(result, outcome=_with_other_answers(outcome, question, sources, options))
    if decision is None:
        return SessionResult(result, (), session.question)
    return SessionResult(result, _considered((decision,)), session.question, decision.choices, decision.features)


def _looked_up(question: Question, sources: Sources, options: Options) -> Reply | Refusal | None:
    """What needs no formula and no number: what documents and dictionaries say, and parts that each are answered."""
    if asked_of_it(question.text) is not None and (meant := _defined(question, sources, options)) is not None:
        return meant
    in_documents = _of_documents(question, sources, options)
    if isinstance(in_documents, Reply):
        return in_documents
    found = None
    if in_documents is None:
        found = _defined(question, sources, options) or _in_parts(question, sources, options)
    if found is not None and not says_unknown(found):
        return found
    return _without_frame(question, sources, options) or found or in_documents


def _without_frame(question: Question, sources: Sources, options: Options) -> Reply | None:
    """What the question without the courtesies and stories around it has for an answer."""
    plain = unframed(question.text)
    if plain == question.text or computed_directly(question) is not None:
        return None
    asked = read_question(plain)
    found = _defined(asked, sources, options) or _in_parts(asked, sources, options)
    return None if found is None or says_unknown(found) else replace(found, question=question.text)


def _of_documents(question: Question, sources: Sources, options: Options) -> Reply | Refusal | None:
    """What documents say of themselves, where the question is about one and gives no values to compute with."""
    if sources.documents is None or options.asks_for_computing:
        return None
    return answer_documents(question.text, question.givens, sources.documents)


def _quoted_late(outcome: Outcome, question: Question, sources: Sources, options: Options) -> Reply | Refusal | None:
    """What documents have for a question for which the rules have no number: sentences, cells, values between rows."""
    if isinstance(outcome, Answer) or outcome.usage is not None:
        return None
    if sources.documents is None or options.asks_for_computing:
        return None
    return answer_documents_late(question.text, question.givens, sources.documents)


def _unexplained(outcome: Outcome, question: Question) -> Outcome:
    """A refusal in place of a reply to what asks for an explanation, where no passage gives one."""
    if not isinstance(outcome, Reply) or outcome.usage is not None or question.intent != "explain":
        return outcome
    if outcome.citations or outcome.text not in (_NEAREST, _NOTHING):
        return outcome
    return Refusal(outcome.question, "no_formula", outcome.text, nearest=outcome.nearest)


def _with_other_answers(outcome: Outcome, question: Question, sources: Sources, options: Options) -> Outcome:
    """The answer to one of several questions, with what came of the others: none is passed over. Where all of them
    together have no answer, they are asked one by one."""
    if isinstance(outcome, Reply) or outcome.usage is not None:
        return outcome
    if isinstance(outcome, Refusal):
        return _one_by_one(outcome, separate_questions(question.text), sources, options)
    dimension = str(outcome.quantity.dimension)

    def is_answered(part: str) -> bool:
        return any(dimension in each.dimensions for each in prepare_targets(read_question(part).targets))

    others = other_questions(question.text, is_answered)
    return replace(outcome, further=tuple(_asked_alone(each, sources, options) for each in others))


def _one_by_one(refusal: Refusal, asked: Sequence[AskedPart], sources: Sources, options: Options) -> Outcome:
    found = [_asked_alone(each, sources, options) for each in asked]
    first = next((each for each in found if isinstance(each, Answer)), None)
    if first is None:
        return refusal
    return replace(first, question=refusal.question, further=tuple(each for each in found if each is not first))


def _asked_alone(part: AskedPart, sources: Sources, options: Options) -> Outcome:
    """The outcome of one question of several."""
    if options.formula is not None:
        return Refusal(part.words, "no_formula", _BY_ANOTHER)
    options = replace(options, unit=None)
    whole = ask(part.whole, sources, planner=RulesPlanner(), options=options).result.outcome
    if _has_answer(whole) or part.bare == part.whole:
        return replace(whole, question=part.words)
    bare = ask(part.bare, sources, planner=RulesPlanner(), options=options).result.outcome
    # What is stated may change what a formula gives; a conversion or a definition stands by itself.
    stands = _has_answer(bare) and not (isinstance(bare, Answer) and bare.steps)
    return replace(bare if stands else whole, question=part.words)


def _has_answer(outcome: Outcome) -> bool:
    is_empty = isinstance(outcome, Reply) and outcome.text in _WITHOUT_ANSWER
    return not isinstance(outcome, Refusal) and not is_empty


def _of_named(outcome: Outcome, question: Question, sources: Sources) -> Outcome:
    """The outcome without what other documents say, where the question names one: they are about something else."""
    if sources.documents is None or outcome.usage is not None:
        return outcome
    cards = named_documents(question.text, sources.documents)
    if not cards:
        return outcome
    if _is_beside_the_point(outcome, question, cards, sources.documents):
        return _not_in(cards, outcome.question)
    ids = frozenset(card.id for card in cards)
    is_of_papers = are_papers(cards, sources.documents)
    citations = tuple(each for each in outcome.citations if each.document in ids)
    is_foreign = bool(outcome.citations) and not citations
    if isinstance(outcome, Answer):
        # What was computed without a formula rests on no document: a paper that is asked what it says does not say it.
        kept: Outcome = outcome
        is_foreign = not citations if is_of_papers else is_foreign and any(each.formula for each in outcome.citations)
    else:
        names = _written_names(cards, sources)
        nearest = tuple(each for each in outcome.nearest if each.document in names)
        kept = replace(outcome, nearest=nearest, citations=citations)
        is_foreign = is_foreign or (bool(outcome.nearest) and not nearest)
    if not is_foreign:
        return kept
    return _not_in(cards, outcome.question)


def _not_in(cards: Sequence[DocumentCard], asked: str) -> Refusal:
    names = " or ".join(card.title or card.name for card in cards)
    reason = f"nothing in {names} answers this: no sentence and no table of it was found that says it in these words"
    suggestions = ("ask with the words that stand there, or name the table and its row and column",)
    return Refusal(asked, "no_formula", reason, suggestions=suggestions)


def _is_beside_the_point(
    outcome: Outcome, question: Question, cards: Sequence[DocumentCard], documents: DocumentParts
) -> bool:
    """Whether formulas are spoken of where a paper is asked what it says: nothing is given to compute with."""
    if isinstance(outcome, Reply) and outcome.text == _EXPLAIN:
        # A passage that shares words may explain; it states nothing that is asked for.
        return _EXPLAINING.search(question.text) is None
    if isinstance(outcome, Reply) and outcome.text in (_NEAREST, _NOTHING):
        return True
    if isinstance(outcome, Answer) or outcome.citations:
        return False
    if isinstance(outcome, Reply) and question.intent == "explain":
        return False
    if isinstance(outcome, Refusal) and outcome.code not in ("no_formula", "missing", "unsure"):
        return False
    if isinstance(outcome, Refusal) and outcome.code == "unsure" and not outcome.nearest and not outcome.proposal:
        return False
    return not _gives_units(question) and are_papers(cards, documents)


def _gives_units(question: Question) -> bool:
    """Whether a value is given with a unit, to compute with."""
    return any(not each.implied and any(reading.unit.text for reading in each.readings) for each in question.givens)


def _written_names(cards: Sequence[DocumentCard], sources: Sources) -> frozenset[str]:
    return frozenset(name for one in cards for name in (one.id, one.name, one.title, sources.name_document(one.id)))


def _defined(question: Question, sources: Sources, options: Options) -> Reply | None:
    """What a dictionary says, where the question is about a concept of mathematics and nothing can be computed."""
    if sources.concepts is None or options.asks_for_computing:
        return None
    has_values = any(not given.implied and any(map(str.isdigit, given.text)) for given in question.givens)
    if has_values and not _is_worded(question.text):
        return None
    around = Surroundings(sources.find_formulas, sources.find_passages, sources.name_document)
    is_explained = question.intent == "explain"
    found = answer_definition(question.text, sources.concepts, around, is_explained=is_explained)
    # What can be computed is: "what is pi" asks for a number. Concepts that are compared have none.
    if found is None or answer_comparison(question.text) is not None:
        return found
    return None if computed_directly(question) is not None else found


def _in_parts(question: Question, sources: Sources, options: Options) -> Reply | None:
    """The answers to a question that asks several things, none of which needs a formula or a value with a unit."""
    if options.asks_for_computing or len(parts_of(question.text)) < 2:
        return None
    if _gives_units(question) or computed_directly(question) is not None:
        return None

    def answer(part: str) -> Outcome | None:
        asked = read_question(part)
        computed = computed_directly(asked)
        found = _defined(asked, sources, options) or (None if computed is None else direct_outcome(asked, computed))
        is_open = isinstance(found, Refusal) or (isinstance(found, Reply) and says_unknown(found))
        return None if is_open else found

    return answer_parts(question.text, answer)


def _is_worded(text: str) -> bool:
    """Whether a question asks for a concept in so many words, whatever digits it has."""
    if described(text) is not None or plainly_asked(text) != text or answer_notation(text) is not None:
        return True
    if without_wish(text)[1] is not None or answer_comparison(text) is not None:
        return True
    return answer_description(text) is not None


def prepare_question(text: str, sources: Sources, options: Options) -> Question:
    """A text read as a question, with what the library knows of its substances and what the user fixed."""
    known = sources.finder.signatures
    asked = read_question(text, symbols=known.typed_symbols, abbreviations=known.abbreviations)
    return _with_options(_with_properties(asked, sources), options)


class QuestionSession:
    """What the workbench of one question remembers: the question as it now reads, and what was decided on it."""

    def __init__(
        self,
        question: Question,
        sources: Sources,
        *,
        options: Options,
        writer: Writer | None,
        judge: SecondLook | None = None,
        adviser: Adviser | None = None,
    ) -> None:
        self.question = question
        self.decision: Decision | None = None
        self.judge_of_plans = Judge(
            sources.finder, sources.load_constant, sources.name_document, of_one_hand=sources.is_collection
        )
        self._sources = sources
        self._options = options
        self._writer = writer
        self._judge = judge
        self._adviser = adviser

    def bench(self) -> LibraryWorkbench:
        """The workbench over the library."""
        sources, options = with_handbook_behind(self._sources), self._options
        return LibraryWorkbench(
            self.question,
            search=self._search,
            load_formula=sources.load_formula,
            find_constants=sources.find_constants,
            compute_directly=lambda asked: None if options.pinned or options.formula else self._directly(asked),
            make_reply=self._reply,
            translate_question=self._translate,
            name_document=sources.name_document,
            find_properties=self._properties,
            find_passages=sources.find_passages,
            judge_chain=self._judge,
            prefer_chain=None if self._judge is None else self._judge.prefers,
            chosen=lambda: None if self._adviser is None else self._adviser.chosen,
        )

    def _properties(self, words: str) -> list[FoundConstant]:
        """Values of substances and things that words name, those of the very property alone; then cells of tables."""
        said = frozenset(stems(words))
        found = self._sources.find_properties(said, ())
        shared = [len(said.intersection(stems(each.constant.name))) for each in found]
        best = max(shared, default=0)
        meant = [each for each, count in zip(found, shared, strict=True) if count == best >= _NAMED_WHOLLY]
        made = [_found_property(each, self._sources) for each in meant[:_MOST_PROPERTIES]]
        cells = [_found_cell(each, self._sources) for each in self._sources.find_cells(words)]
        return made + [each for each in cells if each.quantity not in [one.quantity for one in made]]

    def _directly(self, asked: Question) -> Outcome | None:
        """What needs no formula. Where a formula of the library says the same of a story, or of amounts of substances,
        it is the better source."""
        found = computed_directly(asked)
        if isinstance(found, DirectResult) and found.kind in ("story", "list", "chemistry"):
            # What comes out in another unit than the one asked for was not understood.
            units = {unit.dimension for unit in asked.units}
            if (units and found.quantity.dimension not in units) or self._says_the_library(found):
                return None
        return None if found is None else direct_outcome(asked, found)

    def _says_the_library(self, found: DirectResult) -> bool:
        decision = self._decided()
        if decision.refusal is not None or not decision.choices:
            return False
        # A list is wholly read before anything is computed, so a formula does not agree with it by chance.
        is_sure = decision.choices[0].confidence >= _SURE or found.kind == "list"
        computed = compute_steps(decision.choices[0].steps, is_shown=False)
        if decision.choices[0].missing or not is_sure or isinstance(computed, StepFailure):
            return False
        result, own = computed[-1].result, found.quantity
        # Both show it in a unit that the question's own make; a percentage and what it asks for stay as they are.
        is_free = not self.question.units and not own.dimension.is_dimensionless and own.dimension == result.dimension
        is_alike = is_free or result.unit.text == own.unit.text
        return is_alike and math.isclose(result.si_value, own.si_value, rel_tol=1e-3)

    def _search(self, query: str, terms: Sequence[str]) -> Retrieved:
        found = _retrieved(self._decided(), find_support=self._support)
        if self._adviser is not None:
            found = _with_choices(found, self._adviser.offers(self.question, self._offered))
        words = " ".join((query, *terms))
        further = self._further(words)
        if further:
            found = _with_further(found, further)
        built_in = built_in_formulas(self._sources, words) if self._options.formula is None else ()
        return _with_built_in(found, built_in) if built_in else found

    def _decided(self) -> Decision:
        if self.decision is None:
            decider = Decider(self.judge_of_plans, promise=self._options.promise)
            self.decision = decider.decide(self.question, only=self._options.formula)
        return self.decision

    def _offered(self, question: Question) -> tuple[Offer, ...]:
        """The plans that can be carried out for this question, or for one that names more of its values."""
        ranking = self._decided().ranking
        if question is not self.question:
            ranking = rank_plans(question, self._sources.finder, only=self._options.formula)
        return offers(ranking, self.judge_of_plans)

    def _further(self, words: str) -> list[Formula]:
        """Formulas that other words than those of the question find, whether they can be computed or not."""
        if not words.strip() or words.strip() in self.question.text or self._options.formula is not None:
            return []
        return formulas_for_words(self._sources, words)

    def _support(self, steps: Sequence[Step]) -> Support:
        assert self.decision is not None
        return support_for(steps, self.decision, self.judge_of_plans)

    def _reply(self, asked: Question) -> Reply:
        sources = self._sources
        return make_reply(
            asked,
            sources.finder,
            find_passages=sources.find_passages,
            name_document=sources.name_document,
            writer=self._writer,
        )

    def _translate(self, text: str, _language: str) -> Question | Problem | None:
        if self._writer is None:
            return None
        if self.question.language == "en":
            return Problem("not_needed", "the question is in English already")
        said = self._writer.translate(text)
        if isinstance(said, Problem):
            return said
        question = prepare_question(said, self._sources, self._options)
        if question.language != "en":
            return Problem("no_translation", "the translation is not English either")
        self.question, self.decision = question, None
        return question


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
    known = with_known_values(question.text, question.givens, question.targets)
    # So many electrons have their charge together: that of one is not meant.
    counted = {kind for given in known if given.covers for kind in given.kinds}
    stated = [given.readings[0] for given in question.givens if not given.implied]
    found = [
        _property_given(each, sources)
        for each in sources.find_properties(stems_of_words(question.words), stated)
        if counted.isdisjoint(each.kinds)
    ]
    return replace(question, givens=(*known, *found[:_MOST_PROPERTIES]))


def _property_given(found: Property, sources: Sources) -> Given:
    constant = found.constant
    place = found.source or _place_of(constant.spans[0], sources)
    quantity = stored_quantity(constant)
    value = f"{constant.value} {constant.unit}".strip()
    return Given(
        constant.name,
        0,
        0,
        (quantity,),
        phrase=constant.name,
        roles=found.roles,
        significant_figures=len(constant.value.as_tuple().digits),
        implied=True,
        assumption=f"{constant.name} is {value} ({place})" + (f"; usually it is {found.usual}" if found.usual else ""),
        kinds=found.kinds,
    )


def _place_of(span: Span, sources: Sources) -> str:
    return f"{sources.name_document(span.document)} {span.place}".strip()


def _found_property(found: Property, sources: Sources) -> FoundConstant:
    given = _property_given(found, sources)
    constant = found.constant
    span = constant.spans[0] if constant.spans else None
    place = found.source or ("" if span is None else _place_of(span, sources))
    provenance = Provenance("document" if span is not None else "constant", constant.name, source=place, span=span)
    return FoundConstant(
        constant.id, constant.symbol, constant.name, given.quantities[0], provenance, given.significant_figures
    )


def _found_cell(found: FoundCell, sources: Sources) -> FoundConstant:
    provenance = Provenance("document", found.name, source=_place_of(found.span, sources), span=found.span)
    return FoundConstant(f"{found.name}={found.quantity.value}", "", found.name, found.quantity, provenance)


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


def _retrieved(decision: Decision, *, find_support: Callable[[Sequence[Step]], Support]) -> Retrieved:
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
    hydrated = {**planned, **{formula.id: formula for formula in listed}}
    return Retrieved(
        candidates=tuple(CandidateCard(each.id, each.label, each.latex, scores.get(each.id, 0.0)) for each in listed),
        formulas=tuple(hydrated.values()),
        choices=decision.choices,
        refusal=decision.refusal,
        find_support=find_support,
    )


def _with_choices(found: Retrieved, offered: Sequence[Choice]) -> Retrieved:
    """What was found, with more plans behind the ranking's own; the first of those stays the suggestion."""
    formulas = {each.id: each for each in found.formulas}
    formulas |= {step.formula.id: step.formula for choice in offered for step in choice.steps}
    return replace(found, formulas=tuple(formulas.values()), choices=(*found.choices, *offered))


def _with_further(found: Retrieved, further: Sequence[Formula]) -> Retrieved:
    """What was found, with the formulas that a planner's own words find before the others."""
    formulas = {each.id: each for each in (*further, *found.formulas)}
    fresh = tuple(CandidateCard(each.id, each.label, each.latex) for each in further)
    known = {each.id for each in fresh}
    kept = tuple(each for each in found.candidates if each.id not in known)
    return replace(found, formulas=tuple(formulas.values()), candidates=(*fresh, *kept))


def _with_built_in(found: Retrieved, formulas: Sequence[Formula]) -> Retrieved:
    """What was found, with what everybody knows behind the best of the documents."""
    known = {each.id: each for each in found.formulas}
    added = {each.id: each for each in formulas if each.id not in known}
    first, rest = found.formulas[:_BEFORE_BUILT_IN], found.formulas[_BEFORE_BUILT_IN:]
    cards = tuple(CandidateCard(each.id, each.label, each.latex) for each in added.values())
    return replace(
        found,
        formulas=(*first, *added.values(), *rest),
        candidates=(*found.candidates, *cards),
        built_in=frozenset(added),
    )


def _completed(answer: Answer, question: Question, decision: Decision) -> Answer:
    """What the ranking knows beyond the steps: formulas that agree or not, values left over, a table."""
    if not answer.steps or not decision.choices:
        return answer
    choice = next((each for each in decision.choices if is_carried_out(each.steps, answer.steps)), None)
    rows = () if choice is None else result_rows(choice, question, answer, decision.ranking.view)
    listed = {given.text for given in question.givens if given.series is not None}
    unused = [text for text in _unused(answer, question, choice) if not rows or text not in listed]
    notes = (*((f"not used: {', '.join(unused)}",) if unused else ()), *_letter_case_notes(answer, question))
    warnings = (*answer.warnings, *notes)
    if choice is not decision.choices[0]:
        # Who agrees and who does not was found out for the first choice alone.
        return replace(answer, warnings=warnings, rows=rows)
    example = () if decision.example is None else (decision.example,)
    return replace(
        answer,
        warnings=warnings,
        agreeing=decision.agreeing,
        disagreeing=decision.disagreeing,
        rows=rows,
        citations=(*answer.citations, *example),
    )


def _letter_case_notes(answer: Answer, question: Question) -> Iterator[str]:
    """How a unit was taken whose letters leave its size open: mw may be mW or MW."""
    bounds = [bound for step in answer.steps for bound in step.bindings if bound.quantity is not None]
    for given in question.givens:
        used = (bound.quantity.unit.text for bound in bounds if bound.quantity and is_from(bound.provenance, given))
        taken = next(used, "")
        others = [
            reading.unit.text
            for reading in given.readings
            if reading.unit.text != taken and reading.unit.text.casefold() == taken.casefold()
        ]
        if taken and others:
            yield f"{given.text} is taken as {taken}, not as {' or '.join(others)}"


def _doubted(answer: Answer, decision: Decision, judge: Judge) -> Answer:
    """The answer with what the library says against it, whoever chose its steps."""
    if not answer.steps:
        return answer
    if decision.choices and _is_very_plan(decision.choices[0].steps, answer.steps):
        return with_doubts(answer, decision.doubts)
    return with_doubts(answer, judge.doubts_about(answer.steps, decision.ranking.view))


def _is_very_plan(planned: Sequence[PlannedStep], steps: Sequence[Step]) -> bool:
    """Whether steps are a plan with its own equations and values. A plan counts as carried out by another reading of
    its formula, or with a constant from elsewhere, too; others may say something else against those."""
    return is_carried_out(planned, steps) and all(
        one.equation == other.equation and _stated(one) == _stated(other)
        for one, other in zip(planned, steps, strict=True)
    )


def _stated(step: PlannedStep | Step) -> list[Bound]:
    return [bound for bound in step.bindings if bound.provenance.step is None]


def _unused(answer: Answer, question: Question, choice: Choice | None) -> tuple[str, ...]:
    if choice is not None:
        return choice.unused
    used = [bound.provenance for step in answer.steps for bound in step.bindings]
    left = (given for given in question.givens if not given.implied and not given.is_pinned)
    return tuple(given.text for given in left if not is_taken_up(given, used))


def _considered(decisions: Sequence[Decision]) -> tuple[str, ...]:
    ids: dict[str, None] = {}
    for decision in decisions:
        for plan in decision.ranking.plans:
            for part in plan.steps():
                ids.setdefault(part.step.candidate.formula.id)
        for one in decision.ranking.found:
            ids.setdefault(one.formula.id)
    return tuple(ids)


# Replies to what asks for no number: a greeting, a definition. Words of the library, never a number of our own.

_SHOWN = 3
_CHAT = (
    "I compute answers from the formulas of your documents. Ask for a quantity and give the values it depends on, with "
    "their units."
)
_EXPLAINING = re.compile(r"\b(?:explain|describe|why|how (?:do|does|did|is|are|can))\b", re.IGNORECASE)
_EXPLAIN = "I compute rather than explain; this passage of your documents has most of the words."
_NEAREST = "I compute rather than explain, and found no passage with most of these words; the nearest formulas follow."
_NOTHING = "I compute rather than explain, and found nothing in your documents with most of these words."
_BY_ANOTHER = "a formula was chosen for the other question; ask this one by itself"
_WITHOUT_ANSWER = frozenset((_CHAT, _EXPLAIN, _NEAREST, _NOTHING))


# How much of what is asked a passage must hold to be shown as where documents speak of it.
_SHARED = 0.6


def _speaks_of(passage: Span, asked: str) -> bool:
    """Whether most of the words that carry the question stand in a passage: the nearest one may be far off."""
    wanted = {stem(word) for word in content_words(asked) if word not in word_class("concepts.asking")}
    said = {stem(word) for word in content_words(passage.quote)}
    return bool(wanted) and len(wanted & said) >= _SHARED * len(wanted)


def make_reply(
    question: Question,
    finder: Finder,
    *,
    find_passages: Passages,
    name_document: Callable[[str], str],
    writer: Writer | None = None,
) -> Reply:
    """A short honest reply with the nearest entries of the library; explained by `writer` where there is one."""
    if question.intent == "chat":
        return Reply(question.text, _CHAT)
    passages = [span for span in find_passages(question.text)[:1] if _speaks_of(span, question.text)]
    formulas = [one.formula for one in finder.find(question, limit=_SHOWN)]
    reply = Reply(
        question.text,
        _EXPLAIN if passages else _NEAREST if formulas else _NOTHING,
        nearest=tuple(as_nearest(formula, name_document) for formula in formulas),
        citations=tuple(Citation(span.document, name_document(span.document), span) for span in passages),
    )
    if writer is None:
        return reply
    return writer.explain(
        question, find_passages(question.text, limit=PASSAGES), plain=reply, name_document=name_document
    )


# What the user set holds everywhere: an answer that gives a pinned symbol another value in some step is no answer.


def broken_pin(answer: Answer, pinned: Mapping[str, Quantity]) -> Refusal | None:
    """A refusal where a step uses another value for a symbol that the user set; None where all is well.

    A symbol of another dimension is another thing under the same letter.
    """
    for step in answer.steps:
        for bound in step.bindings:
            quantity = pinned.get(bound.symbol)
            if quantity is not None and _contradicts(bound, quantity):
                return Refusal(
                    answer.question,
                    "contradiction",
                    f"{bound.symbol} was set, and the question gives another value for it ({bound.provenance.text})",
                    suggestions=("leave the value out of the question, or do not set it",),
                )
    return None


def _contradicts(bound: Bound, pinned: Quantity) -> bool:
    if bound.quantity is None or bound.provenance.origin == "pinned":
        return False
    return bound.quantity.dimension == pinned.dimension and bound.quantity.si_value != pinned.si_value


# Questions over several values ("for 2, 4 and 8 m"): the same plan computed for each of them.


def result_rows(choice: Choice, question: Question, answer: Answer, view: QuestionView) -> tuple[Row, ...]:
    """One line for each value of the list that the plan uses the first of; none where there is no list."""
    if view.is_list_spread:
        return ()
    groups: dict[int, list[Given]] = {}
    for given in question.givens:
        if given.series is not None:
            groups.setdefault(given.series, []).append(given)
    for members in groups.values():
        symbol = _symbol_of(members[0], choice.steps)
        if len(members) > 1 and symbol is not None:
            return _rows(choice, symbol, members[:_MOST_ROWS], answer)
    return ()


def _symbol_of(given: Given, steps: Sequence[PlannedStep]) -> str | None:
    for step in steps:
        for bound in step.bindings:
            stated = None if bound.quantity is None else bound.quantity.value
            is_value = any(reading.value == stated for reading in given.readings)
            if is_value and is_from(bound.provenance, given):
                return bound.symbol
    return None


def _rows(choice: Choice, symbol: str, members: Sequence[Given], answer: Answer) -> tuple[Row, ...]:
    rows = []
    first = members[0]
    for given in members:
        steps = tuple(_with_value(step, symbol, first, given) for step in choice.steps)
        computed = compute_steps(steps, unit=answer.quantity.unit)
        if isinstance(computed, StepFailure):
            return ()
        rows.append(Row(((symbol, _with_unit(given)),), computed[-1].result))
    return tuple(rows)


def _with_unit(given: Given) -> str:
    """The value as stated, with its unit where the list states that only once."""
    unit = given.readings[0].unit.text
    return given.text if not unit or not given.text.strip()[-1:].isdigit() else f"{given.text} {unit}"


def _with_value(step: PlannedStep, symbol: str, first: Given, given: Given) -> PlannedStep:
    def changed(bound: Bound) -> Bound:
        if bound.symbol != symbol or not is_from(bound.provenance, first) or bound.quantity is None:
            return bound
        dimension = bound.quantity.dimension
        quantity = next((each for each in given.readings if each.dimension == dimension), bound.quantity)
        return replace(bound, quantity=quantity, provenance=replace(origin_of(given), taken=bound.provenance.taken))

    return replace(step, bindings=tuple(changed(bound) for bound in step.bindings))
