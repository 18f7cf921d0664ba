"""Small arrows over a letter are accents, whether a path draws them or a glyph of an arrow does. No words.

Browsers draw the arrow of a vector as a path, and some fonts use their shortest arrow for it. A wide arrow stays what
it is: it may join two sides of a reaction, with words above and below.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.pdf.page_content import Box, Drawing, Glyph

_ACCENTS = {"→": "\u20d7", "←": "\u20d6", "↔": "\u20e1"}
# All of the font size. An arrow between two things is at least one of it wide.
_WIDEST = 0.62
_FURTHEST = 0.3
# How far the arrow may reach into the ink of its letter, which curves of slanted letters do.
_DEEPEST = 0.12


def take_drawn_accents(
    glyphs: Sequence[Glyph], drawings: Sequence[Drawing]
) -> tuple[tuple[Glyph, ...], tuple[Drawing, ...]]:
    """The glyphs with accents behind their letters, and the drawings that are left."""
    short = [glyph for glyph in glyphs if glyph.text in _ACCENTS and glyph.is_math_font and _is_short(glyph)]
    drawn = [drawing for drawing in drawings if drawing.text in _ACCENTS]
    if drawn:
        widest = _WIDEST * max((glyph.size for glyph in glyphs), default=0.0)
        drawn = [drawing for drawing in drawn if drawing.box[2] - drawing.box[0] < widest]
    if not short and not drawn:
        return tuple(glyphs), tuple(drawings)
    bases = _Bases(glyphs)
    accents: dict[int, list[Glyph]] = {}
    taken: set[int] = set()
    for drawing in drawn:
        base = bases.below(drawing.box)
        if base is not None:
            accents.setdefault(id(base), []).append(_accent(drawing.text, drawing.box, base))
            taken.add(id(drawing))
    renamed: dict[int, Glyph] = {
        id(glyph): replace(glyph, text=_ACCENTS[glyph.text]) for glyph in short if bases.below(glyph.box) is not None
    }
    placed: list[Glyph] = []
    for glyph in glyphs:
        placed.append(renamed.get(id(glyph), glyph))
        placed.extend(accents.get(id(glyph), ()))
    return tuple(placed), tuple(drawing for drawing in drawings if id(drawing) not in taken)


def _is_short(glyph: Glyph) -> bool:
    return glyph.box[2] - glyph.box[0] < _WIDEST * glyph.size


class _Bases:
    """The letters of a page by their left edge."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        letters = [
            glyph for glyph in glyphs if (glyph.text[:1].isalpha() or glyph.text in ("∇", "∂")) and glyph.angle == 0
        ]
        self._letters = sorted(letters, key=lambda glyph: glyph.box[0])
        self._edges = [glyph.box[0] for glyph in self._letters]
        self._widest = max((glyph.box[2] - glyph.box[0] for glyph in letters), default=0.0)

    def below(self, arrow: Box) -> Glyph | None:
        """The letter that an arrow stands close above and in the middle of; nothing where there is none."""
        first = bisect_left(self._edges, arrow[0] - self._widest)
        last = bisect_right(self._edges, arrow[2])
        best: tuple[float, Glyph] | None = None
        for glyph in self._letters[first:last]:
            left, top, right, _ = glyph.box
            size = glyph.size
            is_over = min(right, arrow[2]) - max(left, arrow[0]) > 0.5 * min(right - left, arrow[2] - arrow[0])
            gap = top - arrow[3]
            if is_over and arrow[2] - arrow[0] < _WIDEST * size and -_DEEPEST * size < gap < _FURTHEST * size:
                distance = abs(gap)
                if best is None or distance < best[0]:
                    best = (distance, glyph)
        return best[1] if best else None


def _accent(arrow: str, box: Box, base: Glyph) -> Glyph:
    return replace(
        base,
        text=_ACCENTS[arrow],
        x=box[0],
        advance=0.0,
        box=box,
        style="upright",
        is_bold=False,
        is_math_font=True,
        evidence="shape",
    )
