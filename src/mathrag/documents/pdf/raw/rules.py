"""Find the thin straight lines in painted paths and join those that continue each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from mathrag.documents.pdf.page_content import Box, Rule
from mathrag.documents.pdf.raw.paths import PaintedPath, Subpath

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
    width, height = box[2] - box[0], box[3] - box[1]
    length, thickness = max(width, height), min(width, height)
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
    for box in sorted(boxes, key=lambda box: (box[1] + box[3]) / 2):
        middle = (box[1] + box[3]) / 2
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
                current = (current[0], min(current[1], box[1]), max(current[2], box[2]), max(current[3], box[3]))
            else:
                joined.append(current)
                current = box
        joined.append(current)
    return joined
