"""Ask a library: everything that answering needs of it, opened once and kept. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from mathrag.answer.sentences import outcome_sentence
from mathrag.calculator import read_unit, read_value
from mathrag.compute.quantity_text.symbols import symbol_identifier
from mathrag.errors import UsageError
from mathrag.library.searching import search
from mathrag.reason.agent import FoundConstant, Planner, RulesPlanner
from mathrag.reason.asking import Asked, Options, Sources, ask
from mathrag.reason.choosing.planning import stored_quantity
from mathrag.retrieve.finding import Finder
from mathrag.retrieve.properties import PropertyFinder
from mathrag.store.reading import constants_by_ids, document_by_id, find_constants, formulas_by_ids
from mathrag.types.answer import Answer, Provenance
from mathrag.types.episode import Event
from mathrag.types.library import Constant, Formula, Span
from mathrag.types.quantity import Quantity, Unit

if TYPE_CHECKING:
    from mathrag.store.database import Database
    from mathrag.store.vectors import VectorSearch

PLANNERS: Mapping[str, Callable[[], Planner]] = {"rules": RulesPlanner}


class Asker:
    """Asks one library, again and again."""

    def __init__(self, database: Database, vectors: VectorSearch) -> None:
        self._database = database
        self._vectors = vectors
        self._names: dict[str, str] = {}

    @cached_property
    def sources(self) -> Sources:
        """What the library offers to those who answer."""
        return Sources(
            finder=Finder(self._database, self._vectors),
            load_formula=self._formula,
            load_constant=self._constant,
            find_constants=self._constants_called,
            find_properties=PropertyFinder(self._database).find,
            find_passages=self._passages,
            name_document=self._document_name,
        )

    def ask(
        self,
        text: str,
        *,
        planner: str = "rules",
        pinned: Mapping[str, str] | None = None,
        formula: Formula | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
    ) -> Asked:
        """The outcome of a question, with the formulas that were considered."""
        if planner not in PLANNERS:
            raise UsageError(f"there is no planner {planner!r}; there is {', '.join(PLANNERS)}")
        options = Options(_quantities(pinned or {}), formula, _unit(unit))
        asked = ask(text, self.sources, planner=PLANNERS[planner](), options=options, listener=listener)
        return _worded(asked)

    def _formula(self, identifier: str) -> Formula | None:
        return next(iter(formulas_by_ids(self._database, [identifier])), None)

    def _constant(self, identifier: str) -> Constant | None:
        return next(iter(constants_by_ids(self._database, [identifier])), None)

    def _constants_called(self, words: str) -> tuple[FoundConstant, ...]:
        return tuple(found_constant(each) for each in find_constants(self._database, words)[:3])

    def _passages(self, words: str) -> list[Span]:
        hits = search(self._database, words, vectors=self._vectors, kinds=("text",), limit=1)
        return [hit.span for hit in hits if hit.span is not None]

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


def _worded(asked: Asked) -> Asked:
    """The answer with a sentence that says what its number is."""
    outcome = asked.result.outcome
    if not isinstance(outcome, Answer) or not outcome.steps:
        return asked
    worded = replace(outcome, text=outcome_sentence(replace(outcome, text="")))
    return replace(asked, result=replace(asked.result, outcome=worded))
