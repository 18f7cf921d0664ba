"""Looking things up in a library: documents, formulas, constants, pages, what models said. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from mathrag.errors import LibraryError
from mathrag.store.truth.database import Database
from mathrag.store.truth.records import DocumentCounts, DocumentInfo, FailedDocument
from mathrag.types.library import Constant, Finding, Formula, Relation

# What a person means by a name: the one thing of that name, or a sentence that says which there are.

Item = TypeVar("Item")


def key_of(path: str) -> str:
    """The key of the document at a path; empty for what is no path."""
    from mathrag.documents.path_text import document_key

    return document_key(path) if path and "\0" not in path else ""


def exactly_one(found: Sequence[Item], what: str, text: str, shown: Callable[[Item], str]) -> Item:
    """The one thing found; `LibraryError` where there is none or several."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise LibraryError(f"the library has no {what} {text!r}; try `mathrag search`")
    listed = "; ".join(shown(item) for item in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    raise LibraryError(f"{text!r} means {len(found)} {what}s: {listed}{more}; name one by its id")


if TYPE_CHECKING:
    from mathrag.library.views.pages import PageContents
    from mathrag.store.truth.model_records import ModelReading, RejectedProposal, Summary, Verdict


class Lookups:
    """What a library tells about what it holds. Part of `Library`, apart because that has enough to do."""

    database: Database

    def documents(self) -> list[DocumentInfo]:
        """Every document, ordered by key."""
        from mathrag.store.truth.reader import list_documents

        return list_documents(self.database)

    def document(self, text: str) -> DocumentInfo:
        """The document with this id, path, name or title."""
        return exactly_one(self.find_documents(text), "document", text, lambda info: f"{info.id} {info.name}")

    def counts(self) -> dict[str, DocumentCounts]:
        """What each document gave, by its id."""
        from mathrag.store.truth.reader import count_documents

        return count_documents(self.database)

    def totals(self) -> dict[str, int]:
        """How many entries of each sort there are."""
        from mathrag.store.truth.reader import count_entries

        return count_entries(self.database)

    def set_aside(self) -> dict[str, int]:
        """How many formulas cannot be computed with, by the code of the reason, such as `uncertain_reading`."""
        from mathrag.store.truth.reader import count_reasons

        return count_reasons(self.database)

    def failures(self) -> list[FailedDocument]:
        """The files that could not be read, with reasons."""
        from mathrag.store.truth.reader import list_failures

        return list_failures(self.database)

    def formula(self, text: str) -> Formula:
        """The formula with this id, beginning of an id, or label."""
        return exactly_one(self.find_formulas(text), "formula", text, lambda formula: f"{formula.id} {formula.label}")

    def find_formulas(self, text: str) -> list[Formula]:
        """The formulas with this id, beginning of an id, or label."""
        from mathrag.store.truth.reader import find_formulas

        return find_formulas(self.database, text)

    def find_constants(self, text: str) -> list[Constant]:
        """The constants with this id, beginning of an id, symbol or name."""
        from mathrag.store.truth.reader import find_constants

        return find_constants(self.database, text)

    def find_documents(self, text: str) -> list[DocumentInfo]:
        """The documents with this id, path, name or title, or whose name ends in this name."""
        from mathrag.store.truth.reader import find_documents

        return (
            find_documents(self.database, text)
            or find_documents(self.database, key_of(text))
            or [info for info in self.documents() if text.strip() and info.name.endswith(f"/{text.strip()}")]
        )

    def formulas(self, *, document: str | None = None) -> list[Formula]:
        """Every formula, or those of one document (by its id)."""
        from mathrag.store.truth.reader import formulas_by_ids, list_formula_ids

        return formulas_by_ids(self.database, list_formula_ids(self.database, document=document))

    def constants(self, *, document: str | None = None) -> list[Constant]:
        """Every constant, or those of one document (by its id)."""
        from mathrag.store.truth.reader import constants_by_ids, list_constant_ids

        return constants_by_ids(self.database, list_constant_ids(self.database, document=document))

    def findings(self, document: str) -> list[Finding]:
        """What one document (by its id) says, formula by formula."""
        from mathrag.store.truth.reader import findings_of_document

        return findings_of_document(self.database, document)

    def model_readings(self) -> list[ModelReading]:
        """How documents were read with a language model, and how far."""
        from mathrag.store.truth.model_records import list_readings

        return list_readings(self.database)

    def rejected(self, document: str | None = None) -> list[RejectedProposal]:
        """What language models proposed and a check refused, of one document (by its id) or all."""
        from mathrag.store.truth.model_records import rejected_proposals

        return rejected_proposals(self.database, document=document)

    def rejected_counts(self) -> dict[str, int]:
        """How many proposals of language models were refused, by the code of the reason."""
        from mathrag.store.truth.model_records import count_rejected

        return count_rejected(self.database)

    def summaries(self, document: str) -> list[Summary]:
        """What a language model says a document (by its id) and its parts are about; never evidence for anything."""
        from mathrag.store.truth.model_records import summaries_of_document

        return summaries_of_document(self.database, document)

    def verdicts(self, formula: str | None = None) -> list[Verdict]:
        """What was said about pairs of formulas that read alike, those of one formula (by its id) or all."""
        from mathrag.store.truth.model_records import list_verdicts

        return list_verdicts(self.database, formula=formula)

    def page(self, document: str, number: int) -> PageContents:
        """What was found on a page of a document (by its id, path, name or title), each part with its box."""
        from mathrag.library.views.pages import page_contents

        return page_contents(self.database, self.document(document), number)

    def page_png(self, document: str, number: int, *, scale: float = 2.0, password: str | None = None) -> bytes:
        """A page of the document's file as a PNG picture, with a coloured box around everything found on it."""
        from mathrag.library.views.pages import page_png

        return page_png(self.database, self.document(document), number=number, password=password, scale=scale)

    def picture(self, formula: str) -> bytes | None:
        """The cut-out of the page (PNG) that was kept of a formula whose reading is uncertain; None where none was."""
        from mathrag.library.views.pages import picture_of

        return picture_of(self.database, self.formula(formula))

    def relations(self, entry: str) -> list[Relation]:
        """The relations from and to a formula or constant (by its id)."""
        from mathrag.store.truth.reader import relations_of_entry

        return relations_of_entry(self.database, entry)
