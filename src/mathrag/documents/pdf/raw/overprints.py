"""Drop glyphs that are printed again over themselves: false bold and shadows. Judges by sign, size and place alone."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.pdf.page_content import Glyph

# Of the font size: nearer than this, the same sign twice is one sign.
_NEAR = 0.08
# Cells hold a few signs each, and few signs lie near the border of one.
_CELL = 24.0


def drop_overprints(glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """The glyphs without repetitions; the first of each stays."""
    kept: list[Glyph] = []
    cells: dict[tuple[str, int, int], list[Glyph]] = {}
    for glyph in glyphs:
        text, x, y = glyph.text, glyph.x / _CELL, glyph.y / _CELL
        column, row = int(x), int(y)
        step = _NEAR * glyph.size / _CELL
        same = cells.setdefault((text, column, row), [])
        near = same
        if not step < x - column < 1 - step or not step < y - row < 1 - step:
            near = [
                other
                for near_column in {int(x - step), int(x + step)}
                for near_row in {int(y - step), int(y + step)}
                for other in cells.get((text, near_column, near_row), ())
            ]
        if near and any(_is_repetition(other, glyph, _NEAR * glyph.size) for other in near):
            continue
        kept.append(glyph)
        same.append(glyph)
    return tuple(kept)


def _is_repetition(first: Glyph, second: Glyph, reach: float) -> bool:
    if abs(first.x - second.x) > reach or abs(first.y - second.y) > reach:
        return False
    if not first.text or first.text.isspace() or abs(first.size - second.size) > 0.05 * first.size:
        return False
    # Narrow pieces of built-up signs may lie close to each other and all count.
    nearest = min(reach, 0.4 * max(second.box[2] - second.box[0], 0.1), 0.4 * max(second.box[3] - second.box[1], 0.1))
    return abs(first.x - second.x) <= nearest and abs(first.y - second.y) <= nearest
