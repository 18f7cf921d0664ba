"""The drawn things of a page: thin straight lines, other paths, images. Knows no text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from mathrag.documents.pdf.page_content import Box, Drawing, Picture, Rule
from mathrag.documents.pdf.raw.drawn_signs import MOST_POINTS, join_drawn_signs, recognise
from mathrag.documents.pdf.raw.geometry import Matrix, View, map_box, multiply
from mathrag.documents.pdf.raw.paths import PaintedPath, PathReader, Subpath, clamp, intersect
from mathrag.documents.pdf.raw.rules import is_line, is_upright_box, join_lines, straight_lines
from mathrag.documents.pdf.raw.visibility import Grounds

MOST_OBJECTS = 100_000
_DEEPEST_FORM = 12
# Paths of more segments are drawn things whose shape does not matter; the budget is for the page.
_MOST_SEGMENTS, _SEGMENT_BUDGET = 600, 20_000
# Boxes, also with round corners, have no more; only they fill all of the area that is counted as theirs.
_MOST_BOX_SEGMENTS = 24


@dataclass(frozen=True, slots=True)
class Shapes:
    """What is drawn on a page."""

    rules: tuple[Rule, ...]
    drawings: tuple[Drawing, ...]
    pictures: tuple[Picture, ...]
    notes: tuple[str, ...]
    grounds: Grounds


@dataclass(slots=True)
class _Gathering:
    view: View
    reach: tuple[float, float]
    reader: PathReader = field(default_factory=PathReader)
    lines: list[Box] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    grounds: Grounds = field(default_factory=Grounds)
    segments: int = 0

    def visible(self, box: Box | None) -> Box | None:
        """The part of a box on the page, or beside it as far as lines of text run over its sides."""
        return intersect(box, (self.reach[0], 0.0, self.reach[1], self.view.height)) if box else None


def read_shapes(page: Any, view: View, *, reach: tuple[float, float]) -> Shapes:
    """Rules, drawings and pictures, also those inside form objects, as far to the left and right as `reach` says."""
    gathering = _Gathering(view, reach)
    notes: tuple[str, ...] = ()
    for count, (item, kind, matrix) in enumerate(_objects(page, view.matrix, gathering.reader)):
        if count >= MOST_OBJECTS:
            notes = (f"this page has more than {MOST_OBJECTS} objects; the rest was not read",)
            break
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            _take_path(item, matrix, gathering)
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
            _take_picture(item, kind, matrix, gathering)
    return Shapes(
        join_lines(gathering.lines),
        join_drawn_signs(gathering.drawings),
        tuple(gathering.pictures),
        notes,
        gathering.grounds,
    )


def _objects(page: Any, matrix: Matrix, reader: PathReader) -> Iterator[tuple[Any, int, Matrix]]:
    """Every object that is no form, in file order, with the matrix from its coordinates to the page as seen."""
    stack: list[tuple[Any, bool, int, int, Matrix]] = [(page, False, 0, pdfium.FPDFPage_CountObjects(page), matrix)]
    while stack:
        holder, is_form, index, count, matrix = stack.pop()
        if index >= count:
            continue
        stack.append((holder, is_form, index + 1, count, matrix))
        item = pdfium.FPDFFormObj_GetObject(holder, index) if is_form else pdfium.FPDFPage_GetObject(holder, index)
        if not item:
            continue
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind != pdfium.FPDF_PAGEOBJ_FORM:
            yield item, kind, matrix
        elif len(stack) <= _DEEPEST_FORM:
            inner = max(0, pdfium.FPDFFormObj_CountObjects(item))
            stack.append((item, True, 0, inner, multiply(reader.matrix(item), matrix)))


def _take_picture(item: Any, kind: int, matrix: Matrix, gathering: _Gathering) -> None:
    bounds = gathering.reader.bounds(item)
    box = gathering.visible(map_box(matrix, bounds)) if bounds else None
    if box is None:
        return
    gathering.grounds.add(box, is_dark=True)
    if kind == pdfium.FPDF_PAGEOBJ_SHADING:
        gathering.drawings.append(Drawing(box, is_filled=True))
    elif is_line(box):
        # Some programs draw fraction bars as stretched images.
        gathering.lines.append(box)
    else:
        gathering.pictures.append(Picture(box))


def _take_path(item: Any, matrix: Matrix, gathering: _Gathering) -> None:
    reader = gathering.reader
    painted = reader.paint(item)
    bounds = reader.bounds(item)
    if painted is None or bounds is None:
        return
    whole = map_box(matrix, bounds)
    box = gathering.visible(whole)
    if box is None:
        return
    clip = reader.clip_box(item, matrix)
    if clip is not None and (box := intersect(box, clip)) is None:
        return
    count = pdfium.FPDFPath_CountSegments(item)
    fill, stroke = painted
    # What has the colour of paper is seen only on something darker.
    is_on_dark = "pale" in painted and gathering.grounds.is_dark_at(box)
    is_filled, is_stroked = (tint == "dark" or (is_on_dark and tint == "pale") for tint in painted)
    if fill != "none" and count <= _MOST_BOX_SEGMENTS:
        gathering.grounds.add(box, is_dark=fill == "dark")
    if not (is_filled or is_stroked):
        return
    is_intricate = count > _MOST_SEGMENTS or (count > MOST_POINTS and reader.has_curve(item, count))
    gathering.segments += 0 if is_intricate else count
    if is_intricate or gathering.segments > _SEGMENT_BUDGET:
        gathering.drawings.append(Drawing(box, is_filled=is_filled))
        return
    path = reader.read(item, matrix, is_filled=is_filled, is_stroked=is_stroked)
    if box != whole:
        path = _clipped(path, box)
    if not path.subpaths:
        return
    lines, is_all = straight_lines(path)
    sign = "" if is_all else recognise(path, box)
    if not sign:
        # The bar of a radical or the shaft of an arrow is part of the sign.
        gathering.lines.extend(line for line in lines if is_line(line))
    # A pale box laid over a dark ground is paper again.
    is_paper = fill == "pale" and not sign and all(is_upright_box(subpath) for subpath in path.subpaths)
    if not is_all and not (is_paper and stroke == "none"):
        gathering.drawings.append(Drawing(box, sign, path.is_filled))


def _clipped(path: PaintedPath, box: Box) -> PaintedPath:
    half = path.line_width / 2
    roomy = (box[0] - half, box[1] - half, box[2] + half, box[3] + half)
    subpaths = tuple(
        Subpath(clamp(subpath.points, roomy), subpath.is_straight, subpath.is_closed) for subpath in path.subpaths
    )
    return PaintedPath(subpaths, path.is_filled, path.line_width)
