"""A library on disk, opened for looking things up: what documents, formulas, constants, pages and models said.

`OpenLibrary` is what everything that shows or computes needs of a library. It changes nothing; what changes a library
or answers questions is `Library`, which is one of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mathrag.documents.path_text import document_key
from mathrag.errors import LibraryError
from mathrag.library.records import HIT_KINDS, HitKind, SearchHit
from mathrag.library.views import pages
from mathrag.library.views.search import search
from mathrag.store.truth import concepts, model_records, reader
from mathrag.store.truth.concepts import StoredConcept
from mathrag.store.truth.database import Database, open_database
from mathrag.store.truth.reader import count_reasons
from mathrag.store.truth.records import DocumentCounts, DocumentInfo, FailedDocument
from mathrag.types.document_actions import WORDS, FoundCell
from mathrag.types.library import Constant, Finding, Formula, Relation

if TYPE_CHECKING:
    from mathrag.library.quality import QualityBook
    from mathrag.llm.metered import Models
    from mathrag.retrieve.cells import CellSearch
    from mathrag.retrieve.problems import ProblemSearch
    from mathrag.retrieve.vector_search import VectorSearch
    from mathrag.store.embedders import Embedder
    from mathrag.types.document_actions import PageCut

Item = TypeVar("Item")
_IDENTIFIER = re.compile(r"f-[0-9a-f]{12}")
# So many of those that a name could mean are listed; more nobody reads.
_MOST_LISTED = 5


class OpenLibrary:
    """The library in a folder, with everything in it at hand. Several programs may have the same one open at once."""

    def __init__(self, folder: str | Path, *, create: bool = True) -> None:
        self.folder = Path(folder).expanduser()
        self.database: Database = open_database(self.folder, create=create)

    def close(self) -> None:
        """Let go of the files."""
        self.database.close()

    @cached_property
    def embedder(self) -> Embedder:
        """What turns texts into vectors; loaded when first needed."""
        from mathrag.store.embedders import load_embedder

        return load_embedder()

    @cached_property
    def vectors(self) -> VectorSearch:
        """What searches by meaning; loaded when first needed."""
        from mathrag.retrieve.vector_search import VectorSearch

        return VectorSearch(self.database, self.embedder)

    def search(
        self, words: str, *, kinds: Sequence[HitKind] = (), limit: int = 10, models: Models | None = None
    ) -> list[SearchHit]:
        """What fits some words, by words and by meaning. Worked examples (`example`) only where they are asked for.

        `models` are asked for the quality of passages and examples where the gate chose a model's opinion.
        """
        usual = tuple(kind for kind in kinds if kind != "example")
        book = self.quality_book if models is None else self.quality_book.judged_by(models)
        found: list[SearchHit] = []
        if usual or not kinds:
            found = search(
                self.database,
                words,
                vectors=self.vectors,
                kinds=usual or HIT_KINDS,
                limit=limit,
                passage_quality=book.for_passages,
            )
        if "example" in kinds:
            from mathrag.library.views.examples import search_examples

            found += search_examples(self.problem_search, book, words, limit=limit)
        return found[:limit]

    @cached_property
    def cell_search(self) -> CellSearch:
        """What searches any text of any table; loaded when first needed."""
        from mathrag.retrieve.cells import CellSearch

        return CellSearch(self.database, self._encoder)

    def _encoder(self, name: str) -> Embedder:
        from mathrag.store.embedders import DEFAULT_EMBEDDER, load_encoder

        return self.embedder if name in (DEFAULT_EMBEDDER, self.embedder.name) else load_encoder(name)

    def search_cells(
        self,
        query: str,
        *,
        collection: str = WORDS,
        table: str = "",
        column: str = "",
        filter: str = "",  # noqa: A002 - the name of the published action
        limit: int = 5,
    ) -> list[FoundCell]:
        """The texts of any table, or of one column, that fit a query best: by words (`bm25`) or by an embedder's name.

        A filter says more, such as `document == "d-0123" and 2 <= page < 9` or `"baseline" in text`.
        """
        return self.cell_search.search(
            query, collection=collection, table=table, column=column, filter=filter, limit=limit
        )

    @cached_property
    def problem_search(self) -> ProblemSearch:
        """What finds problems and the context in which they are solved; loaded when first needed."""
        from mathrag.retrieve.problems import ProblemSearch

        return ProblemSearch(self.database, self.embedder, quality=self.quality_book.for_solutions)

    @cached_property
    def quality_book(self) -> QualityBook:
        """What solutions and passages are ranked by beside how well they fit; loaded when first needed."""
        from mathrag.library.quality import QualityBook

        return QualityBook(self.database)

    # ---- documents

    def documents(self) -> list[DocumentInfo]:
        """Every document, ordered by key."""
        return reader.list_documents(self.database)

    def document(self, text: str) -> DocumentInfo:
        """The document with this id, path, name or title."""
        return exactly_one(self.find_documents(text), "document", text, lambda info: f"{info.id} {info.name}")

    def find_documents(self, text: str) -> list[DocumentInfo]:
        """The documents with this id, path, name or title, or whose name ends in this name."""
        return (
            reader.find_documents(self.database, text)
            or reader.find_documents(self.database, key_of(text))
            or [info for info in self.documents() if text.strip() and info.name.endswith(f"/{text.strip()}")]
        )

    def counts(self) -> dict[str, DocumentCounts]:
        """What each document gave, by its id."""
        return reader.count_documents(self.database)

    def totals(self) -> dict[str, int]:
        """How many entries of each sort there are."""
        return reader.count_entries(self.database)

    def failures(self) -> list[FailedDocument]:
        """The files that could not be read, with reasons."""
        return reader.list_failures(self.database)

    # ---- formulas, constants and how they hang together

    def formula(self, text: str) -> Formula:
        """The formula with this id, beginning of an id, or label."""
        return exactly_one(self.find_formulas(text), "formula", text, lambda formula: f"{formula.id} {formula.label}")

    def find_formulas(self, text: str) -> list[Formula]:
        """The formulas with this id, beginning of an id, or label. Answers may rest on formulas of the handbook, which
        are known by their ids."""
        return reader.find_formulas(self.database, text) or self._built_in(text)

    def _built_in(self, identifier: str) -> list[Formula]:
        if _IDENTIFIER.fullmatch(identifier) is None:
            return []
        from mathrag.library.handbook import handbook

        found = handbook().load_formula(identifier)
        return [] if found is None else [found]

    def formulas(self, *, document: str | None = None) -> list[Formula]:
        """Every formula, or those of one document (by its id)."""
        return reader.formulas_by_ids(self.database, reader.list_formula_ids(self.database, document=document))

    def find_constants(self, text: str) -> list[Constant]:
        """The constants with this id, beginning of an id, symbol or name."""
        return reader.find_constants(self.database, text)

    def constants(self, *, document: str | None = None) -> list[Constant]:
        """Every constant, or those of one document (by its id)."""
        return reader.constants_by_ids(self.database, reader.list_constant_ids(self.database, document=document))

    def findings(self, document: str) -> list[Finding]:
        """What one document (by its id) says, formula by formula."""
        return reader.findings_of_document(self.database, document)

    def relations(self, entry: str) -> list[Relation]:
        """The relations from and to a formula or constant (by its id)."""
        return reader.relations_of_entry(self.database, entry)

    def set_aside(self) -> dict[str, int]:
        """How many formulas cannot be computed with, by the code of the reason, such as `uncertain_reading`."""
        return count_reasons(self.database)

    # ---- concepts of dictionaries

    def concepts(self) -> tuple[StoredConcept, ...]:
        """Every concept that dictionaries of the library define, with its signature, properties and examples."""
        with self.database.reading() as connection:
            return concepts.all_concepts(connection)

    def find_concepts(self, text: str) -> tuple[StoredConcept, ...]:
        """The concepts with this name (`arith1:gcd`), symbol (`gcd`) or id; those of official dictionaries first."""
        with self.database.reading() as connection:
            return concepts.concepts_named(connection, text.strip())

    def concepts_of(self, formula: str) -> tuple[StoredConcept, ...]:
        """The concepts that a formula (by its id) uses and the library has, the most telling first."""
        with self.database.reading() as connection:
            return concepts.concepts_of_formula(connection, formula)

    def concept_counts(self) -> dict[str, int]:
        """How many dictionaries, definitions, properties, examples and signatures there are, and what held."""
        with self.database.reading() as connection:
            return concepts.count_concepts(connection)

    # ---- pages and pictures

    def page(self, document: str, number: int) -> pages.PageContents:
        """What was found on a page of a document (by its id, path, name or title), each part with its box."""
        return pages.page_contents(self.database, self.document(document), number)

    def page_png(self, document: str, number: int, *, scale: float = 2.0, password: str | None = None) -> bytes:
        """A page of the document's file as a PNG picture, with a coloured box around everything found on it."""
        return pages.page_png(self.database, self.document(document), number=number, password=password, scale=scale)

    def page_picture(
        self,
        document: str,
        page: int,
        box: Sequence[float] | None = None,
        *,
        scale: float = 2.0,
        password: str | None = None,
    ) -> PageCut:
        """A page of the document's file as it is printed (PNG), or what lies within a box of it.

        Pages count from 1; a box is left, top, right, bottom in points and is clipped to the page.
        """
        info = self.document(document)
        return pages.page_cut(self.database, info, number=page, box=box, scale=scale, password=password)

    def picture(self, formula: str) -> bytes | None:
        """The cut-out of the page (PNG) that was kept of a formula whose reading is uncertain; None where none was."""
        return pages.picture_of(self.database, self.formula(formula))

    # ---- what language models said

    def model_readings(self) -> list[model_records.ModelReading]:
        """How documents were read with a language model, and how far."""
        return model_records.list_readings(self.database)

    def rejected(self, document: str | None = None) -> list[model_records.RejectedProposal]:
        """What language models proposed and a check refused, of one document (by its id) or all."""
        return model_records.rejected_proposals(self.database, document=document)

    def rejected_counts(self) -> dict[str, int]:
        """How many proposals of language models were refused, by the code of the reason."""
        return model_records.count_rejected(self.database)

    def summaries(self, document: str) -> list[model_records.Summary]:
        """What a language model says a document (by its id) and its parts are about; never evidence for anything."""
        return model_records.summaries_of_document(self.database, document)

    def verdicts(self, formula: str | None = None) -> list[model_records.Verdict]:
        """What was said about pairs of formulas that read alike, those of one formula (by its id) or all."""
        return model_records.list_verdicts(self.database, formula=formula)


# What a person means by a name: the one thing of that name, or a sentence that says which there are.


def key_of(path: str) -> str:
    """The key of the document at a path; empty for what is no path."""
    return document_key(path) if path and "\0" not in path else ""


def exactly_one(found: Sequence[Item], what: str, text: str, shown: Callable[[Item], str]) -> Item:
    """The one thing found; `LibraryError` where there is none or several."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise LibraryError(f"the library has no {what} {text!r}; try `mathrag search`")
    listed = "; ".join(shown(item) for item in found[:_MOST_LISTED])
    more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
    raise LibraryError(f"{text!r} means {len(found)} {what}s: {listed}{more}; name one by its id")
