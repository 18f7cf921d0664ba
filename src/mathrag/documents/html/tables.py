"""Tables of a page: rows and cells of data, equations that a table only sets in place, and tables used as a layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from mathrag.documents.html.contents import as_display, number_of
from mathrag.documents.html.tree import Node
from mathrag.types.document import Cell, Content, Display, Math, Table, plain_text

_LAYOUT_INSIDE = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "table", "pre", "section", "article", "form", "figure"))
_CAPTIONS = frozenset(("caption", "h1", "h2", "h3", "h4", "h5", "h6", "p", "figcaption"))
_WIDEST = 1_000
_RELATION = re.compile(r"\s*(?:=|≈|<|>|≤|≥|\\approx|\\equiv|\\leq?|\\geq?|&\s*=|\\sim|\\to)")
ReadCell = Callable[[Node], Content]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, before its cells are read."""

    node: Node
    cells: tuple[Node, ...]
    is_header: bool


def rows_of(table: Node) -> list[Row]:
    """The rows in the order they stand, without those of tables inside its cells."""
    rows: list[Row] = []
    pending: list[tuple[Node, bool]] = [(child, False) for child in reversed(table.elements)]
    while pending:
        node, in_head = pending.pop()
        if node.name == "tr":
            cells = tuple(child for child in node.elements if child.name in ("td", "th"))
            rows.append(Row(node, cells, in_head))
        elif node.name not in ("table", "td", "th") and node.name not in _CAPTIONS:
            is_head = in_head or node.name == "thead"
            pending.extend((child, is_head) for child in reversed(node.elements))
    return [row for row in rows if row.cells]


def kind_of(table: Node, rows: list[Row]) -> Literal["data", "layout"]:
    """Whether a table shows data or only arranges the page."""
    if not rows:
        return "layout"
    if table.attribute("role").lower() in ("presentation", "none"):
        return "layout"
    has_marks = any(cell.name == "th" for row in rows for cell in row.cells) or any(row.is_header for row in rows)
    if has_marks or captions_of(table):
        return "data"
    if max(len(row.cells) for row in rows) == 1:
        return "layout"
    if table.attribute("border") not in ("", "0"):
        return "data"
    return "data" if holds_nothing_but_text(rows) else "layout"


def captions_of(table: Node) -> list[Node]:
    """The caption, and headings that a page puts straight into the table where only rows belong."""
    return [child for child in table.elements if child.name in _CAPTIONS and child.text().strip()]


def holds_nothing_but_text(rows: list[Row]) -> bool:
    """Whether no cell holds headings, tables or other parts that a page is arranged from."""
    cells = (cell for row in rows for cell in row.cells)
    return not any(node.name in _LAYOUT_INSIDE for cell in cells for node in cell.descendants())


def equations_of(table: Node, rows: list[Row], read: ReadCell) -> list[Display] | None:
    """The displayed formulas that a table only sets in place, with their numbers; None if it holds anything else."""
    if len(rows) > 200 or any(len(row.cells) > 12 for row in rows):
        return None
    joins = table.has_class("ltx_equation", "ltx_equationgroup", "ltx_eqn_table", "eqnarray")
    found: list[Display] = []
    is_numbered = joins or table.has_class("equation", "numblk", "math", "displaymath")
    for row in rows:
        contents = [read(cell) for cell in row.cells]
        number, formulas = _row_parts(contents)
        if formulas is None or (len(formulas) > 1 and not joins and not _is_aligned(contents)):
            return None
        if not formulas:
            if number or any(plain_text(content).strip() for content in contents):
                return None
            continue
        is_numbered = is_numbered or bool(number)
        _add_equation(found, row.node, formulas, number)
    if not found:
        return None
    return found if is_numbered or table.attribute("role").lower() == "presentation" else None


def _row_parts(contents: list[Content]) -> tuple[str, list[Math] | None]:
    """The number of a row and its formulas; no formulas (None) where a cell says something else."""
    number = ""
    formulas: list[Math] = []
    for content in contents:
        text = plain_text(content).strip()
        if not text:
            continue
        beside = number_of(text)
        if beside and not any(isinstance(piece, Math) for piece in content):
            number = beside
            continue
        math = as_display(content)
        if math is None and text in ("=", "≈"):
            place = formulas[-1].place if formulas else None
            if place is None:
                return number, None
            formulas.append(Math(text.replace("≈", r"\approx"), "latex", place, text))
            continue
        if math is None:
            return number, None
        formulas.append(math)
        number = number or math.number
    return number, formulas


def _is_aligned(contents: list[Content]) -> bool:
    """Left side, sign, right side in cells of their own."""
    texts = [plain_text(content).strip() for content in contents if plain_text(content).strip()]
    return len(texts) >= 2 and any(_RELATION.match(text) for text in texts[1:])


def _add_equation(found: list[Display], row: Node, formulas: list[Math], number: str) -> None:
    """One display for a row; a row that goes on from the one before (`= …`) is joined to it."""
    math = _joined(formulas)
    math = replace(math, is_display=True, number=number)
    last = found[-1].math if found else None
    if last is not None and last.notation == math.notation == "latex" and _RELATION.match(math.source):
        joined = replace(
            last,
            source=f"{last.source} {math.source}",
            quote=f"{last.quote} {math.quote}",
            number=last.number or number,
        )
        found[-1] = Display(found[-1].place, joined.quote, joined)
        return
    found.append(Display(row.place, math.quote, math))


def _joined(formulas: list[Math]) -> Math:
    first = formulas[0]
    if len(formulas) == 1:
        return first
    quote = " ".join(math.quote for math in formulas)
    if all(math.notation == "mathml" for math in formulas):
        inside = "".join(_without_math(math.source) for math in formulas)
        return replace(first, source=f"<math>{inside}</math>", quote=quote)
    if any(math.notation != "latex" for math in formulas):
        return first
    return replace(first, source=" ".join(math.source for math in formulas), quote=quote)


def _without_math(source: str) -> str:
    return f"<mrow>{source[source.index('>') + 1 : source.rindex('<')]}</mrow>"


def read_table(table: Node, rows: list[Row], *, read: ReadCell, caption: Content) -> Table:
    """A table of data. Header rows are those of `thead`, or leading rows of nothing but header cells."""
    header: list[tuple[Cell, ...]] = []
    body: list[tuple[Cell, ...]] = []
    has_head = any(row.is_header for row in rows)
    for row in rows:
        cells = tuple(_cells(row, read))
        leads = not has_head and not body and len(rows) > 1 and all(cell.name == "th" for cell in row.cells)
        (header if row.is_header or leads else body).append(cells)
    if header and not body:
        header, body = header[:1], header[1:]
    words = [plain_text(caption)] if caption else []
    words.extend(_row_text(row) for row in (*header, *body))
    return Table(table.place, "\n".join(words), tuple(header), tuple(body), caption)


def _cells(row: Row, read: ReadCell) -> Iterator[Cell]:
    for node in row.cells:
        columns, rows = _span(node.attribute("colspan")), _span(node.attribute("rowspan"))
        yield Cell(read(node), node.place, columns, rows, node.name == "th" or row.is_header)


def _span(text: str) -> int:
    return max(1, min(int(text), _WIDEST)) if text.isascii() and text.isdigit() and len(text) <= 6 else 1


def _row_text(row: tuple[Cell, ...]) -> str:
    return " | ".join(plain_text(cell.content).replace("\n", " ") for cell in row)
