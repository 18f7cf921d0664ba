"""MathML tables to grids: aligned lines of equations, or a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from mathrag.compute.mathml.elements import Element
from mathrag.compute.mathml.fences import has_relation
from mathrag.compute.notation import Grid, Row, Sign, Space, Style, Words
from mathrag.errors import FormulaError

Lay: TypeAlias = Callable[[Element, Style | None], Row]

_END_PUNCTUATION = frozenset(".,;")


def grid_of(element: Element, style: Style | None, lay: Lay) -> Grid:
    """The lines and cells; `lay` makes the row of a cell. Empty cells of aligned equations are dropped."""
    lines: list[tuple[Row, ...]] = []
    for line in element.elements:
        if line.name not in {"mtr", "mlabeledtr"}:
            raise FormulaError("structure", f"<{line.name}> cannot stand in a table", position=line.position)
        cells = line.elements[1:] if line.name == "mlabeledtr" else line.elements
        for cell in cells:
            if cell.name != "mtd":
                raise FormulaError(
                    "structure", f"<{cell.name}> cannot stand in a line of a table", position=cell.position
                )
        lines.append(tuple(lay(cell, style) for cell in cells))
    kind: Literal["lines", "matrix"] = (
        "lines" if any(has_relation(cell) for line in lines for cell in line) else "matrix"
    )
    if kind == "lines":
        tidied = (tuple(_without_label(line)) for line in lines)
        lines = [line for line in tidied if line]
    return Grid(kind, tuple(lines), element.position)


def _without_label(line: tuple[Row, ...]) -> list[Row]:
    """The cells that hold something, without an equation number such as (2.1) in the last."""
    cells = [cell for cell in line if cell.items]
    if len(cells) > 1 and len(cells[-1].items) == 1:
        last = cells[-1].items[0]
        if isinstance(last, Words) and last.text.startswith("("):
            cells.pop()
    if cells:
        cells[-1] = without_end_punctuation(cells[-1])
    return [cell for cell in cells if cell.items]


def without_end_punctuation(row: Row) -> Row:
    """The row without the full stop or comma that belongs to the sentence around it."""
    items = list(row.items)
    while items and (
        isinstance(items[-1], Space) or (isinstance(items[-1], Sign) and items[-1].text in _END_PUNCTUATION)
    ):
        items.pop()
    return Row(tuple(items), row.position)
