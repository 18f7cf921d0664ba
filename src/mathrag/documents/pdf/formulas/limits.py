"""Limits: small signs centred over or under a big sign, a word such as lim, a relation or an arrow."""

from __future__ import annotations

from mathrag.documents.boxes import Box
from mathrag.documents.pdf.formulas import sign_names, thresholds
from mathrag.documents.pdf.formulas.formula_items import Compose, FormulaItem, box_of, ink_of, split_rows

_ARROWS = {
    "→": "\\xrightarrow",
    "⟶": "\\xrightarrow",
    "←": "\\xleftarrow",
    "⟵": "\\xleftarrow",
    "⇌": "\\xrightleftharpoons",
}
_ONLY_OVER = frozenset("⏞⎴")
_ONLY_UNDER = frozenset("⏟⎵")
# Every part of a run is tried, which takes the square of its length; no limit has so many signs.
_LONGEST_RUN = 200
# More lines of conditions under one sign are lines of text.
_MOST_LINES = 4
# Over and under a relation, in ems: how far off, and how far off its middle.
_RELATION_GAP = 0.45
_RELATION_OFFSET = 0.15


def attach_limits(items: list[FormulaItem], *, compose: Compose) -> list[FormulaItem]:
    """Items where every sign with something over or under it has become one item with it."""
    size = _line_size(items)
    items = _with_pairs(items, size)
    carriers = [item for item in items if _may_carry(item, size)]
    loose = [item for item in items if item.size < thresholds.LIMIT_SIZE * size]
    if not carriers or not loose:
        return items
    remaining = {id(item): item for item in items}
    for carrier in sorted(carriers, key=lambda item: (item.kind == "relation", item.left)):
        if id(carrier) not in remaining:
            continue
        small = [item for item in loose if id(item) in remaining and item is not carrier]
        if carrier.text in sign_names.INTEGRALS and _has_scripts_beside(carrier, small, size):
            continue
        under = [] if carrier.text in _ONLY_OVER else _cluster(carrier, small, size, above=False)
        held = {id(item) for item in under}
        free = [item for item in small if id(item) not in held]
        over = [] if carrier.text in _ONLY_UNDER else _cluster(carrier, free, size, above=True)
        if not under and not over:
            continue
        used = [carrier, *under, *over]
        for item in used:
            del remaining[id(item)]
        built = _with_limits(carrier, under, over, compose)
        remaining[id(built)] = built.with_(ink=ink_of(used), box=box_of(used))
    return list(remaining.values())


def _with_pairs(items: list[FormulaItem], size: float) -> list[FormulaItem]:
    """`arg max` as one word where what stands under it is centred on both words."""
    firsts = {pair[0] for pair in sign_names.TWO_WORDS_WITH_LIMIT}
    for first in [item for item in items if item.text in firsts]:
        for second in items:
            latex = sign_names.TWO_WORDS_WITH_LIMIT.get((first.text, second.text))
            is_next = (
                0 <= second.left - first.right < 0.4 * size and abs(first.baseline - second.baseline) < 0.05 * size
            )
            if latex is None or not is_next:
                continue
            both = first.with_(
                text=first.text + second.text, latex=latex, box=box_of([first, second]), right=second.right,
                ink=ink_of([first, second]),
            )  # fmt: skip
            small = [item for item in items if item.size < thresholds.LIMIT_SIZE * size]
            under = _cluster(both, small, size, above=False)
            if under and abs(_middle(under) - both.middle) < abs(_middle(under) - second.middle):
                items = [both if item is first else item for item in items if item is not second]
            break
    return items


def _line_size(items: list[FormulaItem]) -> float:
    known = [item.size for item in items if item.is_size_known]
    return max(known or [item.size for item in items], default=10.0)


def _may_carry(item: FormulaItem, size: float) -> bool:
    if item.kind in ("big", "brace"):
        return True
    if item.size < thresholds.SAME_SIZE_FROM * size:
        return False
    return (item.kind == "function" and item.text in sign_names.LIMIT_WORDS) or item.kind == "relation"


def _has_scripts_beside(carrier: FormulaItem, small: list[FormulaItem], size: float) -> bool:
    """The usual place of an integral's bounds; what stands over or under it is then another line's."""
    return any(
        carrier.middle < item.left < carrier.box[2] + 0.3 * size
        and item.bottom > carrier.top
        and item.top < carrier.bottom
        for item in small
    )


def _cluster(carrier: FormulaItem, small: list[FormulaItem], size: float, *, above: bool) -> list[FormulaItem]:
    """The small items on one side that belong to the carrier: a run around its middle, centred on it."""
    is_relation = carrier.kind == "relation"
    # What stands over a relation is set tight on it and centred exactly; else it is the neighbour's script.
    reach = (_RELATION_GAP if is_relation else thresholds.LIMIT_GAP) * size
    offset = (_RELATION_OFFSET if is_relation else thresholds.LIMIT_OFFSET) * size
    zone = [item for item in small if _is_in_reach(item, carrier, reach, size, above=above)]
    touching = [run for run in _runs(zone) if _overlaps(run, carrier)]
    if not touching:
        return []
    run = min(touching, key=lambda each: abs(_middle(each) - carrier.middle))
    if abs(_middle(run) - carrier.middle) > offset:
        run = _centred_part(run, carrier, offset)
    return _with_further_lines(run, carrier, small, above=above) if run else []


def _is_in_reach(item: FormulaItem, carrier: FormulaItem, reach: float, size: float, *, above: bool) -> bool:
    gap = carrier.top - item.bottom if above else item.top - carrier.bottom
    # A script on the limit stands farther off than the limit itself.
    further = 0.4 * size if item.size < 0.6 * size else 0.0
    return -0.12 * size <= gap <= reach + further


def _runs(items: list[FormulaItem]) -> list[list[FormulaItem]]:
    """Items from left to right, parted where the white is wider than between words of a limit."""
    runs: list[list[FormulaItem]] = []
    for item in sorted(items, key=lambda each: each.box[0]):
        if runs and item.box[0] - max(each.box[2] for each in runs[-1]) <= thresholds.LIMIT_WORD_GAP * item.size:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def _overlaps(run: list[FormulaItem], carrier: FormulaItem) -> bool:
    return min(item.box[0] for item in run) < carrier.box[2] and max(item.box[2] for item in run) > carrier.box[0]


def _middle(items: list[FormulaItem]) -> float:
    return (min(item.left for item in items) + max(item.right for item in items)) / 2


def _centred_part(run: list[FormulaItem], carrier: FormulaItem, offset: float) -> list[FormulaItem]:
    """The longest part of a run that is centred on the carrier: the rest belongs to the neighbours."""
    if len(run) > _LONGEST_RUN:
        return []
    best: list[FormulaItem] = []
    best_miss = offset
    for start in range(len(run)):
        if run[start].box[0] > carrier.box[2]:
            break
        for stop in range(len(run), start, -1):
            part = run[start:stop]
            if max(item.box[2] for item in part) < carrier.box[0]:
                break
            miss = abs(_middle(part) - carrier.middle)
            if miss < 0.5 * best_miss or (miss <= best_miss and len(part) > len(best)):
                best, best_miss = part, max(miss, 0.05 * offset)
    return best


def _with_further_lines(
    run: list[FormulaItem], carrier: FormulaItem, small: list[FormulaItem], *, above: bool
) -> list[FormulaItem]:
    """The run with the lines that stand right beyond it, as under a sum with several conditions."""
    beyond = [item for item in small if (item.bottom <= carrier.top if above else item.top >= carrier.bottom)]
    for _ in range(_MOST_LINES):
        held = {id(item) for item in run}
        box, around = box_of(run), box_of([carrier, *run])
        line = [
            item
            for item in beyond
            if id(item) not in held
            and around[0] - item.size <= item.middle <= around[2] + item.size
            and _is_next_line(item, box, above=above)
        ]
        if not line:
            break
        run = [*run, *line]
    return run


def _is_next_line(item: FormulaItem, box: Box, *, above: bool) -> bool:
    """Whether an item stands as close above or below a box as one line of conditions to the next."""
    # A line begins at the height of its letters, also where this item is a low one.
    gap = box[1] - item.bottom if above else min(item.top, item.baseline - 0.6 * item.size) - box[3]
    return -0.35 * item.size < gap < 0.4 * item.size


def _with_limits(
    carrier: FormulaItem, under: list[FormulaItem], over: list[FormulaItem], compose: Compose
) -> FormulaItem:
    below = _compose_limit(under, compose) if under else None
    above = _compose_limit(over, compose) if over else None
    depth = max(carrier.depth, below.depth if below else 0, above.depth if above else 0) + 1
    if carrier.kind != "relation":
        latex = carrier.latex
        latex += f"_{{{below.latex}}}" if below else ""
        latex += f"^{{{above.latex}}}" if above else ""
    elif carrier.text in _ARROWS and (above or below):
        option = f"[{below.latex}]" if below else ""
        latex = f"{_ARROWS[carrier.text]}{option}{{{above.latex if above else ''}}}"
    else:
        latex = carrier.latex
        latex = f"\\overset{{{above.latex}}}{{{latex}}}" if above else latex
        latex = f"\\underset{{{below.latex}}}{{{latex}}}" if below else latex
    parts = [carrier, *under, *over]
    return carrier.with_(
        latex=latex, depth=depth, left=min(item.left for item in parts), right=max(item.right for item in parts)
    )


def _compose_limit(items: list[FormulaItem], compose: Compose) -> FormulaItem:
    """A limit of one line, or of several lines of one size centred on each other, which is how conditions are set."""
    rows = split_rows(items)
    sizes = [max(item.size for item in row) for row in rows]
    middles = [_middle(row) for row in rows]
    is_even = min(sizes) > thresholds.SAME_SIZE_FROM * max(sizes)
    if len(rows) < 2 or not is_even or max(middles) - min(middles) > thresholds.LIMIT_OFFSET * max(sizes):
        return compose(items)
    lines = [compose(row) for row in rows]
    latex = "\\substack{" + " \\\\ ".join(line.latex for line in lines) + "}"
    return lines[0].with_(latex=latex, kind="block", depth=1 + max(line.depth for line in lines))
