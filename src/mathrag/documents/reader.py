"""The seam every reader fits: bytes in, a `Document` out. Which reader reads what is decided in `registry.py`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from mathrag.types.document import Document


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
