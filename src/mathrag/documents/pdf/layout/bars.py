"""Which drawn rules belong to formulas (bars, overlines) and which part the page: borders, lines under heads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from mathrag.documents.pdf.boxes import middle_x, overlap_x, union, width
from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.page_content import Box, Rule

# Narrower than this many letters, a rule is always taken for a bar.
_NARROW = 6.0
# How far from its bar, in parts of the usual size, something inside a fraction may begin.
_TALL = 1.6


def merge_collinear(rules: Sequence[Rule]) -> list[Rule]:
    """Borders drawn cell by cell as the lines they look like."""
    merged: list[Box] = []
    for rule in sorted((r for r in rules if r.is_horizontal), key=lambda r: (round(r.box[1]), r.box[0])):
        left, top, right, bottom = rule.box
        if merged:
            last = merged[-1]
            if abs(last[1] - top) < 0.6 and abs(last[3] - bottom) < 0.8 and left - last[2] < 1.0:
                merged[-1] = (last[0], min(last[1], top), max(last[2], right), max(last[3], bottom))
                continue
        merged.append(rule.box)
    return [Rule(box) for box in merged]


def part_rules(
    rules: Sequence[Rule], stretches: Sequence[Stretch], *, body_size: float
) -> tuple[list[Rule], list[Rule], list[Rule]]:
    """Bars of formulas, horizontal borders, vertical borders."""
    upright = [rule for rule in rules if not rule.is_horizontal]
    bars = [rule for rule in rules if rule.is_horizontal and width(rule.box) <= _NARROW * body_size]
    borders: list[Rule] = []
    ordered = sorted(stretches, key=lambda stretch: stretch.box[1])
    wide = merge_collinear([r for r in rules if r.is_horizontal and width(r.box) > 0.8 * body_size])
    wide = [rule for rule in wide if width(rule.box) > _NARROW * body_size]
    ends = Counter((round(rule.box[0] / 2), round(rule.box[2] / 2)) for rule in wide)
    for rule in wide:
        # Three rules with the same ends are the borders of a table, however full its rows are.
        is_border = ends[(round(rule.box[0] / 2), round(rule.box[2] / 2))] >= 3
        is_bar = not is_border and _is_bar(rule.box, ordered, body_size=body_size)
        (bars if is_bar else borders).append(rule)
    verticals = [rule for rule in upright if rule.box[3] - rule.box[1] > 0.8 * body_size]
    bars.extend(rule for rule in upright if rule.box[3] - rule.box[1] <= 0.8 * body_size)
    return bars, borders, verticals


def _is_bar(bar: Box, stretches: Sequence[Stretch], *, body_size: float) -> bool:
    """Whether what stands on one side fills a rule from end to end, close to it, and nothing reaches beyond it."""
    if any(_is_root_at(bar, stretch, body_size=body_size) for stretch in stretches):
        return True
    sides: tuple[list[Box], list[Box]] = ([], [])
    for stretch in stretches:
        box = stretch.box
        if box[1] > bar[3] + 1.2 * body_size or box[3] < bar[1] - 1.2 * body_size or overlap_x(bar, box) <= 0:
            continue
        above, below = bar[1] - box[3], box[1] - bar[3]
        gap = max(above, below)
        if gap > 0.7 * body_size:
            continue
        if box[0] < bar[0] - 0.5 * body_size or box[2] > bar[2] + 0.5 * body_size:
            if gap > -0.2 * body_size:
                return False
            continue
        sides[0 if above > below else 1].append(box)
    if max(sum(width(box) for box in side) for side in sides) >= 0.72 * width(bar):
        return True
    # The parts of a fraction of fractions leave white, but stand close together and in the middle.
    return _has_centred_sides(bar, sides, body_size=body_size) or _has_centred_sides(
        bar, _tall_sides(bar, stretches, body_size=body_size), body_size=body_size
    )


def _has_centred_sides(bar: Box, sides: Sequence[Sequence[Box]], *, body_size: float) -> bool:
    return all(_is_centred(bar, side, body_size=body_size) for side in sides) and any(
        width(union(side)) > 0.8 * width(bar) for side in sides
    )


def _tall_sides(bar: Box, stretches: Sequence[Stretch], *, body_size: float) -> tuple[list[Box], list[Box]]:
    """What stands above and below a rule as far as a fraction inside a fraction reaches, up to the next row of text."""
    found: list[tuple[float, int, Box]] = []
    limits = [_TALL * body_size] * 2
    for stretch in stretches:
        box = stretch.box
        side = 0 if box[1] + box[3] < bar[1] + bar[3] else 1
        gap = bar[1] - box[3] if side == 0 else box[1] - bar[3]
        if overlap_x(bar, box) <= 0 or gap > limits[side]:
            continue
        if box[0] < bar[0] - 0.5 * body_size or box[2] > bar[2] + 0.5 * body_size:
            limits[side] = gap
        found.append((gap, side, box))
    sides: tuple[list[Box], list[Box]] = ([], [])
    for side in (0, 1):
        inside = [(gap, box) for gap, which, box in found if which == side and gap < limits[side]]
        if inside and min(inside)[0] < 0.7 * body_size:
            sides[side].extend(box for _, box in inside)
    return sides


def _is_centred(bar: Box, side: Sequence[Box], *, body_size: float) -> bool:
    if not side:
        return False
    ordered = sorted(side)
    ends = accumulate((box[2] for box in ordered), max)
    gaps = [box[0] - end for end, box in zip(ends, ordered[1:], strict=False)]
    return abs(middle_x(union(side)) - middle_x(bar)) < 0.06 * width(bar) and max(gaps, default=0.0) < 2.4 * body_size


def _is_root_at(bar: Box, stretch: Stretch, *, body_size: float) -> bool:
    """Whether the sign of a root stands at the left end of a rule."""
    if len(stretch.glyphs) != 1 or stretch.glyphs[0].text != "√":
        return False
    box = stretch.box
    return abs(box[2] - bar[0]) < 0.3 * body_size and abs(box[1] - bar[1]) < 0.3 * body_size
