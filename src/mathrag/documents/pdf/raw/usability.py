"""Judge a page as a whole: whether it is a scan, has a layer of recognised text, or text drawn as outlines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from mathrag.documents.pdf.page_content import Box, Glyph
from mathrag.documents.pdf.raw.characters import Characters
from mathrag.documents.pdf.raw.geometry import View
from mathrag.documents.pdf.raw.shapes import Shapes

_FEW_GLYPHS = 20
_MOST_OF_PAGE = 0.5
_MANY_DRAWINGS = 150
OUTLINES_NOTE = "text drawn as outlines"
RECOGNISED_NOTE = "the text is an invisible layer of recognised characters over a picture"


def judge_page(
    view: View, glyphs: Sequence[Glyph], characters: Characters, shapes: Shapes
) -> tuple[bool, tuple[str, ...]]:
    """Whether the page is a scan without usable text, and what is to be said about its text."""
    # No more than a few are counted: a page of text has thousands.
    usable = sum(1 for _ in islice((glyph for glyph in glyphs if glyph.text.strip()), _FEW_GLYPHS))
    notes: list[str] = []
    if characters.invisible > 0.5 * max(1, len(characters.glyphs)) and usable >= _FEW_GLYPHS:
        notes.append(RECOGNISED_NOTE)
    pictures = [picture.box for picture in shapes.pictures]
    is_scan = usable < _FEW_GLYPHS and bool(pictures) and _covered_share(pictures, view) >= _MOST_OF_PAGE
    if usable < _FEW_GLYPHS and not is_scan and len(shapes.drawings) >= _MANY_DRAWINGS:
        notes.append(OUTLINES_NOTE)
        is_scan = True
    return is_scan, tuple(notes)


def _covered_share(boxes: Sequence[Box], view: View, *, cells: int = 24) -> float:
    """The share of the page that lies under boxes; counted on a coarse grid so that overlaps count once."""
    covered = 0
    for row in range(cells):
        y = (row + 0.5) * view.height / cells
        spans = [box for box in boxes if box[1] <= y <= box[3]]
        covered += sum(
            any(box[0] <= (column + 0.5) * view.width / cells <= box[2] for box in spans) for column in range(cells)
        )
    return covered / (cells * cells)
