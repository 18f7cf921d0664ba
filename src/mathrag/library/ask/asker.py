"""Ask a library: everything that answering needs of it, opened once and kept; and the outcomes of a moment ago, by what
was asked and the state of the library. Decides nothing itself."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

from mathrag.answer.cards.content import model_sentence, outcome_sentence
from mathrag.calculator import read_unit, read_value
from mathrag.compute.patience import one_computation
from mathrag.documents.media_type import DICTIONARY_TYPE
from mathrag.errors import UsageError
from mathrag.language.typed_symbols import symbol_identifier
from mathrag.library.ask.foreign_money import foreign_money, with_unknown_rate
from mathrag.library.reranking import configured_reranker
from mathrag.library.views.search import PassageQuality, search
from mathrag.llm.accounts import dollars
from mathrag.llm.messages import Usage
from mathrag.reason.agent import FoundConstant, RulesPlanner
from mathrag.reason.agent.seams import Permissions
from mathrag.reason.choosing.plans import LibraryConstants, stored_quantity
from mathrag.reason.choosing.slots import candidates_of
from mathrag.reason.handbook import from_handbook, with_handbook
from mathrag.reason.session import Options, SessionResult, ask
from mathrag.reason.sources import Sources
from mathrag.retrieve.candidates import Finder
from mathrag.retrieve.concepts import ConceptSearch
from mathrag.retrieve.document_parts import LibraryDocumentParts
from mathrag.retrieve.quality import rule_score
from mathrag.retrieve.substance_properties import PropertyFinder
from mathrag.retrieve.table_cells import cells_called
from mathrag.settings import load_settings
from mathrag.store.truth.gate_decisions import kept_decision
from mathrag.store.truth.reader import (
    constants_by_ids,
    document_by_id,
    find_constants,
    formulas_by_ids,
    list_formula_ids,
    stated_constant,
)
from mathrag.types.answer import MODEL_WORDS, Answer, Provenance
from mathrag.types.episode import Event
from mathrag.types.json_value import Json
from mathrag.types.library import Constant, Formula, Span, SymbolMeaning
from mathrag.types.quantity import Quantity, Unit

if TYPE_CHECKING:
    from mathrag.llm.metered import Models
    from mathrag.retrieve.vector_search import VectorSearch
    from mathrag.store.truth.database import Database

PLANNERS = ("rules", "react", "auto", "small")
# Whoever reads ahead stops between steps to answer, so a step is short; more formulas than this are not kept anyway.
_MOST_AHEAD, _AT_ONCE = 8_000, 10
# Formulas that words of a language model find.
_MOST_FOUND = 8
# So many passages of dictionaries may stand before one of a document.
_MOST_PASSED_OVER = 8


class Asker:
    """Asks one library, again and again; and what `handbook` offers, where the library has no answer."""

    def __init__(
        self, database: Database, vectors: VectorSearch, *, handbook: Callable[[], Sources] | None = None
    ) -> None:
        self._database = database
        self._vectors = vectors
        self._handbook = handbook
        self._names: dict[str, str] = {}
        self._dictionaries: dict[str, bool] = {}

    @cached_property
    def _concepts(self) -> ConceptSearch:
        return ConceptSearch(self._database, self._vectors.embedder, open_reranker=configured_reranker)

    @cached_property
    def sources(self) -> Sources:
        """What the library offers to those who answer."""
        return Sources(
            finder=Finder(self._database, self._vectors),
            load_formula=self._formula,
            load_constant=LibraryConstants(self._constant, self._stated),
            find_constants=self._constants_called,
            find_properties=PropertyFinder(self._database).find,
            find_passages=self._passages,
            name_document=self._document_name,
            find_formulas=self._formulas_called,
            find_cells=lambda words: cells_called(self._database, words),
            concepts=self._concepts,
            documents=LibraryDocumentParts(self._database),
        )

    @one_computation()
    def ask(
        self,
        text: str,
        *,
        planner: str | None = None,
        pinned: Mapping[str, str] | None = None,
        formula: Formula | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
        models: Models | None = None,
        only_documents: bool | None = None,
        assume: bool | None = None,
    ) -> SessionResult:
        """The outcome of a question, with the formulas that were considered.

        `planner` is `rules`, `react` (a language model plans), `auto` (a model only where the rules are unsure) or
        `small` (there a small model reads the question and chooses among the rules' plans, in two calls).
        Without one it is `auto` where there are `models`, else `rules`. Without `only_documents` the setting says
        whether the handbook may be asked; without `assume`, whether a model may take values that stand nowhere.
        """
        pinned = pinned or {}
        mode = chosen_planner(planner, models)
        ask_plainly = partial(
            self._ask, formula=formula, mode=mode, models=models, only_documents=only_documents, assume=assume
        )
        money = foreign_money(text, *pinned.values(), unit or "")
        if money is not None:
            exchanged = {symbol: money.in_dollars(value) for symbol, value in pinned.items()}
            asked = money.given_back(
                ask_plainly(
                    money.exchanged.text,
                    pinned=exchanged,
                    unit=None if unit is None else money.in_dollars(unit),
                    listener=money.heard(listener),
                )
            )
            if asked is not None:
                return asked
        return with_unknown_rate(ask_plainly(text, pinned=pinned, unit=unit, listener=listener), text)

    def _ask(
        self,
        text: str,
        *,
        pinned: Mapping[str, str],
        formula: Formula | None,
        unit: str | None,
        listener: Callable[[Event], None] | None,
        mode: str,
        models: Models | None,
        only_documents: bool | None,
        assume: bool | None,
    ) -> SessionResult:
        settings = load_settings()
        permissions = Permissions(settings.llm_assumptions if assume is None else assume, settings.llm_formulas)
        options = Options(_quantities(pinned), formula, _unit(unit), settings.promised_precision, permissions)
        with_built_in = settings.handbook if only_documents is None else not only_documents
        if formula is not None and self._handbook is not None and self._formula(formula.id) is None:
            asked = from_handbook(text, self._handbook(), options=options, listener=listener)
        elif mode == "rules" or models is None:
            asked = ask(text, self.sources, planner=RulesPlanner(), options=options, listener=listener)
        else:
            known = replace(self.sources, handbook=self._handbook if with_built_in else None)
            asked = self._asked_with_models(text, known, models, mode, options=options, listener=listener)
        if self._handbook is not None and with_built_in:
            asked = with_handbook(
                asked, text, documents=self.sources, handbook=self._handbook, options=options, listener=listener
            )
        return self._dated(_worded(asked))

    def _asked_with_models(
        self,
        text: str,
        sources: Sources,
        models: Models,
        mode: str,
        *,
        options: Options,
        listener: Callable[[Event], None] | None,
    ) -> SessionResult:
        from mathrag.reason.session_with_model import ask_with_model

        sources = replace(sources, concepts=self._concepts.reranked(partial(configured_reranker, models=models)))
        asked = ask_with_model(
            text,
            sources,
            model=models.chat("reason"),
            judge=models.chat("judge"),
            mode="react" if mode == "react" else "small" if mode == "small" else "auto",
            options=options,
            listener=listener,
            orders=load_settings().llm_orders,
        )
        return _priced(asked, models)

    def _dated(self, asked: SessionResult) -> SessionResult:
        """The outcome with the age and origin of the documents that it cites."""
        outcome = asked.result.outcome
        cited = {each.document for each in outcome.citations}
        infos = {document: document_by_id(self._database, document) for document in cited}
        dated = tuple(
            each
            if (info := infos[each.document]) is None
            else replace(each, modified=info.modified, read=info.ingested_at, origin=info.origin, trust=info.trust)
            for each in outcome.citations
        )
        return replace(asked, result=replace(asked.result, outcome=replace(outcome, citations=dated)))

    def read_ahead(self) -> Iterator[int]:
        """Decode and prepare formulas, a few at each step, as many as are kept in memory."""
        identifiers = list_formula_ids(self._database, status="executable")[:_MOST_AHEAD]
        for start in range(0, len(identifiers), _AT_ONCE):
            for identifier in identifiers[start : start + _AT_ONCE]:
                # Whatever is wrong with one is told to whoever asks about it, and stops no others.
                with contextlib.suppress(Exception):
                    for formula in formulas_by_ids(self._database, [identifier]):
                        candidates_of(formula)
            yield start + _AT_ONCE

    def _formula(self, identifier: str) -> Formula | None:
        return next(iter(formulas_by_ids(self._database, [identifier])), None)

    def _constant(self, identifier: str) -> Constant | None:
        return next(iter(constants_by_ids(self._database, [identifier])), None)

    def _stated(self, formula: Formula, symbol: SymbolMeaning) -> Constant | None:
        untrusted = self.sources.finder.counterparts.untrusted
        return stated_constant(self._database, formula, symbol, untrusted=untrusted)

    def _constants_called(self, words: str) -> tuple[FoundConstant, ...]:
        return tuple(found_constant(each) for each in find_constants(self._database, words)[:3])

    def _formulas_called(self, words: str) -> list[Formula]:
        hits = search(self._database, words, vectors=self._vectors, kinds=("formula",), limit=_MOST_FOUND)
        found = {each.id: each for each in formulas_by_ids(self._database, [hit.id for hit in hits])}
        return [found[hit.id] for hit in hits if hit.id in found]

    def _passages(self, words: str, /, *, limit: int = 1) -> list[Span]:
        # What dictionaries say is found by the names of concepts. A passage of theirs that shares a few words with the
        # question is about another one.
        hits = search(
            self._database,
            words,
            vectors=self._vectors,
            kinds=("text",),
            limit=limit + _MOST_PASSED_OVER,
            passage_quality=self._passage_quality,
        )
        spans = [hit.span for hit in hits if hit.span is not None and not self._is_dictionary(hit.span.document)]
        return spans[:limit]

    def _passage_quality(self) -> PassageQuality | None:
        """By rules alone: to have a model grade passages would be more than a question is worth."""
        decision = kept_decision(self._database, "passages")
        return rule_score if decision is not None and decision.choice == "rules" else None

    def _is_dictionary(self, document: str) -> bool:
        if document not in self._dictionaries:
            info = document_by_id(self._database, document)
            self._dictionaries[document] = info is not None and info.media_type == DICTIONARY_TYPE
        return self._dictionaries[document]

    def _document_name(self, document: str) -> str:
        if document not in self._names:
            info = document_by_id(self._database, document)
            self._names[document] = document if info is None else info.title or info.name
        return self._names[document]


def found_constant(constant: Constant) -> FoundConstant:
    """A constant of the library with the place its value comes from."""
    span = constant.spans[0] if constant.spans else None
    digits = len(constant.value.as_tuple().digits)
    return FoundConstant(
        constant.id,
        constant.symbol,
        constant.name or constant.symbol,
        stored_quantity(constant),
        Provenance("document", constant.name or constant.symbol, span=span),
        digits,
    )


def _quantities(pinned: Mapping[str, str]) -> dict[str, Quantity]:
    return {symbol_identifier(symbol): read_value(text).quantity for symbol, text in pinned.items()}


def _unit(text: str | None) -> Unit | None:
    return None if text is None else read_unit(text)


def chosen_planner(planner: str | None, models: Models | None) -> str:
    """Who plans: the one that was named, where that is possible."""
    is_possible = models is not None and models.has("reason")
    if planner is None:
        return "auto" if is_possible else "rules"
    if planner not in PLANNERS:
        raise UsageError(f"there is no planner {planner!r}; there is {', '.join(PLANNERS)}")
    if planner in ("react", "small") and not is_possible:
        raise UsageError(
            f"the planner {planner} needs a language model: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL (or "
            "MATHRAG_LLM_MODEL_REASON), or use --planner rules"
        )
    return planner if is_possible else "rules"


def _priced(asked: SessionResult, models: Models) -> SessionResult:
    """The outcome with what the model cost, where the price is known."""
    outcome = asked.result.outcome
    usage = outcome.usage
    if usage is None:
        return asked
    spent = models.meter.purse.picodollars(Usage(usage.prompt_tokens, usage.completion_tokens))
    priced = replace(outcome, usage=replace(usage, cost=None if spent is None else dollars(spent)))
    return replace(asked, result=replace(asked.result, outcome=priced))


def _worded(asked: SessionResult) -> SessionResult:
    """The answer with a sentence that says what its number is; what a model says to it stands beside, not instead."""
    outcome = asked.result.outcome
    if not isinstance(outcome, Answer) or not outcome.steps:
        return asked
    plain = outcome_sentence(replace(outcome, words=""))
    explanation = "" if outcome.usage is None else model_sentence(outcome)
    is_more = bool(explanation) and explanation != plain
    worded = replace(outcome, words=plain, explanation=f"{MODEL_WORDS}{explanation}" if is_more else "")
    return replace(asked, result=replace(asked.result, outcome=worded))


# The generation of the library, and everything that was asked as text.
Key: TypeAlias = tuple[int, str]
# In characters. A table of thousands of rows is seldom asked for twice, and would push out everything else.
_LARGEST = 256 * 1024


class OutcomeCache:
    """The last outcomes with the events that led to them; for any number of threads."""

    def __init__(self, most: int) -> None:
        self.found = 0
        self._most = most
        self._held: OrderedDict[Key, tuple[list[Json], Json]] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: Key) -> tuple[list[Json], Json] | None:
        """The events and the outcome of the very same question to the very same library."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self.found += 1
                self._held.move_to_end(key)
            return found

    def remember(self, key: Key, events: list[Json], result: Json) -> None:
        """Keep an outcome. Those of earlier states of the library go; a very large one is not kept at all."""
        if len(json.dumps([events, result])) > _LARGEST:
            return
        with self._lock:
            for old in [each for each in self._held if each[0] < key[0]]:
                del self._held[old]
            self._held[key] = (events, result)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
