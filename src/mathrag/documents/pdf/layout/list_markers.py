"""Markers at the start of rows: bullets, numbers and letters of lists. Joins no items."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.documents.pdf.layout.pieces import Line
from mathrag.types.document import Content, Inline, Math, Text

_BULLETS = frozenset("•●○◦▪■□▫‣⁃►▶∙·–—-*−✓➢➤❖⋄◆◇∗★")
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]|\d{1,3}\.\d{1,2}[.)])")


@dataclass(frozen=True, slots=True)
class ListMarker:
    """A marker, what follows it in its row, and where that begins."""

    text: str
    content: Content
    text_left: float


def find_marker(line: Line, *, left: float) -> ListMarker | None:
    """The marker a row begins with, if white sets it off from what follows."""
    items = line.row.items
    for index in range(1, min(len(items), 8)):
        gap = items[index].gap
        if gap < 0.25:
            continue
        marker = "".join(item.glyph.text for item in items[:index])
        is_bullet = marker in _BULLETS
        if not is_bullet and not _NUMBERED.fullmatch(marker):
            return None
        is_indented = items[0].glyph.x - left > 0.6 * line.row.size
        # A number at the edge followed by a plain space opens a sentence or heading as often as an item.
        if not is_bullet and gap < 0.38 and not is_indented:
            return None
        if is_bullet and marker in "–—-*−·" and not (gap >= 0.3 and _has_words(line)):
            return None
        content = _without(line, marker)
        return ListMarker(marker, content, items[index].glyph.x) if content is not None else None
    return None


def _has_words(line: Line) -> bool:
    return line.prose >= 2


def _without(line: Line, marker: str) -> Content | None:
    """The content of a row without its marker."""
    pieces: list[Inline] = list(line.content)
    first = pieces[0] if pieces else None
    if isinstance(first, Text):
        text = first.text.lstrip()
        if not text.startswith(marker):
            return None
        rest = text[len(marker) :].lstrip()
        return (Text(rest, first.bold, first.italic), *pieces[1:]) if rest else tuple(pieces[1:])
    if isinstance(first, Math) and first.quote.strip() == marker:
        return tuple(pieces[1:])
    return None
