"""The places in documents that things were read from: which they are, the passage around each, those before and after
it, or the page with a box. Shows; decides nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from mathrag.errors import LibraryError
from mathrag.library.ask.results import SourcePlace
from mathrag.library.opened import OpenLibrary, exactly_one
from mathrag.library.views.lists import document_names
from mathrag.library.views.pages import SCALE, Box, drawn_page
from mathrag.types.library import Constant, Formula, Span

# Red, as for what was set aside: the one box to look at.
_MARK = (215, 20, 20)
_MARGIN = 2.0


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document's text. `start` and `end` tell the quote inside of `text`; equal where it is not found."""

    document: str
    headings: str
    text: str
    start: int
    end: int
    line: int | None = None
    page: int | None = None


def passage_of(library: OpenLibrary, span: Span) -> Passage:
    """The piece of the document's text that a place lies in, with the quote found in it."""
    place = span.place
    with library.database.reading() as connection:
        rows = connection.execute(
            "SELECT headings, text, line, page FROM chunks WHERE document = :document AND file = :file AND ("
            "(:line IS NOT NULL AND line <= :line AND coalesce(end_line, line) >= :line) OR "
            "(:line IS NULL AND (:page IS NULL OR page = :page))) ORDER BY position LIMIT 200",
            {"document": span.document, "file": place.file, "line": place.line, "page": place.page},
        ).fetchall()
    best: Passage | None = None
    for headings, text, line, page in rows:
        start, end = quote_range(text, span.quote)
        found = Passage(span.document, headings, text, start, end, line, page)
        if end > start:
            return found
        # On a page of many passages the first one says nothing; at a line it is at least the right one.
        best = best or (found if place.line is not None else None)
    quoted = Passage(span.document, " > ".join(span.headings), span.quote, 0, len(span.quote), place.line, place.page)
    return best or quoted


def quote_range(text: str, quote: str) -> tuple[int, int]:
    """Where a quote stands in a text, blanks counting as equal; (0, 0) where it does not."""
    wanted = quote.strip()
    if not wanted:
        return 0, 0
    at = text.find(wanted)
    if at >= 0:
        return at, at + len(wanted)
    words = wanted.split()[:400]
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return (found.start(), found.end()) if found is not None else (0, 0)


def marked_page(
    library: OpenLibrary,
    document: str,
    number: int,
    *,
    box: Box | None,
    scale: float = SCALE,
    password: str | None = None,
) -> bytes:
    """A page of a document's file as PNG with one thick box; without one, with a box around everything found."""
    info = library.document(document)
    if box is None:
        return library.page_png(info.id, number, scale=scale, password=password)
    left, top, right, bottom = box
    boxes = [
        [left - margin, top - margin, right + margin, bottom + margin, *_MARK]
        for margin in (_MARGIN, _MARGIN + 0.5, _MARGIN + 1.0)
    ]
    return drawn_page(library.database, info, number=number, boxes=boxes, password=password, scale=scale)


# The passages of a document in order: the one that a place lies in, and those before and after it. Only reads.

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


def ordered_passage(library: OpenLibrary, span: Span, *, position: int | None = None) -> OrderedPassage:
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
        found = next((at for at, (start, end) in enumerate(ranges) if end > start), None)
        if found is None and span.quote.strip() and span.place.line is None and position is None and len(rows) > 1:
            # Of several passages of a page none has the words: any of them could be the wrong one.
            raise LibraryError("the document has no text there")
        chosen = found or 0
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


# Where formulas, constants and documents of a library stand in what was read: the list of places. Only reads.


def named_entry(library: OpenLibrary, identifier: str) -> Formula | Constant | None:
    """The formula, else the constant, of this id or name; None where there is none."""
    if library.find_formulas(identifier):
        return library.formula(identifier)
    constants = library.find_constants(identifier)
    if constants:
        return exactly_one(constants, "constant", identifier, lambda one: f"{one.id} {one.name or one.symbol}")
    return None


def source_places(library: OpenLibrary, identifier: str) -> list[SourcePlace]:
    """Every place of a formula or constant; of a document, every place that an entry was read from."""
    entry = named_entry(library, identifier)
    if entry is not None:
        found = [(entry.id, span) for span in entry.spans]
    else:
        document = library.document(identifier).id
        entries: list[Formula | Constant] = [*library.formulas(document=document)]
        entries += library.constants(document=document)
        found = [(one.id, span) for one in entries for span in one.spans if span.document == document]
    names = document_names(library)
    return [
        SourcePlace(owner, names.get(span.document, span.document), span, passage_of(library, span).text)
        for owner, span in found
    ]
