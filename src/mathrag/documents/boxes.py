"""Arithmetic with boxes on a page, once for every reader that knows places. Knows no text, no glyphs and no matrices.

A box is left, top, right, bottom in points from the upper left corner of the page as it is seen: y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Box: TypeAlias = tuple[float, float, float, float]
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all; `NOWHERE` around nothing."""
    lefts, tops, rights, bottoms = [], [], [], []
    for left, top, right, bottom in boxes:
        lefts.append(left)
        tops.append(top)
        rights.append(right)
        bottoms.append(bottom)
    if not lefts:
        return NOWHERE
    return (min(lefts), min(tops), max(rights), max(bottoms))


def intersection(one: Box, other: Box) -> Box | None:
    """The part two boxes share; a line or a point where they only touch, nothing where they do not."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left <= right and top <= bottom else None


def width(box: Box) -> float:
    return box[2] - box[0]


def height(box: Box) -> float:
    return box[3] - box[1]


def area(box: Box) -> float:
    return width(box) * height(box)


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


def holds(outer: Box, inner: Box, *, slack: float = 0.0) -> bool:
    """Whether one box lies inside the other, or reaches out of it by no more than the slack."""
    begins_inside = outer[0] - slack <= inner[0] and outer[1] - slack <= inner[1]
    return begins_inside and inner[2] <= outer[2] + slack and inner[3] <= outer[3] + slack


def holds_middle(outer: Box, inner: Box, *, slack: float = 0.0) -> bool:
    """Whether the middle of one box lies inside the other."""
    x, y = middle_x(inner), middle_y(inner)
    return outer[0] - slack <= x <= outer[2] + slack and outer[1] - slack <= y <= outer[3] + slack


def meets(one: Box, other: Box, *, slack: float = 0.0) -> bool:
    """Whether two boxes touch, or nearly so."""
    return overlap_x(one, other) >= -slack and overlap_y(one, other) >= -slack


def rounded(box: Box) -> Box:
    """With two decimals: a hundredth of a point is finer than any eye, and keeps what is stored short."""
    return (round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2))
