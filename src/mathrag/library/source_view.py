"""The place in a document that something was read from: the passage around it, or the page with a box. Shows; decides
nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mathrag.library.pages import SCALE, Box, drawn_page
from mathrag.types.library import Span

if TYPE_CHECKING:
    from mathrag.library.facade import Library

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


def passage_of(library: Library, span: Span) -> Passage:
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
    library: Library, document: str, number: int, *, box: Box | None, scale: float = SCALE, password: str | None = None
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
