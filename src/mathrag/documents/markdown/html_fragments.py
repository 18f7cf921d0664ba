"""HTML blocks inside Markdown: tables, formulas and figures go to the HTML reader, wrappers are seen through."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, cast

from mathrag.documents.math_in_text.delimiters import DelimiterReader, formula_source
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Display, Document, Math, Place, ReaderNote, Text

_STRUCTURED = re.compile(r"<(?:table|math|figure|dl|ul|ol|pre)[\s>]", re.IGNORECASE)
_DROPPED = re.compile(
    r"<(script|style|template|svg|object)[\s>].*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)|<[!?][^>]{0,2000}>",
    re.IGNORECASE | re.DOTALL,
)
_TEX_MATH = re.compile(r"\$|\\\(|\\\[")


def is_only_dropped(text: str) -> bool:
    """Whether an HTML block says nothing to a reader: comments, scripts, styles, declarations."""
    return not _DROPPED.sub("", text).strip()


def is_structured(text: str) -> bool:
    """Whether a block needs a reader of HTML; simple wrappers do not."""
    return _STRUCTURED.search(text) is not None


@cache
def _html_reader() -> Callable[[Source], Document] | None:
    """The reader of HTML. Looked up when needed: most Markdown has no HTML table."""
    try:
        module = import_module("mathrag.documents.html")
    except ImportError:
        return None
    return cast("Callable[[Source], Document] | None", getattr(module, "read_html", None))


def read_html_fragment(
    source: SourceText, start: int, end: int, *, limits: ReadingLimits
) -> tuple[tuple[Block, ...], tuple[ReaderNote, ...]] | None:
    """The blocks of a stretch of HTML with the lines of this document; None where it cannot be read as HTML."""
    reader = _html_reader()
    if reader is None:
        return None
    text = source.text[start:end]
    try:
        document = reader(Source("fragment.html", text.encode("utf-8", "surrogatepass"), limits=limits))
    except DocumentError:
        return None
    mover = _Mover(source, start, end)
    notes = tuple(replace(note, place=mover.moved_place(note.place, "")) for note in document.notes)
    return cast("tuple[Block, ...]", mover.moved(document.blocks)), notes


class _Mover:
    """Gives blocks of a fragment the lines of the document, and quotes that the document really has."""

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.text = source.text[start:end]
        self.whole = source.place(start, end)

    def moved(self, value: Any) -> Any:
        """A value of the block model moved. Blocks nest a few levels at most, whatever the document did."""
        if isinstance(value, tuple):
            moved = tuple(self.moved(item) for item in value)
            return tuple(piece for item in moved for piece in self._pieces(item))
        if isinstance(value, Place):
            return self.moved_place(value, "")
        if not is_dataclass(value) or isinstance(value, type):
            return value
        changes: dict[str, Any] = {}
        quote = getattr(value, "quote", "")
        if quote and quote not in self.text:
            quote = changes["quote"] = self._found_quote(quote)
        for field in fields(value):
            old = getattr(value, field.name)
            if isinstance(old, Place):
                changes[field.name] = self.moved_place(old, quote)
            elif isinstance(old, tuple) or is_dataclass(old):
                changes[field.name] = self.moved(old)
        return replace(value, **changes)

    def _found_quote(self, quote: str) -> str:
        """The quote as the fragment has it, with its own line breaks; all of it where tags stand in between."""
        words = quote.split()
        if words and len(words) < 500:
            found = re.search(r"\s+".join(map(re.escape, words)), self.text)
            if found:
                return found.group()
        return self.text

    def moved_place(self, place: Place, quote: str) -> Place:
        """A place of the fragment in the document; all of the fragment where it had no line."""
        if place.line is None:
            return self.whole
        line = min(place.line + (self.whole.line or 1) - 1, self.whole.end_line or place.line)
        if quote:
            # The line is that of the element; the quote may stand on a later one.
            above = max(0, self.source.starts[line - self.source.first_line] - self.start)
            offset = self.text.find(quote, above)
            offset = self.text.find(quote) if offset < 0 else offset
            if offset >= 0:
                return self.source.place(self.start + offset, self.start + offset + len(quote))
        return replace(place, line=line, end_line=line, path=self.source.path)

    def _pieces(self, item: Any) -> tuple[Any, ...]:
        """In Markdown a dollar sign opens a formula inside HTML too, which a reader of HTML does not know."""
        formula = item.math if isinstance(item, Display) else item
        if isinstance(formula, Math) and not formula.source.strip():
            return ()
        if not isinstance(item, Text) or not _TEX_MATH.search(item.text):
            return (item,)
        finder = DelimiterReader(item.text)
        pieces: list[Text | Math] = []
        done = 0
        for found in _TEX_MATH.finditer(item.text):
            at = found.start()
            span = None if at < done else finder.at_dollar(at) if item.text[at] == "$" else finder.at_backslash(at)
            if span is None:
                continue
            quote = item.text[span.start : span.end]
            offset = self.text.find(quote)
            if offset < 0:
                continue
            if span.start > done:
                pieces.append(replace(item, text=item.text[done : span.start]))
            source = formula_source(item.text[span.inner_start : span.inner_end])
            place = self.source.place(self.start + offset, self.start + offset + len(quote))
            pieces.append(Math(source, "latex", place, quote, span.is_display))
            done = span.end
        if done < len(item.text):
            pieces.append(replace(item, text=item.text[done:]))
        return tuple(pieces)
