"""The rows of the first page as a title page wants them: whole width, parted at wide white and at raised marks.

Names of authors stand beside each other with white between, and carry raised marks; both are lost in paragraphs. Reads
no formula and judges nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import combining, normalize

from mathrag.documents.boxes import middle_x
from mathrag.documents.pdf.page_content import Glyph, PageContent

# What stands for a raised mark, or a sign that is one, in the text of a part.
MARK = "\x1f"
_MARKS = frozenset("†‡§¶∗*⋆★⁎♠♣♥♦♢△◇○•∥‖#¹²³⁴⁵⁶⁷⁸⁹⁰")
# In parts of the size of a row: baselines this close are one; what is this much smaller is a mark; white this wide
# parts a row, and white this wide parts words.
_SAME_ROW, _SMALLER, _WIDE, _SPACE = 0.2, 0.82, 0.8, 0.13
_MOST_GLYPHS = 20_000
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One row: its parts (left, right, text) from left to right, and how it looks."""

    parts: tuple[tuple[float, float, str], ...]
    top: float
    bottom: float
    size: float
    is_bold: bool = False
    is_italic: bool = False

    @property
    def text(self) -> str:
        """The words of the row without marks."""
        return _SPACES.sub(" ", " ".join(text for _, _, text in self.parts).replace(MARK, " ")).strip()


def find_front_rows(page: PageContent) -> tuple[FrontRow, ...]:
    """The upright rows of a page from top to bottom, and what runs upwards at its edge as the last."""
    upright = [glyph for glyph in page.glyphs[:_MOST_GLYPHS] if glyph.angle == 0 and glyph.text.strip()]
    lines: list[list[Glyph]] = []
    for glyph in sorted(upright, key=lambda glyph: glyph.y):
        if lines and glyph.y - lines[-1][-1].y <= _SAME_ROW * max(glyph.size, 1.0):
            lines[-1].append(glyph)
        else:
            lines.append([glyph])
    rows = [_row(line) for line in _with_marks(lines)]
    turned = [glyph for glyph in page.glyphs[:_MOST_GLYPHS] if glyph.angle in (90, 270) and glyph.text]
    if turned:
        ordered = sorted(turned, key=lambda glyph: glyph.y, reverse=turned[0].angle == 90)
        text = "".join(glyph.text for glyph in ordered)[:400]
        rows.append(FrontRow(((0.0, 0.0, text),), page.height, page.height, 0.0))
    return tuple(rows)


def _with_marks(lines: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """The rows, each with the small signs that stand raised above it."""
    rows: list[list[Glyph]] = []
    waiting: list[Glyph] = []
    for line in lines:
        size = max(glyph.size for glyph in line)
        raised = [glyph for glyph in waiting if glyph.y > line[0].y - 0.62 * size and glyph.size < _SMALLER * size]
        if waiting and len(raised) < len(waiting):
            rows.append([glyph for glyph in waiting if glyph not in raised])
        waiting = []
        if len(line) <= 24 and not raised:
            waiting = line
        else:
            rows.append([*line, *raised])
    if waiting:
        rows.append(waiting)
    return rows


def _place(glyph: Glyph) -> float:
    """Where a glyph comes in its row: an accent of its own behind the letter it stands over, to be one sign with it."""
    return middle_x(glyph.box) if combining(glyph.text[:1] or " ") else glyph.x


def _row(glyphs: Sequence[Glyph]) -> FrontRow:
    ordered = sorted(glyphs, key=_place)
    letters = [glyph for glyph in ordered if glyph.text.isalpha()] or list(ordered)
    sizes = sorted(glyph.size for glyph in letters)
    size = sizes[len(sizes) // 2] if sizes[-1] > 1.5 * sizes[len(sizes) // 2] else sizes[-1]
    parts: list[tuple[float, float, str]] = []
    end = None
    for glyph in ordered:
        is_mark = (glyph.size < _SMALLER * size and not glyph.text.isupper()) or glyph.text in _MARKS
        text = MARK if is_mark else glyph.text
        white = 0.0 if end is None else glyph.x - end
        if end is None or white > _WIDE * size:
            parts.append((glyph.x, glyph.x + glyph.advance, text))
        else:
            left, _, before = parts[-1]
            joint = " " if white > _SPACE * size else ""
            parts[-1] = (left, glyph.x + glyph.advance, f"{before}{joint}{text}")
        end = max(glyph.x + glyph.advance, end or 0.0)
    inked = [glyph.box for glyph in letters]
    return FrontRow(
        tuple((round(left, 1), round(right, 1), normalize("NFC", text)) for left, right, text in parts),
        round(min(box[1] for box in inked), 1),
        round(max(box[3] for box in inked), 1),
        round(size, 2),
        sum(glyph.is_bold for glyph in letters) > 0.6 * len(letters),
        sum(glyph.style == "italic" for glyph in letters) > 0.6 * len(letters),
    )
