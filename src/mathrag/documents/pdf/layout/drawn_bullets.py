"""Bullets of lists that are drawn as dots, not printed as signs: they become glyphs like any other bullet."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.pdf.boxes import height, middle_y, width
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.page_content import Drawing, Glyph


def drawn_bullets(drawings: Sequence[Drawing], stretches: Sequence[Stretch], *, body_size: float) -> list[Stretch]:
    """A bullet for every dot that stands before a row of text."""
    found: list[Stretch] = []
    for drawing in drawings:
        if drawing.text or not _is_dot(drawing, body_size):
            continue
        row = _row_after(drawing, stretches, body_size)
        if row is None:
            continue
        left, _, right, _ = drawing.box
        size = row.glyphs[0].size
        glyph = Glyph("•", "", size, left, row.y, right - left, drawing.box, evidence="shape")
        found.append(Stretch(drawing.box, row.y, (glyph,)))
    return found


def _is_dot(drawing: Drawing, body_size: float) -> bool:
    across, down = width(drawing.box), height(drawing.box)
    return 0.12 * body_size < across < 0.65 * body_size and abs(across - down) < 0.15 * body_size


def _row_after(drawing: Drawing, stretches: Sequence[Stretch], body_size: float) -> Stretch | None:
    y = middle_y(drawing.box)
    for stretch in stretches:
        is_beside = bool(stretch.glyphs) and stretch.box[1] - 1 < y < stretch.box[3] + 1
        if is_beside and 0 < stretch.box[0] - drawing.box[2] < 1.8 * body_size:
            return stretch
    return None
