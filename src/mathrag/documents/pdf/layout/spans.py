"""A row of a page cut into words and formulas: its glyphs as tokens, and what only their places tell.

Which glyphs are a formula is decided in `math_in_text`; here bars make fractions and close neighbours are joined.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from mathrag.documents.math_in_text.finder import find_formulas
from mathrag.documents.math_in_text.glyph_rows import (
    GLYPH_ROWS,
    WORD_GAP,
    GlyphToken,
    glyph_roles,
    is_next_statement,
)
from mathrag.documents.math_in_text.tokens import FoundFormula, Role
from mathrag.documents.pdf.boxes import overlap_x
from mathrag.documents.pdf.layout.attachment import BIG_OPERATORS, end_of
from mathrag.documents.pdf.layout.rows import Item, Row


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a row: items from `start` up to `end`, words or a formula."""

    start: int
    end: int
    is_math: bool


def split_row(row: Row) -> tuple[Segment, ...]:
    """The words and formulas of a row from left to right; every item is in one segment."""
    tokens = _tokens_of(row.items)
    found = find_formulas(tokens, replace(GLYPH_ROWS, roles=partial(_roles_under_bars, row)))
    segments: list[Segment] = []
    position = 0
    for start, end in _merged(found, row.items, tokens):
        if start > position:
            segments.append(Segment(position, start, is_math=False))
        segments.append(Segment(start, end, is_math=True))
        position = end
    if position < len(row.items):
        segments.append(Segment(position, len(row.items), is_math=False))
    return tuple(segments)


def _tokens_of(items: Sequence[Item]) -> list[GlyphToken]:
    return [
        GlyphToken(
            "big operator" if item.glyph.text in BIG_OPERATORS else "glyph", item.glyph.text, index, index + 1,
            item.gap, item.glyph.style == "italic", item.glyph.is_bold, item.is_part, item.glyph.style,
            item.glyph.is_math_font, item.is_part and _hangs_on_last(items, index),
        )
        for index, item in enumerate(items)
    ]  # fmt: skip


def _hangs_on_last(items: Sequence[Item], index: int) -> bool:
    """Whether a part stands at what is before it rather than over what follows, as accents do."""
    part = items[index].glyph
    if part.text and unicodedata.combining(part.text[0]):
        base = next((item.glyph for item in items[index + 1 : index + 4] if not item.is_part), None)
        if base is None or index == 0:
            return base is None
        return overlap_x(part.box, items[index - 1].glyph.box) > overlap_x(part.box, base.box)
    return items[index].gap < WORD_GAP


def _roles_under_bars(row: Row, tokens: Sequence[GlyphToken]) -> list[Role]:
    """The roles; what stands above or below a bar with something on the other side is part of a fraction."""
    roles = glyph_roles(tokens)
    for rule in row.rules:
        left, top, right, bottom = rule.box
        inside = [
            i for i, item in enumerate(row.items) if left - 1 <= item.glyph.box[0] and item.glyph.box[2] <= right + 1
        ]
        above = [i for i in inside if row.items[i].glyph.y <= top + 0.1 * row.size and row.items[i].is_part]
        below = [
            i for i in inside if row.items[i].glyph.box[1] >= bottom - 0.3 * row.size and row.items[i].glyph.y > bottom
        ]
        is_root = any(item.glyph.text == "√" and abs(item.glyph.box[2] - left) < 0.3 * row.size for item in row.items)
        if (above and below) or is_root or any(roles[i] == "symbol" for i in below):
            for index in (*above, *below):
                roles[index] = "symbol"
    return roles


def _merged(
    found: Sequence[FoundFormula], items: Sequence[Item], tokens: Sequence[GlyphToken]
) -> list[tuple[int, int]]:
    """Neighbouring formulas with nothing but a little white between them are one."""
    result: list[tuple[int, int]] = []
    for start, end in ((each.start, each.stop) for each in found):
        if result and start < result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
            continue
        is_close = bool(result) and result[-1][1] == start and items[start - 1].glyph.text not in (",", ";")
        if is_close and not is_next_statement(tokens, start):
            white = items[start].glyph.x - end_of(items[start - 1].glyph)
            if white < 0.7 * items[start].glyph.size:
                result[-1] = (result[-1][0], end)
                continue
        result.append((start, end))
    return result
