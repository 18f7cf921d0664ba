"""The items of a place that are still loose and the lines still unread, and how to gather what stands by a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.items import Compose, Item, Ledger
from mathrag.documents.pdf.formulas.rows import split_rows
from mathrag.documents.pdf.page_content import Box


@dataclass(slots=True)
class Board:
    """The items still loose and the lines still unread."""

    items: list[Item]
    lines: list[Box]
    compose: Compose
    ledger: Ledger

    def remove(self, used: Sequence[Item]) -> None:
        gone = {id(item) for item in used}
        self.items = [item for item in self.items if id(item) not in gone]


def gather(line: Box, board: Board, *, upwards: bool) -> list[Item]:
    """What stands on one side of a line, near it and connected, up to the next line."""
    left, top, right, bottom = line
    level = (top + bottom) / 2
    barrier = float("-inf") if upwards else float("inf")
    for other in board.lines:
        covers = min(other[2], right) - max(other[0], left)
        if covers < 0.5 * min(right - left, other[2] - other[0]):
            continue
        middle = (other[1] + other[3]) / 2
        if upwards and middle < level:
            barrier = max(barrier, middle)
        elif not upwards and middle > level:
            barrier = min(barrier, middle)
    found: list[tuple[float, float, Item]] = []
    for item in board.items:
        overhang = limit.BAR_OVERHANG * item.size
        # A root still unread is wider than the line, so it stands on another row.
        if item.kind in ("accent", "root") or not left - overhang <= item.middle <= right + overhang:
            continue
        if item.box[0] < left - 6 * overhang or item.box[2] > right + 6 * overhang:
            continue
        centre = (item.top + item.bottom) / 2
        if upwards and barrier < centre < level and item.bottom < level + 0.3 * item.height:
            found.append((top - item.bottom, top - item.top, item))
        elif not upwards and level < centre < barrier and item.top > level - 0.3 * item.height:
            found.append((item.top - bottom, item.bottom - bottom, item))
    found.sort(key=lambda each: each[0])
    taken: list[Item] = []
    reach = 0.0
    for near, far, item in found:
        size = max([item.size, *(each.size for each in taken)])
        if item.kind == "big" and taken and near >= reach and not _stands_in_line(item, found):
            # The big sign that this whole fraction stands over or under.
            break
        allowed = limit.STACK_GAP if taken else limit.BAR_GAP
        if near - reach > allowed * size:
            break
        taken.append(item)
        reach = max(reach, far)
    return _nearest_rows(taken, upwards=upwards)


def _stands_in_line(sign: Item, found: list[tuple[float, float, Item]]) -> bool:
    """Whether type of the full size stands beside a big sign."""
    middle = (sign.top + sign.bottom) / 2
    return any(
        item is not sign and item.kind != "big" and item.size >= 0.9 * sign.size and item.top < middle < item.bottom
        for _, _, item in found
    )


def _nearest_rows(taken: list[Item], *, upwards: bool) -> list[Item]:
    """Between two bars stand the denominator of one and the numerator of the next: the near line and its limits."""
    rows = split_rows(taken)
    if len(rows) < 2:
        return taken
    ordered = list(reversed(rows)) if upwards else rows
    kept = list(ordered[0])
    size = max(item.size for item in kept)
    for row in ordered[1:]:
        other = max(item.size for item in row)
        if other > size / limit.SCRIPT_SIZE_TO and not _carries(row, kept):
            break
        if limit.SCRIPT_SIZE_TO * size < other < size / limit.SCRIPT_SIZE_TO:
            break
        kept.extend(row)
        size = max(size, other)
    return kept


def _carries(row: list[Item], limits: list[Item]) -> bool:
    """Whether a row has a sign right over or under the smaller row that can have limits there."""
    left, right = min(item.box[0] for item in limits), max(item.box[2] for item in limits)
    return any(
        item.kind in ("big", "function", "brace", "relation") and item.box[0] < right and item.box[2] > left
        for item in row
    )


def centre_of(items: list[Item]) -> float:
    return (min(item.left for item in items) + max(max(item.right, item.box[2]) for item in items)) / 2


def extent_of(items: list[Item]) -> float:
    return max(max(item.right, item.box[2]) for item in items) - min(item.left for item in items)
