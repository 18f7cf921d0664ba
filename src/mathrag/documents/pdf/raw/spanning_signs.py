"""Signs that span others: arrows and hats over letters, braces over and under terms. Judged by the ink around them.

Browsers draw them as paths, and many fonts use their usual arrow for the one over a vector. Here all of them become
glyphs at the place of what they span: accents combining, braces as they are. An arrow between two things stays one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.page_content import Box, Drawing, Glyph

_ACCENTS = {
    "→": "\u20d7", "⟶": "\u20d7", "←": "\u20d6", "⟵": "\u20d6", "↔": "\u20e1", "⟷": "\u20e1",
    "\u0302": "\u0302", "\u0303": "\u0303", "\u030c": "\u030c",
}  # fmt: skip
_LONG_ARROWS = {"→": "⟶", "←": "⟵", "↔": "⟷"}
_GLYPH_ARROWS = frozenset("→⟶←⟵↔⟷")
_DRAWN = frozenset(_ACCENTS) | {"⏞", "⏟"}
_SPANNED_SIGNS = frozenset("∇∂")
# All of the font size of what is spanned: the nearest and the furthest that its ink may be, how far the sign may
# stand out at either end, how far a neighbour in its own row may be.
_DEEPEST, _NEAREST, _FURTHEST = 0.15, 0.32, 0.6
_FURTHEST_FROM_BRACE = 2.5
_STANDS_OUT = 0.35
_BESIDE = 0.8
_TALLEST = 0.8
# Arrows in a row stand at the height of its minus signs, more or less.
_AXIS, _LEVEL = 0.25, 0.2
# The origin of an accent lies below its ink, on the baseline of a low letter.
_RAISED = 0.5


def take_spanning_signs(
    glyphs: Sequence[Glyph], drawings: Sequence[Drawing]
) -> tuple[tuple[Glyph, ...], tuple[Drawing, ...]]:
    """The glyphs, with spanning signs among them, and the drawings that are left."""
    drawn = [drawing for drawing in drawings if drawing.text in _DRAWN]
    arrows = [glyph for glyph in glyphs if glyph.text in _GLYPH_ARROWS and glyph.is_math_font and glyph.angle == 0]
    if not drawn and not arrows:
        return tuple(glyphs), tuple(drawings)
    around = _Surroundings(glyphs)
    behind: dict[int, list[Glyph]] = {}
    taken: set[int] = set()
    for drawing in drawn:
        found = around.sign_of(drawing)
        if found is not None:
            spanned, glyph = found
            behind.setdefault(id(spanned), []).append(glyph)
            taken.add(id(drawing))
    renamed = {
        id(glyph): replace(glyph, text=_ACCENTS[glyph.text])
        for glyph in arrows
        if around.spanned(glyph.box) is not None
    }
    placed: list[Glyph] = []
    for glyph in glyphs:
        placed.append(renamed.get(id(glyph), glyph))
        placed.extend(behind.get(id(glyph), ()))
    return tuple(placed), tuple(drawing for drawing in drawings if id(drawing) not in taken)


class _Surroundings:
    """The ink of a page by its left edge."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        inked = [glyph for glyph in glyphs if glyph.angle == 0 and glyph.text and not glyph.text.isspace()]
        self._glyphs = sorted(inked, key=lambda glyph: glyph.box[0])
        self._edges = [glyph.box[0] for glyph in self._glyphs]
        self._widest = max((glyph.box[2] - glyph.box[0] for glyph in inked), default=0.0)

    def sign_of(self, drawing: Drawing) -> tuple[Glyph, Glyph] | None:
        """The glyph to stand for a drawing, behind the one it goes with; nothing where it goes with none."""
        left, top, right, bottom = drawing.box
        middle = (top + bottom) / 2
        if drawing.text in ("⏞", "⏟"):
            below = drawing.text == "⏞"
            spanned = self._braced(drawing.box, is_below=below)
            return (spanned, _standing(spanned, drawing.text, drawing.box, middle)) if spanned else None
        spanned = self.spanned(drawing.box)
        if spanned is not None:
            return spanned, _standing(spanned, _ACCENTS[drawing.text], drawing.box, bottom + _RAISED * spanned.size)
        before = self._beside(drawing.box)
        if drawing.text not in _LONG_ARROWS or before is None or bottom - top > _TALLEST * before.size:
            return None
        if right - left < before.size / 2:
            return None
        arrow = _standing(before, _LONG_ARROWS[drawing.text], drawing.box, middle + _AXIS * before.size)
        return before, arrow

    def spanned(self, sign: Box) -> Glyph | None:
        """The first letter that a sign stands close over, if letters reach from its one end to the other."""
        middle = (sign[0] + sign[2]) / 2
        below = [
            glyph
            for glyph in self._between(sign[0], sign[2])
            if -_DEEPEST * glyph.size < glyph.box[1] - sign[3] < _FURTHEST * glyph.size and glyph.box[3] > sign[3]
        ]
        if not below or not any(_is_letter(glyph) for glyph in below) or self._beside(sign) is not None:
            return None
        size = max(glyph.size for glyph in below)
        if min(glyph.box[1] for glyph in below) - sign[3] > _NEAREST * size:
            return None
        left, right = min(glyph.box[0] for glyph in below), max(glyph.box[2] for glyph in below)
        is_over = left < middle < right + _STANDS_OUT * size
        slack = _STANDS_OUT * size
        return below[0] if is_over and left <= sign[0] + slack and right >= sign[2] - slack else None

    def _braced(self, brace: Box, *, is_below: bool) -> Glyph | None:
        """A glyph of what a brace spans, the largest, if there is ink along the whole brace."""
        found: list[Glyph] = []
        for glyph in self._between(brace[0], brace[2]):
            gap = glyph.box[1] - brace[3] if is_below else brace[1] - glyph.box[3]
            if -_STANDS_OUT * glyph.size < gap < _FURTHEST_FROM_BRACE * glyph.size:
                found.append(glyph)
        if not found:
            return None
        largest = max(found, key=lambda glyph: glyph.size)
        slack = 1.5 * _STANDS_OUT * largest.size
        reaches = (
            min(glyph.box[0] for glyph in found) <= brace[0] + slack
            and max(glyph.box[2] for glyph in found) >= brace[2] - slack
        )
        return largest if reaches else None

    def _beside(self, sign: Box) -> Glyph | None:
        """The letter, digit or bracket before or behind a sign in its own row."""
        height = (sign[1] + sign[3]) / 2
        reach = 30.0
        for glyph in self._between(sign[0] - reach, sign[2] + reach):
            left, _, right, _ = glyph.box
            is_level = abs(height - (glyph.y - _AXIS * glyph.size)) < _LEVEL * glyph.size
            if not is_level or not (glyph.text[:1].isalnum() or glyph.text in "()[]"):
                continue
            gap = max(left - sign[2], sign[0] - right)
            if -0.1 * glyph.size < gap < _BESIDE * glyph.size:
                return glyph
        return None

    def _between(self, left: float, right: float) -> list[Glyph]:
        """The glyphs whose ink lies between two edges or reaches into what is."""
        first = bisect_left(self._edges, left - self._widest)
        return [glyph for glyph in self._glyphs[first : bisect_right(self._edges, right)] if glyph.box[2] > left]


def _is_letter(glyph: Glyph) -> bool:
    return glyph.text[:1].isalpha() or glyph.text in _SPANNED_SIGNS


def _standing(spanned: Glyph, text: str, box: Box, y: float) -> Glyph:
    return replace(
        spanned,
        text=text,
        x=box[0],
        y=y,
        advance=box[2] - box[0],
        box=box,
        style="upright",
        is_bold=False,
        is_math_font=True,
        evidence="shape",
    )
