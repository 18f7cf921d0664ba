"""Where each character of a piece of text stands in the document, so that quotes are exact and lines are right."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from mathrag.types.document import Place


class SourceText:
    """The decoded document and its lines. Everything else is a span of it."""

    __slots__ = ("first_line", "path", "starts", "text")

    def __init__(self, text: str, *, path: str = "", first_line: int = 1) -> None:
        self.text = text
        self.path = path
        self.first_line = first_line
        starts = [0]
        position = text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = text.find("\n", position + 1)
        self.starts = starts

    def line_at(self, offset: int) -> int:
        """The number of the line, from 0, that an offset stands in."""
        return bisect_right(self.starts, offset) - 1

    def line_span(self, line: int) -> tuple[int, int]:
        """From where to where a line goes, without its end."""
        start = self.starts[line]
        stop = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        return start, stop

    def place(self, start: int, end: int) -> Place:
        """The lines of a span."""
        first = self.line_at(start)
        last = first if end - start < 2 else self.line_at(max(start, end - 1))
        return Place(line=first + self.first_line, end_line=last + self.first_line, path=self.path)

    def lines_quote(self, first: int, after: int) -> tuple[int, int]:
        """The span of whole lines, without blank lines and spaces at its ends."""
        start = self.starts[min(first, len(self.starts) - 1)]
        end = self.line_span(max(first, min(after, len(self.starts)) - 1))[1]
        text = self.text[start:end]
        return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text taken out of a document: without list indents, quote marks and escapes of a table.

    `places` are the positions in `text` where a stretch begins, `offsets` where it stands in the document.
    """

    source: SourceText
    text: str
    places: tuple[int, ...]
    offsets: tuple[int, ...]

    @classmethod
    def of_spans(cls, source: SourceText, spans: Iterable[tuple[int, int]], *, joined_by: str = "\n") -> Self:
        """The spans one after another, with a character of our own between them."""
        parts: list[str] = []
        places: list[int] = []
        offsets: list[int] = []
        length = 0
        for start, end in spans:
            if parts:
                parts.append(joined_by)
                length += len(joined_by)
            places.append(length)
            offsets.append(start)
            parts.append(source.text[start:end])
            length += end - start
        return cls(source, "".join(parts), tuple(places), tuple(offsets))

    def part(self, start: int, end: int) -> Fragment:
        """A stretch of this fragment."""
        first = max(0, bisect_right(self.places, start) - 1)
        stop = bisect_right(self.places, max(start, end - 1))
        places = tuple(max(0, place - start) for place in self.places[first:stop])
        offsets = (self.offset(start), *self.offsets[first + 1 : stop])
        return Fragment(self.source, self.text[start:end], places, offsets)

    def offset(self, position: int) -> int:
        """Where a character of the fragment stands in the document."""
        index = bisect_right(self.places, position) - 1
        return self.offsets[index] + position - self.places[index]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the fragment stands in the document."""
        first = self.offset(start)
        return first, (self.offset(end - 1) + 1 if end > start else first)

    def quote(self, start: int, end: int) -> str:
        """A stretch of the fragment exactly as the document has it."""
        first, last = self.span(start, end)
        return self.source.text[first:last]

    def place(self, start: int, end: int) -> Place:
        """The lines of a stretch."""
        return self.source.place(*self.span(start, end))
