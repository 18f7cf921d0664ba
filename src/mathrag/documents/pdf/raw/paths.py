"""Path objects of pdfium: their subpaths as seen, how they are painted, and what clip and colour leave to be seen.

Nothing transparent is seen, and paper-coloured things only on a darker ground. What a shape means is decided elsewhere.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import pypdfium2.raw as pdfium

from mathrag.documents.boxes import NOWHERE, Box, height, holds_middle, intersection, union, width
from mathrag.documents.pdf.page_content import Glyph
from mathrag.documents.pdf.raw import pdfium_calls
from mathrag.documents.pdf.raw.geometry import IDENTITY, Matrix, is_finite, multiply

# Of 255: lighter than the first is white to the eye, more transparent than the second is not there.
_PALE, _LEAST_ALPHA = 250, 3
# Of a ground, in points; smaller filled things carry no text.
_LEAST_SIDE = 4.0
# Every pale glyph is held against every ground; beyond these, all glyphs count as seen.
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
        is_large = min(width(box), height(box)) >= _LEAST_SIDE
        if is_large and (is_dark or self.areas) and len(self.areas) < _MOST_GROUNDS:
            self.areas.append((box, is_dark))

    def is_dark_at(self, box: Box) -> bool:
        """Whether what was last painted under the middle of a box is darker than paper."""
        return next((is_dark for area, is_dark in reversed(self.areas) if holds_middle(area, box)), False)

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


# A clip of more paths or segments is a picture's; ignoring it shows too much, never too little.
_MOST_CLIP_PATHS, _MOST_CLIP_SEGMENTS = 4, 40
# A line of width 0 is drawn as thin as the device can.
_HAIRLINE = 0.1
# Outlines of letters and pictures curve from the start.
_FIRST_SEGMENTS = 40
Point = tuple[float, float]
# How a path is painted: not at all, in the colour of paper, or in any other.
Tint: TypeAlias = Literal["none", "pale", "dark"]


@dataclass(frozen=True, slots=True)
class Subpath:
    """Points in page coordinates; of curves the control points too. `is_straight` if it has no curve."""

    points: tuple[Point, ...]
    is_straight: bool
    is_closed: bool

    @property
    def box(self) -> Box:
        xs = [x for x, _ in self.points]
        ys = [y for _, y in self.points]
        return (min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class PaintedPath:
    """A visible path. `line_width` is 0 where it is not stroked."""

    subpaths: tuple[Subpath, ...]
    is_filled: bool
    line_width: float


class PathReader:
    """Reads path objects; holds the buffers that pdfium fills."""

    def __init__(self) -> None:
        self._floats = tuple(ctypes.c_float() for _ in range(4))
        self._references = tuple(ctypes.byref(number) for number in self._floats)
        self._colours = tuple(ctypes.c_uint() for _ in range(4))
        self._colour_references = tuple(ctypes.byref(number) for number in self._colours)
        self._mode, self._is_stroked = ctypes.c_int(), ctypes.c_int()
        self._matrix = pdfium.FS_MATRIX()
        self._point = (ctypes.c_float * 2)()
        self._point_places = (ctypes.addressof(self._point), ctypes.addressof(self._point) + 4)

    def bounds(self, path: Any) -> Box | None:
        """The box pdfium keeps for any object, in the coordinates of what holds the object."""
        if not pdfium.FPDFPageObj_GetBounds(path, *self._references):
            return None
        left, bottom, right, top = (number.value for number in self._floats)
        # A path may run far outside the page where a clip cuts it, so only its near corner must make sense.
        return (left, bottom, right, top) if all(abs(n) < 1e7 for n in (left, bottom, right, top)) else None

    def paint(self, path: Any) -> tuple[Tint, Tint] | None:
        """How the path is filled and stroked; nothing if neither."""
        if not pdfium.FPDFPath_GetDrawMode(path, ctypes.byref(self._mode), ctypes.byref(self._is_stroked)):
            return None
        fill = self._tint(pdfium.FPDFPageObj_GetFillColor, path) if self._mode.value else "none"
        stroke = self._tint(pdfium.FPDFPageObj_GetStrokeColor, path) if self._is_stroked.value else "none"
        return (fill, stroke) if fill != "none" or stroke != "none" else None

    def _tint(self, colour_of: Any, path: Any) -> Tint:
        if not colour_of(path, *self._colour_references):
            return "dark"
        colour = [number.value for number in self._colours]
        if is_transparent(colour):
            return "none"
        return "pale" if is_pale(colour) else "dark"

    def read(self, path: Any, matrix: Matrix, *, is_filled: bool, is_stroked: bool) -> PaintedPath:
        """The path in the coordinates that `matrix` leads to."""
        own = self.matrix(path)
        to_page = multiply(own, matrix)
        width = 0.0
        if is_stroked:
            pdfium.FPDFPageObj_GetStrokeWidth(path, self._references[0])
            scale = abs(to_page[0] * to_page[3] - to_page[1] * to_page[2]) ** 0.5
            width = max(_HAIRLINE, self._floats[0].value * scale)
        count = pdfium.FPDFPath_CountSegments(path)
        address = pdfium_calls.address_of(path)
        segments = [pdfium_calls.path_segment(address, index) for index in range(count)]
        subpaths = self._subpaths(segments, to_page)
        return PaintedPath(tuple(subpaths), is_filled, width)

    def has_curve(self, path: Any, count: int) -> bool:
        """Whether there is a curve among the first segments, as in all outlines of letters and pictures."""
        address = pdfium_calls.address_of(path)
        return any(
            pdfium_calls.segment_kind(pdfium_calls.path_segment(address, index)) == pdfium.FPDF_SEGMENT_BEZIERTO
            for index in range(min(count, _FIRST_SEGMENTS))
        )

    def matrix(self, item: Any) -> Matrix:
        """The matrix of an object; a useless one counts as none."""
        if not pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(self._matrix)):
            return IDENTITY
        matrix = self._matrix
        numbers = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        return numbers if is_finite(*numbers) else IDENTITY

    def clip_box(self, path: Any, matrix: Matrix) -> Box | None:
        """The box that the clip of an object leaves visible; nothing where there is no clip."""
        clip = pdfium.FPDFPageObj_GetClipPath(path)
        if not clip:
            return None
        visible: Box | None = None
        for number in range(min(_MOST_CLIP_PATHS, max(0, pdfium.FPDFClipPath_CountPaths(clip)))):
            count = pdfium.FPDFClipPath_CountPathSegments(clip, number)
            if not 0 < count <= _MOST_CLIP_SEGMENTS:
                continue
            address = pdfium_calls.address_of(clip)
            segments = [pdfium_calls.clip_segment(address, number, index) for index in range(count)]
            subpaths = self._subpaths(segments, matrix)
            boxes = [subpath.box for subpath in subpaths]
            if not boxes:
                continue
            outer = union(boxes)
            visible = outer if visible is None else intersection(visible, outer) or NOWHERE
        return visible

    def _subpaths(self, segments: Sequence[int], matrix: Matrix) -> list[Subpath]:
        point, (at_x, at_y) = self._point, self._point_places
        kind_of, read_point, closes = pdfium_calls.segment_kind, pdfium_calls.segment_point, pdfium_calls.segment_closes
        a, b, c, d, e, f = matrix
        subpaths: list[Subpath] = []
        points: list[Point] = []
        is_straight, is_closed = True, False
        for segment in segments:
            kind = kind_of(segment)
            read_point(segment, at_x, at_y)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                if len(points) > 1:
                    subpaths.append(Subpath(tuple(points), is_straight, is_closed))
                points, is_straight, is_closed = [], True, False
            elif kind == pdfium.FPDF_SEGMENT_BEZIERTO:
                is_straight = False
            is_closed = is_closed or bool(closes(segment))
            x, y = point
            points.append((a * x + c * y + e, b * x + d * y + f))
        if len(points) > 1:
            subpaths.append(Subpath(tuple(points), is_straight, is_closed))
        return subpaths


def clamp(points: tuple[Point, ...], box: Box) -> tuple[Point, ...]:
    """The points moved to the nearest place inside a box."""
    left, top, right, bottom = box
    return tuple((min(max(x, left), right), min(max(y, top), bottom)) for x, y in points)
