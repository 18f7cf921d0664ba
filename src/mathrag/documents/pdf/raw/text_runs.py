"""What all signs of one text object share: font, size, direction, slant. Looked up once for each object."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from mathrag.documents.pdf.page_content import Box
from mathrag.documents.pdf.raw import quick_calls
from mathrag.documents.pdf.raw.fonts import FontShelf, OpenFont
from mathrag.documents.pdf.raw.geometry import Matrix, View, baseline_angle, is_finite, text_scale
from mathrag.documents.pdf.raw.paths import PathReader
from mathrag.documents.pdf.raw.visibility import is_pale, is_transparent

_STROKED, _INVISIBLE = 1, 3
# Slanted by the text matrix rather than by the font: browsers make an italic this way where a font has none.
_LEAST_SLANT = 0.15
# Taller than wide by this much, a sign is stretched, not large: browsers stretch the stem of a bar and clip it.
_LEAST_STRETCH = 4.0
_LARGEST_USUAL_SIZE = 200.0
_MATRIX = struct.Struct("=6f")
_COLOUR = struct.Struct("=4I")


@dataclass(frozen=True, slots=True)
class Run:
    """What all characters of one text object share."""

    font: OpenFont
    size: float
    angle: int
    is_slanted: bool
    is_invisible: bool
    # Whether it runs up or down in the coordinates of the file.
    is_sideways: bool
    # Whether all its signs stand on one level baseline of the file.
    is_level: bool
    # What its clip leaves visible, on the page as seen; only looked up for signs of unusual size.
    clip: Box | None = None
    # Printed with no opacity at all, as phantoms are; or in the colour of paper.
    is_transparent: bool = False
    is_pale: bool = False


class RunReader:
    """Reads the text objects of one page; holds its fonts."""

    def __init__(self, text_page: Any, view: View) -> None:
        self._page = quick_calls.address_of(text_page)
        self._view = view
        self._fonts = FontShelf()
        self._matrix = bytearray(_MATRIX.size)
        self._matrix_place = ctypes.addressof((ctypes.c_char * _MATRIX.size).from_buffer(self._matrix))
        self._colour = bytearray(_COLOUR.size)
        start = ctypes.addressof((ctypes.c_char * _COLOUR.size).from_buffer(self._colour))
        self._colour_places = tuple(start + 4 * number for number in range(4))
        # Objects differ in little but their place, which is not part of a run.
        self._known: dict[tuple[float, ...], Run | None] = {}

    def run_of(self, index: int, item: int) -> Run | None:
        """The run of a character of the text object at this address; nothing where it makes no sense."""
        if not quick_calls.matrix_of(self._page, index, self._matrix_place):
            return None
        numbers = _MATRIX.unpack(self._matrix)
        given = quick_calls.font_size_of(self._page, index)
        font, mode = quick_calls.font_of(item), quick_calls.render_mode_of(item)
        unseen = self._unseen(item, mode)
        key = (*numbers[:4], given, font or 0, mode, *unseen)
        if key in self._known:
            return self._known[key]
        run = self._read(item, numbers, given=given, mode=mode, unseen=unseen)
        if run is None or run.clip is None:
            self._known[key] = run
        return run

    def _unseen(self, item: int, mode: int) -> tuple[bool, bool]:
        """Whether the text object is transparent, and whether it has the colour of paper."""
        colour_of = quick_calls.stroke_colour_of if mode == _STROKED else quick_calls.fill_colour_of
        if not colour_of(item, *self._colour_places):
            return False, False
        colour = _COLOUR.unpack(self._colour)
        return is_transparent(colour), is_pale(colour)

    def _read(self, item: int, numbers: Matrix, *, given: float, mode: int, unseen: tuple[bool, bool]) -> Run | None:
        size = given * text_scale(numbers)
        font = self._fonts.font_of(item)
        if font is None or not is_finite(*numbers[:4], size) or size <= 0:
            return None
        a, b, c, d = numbers[:4]
        along = (a * a + b * b) ** 0.5
        clip: Box | None = None
        if size > _LEAST_STRETCH * given * along or size > _LARGEST_USUAL_SIZE:
            clip = PathReader().clip_box(ctypes.cast(item, pdfium.FPDF_PAGEOBJECT), self._view.matrix)
            size = min(size, given * along) if clip is not None and along else size
        return Run(
            font,
            round(size, 3),
            baseline_angle(numbers, self._view.quarter_turns),
            (a * c + b * d) / (along * along or 1.0) > _LEAST_SLANT,
            mode == _INVISIBLE,
            abs(b) > abs(a),
            b == 0 and c == 0,
            clip,
            *unseen,
        )
