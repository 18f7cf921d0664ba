"""One line of plain text as words and formulas: between dollar signs, in LaTeX brackets, or in plain words."""

from __future__ import annotations

import re
from dataclasses import replace

from mathrag.documents.math_spans import MathFinder, formula_source, number_of
from mathrag.documents.source_map import SourceText
from mathrag.documents.text_formulas import split_formulas
from mathrag.types.document import Content, Inline, Math, Text

_SIGN = re.compile(r"[$\\]")
_NUMBER = re.compile(r"[\s.…·]*\(\s*([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?)\s*\)\s*")


def line_content(source: SourceText, start: int, end: int, *, is_alone: bool) -> Content:
    """The pieces of a line. With `is_alone`, a formula that fills it counts as displayed."""
    text = source.text[start:end]
    pieces: list[Inline] = []
    place = source.place(start, end)
    if _SIGN.search(text):
        pieces.extend(_delimited(source, start, text))
    if not any(isinstance(piece, Math) for piece in pieces):
        pieces = list(split_formulas(text, place=place))
    return _numbered(pieces, is_alone=is_alone)


def _delimited(source: SourceText, offset: int, text: str) -> list[Inline]:
    finder = MathFinder(text)
    pieces: list[Inline] = []
    done = 0
    found = _SIGN.search(text)
    while found:
        at = found.start()
        span = finder.at_dollar(at) if text[at] == "$" else finder.at_backslash(at)
        if span is None:
            found = _SIGN.search(text, at + (2 if text[at] == "\\" else 1))
            continue
        if span.start > done:
            pieces.append(Text(text[done : span.start]))
        inner = text[span.inner_start : span.inner_end]
        place = source.place(offset + span.start, offset + span.end)
        quote = text[span.start : span.end]
        pieces.append(Math(formula_source(inner), "latex", place, quote, span.is_display, number_of(inner)))
        done = span.end
        found = _SIGN.search(text, done)
    if done < len(text):
        pieces.append(Text(text[done:]))
    return pieces


def _numbered(pieces: list[Inline], *, is_alone: bool) -> Content:
    """A number at the end of the line belongs to the formula that fills the rest of it."""
    if not pieces or not isinstance(pieces[0], Math) or len(pieces) > 2:
        return tuple(pieces)
    math = pieces[0]
    if len(pieces) == 1:
        return (replace(math, is_display=True),) if is_alone else (math,)
    last = pieces[1]
    found = _NUMBER.fullmatch(last.text) if isinstance(last, Text) else None
    if found:
        return (replace(math, number=found.group(1), is_display=True),)
    return tuple(pieces)
