"""What spans others: fraction bars, overlines, roots, accents, lying braces. The narrowest first, so the inner first.

A lying line alone says nothing; what stands above and below it says whether it is a fraction bar, an overline, an
underline, the bar of a root or a minus sign.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.boxes import Box, height, holds_middle, middle_x, middle_y, overlap_x, union, width
from mathrag.documents.pdf.formulas import sign_names, thresholds
from mathrag.documents.pdf.formulas.formula_items import (
    Board,
    Compose,
    FormulaItem,
    Ledger,
    box_of,
    centre_of,
    extent_of,
    gather,
    ink_of,
)
from mathrag.documents.pdf.page_content import Rule

# Root signs: the line that belongs to each, what it covers and the index in its corner.


def bar_of_root(root: FormulaItem, lines: Sequence[Box]) -> Box | None:
    """The line that starts at the top right of the sign."""
    reach = thresholds.ROOT_JOIN * root.size
    found = [
        line
        for line in lines
        if abs(line[0] - root.box[2]) < reach and abs(line[1] - root.top) < reach and line[2] > root.box[2]
    ]
    return min(found, key=lambda line: abs(line[0] - root.box[2]) + abs(line[1] - root.top), default=None)


def read_root(root: FormulaItem, bar: Box | None, board: Board) -> None:
    """A root sign with its line, what stands under it, and its index."""
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


def _within(board: Board, area: Box, owner: FormulaItem) -> list[FormulaItem]:
    """The items whose middle lies in an area and which do not begin well before it."""
    return [
        item
        for item in board.items
        if item is not owner and holds_middle(area, item.box) and item.box[0] >= area[0] - 0.3 * item.size
    ]


def _following(root: FormulaItem, board: Board) -> list[FormulaItem]:
    """The one item right after a root sign that has no line."""
    level = [item for item in board.items if item is not root and item.top < root.bottom and item.bottom > root.top]
    after = [item for item in level if 0 <= item.box[0] - root.box[2] + 0.1 * root.size < 0.5 * root.size]
    return [min(after, key=lambda item: item.box[0])] if after else []


def _index_of_root(root: FormulaItem, board: Board, inside: list[FormulaItem]) -> list[FormulaItem]:
    """Small signs tucked into the upper left of the root sign, with the signs of the same type before them."""
    held = {id(root), *(id(item) for item in inside)}
    largest = max(item.size for item in inside)
    small = [item for item in board.items if id(item) not in held and _may_be_index(item, root, largest)]
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


def _may_be_index(item: FormulaItem, root: FormulaItem, largest: float) -> bool:
    """Whether an item is smaller than what the root covers and stands in the upper part of its sign."""
    is_small = item.height < 0.75 * root.height and item.size < 0.85 * largest
    is_high = item.bottom < root.bottom - 0.15 * root.height and item.top > root.top - 0.15 * root.size
    return is_small and is_high


# Accents, arrows and lying braces, each with what it stands over or under.


def read_brace(brace: FormulaItem, board: Board) -> None:
    """A lying brace and what it embraces."""
    over = brace.text in ("⏞", "⎴")
    body_items = gather(brace.box, board, upwards=not over)
    body_items = [item for item in body_items if item is not brace]
    if not body_items:
        board.ledger.doubt("a brace over nothing", 0.5)
        board.remove([brace])
        board.items.append(brace.with_(kind="unknown", latex=""))
        return
    body = board.compose(body_items)
    used = [brace, *body_items]
    board.remove(used)
    # It stays a brace: a label on its other side is attached like the limits of a sum.
    board.items.append(
        body.with_(
            kind="brace",
            text=brace.text,
            latex=f"{brace.latex}{{{body.latex}}}",
            box=box_of(used),
            left=min(item.left for item in used),
            right=max(item.right for item in used),
            ink=ink_of(used),
            depth=body.depth + 1,
        )
    )


def read_accent(accent: FormulaItem, board: Board) -> None:
    """An accent, or an arrow set like one, and what it stands over. An arrow over nothing stays a relation."""
    if not any(item is accent for item in board.items):
        return
    base = _base_of_accent(accent, board)
    if not base:
        if accent.kind == "accent":
            board.ledger.doubt("an accent over nothing", 0.5)
            board.remove([accent])
            board.items.append(accent.with_(kind="unknown", latex=""))
        return
    body = board.compose(base) if len(base) > 1 else base[0]
    board.remove([accent, *base])
    command = _accent_command(accent, is_wide=len(base) > 1)
    latex = f"{command}{{{body.latex}}}"
    # The stroke of a reduced Planck constant crosses its stem; a bar over the letter clears it.
    if command == "\\bar" and body.text == "h" and accent.bottom > body.top + 0.02 * accent.size:
        latex = "\\hbar"
    board.items.append(
        body.with_(
            kind="block", latex=latex, box=box_of([accent, *base]), ink=accent.ink + ink_of(base), depth=body.depth + 1
        )
    )


def _base_of_accent(accent: FormulaItem, board: Board) -> list[FormulaItem]:
    """What an accent stands over: all that a wide one covers, else the nearest letter; nothing where there is none."""
    size, is_arrow = accent.size, accent.kind != "accent"
    under = [item for item in board.items if item is not accent and _may_bear(item, accent)]
    # An accent is set in the size of its base; what is smaller is a script beside it.
    under = [item for item in under if item.size > thresholds.SCRIPT_SIZE_TO * size] or under
    slack = thresholds.ACCENT_OFFSET * size
    near = [item for item in under if item.box[0] - slack <= accent.middle <= item.box[2] + slack]
    covered = [item for item in under if accent.box[0] - 0.05 * size <= item.middle <= accent.box[2] + 0.05 * size]
    # An arrow much longer than what stands below it points from one side of a formula to the other.
    if is_arrow and (not covered or extent_of(covered) < 0.5 * accent.width):
        return []
    # Half an em is the width of one letter: what is wider may cover several.
    if len(covered) > 1 and accent.width > 0.55 * size:
        return covered
    if not near:
        return []
    if not is_arrow and _is_between(accent, near):
        board.ledger.doubt("an accent between two letters", 0.25)
    return [min(near, key=lambda item: abs(item.middle - accent.middle) + abs(item.top - accent.bottom))]


def _may_bear(item: FormulaItem, accent: FormulaItem) -> bool:
    """Whether an item stands right below an accent and is something that bears one."""
    if item.kind in ("accent", "operator", "relation", "punctuation"):
        return False
    size, is_arrow = accent.size, accent.kind != "accent"
    gap = item.top - accent.bottom
    # The box of an accent may reach deep into a tall letter; that of an arrow lies close above and clear of it.
    if not -0.75 * size < gap < (0.22 if is_arrow else thresholds.ACCENT_GAP) * size:
        return False
    if middle_y(item.box) <= middle_y(accent.box):
        return False
    return not is_arrow or (gap >= -0.1 * size and item.size >= 0.9 * size)


_ARROW_ACCENTS = {
    **dict.fromkeys(("→", "⟶"), "\\overrightarrow"),
    **dict.fromkeys(("←", "⟵"), "\\overleftarrow"),
    **dict.fromkeys(("⟷", "↔"), "\\overleftrightarrow"),
}


def _accent_command(accent: FormulaItem, *, is_wide: bool) -> str:
    """The command for an accent over one letter or, if it is wide, over several."""
    command = _ARROW_ACCENTS.get(accent.text, accent.latex)
    if is_wide:
        return sign_names.WIDE_ACCENTS.get(command, command)
    return "\\vec" if command == "\\overrightarrow" and accent.kind != "accent" else command


def _is_between(accent: FormulaItem, near: list[FormulaItem]) -> bool:
    """Whether an accent stands over the gap between two neighbours rather than over one of them."""
    nearest = sorted(near, key=lambda item: abs(item.middle - accent.middle))[:2]
    if len(nearest) < 2:
        return False
    first, second = (abs(item.middle - accent.middle) for item in nearest)
    sides = (nearest[0].middle - accent.middle) * (nearest[1].middle - accent.middle)
    return sides < 0 and first > thresholds.ACCENT_BETWEEN * accent.size and second < 2 * first


# In points: of a fraction bar and an overline of one width, the overline is read first.
_AS_WIDE = 0.9
# In ems: a narrower accent stands over one letter.
_NARROW = 0.8


def reduce_spans(
    items: list[FormulaItem], rules: Sequence[Rule], *, compose: Compose, ledger: Ledger
) -> list[FormulaItem]:
    """Items where every span has become one item. Lines that mean nothing are reported."""
    board = Board(list(items), [rule.box for rule in _whole(rules)], compose, ledger)
    roots = [item for item in items if item.kind == "root"]
    bars = {id(root): bar_of_root(root, board.lines) for root in sorted(roots, key=lambda each: each.width)}
    for span in _narrowest_first(items, bars, board):
        if not isinstance(span, FormulaItem):
            board.lines.remove(span)
            _read_line(span, board)
        elif span.kind == "root":
            bar = bars[id(span)]
            if bar is not None and bar in board.lines:
                board.lines.remove(bar)
            read_root(span, bar, board)
        elif span.kind == "brace":
            read_brace(span, board)
        else:
            read_accent(span, board)
    return board.items


def _narrowest_first(
    items: list[FormulaItem], bars_of_roots: dict[int, Box | None], board: Board
) -> list[FormulaItem | Box]:
    """Everything that spans others, in the order in which it is read: the inner before what holds it."""
    spans: list[tuple[float, int, FormulaItem | Box]] = []
    taken = {bar for bar in bars_of_roots.values() if bar is not None}
    for line in board.lines:
        if line not in taken:
            # A bar is wider than the fractions it holds, but may be as wide as an overline it holds.
            is_bar = bool(gather(line, board, upwards=True) and gather(line, board, upwards=False))
            spans.append((width(line) + (_AS_WIDE if is_bar else 0.0), len(spans), line))
    for root in (item for item in items if item.kind == "root"):
        bar = bars_of_roots[id(root)]
        spans.append(((bar[2] if bar else root.box[2]) - root.box[0], len(spans), root))
    for item in items:
        if item.kind in ("accent", "brace") or item.text in _ARROW_ACCENTS:
            is_narrow = item.kind == "accent" and item.width < _NARROW * item.size
            # Of accents on one letter the lowest comes first, whatever their widths.
            spans.append((0.0, -int(1000 * item.bottom), item) if is_narrow else (item.width, len(spans), item))
    return [span for _, _, span in sorted(spans, key=lambda each: each[:2])]


# In points: no more than rounding leaves between two strokes of one line; and the thinnest line that is drawn.
_STROKE_GAP = 0.3
_THINNEST = 0.4


def _whole(rules: Sequence[Rule]) -> list[Rule]:
    """Lines drawn in several strokes end to end, or twice, are one."""
    joined: list[Box] = []
    for rule in sorted(rules, key=lambda each: (each.box[1], each.box[0])):
        box = rule.box
        thick = max(_THINNEST, height(box))
        for number, other in enumerate(joined):
            # Twice the distance of their middles: strokes of one line differ by less than half their thickness.
            is_level = abs((other[1] + other[3]) - (box[1] + box[3])) < thick
            if is_level and overlap_x(box, other) >= -_STROKE_GAP:
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
    if below and line[3] + thresholds.OVERLINE_GAP * size >= min(item.top for item in below):
        _cover(line, below, board, over=True)
    elif above and line[1] - thresholds.OVERLINE_GAP * size <= max(item.bottom for item in above):
        _cover(line, above, board, over=False)
    else:
        _lone_line(line, board)


def _fraction_or_over(
    line: Box, above: list[FormulaItem], below: list[FormulaItem], size: float, ledger: Ledger
) -> str:
    """With ink on both sides: a fraction is centred on its bar; an overline lies tight on one and ignores the other."""
    centre, length = middle_x(line), width(line)
    off_above, off_below = abs(centre_of(above) - centre), abs(centre_of(below) - centre)
    gap_above = line[1] - max(item.bottom for item in above)
    gap_below = min(item.top for item in below) - line[3]
    widest = max(extent_of(above), extent_of(below))
    tolerance = thresholds.OFF_CENTRE * size
    if off_above <= tolerance and off_below <= tolerance:
        if widest < 0.5 * length and length > 3 * size:
            ledger.doubt("a line much longer than what stands above and below it", 0.3)
        return "fraction"
    fills_below = abs(extent_of(below) - length) < 0.35 * size and gap_below < thresholds.OVERLINE_GAP * size
    fills_above = abs(extent_of(above) - length) < 0.35 * size and gap_above < thresholds.OVERLINE_GAP * size
    if off_above > tolerance and fills_below:
        return "over"
    if off_below > tolerance and fills_above:
        return "under"
    ledger.doubt("a fraction whose parts are not centred on its bar", 0.25)
    return "fraction"


def _fraction(line: Box, above: list[FormulaItem], below: list[FormulaItem], board: Board) -> None:
    numerator, denominator = board.compose(above), board.compose(below)
    if _is_uneven(numerator, denominator):
        board.ledger.doubt("a fraction with type of two sizes above and below its bar", 0.2)
    used = [*above, *below]
    board.remove(used)
    box = union([line, numerator.box, denominator.box])
    board.items.append(
        FormulaItem(
            "fraction",
            f"\\frac{{{numerator.latex}}}{{{denominator.latex}}}",
            "",
            box,
            line[0],
            line[2],
            middle_y(line),
            max(numerator.size, denominator.size),
            ink=ink_of(used) + 1,
            depth=max(numerator.depth, denominator.depth) + 1,
            is_centred=True,
            is_size_known=False,
        )
    )


def _is_uneven(numerator: FormulaItem, denominator: FormulaItem) -> bool:
    """Both parts are set in one size, unless a part holds a fraction: else the larger type of a part is missing."""
    if any("frac" in part.latex or part.kind in ("fraction", "grid") for part in (numerator, denominator)):
        return False
    smaller, larger = sorted((numerator.size, denominator.size))
    return smaller < thresholds.SCRIPT_SIZE_TO * larger


def _cover(line: Box, covered: list[FormulaItem], board: Board, *, over: bool) -> None:
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
    baseline = middle_y(line) + thresholds.AXIS * size
    minus = FormulaItem("operator", "-", "−", line, line[0], line[2], baseline, size, is_size_known=False)
    if 0.3 * size < width(line) <= thresholds.LONGEST_MINUS * size:
        board.ledger.doubt("a short line taken for a minus sign", 0.1)
        board.items.append(minus)
        return
    board.ledger.doubt("a line that is neither fraction bar nor overline", 0.5)
    board.items.append(minus.with_(kind="unknown", latex=""))
