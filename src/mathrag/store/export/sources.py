"""What exports for people say about where something stands: titles of documents and places in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mathrag.store.graph.contents import LibraryContents
from mathrag.types.library import Formula, Span


@dataclass(frozen=True, slots=True)
class Sources:
    """The names by which documents are shown, under their ids."""

    titles: Mapping[str, str]
    names: Mapping[str, str]

    def title(self, document: str) -> str:
        """The title of a document, its name where it has none, its id where it is not known."""
        return self.titles.get(document) or self.names.get(document) or document

    def place(self, span: Span) -> str:
        """For a person: `mechanics.md, line 5`."""
        name = self.names.get(span.document) or span.document
        where = str(span.place)
        return f"{name}, {where}" if where else name


def sources_of(contents: LibraryContents) -> Sources:
    """The names of all documents of a library."""
    rows = contents.of_table("documents")
    return Sources(
        {str(row["id"]): str(row.get("title") or "") for row in rows},
        {str(row["id"]): str(row.get("name") or "") for row in rows},
    )


def by_document(contents: LibraryContents, sources: Sources) -> list[tuple[str, list[Formula]]]:
    """Documents by title, each with the formulas that were first found in it, in the order of the document."""
    found: dict[str, list[Formula]] = {}
    for formula in contents.formulas:
        first = min((span.document for span in formula.spans), default="")
        found.setdefault(first, []).append(formula)
    ordered = sorted(found.items(), key=lambda item: (sources.title(item[0]).casefold(), item[0]))
    return [(document, sorted(formulas, key=lambda each: _order(each, document))) for document, formulas in ordered]


def _order(formula: Formula, document: str) -> tuple[str, int, int, str]:
    places = [(s.place.file, s.place.page or 0, s.place.line or 0) for s in formula.spans if s.document == document]
    return (*min(places, default=("", 0, 0)), formula.id)


def one_line(text: str) -> str:
    """Text with every run of white space as one blank, and nothing that cannot be printed."""
    words = " ".join(text.split())
    return words if words.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in words)
