"""The passages of a document in order: the one that a place lies in, and those before and after it. Only reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mathrag.errors import LibraryError
from mathrag.library.source_view import quote_range
from mathrag.types.library import Span

if TYPE_CHECKING:
    from mathrag.library.facade import Library

_COLUMNS = "position, headings, text, file, line, end_line, page"
# Between dollars as documents are kept; a lone dollar sign is one.
_MATH = re.compile(r"\$\$([^$]{1,4000})\$\$|\$((?:[^$\n]|\n(?!\s*\n)){1,1000})\$")
_MOST_LOOKED_AT = 400


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a passage: words, or a formula as LaTeX. `is_marked` where it belongs to the quote."""

    text: str
    is_math: bool = False
    is_display: bool = False
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class OrderedPassage:
    """A passage at its position; `before` and `after` are the positions next to it, None at the ends."""

    document: str
    position: int
    number: int
    total: int
    before: int | None
    after: int | None
    headings: str
    text: str
    start: int
    end: int
    file: str
    line: int | None
    end_line: int | None
    page: int | None

    def pieces(self) -> list[Piece]:
        """The text in runs, formulas apart from words, the quote apart from the rest."""
        return list(_pieces(self.text, self.start, self.end))

    def as_object(self) -> dict[str, Any]:
        """The passage as data."""
        return asdict(self)


def ordered_passage(library: Library, span: Span, *, position: int | None = None) -> OrderedPassage:
    """The passage at a position; without one, the passage that a place lies in, with the quote found in it."""
    with library.database.reading() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM chunks WHERE document = :document AND "  # noqa: S608 - our own names
            + _WHERE["place" if position is None else "position"]
            + f" ORDER BY position LIMIT {_MOST_LOOKED_AT}",
            {"document": span.document, "position": position, "file": span.place.file, "line": span.place.line,
             "page": span.place.page},
        ).fetchall()  # fmt: skip
        if not rows:
            raise LibraryError("the document has no text there")
        ranges = [quote_range(str(row[2]), span.quote) for row in rows]
        chosen = next((at for at, (start, end) in enumerate(ranges) if end > start), 0)
        at = int(rows[chosen][0])
        before, after, number, total = connection.execute(
            "SELECT max(position) FILTER (WHERE position < :at), min(position) FILTER (WHERE position > :at), "
            "count(*) FILTER (WHERE position <= :at), count(*) FROM chunks WHERE document = :document",
            {"document": span.document, "at": at},
        ).fetchone()
    _, headings, text, file, line, end_line, page = rows[chosen]
    start, end = ranges[chosen]
    return OrderedPassage(
        span.document, at, number, total, before, after, headings, text, start, end, file, line, end_line, page
    )


_WHERE = {
    "position": "position = :position",
    "place": (
        "file = :file AND ((:line IS NOT NULL AND line <= :line AND coalesce(end_line, line) >= :line) OR "
        "(:line IS NULL AND (:page IS NULL OR page = :page)))"
    ),
}


def _pieces(text: str, start: int, end: int) -> Iterator[Piece]:
    at = 0
    for found in _MATH.finditer(text):
        yield from _words(text, at, found.start(), start=start, end=end)
        is_display = found.group(1) is not None
        latex = (found.group(1) if is_display else found.group(2)).strip()
        is_marked = end > start and found.start() < end and found.end() > start
        yield Piece(latex, is_math=True, is_display=is_display, is_marked=is_marked)
        at = found.end()
    yield from _words(text, at, len(text), start=start, end=end)


def _words(text: str, first: int, last: int, *, start: int, end: int) -> Iterator[Piece]:
    """Words, cut where the quote begins and ends."""
    cuts = sorted({first, last, *(cut for cut in (start, end) if first < cut < last)})
    for begin, stop in pairwise(cuts):
        if stop > begin:
            yield Piece(text[begin:stop], is_marked=start <= begin and stop <= end and end > start)
