"""The seam of formats that have pages: count them, read some of them, join what was read. Chooses no reader.

Pages are read apart from each other, in any order and in several processes. What comes of one page travels as plain
JSON; whoever has all of them asks for the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from mathrag.documents.reader import Source
from mathrag.types.document import Document

Json: TypeAlias = Any


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
