"""HTML blocks inside Markdown: tables, formulas and figures go to the HTML reader, wrappers are seen through."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, cast

from mathrag.documents.reader import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Document, Math, Place, ReaderNote

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
    shift = source.line_at(start) + source.first_line - 1
    lines = (source.line_at(start) + source.first_line, source.line_at(max(start, end - 1)) + source.first_line)
    blocks = tuple(_moved(block, shift, lines, source.path, text) for block in document.blocks)
    notes = tuple(
        note if not note.place.line else replace(note, place=_moved_place(note.place, shift, lines, source.path))
        for note in document.notes
    )
    return cast("tuple[Block, ...]", blocks), notes


def _moved(value: Any, shift: int, lines: tuple[int, int], path: str, text: str) -> Any:
    """A value of the block model with every place shifted and every quote one that the fragment really has.

    Blocks nest a few levels at most, whatever the document did.
    """
    if isinstance(value, Place):
        return _moved_place(value, shift, lines, path)
    if isinstance(value, tuple):
        return tuple(_moved(item, shift, lines, path, text) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes: dict[str, Any] = {}
    for field in fields(value):
        old = getattr(value, field.name)
        if field.name == "quote" and not isinstance(value, Math):
            changes["quote"] = old if old in text else text
        elif isinstance(old, tuple | Place) or is_dataclass(old):
            changes[field.name] = _moved(old, shift, lines, path, text)
    return replace(value, **changes)


def _moved_place(place: Place, shift: int, lines: tuple[int, int], path: str) -> Place:
    if place.line is None:
        return replace(place, line=lines[0], end_line=lines[1], path=path)
    return replace(
        place, line=place.line + shift, end_line=None if place.end_line is None else place.end_line + shift, path=path
    )
