"""Items of one place into one line of nodes, or into one item: limits first, then rows in delimiters, then scripts.

Scripts are found by levels: the line itself and the scripts of its last item, each a line again. Every item goes to the
level whose baseline and size fit it best; one that fits two almost equally well, or none well, is reported as doubtful.
`RegionReader` is the one place where the parts of the formula reader call each other; each sees only its `compose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.documents.boxes import middle_y
from mathrag.documents.pdf.formulas import thresholds
from mathrag.documents.pdf.formulas.bars_and_accents import reduce_spans
from mathrag.documents.pdf.formulas.doubts import doubt_bounds
from mathrag.documents.pdf.formulas.formula_items import (
    FormulaItem,
    Ledger,
    Node,
    box_of,
    ink_of,
    merged,
    split_rows,
)
from mathrag.documents.pdf.formulas.grids import build_grids
from mathrag.documents.pdf.formulas.latex_printer import latex_of
from mathrag.documents.pdf.formulas.limits import attach_limits
from mathrag.documents.pdf.formulas.signs import items_of
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule

# One line of items into nodes with scripts.

Side: TypeAlias = Literal["same", "above", "below"]
_SIDES: tuple[Side, Side] = ("above", "below")
# Built of other items: the size is that of what is inside.
_BUILT = frozenset(("fraction", "block", "grid"))
_FENCES = frozenset(("open", "close", "bar"))
_NO_BASE = frozenset(("operator", "relation", "open", "punctuation", "phantom"))


@dataclass(slots=True)
class Level:
    """A line or a script while it grows. Only the scripts of its last node are open."""

    nodes: list[Node]
    baseline: float
    size: float
    depth: int = 0
    # Opening delimiters that have not found a closing one.
    opened: int = 0
    children: dict[str, Level] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Choice:
    cost: float
    level: Level
    side: Side


def lay_out(items: list[FormulaItem], ledger: Ledger, *, smallest: float = 0.0) -> Level:
    """The nodes of one line, its baseline and its size. Scripts of a line in the smallest size are not smaller."""
    size = _main_size(items)
    baseline = _main_baseline(items, size)
    first = min((item.left for item in items), default=0.0)
    phantom = FormulaItem("phantom", "{}", "", (first, baseline, first, baseline), first, first, baseline, size, ink=0)
    line = Level([Node(phantom)], baseline, size)
    for item in sorted(items, key=lambda each: (each.left, each.box[0])):
        _place(item, line, ledger, smallest)
    return line


def _is_plain(item: FormulaItem) -> bool:
    return item.is_size_known and not item.is_centred and item.kind not in ("raised", "lowered", "accent", "unknown")


def _main_size(items: list[FormulaItem]) -> float:
    """The size of the line: that of its largest type, unless what is built on it shows that all of that is scripts."""
    plain = [item for item in items if _is_plain(item) and item.kind != "prime"]
    type_only = [item for item in plain if item.kind not in _FENCES] or plain
    built = [item for item in items if item.kind in _BUILT]
    if not type_only:
        return max((item.size for item in built or items), default=10.0)
    size = max(item.size for item in type_only)
    centred = [item for item in built if item.is_centred]
    if not centred or size >= 0.93 * max(item.size for item in centred):
        return size
    baseline = _main_baseline(items, size)
    tolerance = thresholds.BASELINE_TOLERANCE * size
    on_axis = any(abs(item.baseline + thresholds.AXIS * size - baseline) < tolerance for item in centred)
    return size if on_axis else max(size, *(item.size for item in centred))


def _main_baseline(items: list[FormulaItem], size: float) -> float:
    full = [item for item in items if _is_plain(item) and item.size >= 0.93 * size and item.kind != "prime"]
    if not full:
        centred = [item.baseline + thresholds.AXIS * size for item in items if item.is_centred]
        others = [item.baseline for item in items]
        return (centred or others or [0.0])[0]
    # Delimiters come in sizes that say nothing; type tells the line.
    full = [item for item in full if item.kind not in _FENCES] or full
    best, most = full[0].baseline, 0.0
    for item in full:
        near = sum(1.0 for other in full if abs(other.baseline - item.baseline) < 0.06 * size)
        if near > most:
            best, most = item.baseline, near
    return best


def _place(item: FormulaItem, line: Level, ledger: Ledger, smallest: float) -> None:
    choices = _choices(item, line, smallest)
    best = min(choices, key=lambda choice: choice.cost)
    is_prime = item.kind == "prime" and best.side == "same" and best.level.nodes[-1].item.kind != "prime"
    if item.kind in ("raised", "lowered") or is_prime:
        same = min((choice for choice in choices if choice.side == "same"), key=lambda choice: choice.cost)
        _open(same.level, "below" if item.kind == "lowered" else "above", item)
        return
    _judge(best, choices, ledger)
    if best.level.depth > thresholds.DEEPEST_NESTING:
        ledger.doubt("scripts nested too deeply", 1.0)
        best = _Choice(0.0, line, "same")
    if best.side == "same":
        best.level.nodes.append(Node(item))
        best.level.opened = max(0, best.level.opened + (item.kind == "open") - (item.kind == "close"))
        best.level.children.clear()
        return
    _open(best.level, best.side, item)


def _judge(best: _Choice, choices: list[_Choice], ledger: Ledger) -> None:
    if best.cost > thresholds.DOUBTFUL_LEVEL and not _stands_out(best, choices):
        ledger.doubt("a sign that stands on no clear line", 0.3)
        return
    for other in choices:
        if (
            other is not best
            and other.cost - best.cost < thresholds.UNCLEAR_LEVEL
            and other.cost < thresholds.DOUBTFUL_LEVEL
        ):
            ledger.doubt("a script whose level is unclear", 0.15)
            return


def _stands_out(best: _Choice, choices: list[_Choice]) -> bool:
    """A little off its place, but nowhere near any other."""
    if best.cost > thresholds.LOOSE_LEVEL or best.level.nodes[-1].item.kind in _NO_BASE:
        return False
    return all(other is best or other.cost > best.cost + thresholds.OTHER_LEVEL for other in choices)


def _open(level: Level, side: Side, item: FormulaItem) -> None:
    """Begin a script on the last node, or on nothing where the last node cannot carry one."""
    base = level.nodes[-1]
    if base.item.kind in _NO_BASE and base.item.kind != "phantom" and base.item.text != "!":
        place = item.left
        phantom = FormulaItem(
            "phantom", "{}", "", (place, level.baseline, place, level.baseline), place, place, level.baseline,
            level.size, ink=0,
        )  # fmt: skip
        base = Node(phantom)
        level.nodes.append(base)
        level.children.clear()
    if side in level.children:
        child = level.children[side]
        child.nodes.append(Node(item))
        child.opened = max(0, child.opened + (item.kind == "open") - (item.kind == "close"))
        return
    row = base.above if side == "above" else base.below
    row.append(Node(item))
    size = item.size if item.is_size_known else thresholds.SCRIPT_SIZE * level.size
    baseline = item.baseline + (thresholds.AXIS * size if item.is_centred else 0.0)
    if item.kind in _FENCES and size > thresholds.SCRIPT_SIZE_TO * level.size:
        size = thresholds.SCRIPT_SIZE * level.size
        baseline = middle_y(item.box) + thresholds.AXIS * size
    if item.kind in ("raised", "lowered"):
        baseline = level.baseline + (0.2 if side == "below" else -0.4) * level.size
        size = thresholds.SCRIPT_SIZE * level.size
    level.children[side] = Level(row, baseline, size, level.depth + 1, opened=int(item.kind == "open"))


def _choices(item: FormulaItem, line: Level, smallest: float) -> list[_Choice]:
    found: list[_Choice] = []
    pending = [line]
    is_closing = item.kind == "close" and _is_open_somewhere(line)
    while pending:
        level = pending.pop()
        # A closing delimiter stands on the level of its opening one.
        stray = thresholds.STRAY_DELIMITER if is_closing and not level.opened else 0.0
        found.append(_Choice(_same_cost(item, level) + stray, level, "same"))
        for side in _SIDES:
            child = level.children.get(side)
            if child is not None:
                pending.append(child)
            else:
                cost = _script_cost(item, level, above=side == "above", smallest=smallest)
                found.append(_Choice(cost, level, side))
    return found


def _is_open_somewhere(line: Level) -> bool:
    pending = [line]
    while pending:
        level = pending.pop()
        if level.opened:
            return True
        pending.extend(level.children.values())
    return False


def _shift(item: FormulaItem, level: Level, size: float) -> float:
    """How far the item's baseline stands above the level's, in ems of the level."""
    baseline = item.baseline + (thresholds.AXIS * size if item.is_centred else 0.0)
    return (level.baseline - baseline) / level.size


def _same_cost(item: FormulaItem, level: Level) -> float:
    shift = abs(_shift(item, level, level.size))
    ratio = item.size / level.size
    if item.kind == "fraction":
        size_cost = _built_cost(ratio)
    elif not item.is_size_known:
        size_cost = 0.0 if item.height > 0.85 * level.size else 0.1
        if item.kind in _BUILT:
            size_cost = _built_cost(ratio)
    elif item.kind in _FENCES and ratio > 1:
        size_cost = 0.05
        if ratio > thresholds.LARGEST_TYPE and not item.is_centred:
            # Larger than its line it was stretched, and stands on the axis.
            axis = middle_y(item.box) + thresholds.AXIS * level.size
            shift = min(shift, 0.5 * abs(level.baseline - axis) / level.size)
    else:
        size_cost = 0.9 * abs(ratio - 1.0) if ratio < 1 else 0.9 * (1.0 - 1.0 / ratio)
    # Type on one line shares its baseline exactly; what is centred on the axis only nearly.
    return (shift if item.is_centred else 2.0 * shift) + size_cost


def _built_cost(ratio: float) -> float:
    """A fraction is set in its line's size or a script's; a larger one was forced by the author."""
    if 0.6 <= ratio <= 1.08:
        return 0.0
    return 0.1 if 1.08 < ratio < 1.5 else 0.25


def _script_cost(item: FormulaItem, level: Level, *, above: bool, smallest: float) -> float:
    base = level.nodes[-1].item
    size = item.size if item.is_size_known else thresholds.SCRIPT_SIZE * level.size
    ratio = size / level.size
    cost = thresholds.SCRIPT_PRIOR
    if not item.is_size_known and item.kind in _BUILT:
        # What is inside it cannot be larger than the script it stands in.
        ratio = item.size / level.size
    elif not item.is_size_known:
        cost += 0.1 + 0.3 * max(0.0, item.height / level.size - 0.9)
    if item.kind == "close":
        cost += 0.4
    shift = _shift(item, level, size)
    if above:
        low, high = thresholds.SUPERSCRIPT_SHIFT
        expected = (level.baseline - base.top) / level.size - thresholds.SUPERSCRIPT_DROP
    else:
        shift = -shift
        low, high = thresholds.SUBSCRIPT_SHIFT
        expected = (base.bottom - level.baseline) / level.size + thresholds.SUBSCRIPT_DROP
    is_smallest = level.size < 1.05 * smallest and 0.95 < ratio < 1.05
    if is_smallest:
        low = min(low, thresholds.SMALLEST_SHIFT)
    if base.kind != "phantom" and (expected > high or base.kind in _BUILT):
        high = max(high, expected + thresholds.TALL_SHIFT_TOLERANCE)
    # A script that hardly leaves the baseline is no script.
    cost += max(0.0, 2.0 * (low - shift), shift - high)
    if ratio > thresholds.SCRIPT_SIZE_TO:
        # Delimiters that grow come in few sizes, the smallest of them that of the text.
        is_excused = is_smallest or (item.kind in _FENCES and ratio < 1.3)
        cost += 0.05 if is_excused else 2.2 * (ratio - thresholds.SCRIPT_SIZE_TO)
    elif ratio < 0.45:
        cost += 0.45 - ratio
    if base.kind in _NO_BASE:
        cost += 0.04 if base.kind == "phantom" else 0.09
    return cost


@dataclass(slots=True)
class RegionReader:
    """Reads one region; `ledger` collects what was uncertain."""

    ledger: Ledger = field(default_factory=Ledger)
    depth: int = 0
    # The size of scripts of scripts, if the region has sizes that differ enough to tell.
    smallest: float = 0.0

    def with_own_ledger(self) -> RegionReader:
        """A reader for one line: it knows what was uncertain so far, and others do not learn what it finds."""
        return RegionReader(merged([self.ledger]), self.depth, self.smallest)

    def items(
        self, glyphs: Sequence[Glyph], rules: Sequence[Rule], drawings: Sequence[Drawing], *, size: float
    ) -> list[FormulaItem]:
        """The region with all spans and stacks put together; lines and scripts are still to be found."""
        loose, lying = items_of(glyphs, rules, drawings, size=size, ledger=self.ledger)
        sizes = [item.size for item in loose if item.is_size_known]
        if sizes and min(sizes) < thresholds.SMALLEST_SIZE * max(*sizes, size):
            self.smallest = min(sizes)
        reduced = reduce_spans(loose, lying, compose=self.compose, ledger=self.ledger)
        return self.stacked(reduced)

    def stacked(self, items: list[FormulaItem]) -> list[FormulaItem]:
        """Limits and grids put together."""
        limited = attach_limits(items, compose=self.compose)
        return build_grids(limited, compose=self.compose, ledger=self.ledger)

    def line(self, items: list[FormulaItem]) -> Level:
        """The nodes of items that stand on one line."""
        level = lay_out(items, self.ledger, smallest=self.smallest)
        doubt_bounds(level.nodes, self.ledger)
        return level

    def latex(self, nodes: list[Node], size: float) -> str:
        """The LaTeX of nodes."""
        return latex_of(nodes, size=size, ledger=self.ledger)

    def compose(self, items: list[FormulaItem]) -> FormulaItem:
        """Items of one place as one item that stands on the baseline of its line."""
        if len(items) == 1:
            return items[0]
        deepest = max(item.depth for item in items)
        if self.depth > thresholds.DEEPEST_NESTING or deepest > thresholds.DEEPEST_NESTING:
            self.ledger.doubt("nested too deeply to be a formula", 1.0)
            return items[0].with_(ink=ink_of(items), box=box_of(items))
        self.depth += 1
        stacked = self.stacked(items)
        rows = split_rows(stacked)
        levels = [self.line(row) for row in rows]
        texts = [self.latex(level.nodes, level.size) for level in levels]
        self.depth -= 1
        latex = texts[0]
        if len(rows) > 1:
            self.ledger.doubt("several lines where one was expected", 0.4)
            latex = "\\substack{" + " \\\\ ".join(texts) + "}"
        return FormulaItem(
            "block",
            latex,
            "",
            box_of(stacked),
            min(item.left for item in stacked),
            max(item.right for item in stacked),
            levels[0].baseline,
            levels[0].size,
            ink=ink_of(stacked),
            depth=1 + max(item.depth for item in stacked),
        )
