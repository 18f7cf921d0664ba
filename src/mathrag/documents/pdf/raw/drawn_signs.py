"""Recognise signs that are drawn as paths: radicals, arrows, braces, wide accents. By the general shape of the outline.

Browsers print stretched signs of KaTeX and MathJax this way. The shapes are told apart by where the outline reaches
the sides of its box, so any design of the same sign is found; what fits no description has no identity.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mathrag.documents.pdf.page_content import Box, Drawing
from mathrag.documents.pdf.raw.drawn_delimiters import tall_sign
from mathrag.documents.pdf.raw.paths import PaintedPath, Point

# Outlines with more points are pictures or letters of a page whose text is drawn.
MOST_POINTS = 200
_TALLEST, _WIDEST = 400.0, 800.0


def recognise(path: PaintedPath, box: Box) -> str:
    """The sign a path draws; "" where it is none that is known."""
    points = [point for subpath in path.subpaths for point in subpath.points]
    width, height = box[2] - box[0], box[3] - box[1]
    if not 4 <= len(points) <= MOST_POINTS or height > _TALLEST or width > _WIDEST or max(width, height) < 1.5:
        return ""
    if width < 0.2 or height < 0.2:
        return "|" if height > width else ""
    # As shares of the box: x to the right, y downwards.
    shares = [((x - box[0]) / width, (y - box[1]) / height) for x, y in points]
    if _is_radical(path, shares, width / height):
        return "√"
    if width >= 1.3 * height:
        return _flat_sign(shares)
    if height >= 2 * width and path.is_filled:
        parts = _parts(path, shares)
        return tall_sign(parts, [_enclosed(part) for part in parts])
    return ""


def _is_radical(path: PaintedPath, shares: Sequence[Point], slenderness: float) -> bool:
    """A tick at the left, the lowest point after it, a rise to the top, and to the right of that only the bar."""
    lowest = [x for x, y in shares if y > 0.97]
    highest = [x for x, y in shares if y < 0.03]
    leftmost = [y for x, y in shares if x < 0.02]
    if not lowest or not highest or not leftmost or len(shares) < 4:
        return False
    foot, rise = max(lowest), min(highest)
    if rise <= foot - 0.1 or foot > 0.75 or (path.is_filled and sum(map(_enclosed, _parts(path, shares))) > 0.45):
        return False
    has_tick = all(0.15 < y < 0.98 for y in leftmost)
    under_bar = [y for x, y in shares if x > rise + 0.15 / slenderness and x > rise + 0.02]
    # The bar is thin against the height of a usual radical, but thick against that of a very low one.
    is_free_below = all(y < 0.25 for y in under_bar)
    reaches_right = max(x for x, y in shares if y < 0.25) > 0.98
    descends_first = min(x for x, _ in shares) < min(lowest) - 0.01
    return has_tick and is_free_below and reaches_right and descends_first


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
            drawings[-3:] = [Drawing(_around(left.box, _around(middle.box, right.box)), brace, is_filled=True)]
            return
    if len(drawings) >= 2:
        left, right = drawings[-2:]
        is_double = (left.text, right.text) == ("←", "→") and _touches(left.box, right.box)
        same_size = abs((left.box[2] - left.box[0]) - (right.box[2] - right.box[0])) < 0.5
        if is_double and same_size and abs(left.box[1] - right.box[1]) < 0.2:
            drawings[-2:] = [Drawing(_around(left.box, right.box), "↔", is_filled=True)]


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


def _around(first: Box, second: Box) -> Box:
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )
