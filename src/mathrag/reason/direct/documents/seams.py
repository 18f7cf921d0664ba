"""What looking something up in documents needs of a library, and what it finds. Plain values; decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from mathrag.retrieve.document_parts import (
    DocumentCard,
    EquationPart,
    FigurePart,
    PassagePart,
    ReferencePart,
    SectionPart,
    TablePart,
)
from mathrag.types.answer import WorkingLine
from mathrag.types.document import Place

_COMPARED = 60

Made = TypeVar("Made")


class DocumentParts(Protocol):
    """The documents of a library and the parts of each, by the id of the document."""

    def documents(self) -> Sequence[DocumentCard]: ...

    def sections(self, document: str) -> Sequence[SectionPart]: ...

    def tables(self, document: str) -> Sequence[TablePart]: ...

    def figures(self, document: str) -> Sequence[FigurePart]: ...

    def equations(self, document: str) -> Sequence[EquationPart]: ...

    def references(self, document: str) -> Sequence[ReferencePart]: ...

    def passages(self, document: str) -> Sequence[PassagePart]: ...

    def page_texts(self, document: str) -> Sequence[tuple[int, str]]: ...

    def kept(self, document: str, make: Callable[[DocumentParts, str], Made]) -> Made:
        """What `make` makes of the parts of a document, made once until the library changes."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """A place with its exact words, and what it is called there ("Table 3, row “A”, column “F1”")."""

    place: Place
    quote: str
    label: str = ""
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a document answers. `core` is the answer without its sentence: two documents agree where it is the same.
    `number` is the one number of it as it is printed or was computed, where it has one."""

    text: str
    core: str
    sources: tuple[Source, ...] = ()
    working: tuple[WorkingLine, ...] = ()
    warnings: tuple[str, ...] = ()
    number: str = ""


@dataclass(frozen=True, slots=True)
class Unclear:
    """What is asked is understood, and cannot be answered: why, how to ask again, and the places that differ on it."""

    reason: str
    suggestions: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


def exact_place(parts: DocumentParts, document: str, words: str, place: Place) -> Place:
    """The page on which words begin: a passage may reach over several. As it was where no page has them."""
    if place.page is None:
        return place
    wanted = _letters(words)[:_COMPARED]
    for number, text in parts.page_texts(document):
        if number >= place.page and wanted and wanted in _letters(text):
            return place if number == place.page else Place(page=number)
    return place


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


Looked: TypeAlias = Found | Unclear | None
