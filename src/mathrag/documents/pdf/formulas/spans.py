"""What spans others: fraction bars, overlines, roots, wide accents. The narrowest first, so the inner is done first.

A lying line alone says nothing; what stands above and below it says whether it is a fraction bar, an overline, an
underline, the bar of a root or a minus sign.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.pdf.boxes import union
from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.accents import read_accent, read_brace
from mathrag.documents.pdf.formulas.board import Board, centre_of, extent_of, gather
from mathrag.documents.pdf.formulas.items import Compose, Item, Ledger, ink_of
from mathrag.documents.pdf.formulas.roots import bar_of_root, read_root
from mathrag.documents.pdf.page_content import Box, Rule

_AS_WIDE = 0.9
_NARROW = 0.8


def reduce_spans(items: list[Item], rules: Sequence[Rule], *, compose: Compose, ledger: Ledger) -> list[Item]:
    """Items where every span has become one item. Lines that mean nothing are reported."""
    board = Board(list(items), [rule.box for rule in _whole(rules)], compose, ledger)
    roots = [item for item in items if item.kind == "root"]
    bars_of_roots: dict[int, Box | None] = {}
    for root in sorted(roots, key=lambda each: each.width):
        bar = bar_of_root(root, board.lines)
        bars_of_roots[id(root)] = bar
    taken = {bar for bar in bars_of_roots.values() if bar is not None}
    jobs: list[tuple[float, int, Item | Box]] = []
    for line in board.lines:
        if line not in taken:
            # A bar is wider than the fractions it holds, but may be as wide as an overline it holds.
            is_bar = bool(gather(line, board, upwards=True) and gather(line, board, upwards=False))
            jobs.append((line[2] - line[0] + (_AS_WIDE if is_bar else 0.0), len(jobs), line))
    for root in roots:
        bar = bars_of_roots[id(root)]
        jobs.append(((bar[2] if bar else root.box[2]) - root.box[0], len(jobs), root))
    for item in items:
        if item.kind in ("accent", "brace") or item.text in ("→", "⟶", "←", "⟵", "⟷", "↔"):
            is_narrow = item.kind == "accent" and item.width < _NARROW * item.size
            # Of accents on one letter the lowest comes first, whatever their widths.
            jobs.append((0.0, -int(1000 * item.bottom), item) if is_narrow else (item.width, len(jobs), item))
    for _, _, job in sorted(jobs, key=lambda each: each[:2]):
        if not isinstance(job, Item):
            board.lines.remove(job)
            _read_line(job, board)
        elif job.kind == "root":
            bar = bars_of_roots[id(job)]
            if bar is not None and bar in board.lines:
                board.lines.remove(bar)
            read_root(job, bar, board)
        elif job.kind == "brace":
            read_brace(job, board)
        else:
            read_accent(job, board)
    return board.items


def _whole(rules: Sequence[Rule]) -> list[Rule]:
    """Lines drawn in several strokes end to end, or twice, are one."""
    joined: list[Box] = []
    for rule in sorted(rules, key=lambda each: (each.box[1], each.box[0])):
        box = rule.box
        thick = max(0.4, box[3] - box[1])
        for number, other in enumerate(joined):
            if (
                abs((other[1] + other[3]) - (box[1] + box[3])) < thick
                and box[0] <= other[2] + 0.3
                and other[0] <= box[2] + 0.3
            ):
                joined[number] = union([other, box])
                break
        else:
            joined.append(box)
    return [Rule(box) for box in dict.fromkeys(joined)]


def _read_line(line: Box, board: Board) -> None:
    """A lying line: fraction bar, overline, underline or minus."""
    above = gather(line, board, upwards=True)
    below = gather(line, board, upwards=False)
    size = max((item.size for item in (*above, *below)), default=0.0)
    if above and below:
        reading = _fraction_or_over(line, above, below, size, board.ledger)
        if reading == "fraction":
            _fraction(line, above, below, board)
            return
        if reading == "over":
            above = []
        else:
            below = []
    if below and line[3] + limit.OVERLINE_GAP * size >= min(item.top for item in below):
        _cover(line, below, board, over=True)
    elif above and line[1] - limit.OVERLINE_GAP * size <= max(item.bottom for item in above):
        _cover(line, above, board, over=False)
    else:
        _lone_line(line, board)


def _fraction_or_over(line: Box, above: list[Item], below: list[Item], size: float, ledger: Ledger) -> str:
    """With ink on both sides: a fraction is centred on its bar; an overline lies tight on one and ignores the other."""
    centre = (line[0] + line[2]) / 2
    width = line[2] - line[0]
    off_above, off_below = abs(centre_of(above) - centre), abs(centre_of(below) - centre)
    gap_above = line[1] - max(item.bottom for item in above)
    gap_below = min(item.top for item in below) - line[3]
    widest = max(extent_of(above), extent_of(below))
    tolerance = limit.OFF_CENTRE * size
    if off_above <= tolerance and off_below <= tolerance:
        if widest < 0.5 * width and width > 3 * size:
            ledger.doubt("a line much longer than what stands above and below it", 0.3)
        return "fraction"
    fills_below = abs(extent_of(below) - width) < 0.35 * size and gap_below < limit.OVERLINE_GAP * size
    fills_above = abs(extent_of(above) - width) < 0.35 * size and gap_above < limit.OVERLINE_GAP * size
    if off_above > tolerance and fills_below:
        return "over"
    if off_below > tolerance and fills_above:
        return "under"
    ledger.doubt("a fraction whose parts are not centred on its bar", 0.25)
    return "fraction"


def _fraction(line: Box, above: list[Item], below: list[Item], board: Board) -> None:
    numerator, denominator = board.compose(above), board.compose(below)
    if _is_uneven(numerator, denominator):
        board.ledger.doubt("a fraction with type of two sizes above and below its bar", 0.2)
    used = [*above, *below]
    board.remove(used)
    box = union([line, numerator.box, denominator.box])
    board.items.append(
        Item(
            "fraction",
            f"\\frac{{{numerator.latex}}}{{{denominator.latex}}}",
            "",
            box,
            line[0],
            line[2],
            (line[1] + line[3]) / 2,
            max(numerator.size, denominator.size),
            ink=ink_of(used) + 1,
            depth=max(numerator.depth, denominator.depth) + 1,
            is_centred=True,
            is_size_known=False,
        )
    )


def _is_uneven(numerator: Item, denominator: Item) -> bool:
    """Both parts are set in one size, unless a part holds a fraction: else the larger type of a part is missing."""
    if any("frac" in part.latex or part.kind in ("fraction", "grid") for part in (numerator, denominator)):
        return False
    smaller, larger = sorted((numerator.size, denominator.size))
    return smaller < limit.SCRIPT_SIZE_TO * larger


def _cover(line: Box, covered: list[Item], board: Board, *, over: bool) -> None:
    body = board.compose(covered)
    board.remove(covered)
    command = "\\overline" if over else "\\underline"
    if over and len(covered) == 1 and covered[0].kind == "letter":
        command = "\\bar"
    board.items.append(
        body.with_(
            kind="block", latex=f"{command}{{{body.latex}}}", box=union([line, body.box]), ink=ink_of(covered) + 1,
            depth=body.depth + 1,
        )
    )  # fmt: skip


def _lone_line(line: Box, board: Board) -> None:
    size = max((item.size for item in board.items if item.is_size_known), default=10.0)
    level = (line[1] + line[3]) / 2
    width = line[2] - line[0]
    baseline = level + limit.AXIS * size
    minus = Item("operator", "-", "−", line, line[0], line[2], baseline, size, is_size_known=False)
    if 0.3 * size < width <= limit.LONGEST_MINUS * size:
        board.ledger.doubt("a short line taken for a minus sign", 0.1)
        board.items.append(minus)
        return
    board.ledger.doubt("a line that is neither fraction bar nor overline", 0.5)
    board.items.append(minus.with_(kind="unknown", latex=""))
