"""Arithmetic with boxes on a page (left, top, right, bottom; y grows downwards). Knows no text."""

from __future__ import annotations

from collections.abc import Iterable

from mathrag.documents.pdf.page_content import Box


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all; (0, 0, 0, 0) around nothing."""
    lefts, tops, rights, bottoms = [], [], [], []
    for left, top, right, bottom in boxes:
        lefts.append(left)
        tops.append(top)
        rights.append(right)
        bottoms.append(bottom)
    if not lefts:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def width(box: Box) -> float:
    return box[2] - box[0]


def height(box: Box) -> float:
    return box[3] - box[1]


def middle_x(box: Box) -> float:
    return (box[0] + box[2]) / 2


def middle_y(box: Box) -> float:
    return (box[1] + box[3]) / 2


def overlap_x(one: Box, other: Box) -> float:
    """How much two boxes share across; negative is the gap between them."""
    return min(one[2], other[2]) - max(one[0], other[0])


def overlap_y(one: Box, other: Box) -> float:
    """How much two boxes share down the page; negative is the gap between them."""
    return min(one[3], other[3]) - max(one[1], other[1])


def holds_middle(outer: Box, inner: Box, *, slack: float = 0.0) -> bool:
    """Whether the middle of one box lies inside the other."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - slack <= x <= outer[2] + slack and outer[1] - slack <= y <= outer[3] + slack


def meets(one: Box, other: Box, *, slack: float = 0.0) -> bool:
    """Whether two boxes touch, or nearly so."""
    return overlap_x(one, other) >= -slack and overlap_y(one, other) >= -slack


def rounded(box: Box) -> Box:
    """With two decimals: a hundredth of a point is finer than any eye, and keeps what is stored short."""
    return (round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2))
