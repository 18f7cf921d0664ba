"""What the store is given and gives back about documents: plain values, no SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal

from mathrag.store.truth.codec import Row
from mathrag.types.document import ReaderNote
from mathrag.types.library import Extraction, content_id

# The folder beside a library in which files that clients sent are kept.
UPLOADS = "uploads"


def document_id(key: str) -> str:
    """The id of the document known under a key, such as its path: the same on any machine, at any time."""
    return content_id("d", key)


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its content. `software` and `lexicon` say which versions read it; times are ISO 8601.

    `trust` is how people marked it: `trusted`, `untrusted`, or empty.
    """

    id: str
    key: str
    name: str
    media_type: str
    hash: str
    bytes: int
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    modified: str = ""
    ingested_at: str = ""
    software: str = ""
    lexicon: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[ReaderNote, ...] = ()
    extraction_notes: tuple[str, ...] = ()
    trust: str = ""
    venue: str = ""
    volume: str = ""
    identifier: str = ""

    @property
    def origin(self) -> Literal["upload", "file"]:
        """Whether it was sent to a server or read where it lies."""
        return "upload" if PurePath(self.key).parent.name == UPLOADS else "file"


@dataclass(frozen=True, slots=True)
class ViewRows:
    """Rows by table, each a mapping from column to value, in the order of the document."""

    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    def of(self, table: str) -> Sequence[Row]:
        """The rows of one table."""
        return self.rows.get(table, ())


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """Everything there is to store about one document.

    Where whoever understood the document has already made the `rows` of the extraction, by table, these are stored as
    they are, and the extraction need only hold what is merged: the findings and the constants.
    """

    info: DocumentInfo
    extraction: Extraction
    views: ViewRows = field(default_factory=ViewRows)
    rows: Mapping[str, Sequence[Sequence[object]]] | None = None

    def __post_init__(self) -> None:
        if self.extraction.document != self.info.id:
            raise ValueError(f"the extraction is of {self.extraction.document}, not of {self.info.id}")


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A document that could not be read, why, and how often that was tried."""

    key: str
    name: str
    hash: str
    code: str
    reason: str
    time: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """What a document gave the library."""

    document: str
    formulas: int = 0
    executable: int = 0
    declined: int = 0
    quarantined: int = 0
    constants: int = 0
    relations: int = 0
    definitions: int = 0
    instances: int = 0
    pages: int = 0
    sections: int = 0
    chunks: int = 0
    tables: int = 0
    images: int = 0
    equations: int = 0
    references: int = 0
    problems: int = 0
    solutions: int = 0
    concepts: int = 0
    signatures: int = 0
