"""The exact place of a cell of a table, where the table says which cells of a sheet it covers."""

from __future__ import annotations

from dataclasses import replace

from mathrag.documents.sheets.workbook import address, read_area
from mathrag.reason.direct.documents.grids import Grid, Line
from mathrag.retrieve.document_parts import TablePart
from mathrag.types.document import Place


def place_of_cell(part: TablePart, grid: Grid, row: Line, column: Line) -> Place:
    """`Data!B7` for a cell of the area `Data!A1:C9`; else the place of the table."""
    sheet, mark, area = part.place.path.rpartition("!")
    found = read_area(area) if mark and ":" in area else None
    # Rows that were put together have lost their place.
    if found is None or len(grid.cells) != len(part.cells):
        return part.place
    (top, left), _ = found
    return replace(part.place, path=f"{sheet}!{address(top + row.place, left + column.place)}")
