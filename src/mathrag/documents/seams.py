"""The seam every reader fits: bytes in, a `Document` out. Which reader reads what is decided in `registry.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from mathrag.isolation.tasks import WorkerLimits
from mathrag.types.document import Document
from mathrag.types.json_value import Json


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What one document may cost. A reader that would go beyond raises `DocumentError` with code `too_large`.

    `seconds` and `megabytes` hold for one process at one task; a document that is read page by page has
    `page_seconds` for each of its pages.
    """

    bytes: int = 64 * 1024 * 1024
    blocks: int = 500_000
    depth: int = 200
    files: int = 1_000
    seconds: float = 300.0
    megabytes: int = 2048
    pages: int = 5_000
    page_seconds: float = 120.0

    def worker_limits(self) -> WorkerLimits:
        """The limits of a process that reads under these limits."""
        return WorkerLimits(seconds=self.seconds, megabytes=self.megabytes)


@dataclass(frozen=True, slots=True)
class Source:
    """One document as it came. `name` is shown to people; `folder` is the only place from which a project may take
    further files, None where it may take none. `password` opens an encrypted document; it is never kept or shown."""

    name: str
    data: bytes
    folder: Path | None = None
    path: Path | None = None
    limits: ReadingLimits = field(default_factory=ReadingLimits)
    password: str = field(default="", repr=False)

    @property
    def hash(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


class Reader(Protocol):
    """Reads one format. Raises `DocumentError` for what it cannot read; notes on the document what it left out."""

    def __call__(self, source: Source) -> Document: ...


# The seam of formats that have pages: count them, read some of them, join what was read. Chooses no reader.
#
# Pages are read apart from each other, in any order and in several processes. What comes of one page travels as plain
# JSON; whoever has all of them asks for the document.


class PageValue(Protocol):
    """What a reader makes of one page; only that reader understands it."""

    def to_json(self) -> Json: ...

    @staticmethod
    def from_json(data: Json) -> PageValue: ...


@runtime_checkable
class PagedReader(Protocol):
    """Reads one paged format. A module with these names is one, and so is an object.

    `PageReading` is the class of what is read from one page. `read_pages` gives one for each number (from 1), in their
    order. `assemble` gets those of the pages that could be read, in the order of the pages; some may be missing.
    """

    PageReading: type[PageValue]

    def count_pages(self, source: Source) -> int: ...

    def read_pages(self, source: Source, numbers: Sequence[int]) -> Sequence[PageValue]: ...

    def assemble(self, source: Source, pages: Sequence[PageValue]) -> Document: ...
