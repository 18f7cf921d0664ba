"""Tell tall delimiters that are drawn as paths apart: brackets, braces, bars. Shapes as shares of their box."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mathrag.documents.pdf.raw.paths import Point

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
