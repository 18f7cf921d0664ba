"""What stands in rows between delimiters: matrices, cases and binomial coefficients. Cells are read by who calls."""

from __future__ import annotations

from itertools import pairwise

from mathrag.documents.boxes import middle_y
from mathrag.documents.pdf.formulas import sign_names, thresholds
from mathrag.documents.pdf.formulas.formula_items import Compose, FormulaItem, Ledger, box_of, ink_of, split_rows

_ENVIRONMENTS = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("|", "|"): "vmatrix",
    ("‖", "‖"): "Vmatrix",
    ("{", "}"): "Bmatrix",
}


def build_grids(items: list[FormulaItem], *, compose: Compose, ledger: Ledger) -> list[FormulaItem]:
    """Items where rows between delimiters have become one item each, the innermost first."""
    remaining = items
    fences = sum(item.kind in ("open", "close", "bar") for item in items)
    if fences > thresholds.MOST_FENCES:
        ledger.doubt("more brackets than any formula has", 0.5)
        return items
    for _ in range(fences):
        pair = _next_pair(remaining)
        if pair is None:
            break
        opening, closing, inside = pair
        grid = _grid(opening, closing, inside, compose=compose, ledger=ledger)
        used = {id(opening), id(closing), *(id(item) for item in inside)}
        remaining = [item for item in remaining if id(item) not in used]
        remaining.append(grid)
    return remaining


def _holds_rows(delimiter: FormulaItem, inside: list[FormulaItem]) -> bool:
    """Whether what a delimiter holds stands in several rows, all of them within its height."""
    if len(inside) < 2:
        return False
    size = max(item.size for item in inside)
    return delimiter.height > thresholds.TALL_DELIMITER * size and len(split_rows(inside)) > 1


def _next_pair(items: list[FormulaItem]) -> tuple[FormulaItem, FormulaItem | None, list[FormulaItem]] | None:
    """The narrowest pair of delimiters that holds several rows, or else a brace that holds rows beside it."""
    smallest = min((item.size for item in items), default=1.0)
    tall = [item for item in items if item.height > thresholds.TALL_DELIMITER * smallest]
    fences = sorted((item for item in tall if item.kind in ("open", "close", "bar")), key=lambda item: item.left)
    pairs = _pairs(fences)
    for first, second in sorted(pairs, key=lambda pair: pair[1].left - pair[0].right):
        inside = _between(items, first, second)
        if _holds_rows(first, inside):
            return first, second, inside
    paired = {id(item) for pair in pairs for item in pair}
    for brace in reversed(fences):
        if brace.text not in ("{", "}") or id(brace) in paired:
            continue
        inside = _in_rows(_between(items, brace, None)) if brace.text == "{" else _before(items, brace)
        if _holds_rows(brace, inside):
            return brace, None, inside
    return None


def _pairs(fences: list[FormulaItem]) -> list[tuple[FormulaItem, FormulaItem]]:
    """Every delimiter that can open with the next one as high that can close it."""
    pairs: list[tuple[FormulaItem, FormulaItem]] = []
    for number, first in enumerate(fences):
        partner = next((second for second in fences[number + 1 :] if _can_close(first, second)), None)
        if first.kind != "close" and partner is not None:
            pairs.append((first, partner))
    return pairs


def _can_close(first: FormulaItem, second: FormulaItem) -> bool:
    """Whether a delimiter can be the partner of one before it: bars close bars of their kind, brackets any bracket."""
    if second.kind == "open" or (second.kind == "bar") != (first.kind == "bar"):
        return False
    return (second.kind != "bar" or second.text == first.text) and _level(first, second)


def _in_rows(inside: list[FormulaItem]) -> list[FormulaItem]:
    """What follows an opening brace, up to a column that stands on none of the rows: text after the whole."""
    if len(inside) < 2:
        return inside
    columns = _columns(inside)
    first = [item for item in inside if item.middle <= columns[0][1]]
    rows = split_rows(first)
    if len(rows) < 2:
        return inside
    levels = [item.baseline for item in first if not item.is_centred]
    for before, (left, right) in pairwise(columns):
        column = [item for item in inside if left <= item.middle <= right]
        plain = [item for item in column if not item.is_centred]
        on_row = any(abs(item.baseline - level) < 0.2 * item.size for item in plain for level in levels)
        is_number = left - before[1] > thresholds.NUMBER_GAP * column[0].size and _is_equation_number(column)
        if is_number or (levels and len(plain) == len(column) and not on_row):
            return [item for item in inside if item.middle < left]
    return inside


def _is_equation_number(column: list[FormulaItem]) -> bool:
    text = "".join(item.text for item in sorted(column, key=lambda item: item.left))
    return sign_names.EQUATION_NUMBER.fullmatch(text) is not None and any(character.isdigit() for character in text)


def _before(items: list[FormulaItem], brace: FormulaItem) -> list[FormulaItem]:
    """What stands to the left of a closing brace, as high as it is."""
    edge = brace.box[0] + 0.2 * brace.size
    return [item for item in items if item is not brace and item.box[2] < edge and _is_at_height(item, brace)]


def _level(first: FormulaItem, second: FormulaItem) -> bool:
    """Whether two delimiters reach about as high and as low: those of one pair are stretched alike."""
    return abs(first.top - second.top) < 0.25 * first.height and abs(first.bottom - second.bottom) < 0.25 * first.height


def _between(items: list[FormulaItem], first: FormulaItem, second: FormulaItem | None) -> list[FormulaItem]:
    """What stands between two delimiters, or right of the first, at their height and no taller than they are."""
    stop = second.box[0] if second is not None else float("inf")
    slack = 0.2 * first.size
    across = [item for item in items if first.box[2] - slack < item.box[0] and item.middle < stop]
    return [
        item
        for item in across
        if item is not first and item is not second and _is_at_height(item, first) and item.height < 1.1 * first.height
    ]


def _is_at_height(item: FormulaItem, delimiter: FormulaItem) -> bool:
    slack = 0.2 * delimiter.size
    return delimiter.top - slack < middle_y(item.box) < delimiter.bottom + slack


def _grid(
    opening: FormulaItem, closing: FormulaItem | None, inside: list[FormulaItem], *, compose: Compose, ledger: Ledger
) -> FormulaItem:
    rows = split_rows(inside)
    columns = _columns(inside)
    lines: list[list[FormulaItem | None]] = []
    for row in rows:
        cells: list[FormulaItem | None] = []
        for left, right in columns:
            cell = [item for item in row if left <= item.middle <= right]
            cells.append(compose(cell) if cell else None)
        # Punctuation alone, between two rows: it follows the whole.
        if any(_cell_latex(cell) for cell in cells):
            lines.append(cells)
    if opening.kind != "close" and any(cell is None for cells in lines for cell in cells):
        ledger.doubt("a row with fewer entries than the others", 0.2)
    used = [opening, *inside, *([closing] if closing is not None else [])]
    latex = _grid_latex(opening, closing, lines, ledger)
    box = box_of(used)
    return FormulaItem(
        "grid", latex, "", box, min(item.left for item in used), max(item.right for item in used),
        middle_y(box),
        max(item.size for item in inside), ink=ink_of(used), depth=1 + max(item.depth for item in inside),
        is_centred=True, is_size_known=False,
    )  # fmt: skip


def _grid_latex(
    opening: FormulaItem, closing: FormulaItem | None, lines: list[list[FormulaItem | None]], ledger: Ledger
) -> str:
    body = " \\\\ ".join(" & ".join(_cell_latex(cell) for cell in cells) for cells in lines)
    if opening.kind == "close":
        rows = body.replace(" & ", " ")
        return f"\\left.\\begin{{aligned}} {rows} \\end{{aligned}}\\right{opening.latex}"
    if closing is None:
        return f"\\begin{{cases}} {body} \\end{{cases}}"
    if len(lines) == 2 and len(lines[0]) == 1 and (opening.text, closing.text) == ("(", ")"):
        above, below = lines[0][0], lines[1][0]
        if above is not None and below is not None:
            distance = (below.baseline - above.baseline) / max(above.size, below.size, 0.1)
            if distance > thresholds.BINOMIAL_ROWS or max(above.size, below.size) < 0.8 * opening.size:
                return f"\\binom{{{above.latex}}}{{{below.latex}}}"
            ledger.doubt("two rows in parentheses: a column or a binomial coefficient", 0.1)
    environment = _ENVIRONMENTS.get((opening.text, closing.text))
    if environment is None:
        return f"\\left{opening.latex}\\begin{{matrix}} {body} \\end{{matrix}}\\right{closing.latex}"
    return f"\\begin{{{environment}}} {body} \\end{{{environment}}}"


def _cell_latex(cell: FormulaItem | None) -> str:
    """Punctuation after a cell belongs to the sentence around it."""
    return cell.latex.rstrip(",;. ") if cell is not None and cell.latex.strip(",;. ") else ""


def _columns(inside: list[FormulaItem]) -> list[tuple[float, float]]:
    """The stretches between white rivers that run through all rows."""
    size = max(item.size for item in inside)
    spans = sorted((min(item.left, item.box[0]), max(item.right, item.box[2])) for item in inside)
    columns: list[tuple[float, float]] = []
    for left, right in spans:
        if columns and left - columns[-1][1] < thresholds.COLUMN_GAP * size:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns
