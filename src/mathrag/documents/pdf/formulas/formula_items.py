"""What the formula reader works with: items, printed pieces that grow from single glyphs to whole fractions.

Here are the values (items, nodes of a line, the ledger of doubts) and the two questions that all parts of the reader
ask about them: which items stand on one row, and which stand over or under a line. What they mean is decided by others.
Every item knows how many marks of the page it stands for (`ink`), so that nothing is lost or used twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from mathrag.documents.boxes import Box, middle_x, middle_y, overlap_x, union, width
from mathrag.documents.pdf.formulas import thresholds
from mathrag.documents.pdf.page_content import Style

ItemKind: TypeAlias = Literal[
    "letter",  # one letter or a sign that stands like one
    "digit",
    "word",  # upright letters side by side
    "function",  # a word that is the name of a function
    "operator",
    "relation",
    "punctuation",
    "open",
    "close",
    "bar",
    "big",  # sums, integrals
    "prime",
    "raised",  # a character that is a superscript by itself
    "lowered",
    "accent",
    "overlay",
    "root",  # the sign alone
    "brace",  # a lying brace over or under others
    "fraction",
    "block",  # anything built that stands on the baseline of its own content
    "grid",
    "unknown",
    "phantom",
]


@dataclass(frozen=True, slots=True)
class FormulaItem:
    """One piece: what it is, where it stands, and its LaTeX.

    `left` and `right` are where the pen was before and after. A centred item (a fraction, a tall delimiter, a big
    sign) stands on the axis: its `baseline` holds the height of its middle, and its size may say nothing.
    """

    kind: ItemKind
    latex: str
    text: str
    box: Box
    left: float
    right: float
    baseline: float
    size: float
    ink: int = 1
    depth: int = 0
    style: Style = "upright"
    is_bold: bool = False
    is_math_font: bool = False
    is_centred: bool = False
    # False for a fraction or a root: what is inside it may be smaller than the line it stands on.
    is_size_known: bool = True
    font: str = ""

    @property
    def top(self) -> float:
        return self.box[1]

    @property
    def bottom(self) -> float:
        return self.box[3]

    @property
    def middle(self) -> float:
        return middle_x(self.box)

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    def with_(self, **changes: object) -> FormulaItem:
        """The same item with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


# Reads items of one place into one item that stands on its own baseline.
Compose: TypeAlias = Callable[[list[FormulaItem]], FormulaItem]


@dataclass(slots=True)
class Node:
    """An item of a line with its scripts, each a line of its own."""

    item: FormulaItem
    below: list[Node] = field(default_factory=list)
    above: list[Node] = field(default_factory=list)

    @property
    def has_scripts(self) -> bool:
        return bool(self.above or self.below)

    @property
    def right(self) -> float:
        """Where the node ends with its scripts."""
        return max(self.item.right, self.item.left, *(row[-1].right for row in (self.above, self.below) if row))


@dataclass(slots=True)
class Ledger:
    """What was uncertain while one region was read: plain words, each with how much trust it costs."""

    doubts: dict[str, float] = field(default_factory=dict)
    unknown: int = 0
    # Marks that were understood and left out: the frame around a formula.
    ink: int = 0

    def doubt(self, words: str, cost: float = 0.3) -> None:
        """Note an uncertainty; the same words cost their highest price once."""
        self.doubts[words] = max(cost, self.doubts.get(words, 0.0))

    @property
    def confidence(self) -> float:
        value = 1.0
        for cost in self.doubts.values():
            value *= 1.0 - cost
        return round(max(0.0, value), 3)


def merged(ledgers: list[Ledger]) -> Ledger:
    """What several ledgers hold, in a new one."""
    together = Ledger()
    for ledger in ledgers:
        together.unknown += ledger.unknown
        together.ink += ledger.ink
        for words, cost in ledger.doubts.items():
            together.doubt(words, cost)
    return together


def box_of(items: list[FormulaItem]) -> Box:
    """The box around items."""
    return union([item.box for item in items])


def ink_of(items: list[FormulaItem]) -> int:
    """How many marks of the page the items stand for."""
    return sum(item.ink for item in items)


# Items by the lines they stand on, one above the other. Scripts and limits stay with their line.


def split_rows(items: list[FormulaItem]) -> list[list[FormulaItem]]:
    """Items by the lines they stand on, from top to bottom. Scripts stay with their line."""
    spans = sorted(((*_band(item), item) for item in items), key=lambda each: each[0])
    rows: list[tuple[float, list[FormulaItem]]] = []
    for top, bottom, item in spans:
        if rows and top < rows[-1][0]:
            reached, row = rows[-1]
            row.append(item)
            rows[-1] = (max(reached, bottom), row)
        else:
            rows.append((bottom, [item]))
    return _with_scripts([row for _, row in rows])


def _band(item: FormulaItem) -> tuple[float, float]:
    """The heart of an item: what two lines never share."""
    is_built = item.kind in ("block", "grid", "fraction")
    if item.is_centred or is_built:
        # A tall sign on one line may reach into the next; what is built holds type in all its height.
        slack = (0.12 if is_built or item.depth else 0.3) * item.height
        return item.top + slack, item.bottom - slack
    # Type from the height of a small letter, 0.45, down to its baseline; the tails of letters may hang into a line.
    if item.kind in ("operator", "relation", "punctuation", "unknown"):
        return item.baseline - 0.45 * item.size, item.baseline + 0.05 * item.size
    return min(item.baseline - 0.45 * item.size, item.top), item.baseline + 0.08 * item.size


def _with_scripts(rows: list[list[FormulaItem]]) -> list[list[FormulaItem]]:
    """A row of small signs only, close to a row of larger ones, holds scripts of that row."""
    whole: list[list[FormulaItem]] = []
    # Scripts that belong to the row after them.
    ahead: list[FormulaItem] = []
    for number, row in enumerate(rows):
        before = whole[-1] if whole else []
        after = rows[number + 1] if number + 1 < len(rows) else []
        if _holds_scripts_of(row, before, after):
            if _white_between(before, row) <= _white_between(row, after):
                before.extend(row)
            else:
                ahead.extend(row)
            continue
        whole.append([*ahead, *row])
        ahead = []
    if ahead:
        whole.append(ahead)
    return whole


def _holds_scripts_of(row: list[FormulaItem], before: list[FormulaItem], after: list[FormulaItem]) -> bool:
    """Whether a row is set smaller than a neighbour and closer to it than any two lines are."""
    size = _largest(row)
    if size >= thresholds.SCRIPT_SIZE_TO * max(_largest(before), _largest(after)):
        return False
    return min(_white_between(before, row), _white_between(row, after)) < thresholds.SCRIPT_ROW_GAP * size


def _largest(row: list[FormulaItem]) -> float:
    return max((item.size for item in row), default=0.0)


def _white_between(upper: list[FormulaItem], lower: list[FormulaItem]) -> float:
    """The white between two rows; without end where one of them is missing."""
    if not upper or not lower:
        return float("inf")
    return min(item.top for item in lower) - max(item.bottom for item in upper)


# The items of a place that are still loose and the lines still unread, and how to gather what stands by a line.


@dataclass(slots=True)
class Board:
    """The items still loose and the lines still unread."""

    items: list[FormulaItem]
    lines: list[Box]
    compose: Compose
    ledger: Ledger

    def remove(self, used: Sequence[FormulaItem]) -> None:
        gone = {id(item) for item in used}
        self.items = [item for item in self.items if id(item) not in gone]


# Distance of the near and the far side of an item from a line, and the item.
_Beside: TypeAlias = tuple[float, float, FormulaItem]


def gather(line: Box, board: Board, *, upwards: bool) -> list[FormulaItem]:
    """What stands on one side of a line, near it and connected, up to the next line."""
    found = _beside(line, board, upwards=upwards)
    taken: list[FormulaItem] = []
    reach = 0.0
    for near, far, item in found:
        size = max([item.size, *(each.size for each in taken)])
        if item.kind == "big" and taken and near >= reach and not _stands_in_line(item, found):
            # The big sign that this whole fraction stands over or under.
            break
        allowed = thresholds.STACK_GAP if taken else thresholds.BAR_GAP
        if near - reach > allowed * size:
            break
        taken.append(item)
        reach = max(reach, far)
    return _nearest_rows(taken, upwards=upwards)


def _beside(line: Box, board: Board, *, upwards: bool) -> list[_Beside]:
    """The items between a line and the next one on that side, the nearest first."""
    _, top, _, bottom = line
    level, barrier = middle_y(line), _next_level(line, board.lines, upwards=upwards)
    found: list[_Beside] = []
    for item in board.items:
        if not _is_over_or_under(item, line):
            continue
        centre = middle_y(item.box)
        # What crosses the line with most of its height is not beside it.
        if upwards and barrier < centre < level and item.bottom < level + 0.3 * item.height:
            found.append((top - item.bottom, top - item.top, item))
        elif not upwards and level < centre < barrier and item.top > level - 0.3 * item.height:
            found.append((item.top - bottom, item.bottom - bottom, item))
    return sorted(found, key=lambda each: each[0])


def _next_level(line: Box, lines: Sequence[Box], *, upwards: bool) -> float:
    """The height of the next line above or below that covers most of the narrower of the two."""
    level = middle_y(line)
    covering = [other for other in lines if overlap_x(other, line) >= 0.5 * min(width(line), width(other))]
    if upwards:
        return max((middle_y(other) for other in covering if middle_y(other) < level), default=float("-inf"))
    return min((middle_y(other) for other in covering if middle_y(other) > level), default=float("inf"))


def _is_over_or_under(item: FormulaItem, line: Box) -> bool:
    """Whether an item stands within the ends of a line."""
    # A root still unread is wider than the line, so it stands on another row.
    if item.kind in ("accent", "root"):
        return False
    left, _, right, _ = line
    overhang = thresholds.BAR_OVERHANG * item.size
    if not left - overhang <= item.middle <= right + overhang:
        return False
    # Half an em on either side: a bar may be that much too short, but what reaches farther is longer than the bar.
    return item.box[0] >= left - 6 * overhang and item.box[2] <= right + 6 * overhang


def _stands_in_line(sign: FormulaItem, found: list[_Beside]) -> bool:
    """Whether type of the full size stands beside a big sign."""
    middle = middle_y(sign.box)
    return any(
        item is not sign and item.kind != "big" and item.size >= 0.9 * sign.size and item.top < middle < item.bottom
        for _, _, item in found
    )


def _nearest_rows(taken: list[FormulaItem], *, upwards: bool) -> list[FormulaItem]:
    """Between two bars stand the denominator of one and the numerator of the next: the near line and its limits."""
    rows = split_rows(taken)
    if len(rows) < 2:
        return taken
    ordered = list(reversed(rows)) if upwards else rows
    kept = list(ordered[0])
    size = max(item.size for item in kept)
    for row in ordered[1:]:
        other = max(item.size for item in row)
        if other > size / thresholds.SCRIPT_SIZE_TO and not _carries(row, kept):
            break
        if thresholds.SCRIPT_SIZE_TO * size < other < size / thresholds.SCRIPT_SIZE_TO:
            break
        kept.extend(row)
        size = max(size, other)
    return kept


def _carries(row: list[FormulaItem], limits: list[FormulaItem]) -> bool:
    """Whether a row has a sign right over or under the smaller row that can have limits there."""
    left, right = min(item.box[0] for item in limits), max(item.box[2] for item in limits)
    return any(
        item.kind in ("big", "function", "brace", "relation") and item.box[0] < right and item.box[2] > left
        for item in row
    )


def centre_of(items: list[FormulaItem]) -> float:
    return (min(item.left for item in items) + max(max(item.right, item.box[2]) for item in items)) / 2


def extent_of(items: list[FormulaItem]) -> float:
    return max(max(item.right, item.box[2]) for item in items) - min(item.left for item in items)
