"""Where there is ink on a picture of a page that no line of prose accounts for: formulas and figures. Reads nothing.

OCR misses fraction bars, integrals and tall braces; the ink does not. All lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy
import numpy.typing

from mathrag.documents.png import encode_grey_png
from mathrag.documents.scans.records import Box

Pixels = numpy.typing.NDArray[numpy.uint8]
Mask = numpy.typing.NDArray[numpy.bool_]
_MOST_REGIONS = 2_000
# The page is looked at in cells; so many make the height of a line.
_CELLS = 5


def grey(pixels: Pixels) -> Pixels:
    """Brightness of each pixel, dark ink on light paper whatever it was."""
    weighted = pixels[:, :, 0].astype(numpy.uint16) * 77
    weighted += pixels[:, :, 1].astype(numpy.uint16) * 150
    weighted += pixels[:, :, 2].astype(numpy.uint16) * 29
    bright: Pixels = (weighted >> 8).astype(numpy.uint8)
    return bright if float(numpy.mean(bright > _threshold(bright))) >= 0.5 else 255 - bright


def _threshold(bright: Pixels) -> int:
    """The brightness that best parts ink from paper: least spread on both sides of it."""
    counts = numpy.bincount(bright.ravel(), minlength=256).astype(numpy.float64)
    levels = numpy.arange(256)
    below, mass = numpy.cumsum(counts), numpy.cumsum(counts * levels)
    above = below[-1] - below
    with numpy.errstate(divide="ignore", invalid="ignore"):
        between = (mass[-1] * below / below[-1] - mass) ** 2 / (below * above)
    between[~numpy.isfinite(between)] = 0.0
    # A blank page has no two kinds of pixels; noise on it is no ink.
    best = int(numpy.argmax(between))
    low, high = mass[best] / max(1.0, below[best]), (mass[-1] - mass[best]) / max(1.0, above[best])
    return best if high - low >= 40 else int(max(0.0, high - 80))


def regions(bright: Pixels, prose: Iterable[Box], *, line_height: float) -> list[Box]:
    """Boxes around connected ink outside the boxes of prose; specks and lone rules are left out."""
    dark: Mask = bright <= _threshold(bright)
    rows, columns = dark.shape
    for left, top, right, bottom in prose:
        aside, above = 0.25 * line_height, 0.1 * line_height
        dark[
            max(0, int(top - above)) : max(0, int(bottom + above) + 1),
            max(0, int(left - aside)) : max(0, int(right + aside) + 1),
        ] = False
    cell = max(2, round(line_height / _CELLS))
    grid_rows, grid_columns = rows // cell, columns // cell
    if grid_rows < 1 or grid_columns < 1:
        return []
    counts = dark[: grid_rows * cell, : grid_columns * cell].reshape(grid_rows, cell, grid_columns, cell).sum((1, 3))
    inked: Mask = counts >= max(2, cell * cell // 40)
    inked = _without_rules(inked)
    grown = _grown(inked, across=4, down=1)
    found = _components(grown, inked)
    boxes: list[Box] = [
        (left * cell, top * cell, (right + 1) * cell, (bottom + 1) * cell) for left, top, right, bottom in found
    ]
    return [box for box in boxes if not _is_speck(box, line_height)][:_MOST_REGIONS]


def _is_speck(box: Box, line_height: float) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    is_tiny = max(width, height) < 0.45 * line_height
    is_rule = min(width, height) <= 0.45 * line_height and max(width, height) > 6 * line_height
    return is_tiny or is_rule


def _without_rules(mask: Mask) -> Mask:
    """Rules that part or frame the text would join what they part. Fraction bars and braces are shorter."""
    kept = mask.copy()
    for part, whole, longest in ((mask, kept, 20 * _CELLS), (mask.T, kept.T, 10 * _CELLS)):
        for index in numpy.flatnonzero(part.sum(1) >= longest).tolist():
            for start, stop in _runs(part[index]):
                if stop - start >= longest:
                    whole[index, start:stop] = False
    return kept


def _runs(row: Mask) -> list[tuple[int, int]]:
    """Where the set cells of a row begin and end."""
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], row.astype(numpy.int8), [0])))).tolist()
    return list(zip(edges[0::2], edges[1::2], strict=True))


def _grown(mask: Mask, *, across: int, down: int) -> Mask:
    """Every cell together with its neighbours, so that the parts of a formula touch."""
    grown = mask.copy()
    for step in range(1, across + 1):
        grown[:, step:] |= mask[:, :-step]
        grown[:, :-step] |= mask[:, step:]
    wide = grown.copy()
    for step in range(1, down + 1):
        grown[step:, :] |= wide[:-step, :]
        grown[:-step, :] |= wide[step:, :]
    return grown


def _components(grown: Mask, inked: Mask) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom, in cells) of the ink in each connected part, found run by run, row by row."""
    parents: list[int] = []
    boxes: list[list[int]] = []

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    before: list[tuple[int, int, int]] = []
    for row in range(grown.shape[0]):
        current: list[tuple[int, int, int]] = []
        position = 0
        for start, stop in _runs(grown[row]):
            ink = numpy.flatnonzero(inked[row, start:stop])
            label = len(parents)
            parents.append(label)
            boxes.append([start + int(ink[0]), row, start + int(ink[-1]), row] if ink.size else [])
            while position < len(before) and before[position][1] <= start:
                position += 1
            scan = position
            while scan < len(before) and before[scan][0] < stop:
                one, other = root(before[scan][2]), root(label)
                if one != other:
                    parents[other] = one
                    boxes[one] = _joined(boxes[one], boxes[other])
                scan += 1
            current.append((start, stop, label))
        before = current
    return [
        (box[0], box[1], box[2], box[3]) for index, box in enumerate(boxes) if parents[index] == index and len(box) == 4
    ]


def _joined(one: list[int], other: list[int]) -> list[int]:
    if not one or not other:
        return one or other
    return [min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])]


# A cut-out of a picture as a small grey PNG. Writes only; nothing from outside is decoded here.

# Sixteen greys are plenty to see a formula by and take half the room.
_LEVELS = 16


def cut_out(bright: Pixels, box: Box, *, margin: float = 0.0) -> Pixels:
    """The part of a picture inside a box with a margin, within the picture; at least one pixel."""
    rows, columns = bright.shape
    left, top = max(0, int(box[0] - margin)), max(0, int(box[1] - margin))
    right, bottom = min(columns, int(box[2] + margin) + 1), min(rows, int(box[3] + margin) + 1)
    left, top = min(left, columns - 1), min(top, rows - 1)
    return bright[top : max(bottom, top + 1), left : max(right, left + 1)]


def grey_png(bright: Pixels) -> bytes:
    """PNG data of a grey picture, in sixteen levels."""
    height, width = bright.shape
    levels = (bright.astype(numpy.uint16) * (_LEVELS - 1) + 127) // 255
    if width % 2:
        levels = numpy.pad(levels, ((0, 0), (0, 1)))
    packed = (levels[:, 0::2] << 4 | levels[:, 1::2]).astype(numpy.uint8)
    # Each row starts with the number of its filter; none pays off at four bits.
    rows = numpy.pad(packed, ((0, 0), (1, 0)))
    return encode_grey_png(width, height, rows.tobytes())
