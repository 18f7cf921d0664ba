"""Root signs: the line that belongs to each, what it covers and the index in its corner."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.pdf.boxes import union
from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.board import Board
from mathrag.documents.pdf.formulas.items import Item, ink_of
from mathrag.documents.pdf.page_content import Box


def bar_of_root(root: Item, lines: Sequence[Box]) -> Box | None:
    """The line that starts at the top right of the sign."""
    reach = limit.ROOT_JOIN * root.size
    found = [
        line
        for line in lines
        if abs(line[0] - root.box[2]) < reach and abs(line[1] - root.top) < reach and line[2] > root.box[2]
    ]
    return min(found, key=lambda line: abs(line[0] - root.box[2]) + abs(line[1] - root.top), default=None)


def read_root(root: Item, bar: Box | None, board: Board) -> None:
    slack = 0.12 * root.size
    if bar is None:
        left, right = root.box[0] + slack, root.box[2] + slack
        top, bottom = root.top - slack, root.bottom + 2 * slack
        # A sign without any line covers what is printed inside it, if it was drawn in one stroke.
        if root.width < 1.2 * root.height and root.width < 1.3 * root.size:
            inside = _following(root, board)
            board.ledger.doubt("a root sign without a line over what it covers", 0.5)
        else:
            inside = _within(board, (left, top, right, bottom), root)
    else:
        # What begins where the line ends is no longer under it: a bracket or a comma close behind.
        area = (root.box[2] - slack, bar[1] - slack, bar[2], root.bottom + 2 * slack)
        inside = _within(board, area, root)
    if not inside:
        board.ledger.doubt("a root sign over nothing", 0.6)
        board.remove([root])
        board.items.append(root.with_(kind="letter", latex="\\surd", baseline=root.bottom))
        return
    body = board.compose(inside)
    index = _index_of_root(root, board, inside)
    degree = board.compose(index) if index else None
    used = [root, *inside, *index]
    board.remove(used)
    box = union([root.box, *([bar] if bar else []), body.box, *([degree.box] if degree else [])])
    opening = f"\\sqrt[{degree.latex}]" if degree else "\\sqrt"
    board.items.append(
        body.with_(
            kind="block", latex=f"{opening}{{{body.latex}}}", text="√", box=box, left=box[0], right=box[2],
            ink=ink_of(used) + (1 if bar else 0), depth=body.depth + 1,
        )
    )  # fmt: skip


def _within(board: Board, area: Box, owner: Item) -> list[Item]:
    left, top, right, bottom = area
    return [
        item
        for item in board.items
        if item is not owner
        and left <= item.middle <= right
        and top <= (item.top + item.bottom) / 2 <= bottom
        and item.box[0] >= left - 0.3 * item.size
    ]


def _following(root: Item, board: Board) -> list[Item]:
    """The one item right after a root sign that has no line."""
    after = [
        item
        for item in board.items
        if item is not root
        and 0 <= item.box[0] - root.box[2] + 0.1 * root.size < 0.5 * root.size
        and item.top < root.bottom
        and item.bottom > root.top
    ]
    return [min(after, key=lambda item: item.box[0])] if after else []


def _index_of_root(root: Item, board: Board, inside: list[Item]) -> list[Item]:
    """Small signs tucked into the upper left of the root sign."""
    held = {id(item) for item in inside}
    small = [
        item
        for item in board.items
        if item is not root
        and id(item) not in held
        and item.height < 0.75 * root.height
        and item.size < 0.85 * max(each.size for each in inside)
        and item.bottom < root.bottom - 0.15 * root.height
        and item.top > root.top - 0.15 * root.size
    ]
    tucked = [
        item
        for item in small
        if item.box[2] > root.box[0] + 0.08 * root.size and item.box[0] < root.box[0] + 0.7 * root.width
    ]
    if not tucked:
        return []
    start = min(item.box[0] for item in tucked)
    level, size = tucked[0].baseline, tucked[0].size
    for item in sorted(small, key=lambda each: -each.box[2]):
        if item in tucked or abs(item.size - size) > 0.05 * size:
            continue
        if abs(item.baseline - level) < 0.1 * item.size and -0.3 * item.size < start - item.box[2] < 0.25 * item.size:
            tucked.append(item)
            start = item.box[0]
    return tucked
