"""What asking needs of a library, as functions; and what words find there, and in the handbook behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Protocol

from mathrag.reason.agent import FoundConstant
from mathrag.reason.direct.documents import DocumentParts
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import Finder
from mathrag.retrieve.concepts import ConceptSearch
from mathrag.retrieve.substance_properties import Property
from mathrag.retrieve.table_cells import FoundCell
from mathrag.types.library import Constant, Formula, Span
from mathrag.types.quantity import Quantity

_LONGEST_QUERY = 400
# Formulas that a planner's own words may add at once, of each of two ways to search.
_FURTHER = 5
# Formulas of the handbook that are shown beside those of the documents.
_MOST_BUILT_IN = 4


class Passages(Protocol):
    """Gives passages of the documents for words, best first."""

    def __call__(self, words: str, /, *, limit: int = 1) -> Sequence[Span]: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """What asking needs of a library. `load_constant` takes the id of a constant or of the standard one it is.
    `find_formulas` finds by words whatever is stored, computable or not. `handbook` is what everybody knows, for a
    planner that may look further than the documents; None where it may not."""

    finder: Finder
    load_formula: Callable[[str], Formula | None]
    load_constant: Callable[[str], Constant | None]
    find_constants: Callable[[str], Sequence[FoundConstant]]
    find_properties: Callable[[Collection[str], Collection[Quantity]], Sequence[Property]]
    find_passages: Passages
    name_document: Callable[[str], str]
    find_formulas: Callable[[str], Sequence[Formula]] = lambda _: ()
    find_cells: Callable[[str], Sequence[FoundCell]] = lambda _: ()
    concepts: ConceptSearch | None = None
    documents: DocumentParts | None = None
    is_collection: bool = False
    handbook: Callable[[], Sources] | None = None


def with_handbook_behind(documents: Sources) -> Sources:
    """The same, but a formula or a document that the library does not know by its id may be one of the handbook."""
    if documents.handbook is None:
        return documents
    handbook = documents.handbook()

    def name_document(document: str) -> str:
        name = documents.name_document(document)
        return handbook.name_document(document) if name == document else name

    return replace(
        documents,
        load_formula=lambda identifier: documents.load_formula(identifier) or handbook.load_formula(identifier),
        name_document=name_document,
    )


def formulas_for_words(sources: Sources, words: str) -> list[Formula]:
    """Formulas that words find, whether they can be computed or not."""
    query = words[:_LONGEST_QUERY]
    usable = [one.formula for one in sources.finder.find(read_question(query), limit=_FURTHER)]
    named = sources.find_formulas(query)[:_FURTHER]
    found = {each.id: each for pair in zip_longest(named, usable) for each in pair if each is not None}
    return list(found.values())


def built_in_formulas(documents: Sources, words: str) -> list[Formula]:
    """What the handbook has for words and the documents do not state themselves; only what can be computed with."""
    if documents.handbook is None or not words.strip():
        return []
    found = [each for each in formulas_for_words(documents.handbook(), words) if each.status == "executable"]
    return [each for each in found if not documents.finder.counterparts.of(each)][:_MOST_BUILT_IN]
