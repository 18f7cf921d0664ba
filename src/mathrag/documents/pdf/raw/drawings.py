"""The drawn things of a page: thin straight lines, signs drawn as paths, other paths, images. Knows no text.

Browsers and office programs draw what a font would print: fraction bars as filled boxes, radicals, arrows and tall
brackets as outlines. These are told by shape; what fits no description is a drawing without identity.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from mathrag.documents.boxes import Box, height, intersection, middle_y, union, width
from mathrag.documents.pdf.page_content import Drawing, Picture, Rule
from mathrag.documents.pdf.raw.geometry import Matrix, View, map_box, multiply
from mathrag.documents.pdf.raw.paths import Grounds, PaintedPath, PathReader, Point, Subpath, Tint, clamp

# Hostile pages: more objects than any page has, forms nested deeper than any program nests them.
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
        return intersection(box, (self.reach[0], 0.0, self.reach[1], self.view.height)) if box else None


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
    """A painted path: as ground of what is painted later, and as lines or a drawing where it can be seen."""
    reader = gathering.reader
    painted = reader.paint(item)
    bounds = reader.bounds(item)
    if painted is None or bounds is None:
        return
    whole = map_box(matrix, bounds)
    box = gathering.visible(whole)
    clip = reader.clip_box(item, matrix) if box is not None else None
    if box is not None and clip is not None:
        box = intersection(box, clip)
    if box is None:
        return
    count = pdfium.FPDFPath_CountSegments(item)
    # What has the colour of paper is seen only on something darker.
    is_on_dark = "pale" in painted and gathering.grounds.is_dark_at(box)
    is_filled, is_stroked = (tint == "dark" or (is_on_dark and tint == "pale") for tint in painted)
    if painted[0] != "none" and count <= _MOST_BOX_SEGMENTS:
        gathering.grounds.add(box, is_dark=painted[0] == "dark")
    if not (is_filled or is_stroked):
        return
    is_intricate = count > _MOST_SEGMENTS or (count > MOST_POINTS and reader.has_curve(item, count))
    gathering.segments += 0 if is_intricate else count
    if is_intricate or gathering.segments > _SEGMENT_BUDGET:
        gathering.drawings.append(Drawing(box, is_filled=is_filled))
        return
    path = reader.read(item, matrix, is_filled=is_filled, is_stroked=is_stroked)
    _take_outline(path if box == whole else _clipped(path, box), box, painted, gathering)


def _take_outline(path: PaintedPath, box: Box, painted: tuple[Tint, Tint], gathering: _Gathering) -> None:
    """What a visible path is: straight lines, a sign that is known by its shape, or any other drawing."""
    if not path.subpaths:
        return
    lines, is_all = straight_lines(path)
    sign = "" if is_all else recognise(path, box)
    if not sign:
        # The bar of a radical or the shaft of an arrow is part of the sign.
        gathering.lines.extend(line for line in lines if is_line(line))
    # A pale box laid over a dark ground is paper again.
    is_blank = painted == ("pale", "none") and not sign
    is_paper = is_blank and all(is_upright_box(subpath) for subpath in path.subpaths)
    if not is_all and not is_paper:
        gathering.drawings.append(Drawing(box, sign, path.is_filled))


def _clipped(path: PaintedPath, box: Box) -> PaintedPath:
    half = path.line_width / 2
    roomy = (box[0] - half, box[1] - half, box[2] + half, box[3] + half)
    subpaths = tuple(
        Subpath(clamp(subpath.points, roomy), subpath.is_straight, subpath.is_closed) for subpath in path.subpaths
    )
    return PaintedPath(subpaths, path.is_filled, path.line_width)


# Find the thin straight lines in painted paths and join those that continue each other.

# All in points. A thicker line is a filled area.
THICKEST = 3.0
# A mark this much longer than thick is a line; shorter ones are dots.
_LEAST_SLENDERNESS = 2.5
_LEAST_LENGTH = 1.5
# Lines this near in thickness direction, with ends this near, are one line.
_SAME_PLACE, _TOUCHING = 0.35, 0.6


def straight_lines(path: PaintedPath) -> tuple[list[Box], bool]:
    """The boxes of the lines a path consists of, and whether it consists of nothing else."""
    lines: list[Box] = []
    is_all = True
    frame = _frame(path)
    if frame is not None:
        return frame, True
    for subpath in path.subpaths:
        found = _lines_of(subpath, path)
        if found is None:
            is_all = False
        else:
            lines.extend(found)
    return lines, is_all


def _lines_of(subpath: Subpath, path: PaintedPath) -> list[Box] | None:
    """The lines of a subpath; nothing if it is another shape."""
    if not subpath.is_straight:
        return None
    box = subpath.box
    if path.is_filled and not path.line_width:
        return [box] if is_line(box) else None
    if path.line_width > THICKEST:
        return [box] if is_line(box) and path.is_filled else None
    if path.is_filled and is_line(box):
        return [box]
    lines: list[Box] = []
    half = path.line_width / 2
    points = subpath.points
    pairs = list(itertools.pairwise(points))
    if subpath.is_closed and points[0] != points[-1]:
        pairs.append((points[-1], points[0]))
    for (x0, y0), (x1, y1) in pairs:
        width, height = abs(x1 - x0), abs(y1 - y0)
        if width < 0.05 and height < 0.05:
            continue
        if height <= 0.02 * width + 0.05:
            lines.append((min(x0, x1), min(y0, y1) - half, max(x0, x1), max(y0, y1) + half))
        elif width <= 0.02 * height + 0.05:
            lines.append((min(x0, x1) - half, min(y0, y1), max(x0, x1) + half, max(y0, y1)))
        else:
            return None
    return [line for line in lines if is_line(line)] if lines else None


def _frame(path: PaintedPath) -> list[Box] | None:
    """The four sides of a frame filled between two boxes, as browsers draw borders."""
    if not path.is_filled or path.line_width or len(path.subpaths) != 2:
        return None
    first, second = path.subpaths
    if not (is_upright_box(first) and is_upright_box(second)):
        return None
    outer, inner = first.box, second.box
    if outer[0] > inner[0]:
        outer, inner = inner, outer
    margins = (inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3])
    if min(margins) < 0 or max(margins) > THICKEST:
        return None
    sides = (
        (outer[0], outer[1], inner[0], outer[3]),
        (outer[0], outer[1], outer[2], inner[1]),
        (inner[2], outer[1], outer[2], outer[3]),
        (outer[0], inner[3], outer[2], outer[3]),
    )
    return [side for side in sides if is_line(side)]


def is_upright_box(subpath: Subpath) -> bool:
    """Whether a subpath is a rectangle with upright sides."""
    if not subpath.is_straight or not 4 <= len(subpath.points) <= 5:
        return False
    left, top, right, bottom = subpath.box
    return all(
        (abs(x - left) < 0.05 or abs(x - right) < 0.05) and (abs(y - top) < 0.05 or abs(y - bottom) < 0.05)
        for x, y in subpath.points
    )


def is_line(box: Box) -> bool:
    """Whether a box is a thin line."""
    length, thickness = max(width(box), height(box)), min(width(box), height(box))
    return thickness <= THICKEST and length >= _LEAST_LENGTH and length >= _LEAST_SLENDERNESS * thickness


def join_lines(boxes: Iterable[Box]) -> tuple[Rule, ...]:
    """The rules that the pieces form, from top to bottom and left to right."""
    rules = [Rule(box) for box in boxes]
    across = [rule.box for rule in rules if rule.is_horizontal]
    down = [_turned(rule.box) for rule in rules if not rule.is_horizontal]
    joined = [*_join(across), *(_turned(box) for box in _join(down))]
    return tuple(Rule(box) for box in sorted(joined, key=lambda box: (round(box[1], 1), box[0])))


def _turned(box: Box) -> Box:
    return (box[1], box[0], box[3], box[2])


def _join(boxes: Sequence[Box]) -> list[Box]:
    """Join boxes that lie on one horizontal line and touch."""
    rows: list[tuple[float, list[Box]]] = []
    for box in sorted(boxes, key=middle_y):
        middle = middle_y(box)
        if rows and middle - rows[-1][0] <= _SAME_PLACE:
            rows[-1][1].append(box)
        else:
            rows.append((middle, [box]))
    joined: list[Box] = []
    for _, row in rows:
        row.sort()
        current = row[0]
        for box in row[1:]:
            if box[0] <= current[2] + _TOUCHING:
                current = union([current, box])
            else:
                joined.append(current)
                current = box
        joined.append(current)
    return joined


# Tell tall delimiters that are drawn as paths apart: brackets, braces, bars. Shapes as shares of their box.

_MIRRORED = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}


def tall_sign(parts: Sequence[Sequence[Point]], filled: Sequence[float]) -> str:
    """The delimiter made of these outlines, each filling a share of the box; "" for another shape."""
    bars = _bars(parts, filled)
    if bars:
        return bars
    if len(parts) > 2 or max(filled) > 0.75:
        return ""
    shares = [point for part in parts for point in part]
    sign = _left_sign(shares)
    if sign:
        return sign
    return _MIRRORED.get(_left_sign([(1 - x, y) for x, y in shares]), "")


def _bars(parts: Sequence[Sequence[Point]], filled: Sequence[float]) -> str:
    """One bar or two, each drawn in any number of outlines that are full rectangles or nearly so."""
    sides: set[str] = set()
    for part, share in zip(parts, filled, strict=True):
        xs = [x for x, _ in part]
        ys = [y for _, y in part]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if height < 0.9 or share < 0.75 * width * height:
            return ""
        sides.add("whole" if width > 0.9 else "left" if max(xs) < 0.45 else "right" if min(xs) > 0.55 else "other")
    return "|" if sides == {"whole"} else "‖" if sides == {"left", "right"} else ""


def _left_sign(shares: Sequence[Point]) -> str:
    left = [y for x, y in shares if x < 0.06]
    right = [y for x, y in shares if x > 0.9]
    if not left or not right:
        return ""
    if min(left) < 0.05 and max(left) > 0.95:
        return _square_sign(shares, right)
    reaches_corners = min(right) < 0.12 and max(right) > 0.88
    if not reaches_corners or any(0.15 < y < 0.85 for y in right) or not min(left) <= 0.55 or not max(left) >= 0.45:
        return ""
    upright = [
        (a[0] + b[0]) / 2 for a, b in itertools.pairwise(shares) if abs(b[1] - a[1]) > 0.08 and abs(b[0] - a[0]) < 0.05
    ]
    is_pointed = min(left) > 0.4 and max(left) < 0.6
    if is_pointed and upright and all(0.25 < x < 0.8 for x in upright):
        return "{"
    if is_pointed and len(shares) <= 9 and not upright:
        return "⟨"
    return "("


def _square_sign(shares: Sequence[Point], right: Sequence[float]) -> str:
    """Brackets, floors and ceilings: a full stem at the left, arms at the top or the bottom or both."""
    if any(0.12 < y < 0.88 for x, y in shares if x > 0.6):
        return ""
    has_top, has_bottom = min(right) < 0.1, max(right) > 0.9
    if has_top and has_bottom:
        return "["
    return "⌈" if has_top else "⌊" if has_bottom else ""


# Recognise signs that are drawn as paths: radicals, arrows, braces, wide accents. By the general shape of the
# outline.
#
# Browsers print stretched signs of KaTeX and MathJax this way. The shapes are told apart by where the outline reaches
# the sides of its box, so any design of the same sign is found; what fits no description has no identity.

# Outlines with more points are pictures or letters of a page whose text is drawn.
MOST_POINTS = 200
# In points. A sign is no taller than half a page and no wider than one, and a speck is none.
_TALLEST, _WIDEST, _SMALLEST = 400.0, 800.0, 1.5
# Thinner than this in points, a path is a line, whatever its outline.
_HAIRLINE = 0.2


def recognise(path: PaintedPath, box: Box) -> str:
    """The sign a path draws; "" where it is none that is known."""
    points = [point for subpath in path.subpaths for point in subpath.points]
    across, down = width(box), height(box)
    if not 4 <= len(points) <= MOST_POINTS or not _is_size_of_sign(across, down):
        return ""
    if across < _HAIRLINE or down < _HAIRLINE:
        return "|" if down > across else ""
    # As shares of the box: x to the right, y downwards.
    shares = [((x - box[0]) / across, (y - box[1]) / down) for x, y in points]
    if _is_radical(path, shares, across / down) or _is_penned_radical(path):
        return "√"
    if across >= 1.3 * down:
        return _flat_sign(shares)
    if down >= 2 * across and path.is_filled:
        parts = _parts(path, shares)
        return tall_sign(parts, [_enclosed(part) for part in parts])
    return ""


def _is_size_of_sign(across: float, down: float) -> bool:
    return down <= _TALLEST and across <= _WIDEST and max(across, down) >= _SMALLEST


def _is_radical(path: PaintedPath, shares: Sequence[Point], slenderness: float) -> bool:
    """A tick at the left, the lowest point after it, a rise to the top, and to the right of that only the bar."""
    lowest = [x for x, y in shares if y > 0.97]
    highest = [x for x, y in shares if y < 0.03]
    if not lowest or not highest:
        return False
    foot, rise = max(lowest), min(highest)
    if rise <= foot - 0.1 or foot > 0.75:
        return False
    # A radical is mostly white; a filled shape with such corners is none.
    if path.is_filled and sum(map(_enclosed, _parts(path, shares))) > 0.45:
        return False
    return _begins_with_tick(shares, min(lowest)) and _ends_with_bar(shares, rise, slenderness)


def _is_penned_radical(path: PaintedPath) -> bool:
    """A radical drawn in one go with a thin pen. Its ink reaches beyond the points, most so at the foot."""
    points = path.subpaths[0].points
    if path.is_filled or len(path.subpaths) > 1 or not path.subpaths[0].is_straight or not 4 <= len(points) <= 6:
        return False
    box = path.subpaths[0].box
    across, down = width(box), height(box)
    if min(across, down) < _SMALLEST or path.line_width > 0.15 * down:
        return False
    shares = [((x - box[0]) / across, (y - box[1]) / down) for x, y in points]
    if any(after[0] < before[0] for before, after in itertools.pairwise(shares)):
        return False
    return _is_radical(path, shares, across / down) and shares[-1][1] < 0.05


def _begins_with_tick(shares: Sequence[Point], foot: float) -> bool:
    """Whether the outline begins between top and bottom at the left and goes down to its foot first."""
    leftmost = [y for x, y in shares if x < 0.02]
    descends_first = min(x for x, _ in shares) < foot - 0.01
    return bool(leftmost) and descends_first and all(0.15 < y < 0.98 for y in leftmost)


def _ends_with_bar(shares: Sequence[Point], rise: float, slenderness: float) -> bool:
    """Whether right of its rise to the top there is a bar up to the right edge, and nothing below it."""
    under_bar = [y for x, y in shares if x > rise + 0.15 / slenderness and x > rise + 0.02]
    # The bar is thin against the height of a usual radical, but thick against that of a very low one.
    is_free_below = all(y < 0.25 for y in under_bar)
    return is_free_below and max(x for x, y in shares if y < 0.25) > 0.98


def _parts(path: PaintedPath, shares: Sequence[Point]) -> list[Sequence[Point]]:
    parts: list[Sequence[Point]] = []
    start = 0
    for subpath in path.subpaths:
        parts.append(shares[start : start + len(subpath.points)])
        start += len(subpath.points)
    return parts


def _enclosed(part: Sequence[Point]) -> float:
    """The area that an outline encloses, roughly: curves count as their control polygons."""
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(part, [*part[1:], part[0]], strict=True))) / 2


def _flat_sign(shares: Sequence[Point]) -> str:
    """Arrows, hats, tildes and braces, all wider than tall."""
    tops = [x for x, y in shares if y < 0.04]
    bottoms = [x for x, y in shares if y > 0.96]
    if not tops or not bottoms:
        return ""
    arrow = _arrow(shares, tops, bottoms)
    if arrow:
        return arrow
    middle_top = all(0.35 < x < 0.65 for x in tops)
    middle_bottom = all(0.35 < x < 0.65 for x in bottoms)
    ends_low = min(bottoms) < 0.12 and max(bottoms) > 0.88
    ends_high = min(tops) < 0.12 and max(tops) > 0.88
    if middle_top and ends_low:
        return "⏞" if _has_level_arms(shares) else "\u0302"
    if middle_bottom and ends_high:
        return "⏟" if _has_level_arms(shares) else "\u030c"
    if max(tops) < 0.6 and min(bottoms) > 0.4 and min(tops) > 0.02 and max(bottoms) < 0.98:
        return "\u0303"
    return ""


def _has_level_arms(shares: Sequence[Point]) -> bool:
    """Whether the outline runs level between middle and end, as braces do and hats do not."""
    return any(
        abs(b[0] - a[0]) > 0.12 and abs(b[1] - a[1]) < 0.1 and not a[1] > 0.9 for a, b in itertools.pairwise(shares)
    )


def _arrow(shares: Sequence[Point], tops: Sequence[float], bottoms: Sequence[float]) -> str:
    """A level shaft in the middle, and a head whose corners reach up and down at one end or at both."""
    shaft = [x for x, y in shares if 0.3 < y < 0.7]
    if not shaft or min(shaft) > 0.1 or max(shaft) < 0.9:
        return ""
    is_right, is_left = min(tops) > 0.5 and min(bottoms) > 0.5, max(tops) < 0.5 and max(bottoms) < 0.5
    tip_right = any(x > 0.97 and 0.3 < y < 0.7 for x, y in shares)
    tip_left = any(x < 0.03 and 0.3 < y < 0.7 for x, y in shares)
    if is_right and tip_right:
        return "→"
    if is_left and tip_left:
        return "←"
    is_double = min(tops) < 0.5 < max(tops) and min(bottoms) < 0.5 < max(bottoms)
    is_clear = not any(0.35 < x < 0.65 for x in (*tops, *bottoms))
    return "↔" if is_double and is_clear and tip_left and tip_right else ""


def join_drawn_signs(drawings: Sequence[Drawing]) -> tuple[Drawing, ...]:
    """The drawings with pieces of one sign joined, and those that repeat one another left out."""
    kept: list[Drawing] = []
    seen: set[tuple[int, int, int, int]] = set()
    for drawing in drawings:
        left, top, right, bottom = drawing.box
        key = (round(left * 5), round(top * 5), round(right * 5), round(bottom * 5))
        # A fill and its outline come as two paths.
        if key in seen:
            continue
        seen.add(key)
        kept.append(drawing)
        _join_last(kept)
    return tuple(kept)


def _join_last(drawings: list[Drawing]) -> None:
    """Join the last three if they are the ends and the middle of a brace, or the last two if halves of an arrow."""
    if len(drawings) >= 3:
        left, middle, right = drawings[-3:]
        brace = _brace(left.box, middle.box, right.box)
        if brace:
            drawings[-3:] = [Drawing(union([left.box, middle.box, right.box]), brace, is_filled=True)]
            return
    if len(drawings) >= 2:
        left, right = drawings[-2:]
        is_double = (left.text, right.text) == ("←", "→") and _touches(left.box, right.box)
        same_size = abs((left.box[2] - left.box[0]) - (right.box[2] - right.box[0])) < 0.5
        if is_double and same_size and abs(left.box[1] - right.box[1]) < 0.2:
            drawings[-2:] = [Drawing(union([left.box, right.box]), "↔", is_filled=True)]


def _brace(left: Box, middle: Box, right: Box) -> str:
    if not (_touches(left, middle) and _touches(middle, right)):
        return ""
    height = left[3] - left[1]
    is_level = abs(left[1] - right[1]) < 0.1 * height and abs(left[3] - right[3]) < 0.1 * height
    if not is_level or height > 0.8 * (right[2] - left[0]):
        return ""
    shift = (middle[1] + middle[3] - left[1] - left[3]) / 2
    if not 0.3 * height < abs(shift) < 1.2 * height:
        return ""
    return "⏞" if shift < 0 else "⏟"


def _touches(left: Box, right: Box) -> bool:
    return abs(right[0] - left[2]) < 0.15 * (left[2] - left[0]) + 0.3 and left[0] < right[0]
