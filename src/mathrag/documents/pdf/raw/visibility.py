"""What can be seen on a page by its colour: nothing transparent, and paper-coloured things only on a darker ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.documents.pdf.page_content import Box, Glyph

_PALE, _LEAST_ALPHA = 250, 3
# Of a ground, in points; smaller filled things carry no text.
_LEAST_SIDE = 4.0
_MOST_GROUNDS, _MOST_PALE_GLYPHS = 250, 20_000


def is_transparent(colour: Sequence[int]) -> bool:
    """Whether a colour, as red, green, blue and alpha, lets everything through."""
    return colour[3] < _LEAST_ALPHA


def is_pale(colour: Sequence[int]) -> bool:
    """Whether a colour is that of paper."""
    return min(colour[:3]) >= _PALE


@dataclass(slots=True)
class Grounds:
    """Filled areas of a page in the order they are painted, each with whether it is darker than paper."""

    areas: list[tuple[Box, bool]] = field(default_factory=list)

    def add(self, box: Box, *, is_dark: bool) -> None:
        """Paint an area. A pale one on bare paper changes nothing."""
        is_large = min(box[2] - box[0], box[3] - box[1]) >= _LEAST_SIDE
        if is_large and (is_dark or self.areas) and len(self.areas) < _MOST_GROUNDS:
            self.areas.append((box, is_dark))

    def is_dark_at(self, box: Box) -> bool:
        """Whether what was last painted under the middle of a box is darker than paper."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for (left, top, right, bottom), is_dark in reversed(self.areas):
            if left <= x <= right and top <= y <= bottom:
                return is_dark
        return False

    @property
    def is_full(self) -> bool:
        """Whether there may be areas that were not kept."""
        return len(self.areas) >= _MOST_GROUNDS


def drop_pale(glyphs: Sequence[Glyph], pale: frozenset[int], grounds: Grounds) -> tuple[Glyph, ...]:
    """The glyphs without paper-coloured ones on bare paper.

    The order of text and areas is not known, so one dark area is enough to see a glyph. Where most of the text is pale,
    its ground was not understood, and all of it stays.
    """
    if not pale or 2 * len(pale) > len(glyphs) or len(pale) > _MOST_PALE_GLYPHS or grounds.is_full:
        return tuple(glyphs)
    dark = Grounds([area for area in grounds.areas if area[1]])
    return tuple(glyph for place, glyph in enumerate(glyphs) if place not in pale or dark.is_dark_at(glyph.box))
