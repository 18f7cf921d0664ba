"""Tables without borders: consecutive rows whose cells stand below each other. Reads no cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.documents.pdf.boxes import union
from mathrag.documents.pdf.layout.rows import Row
from mathrag.documents.pdf.layout.table_areas import TableArea
from mathrag.documents.pdf.page_content import Box, Glyph

# White of this many letters inside a row parts cells; between words it is never so wide.
_CELL_GAP = 0.95
_FEWEST_ROWS = 3
_MARKER = re.compile(r"[•●○◦▪■–—*·-]|\(?[0-9a-zA-Z]{1,3}[.)]|\[\d{1,3}\]|\[[A-Za-z+]{2,6}\d{2,4}\]")
_NUMBER = re.compile(r"\(\s*[A-Z]?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?\s*\)")


@dataclass(frozen=True, slots=True)
class UnruledTable:
    """A table from row `start` up to row `end` of its region."""

    start: int
    end: int
    area: TableArea


@dataclass(frozen=True, slots=True)
class _Cell:
    box: Box
    text: str
    is_bold: bool
    words: int


def find_unruled(rows: Sequence[Row], *, body_size: float) -> list[UnruledTable]:
    """The tables among the rows of a region."""
    cells = [_cells(row) for row in rows]
    found: list[UnruledTable] = []
    start = 0
    while start < len(rows):
        end = start
        lefts: list[float] = []
        while end < len(rows) and (end == start or _is_next(rows[end - 1], rows[end], body_size)):
            if len(cells[end]) > 1:
                lefts.extend(cell.box[0] for cell in cells[end][1:])
            elif not _is_rest(cells[end][0], lefts, body_size):
                break
            end += 1
        several = [row for row in cells[start:end] if len(row) > 1]
        if len(several) >= _FEWEST_ROWS and _is_table(several, body_size=body_size):
            found.append(UnruledTable(start, end, _area(rows[start:end], cells[start:end])))
        start = max(end, start + 1)
    return found


def _is_rest(cell: _Cell, lefts: Sequence[float], body_size: float) -> bool:
    """Whether a row with one cell goes on with a cell of a later column: it stands at that column's edge."""
    return sum(abs(cell.box[0] - left) < 0.3 * body_size for left in lefts) >= 1


def _cells(row: Row) -> list[_Cell]:
    return [_cell(glyphs) for glyphs in _groups(row)]


def _groups(row: Row) -> Iterator[list[Glyph]]:
    group: list[Glyph] = []
    for item in row.items:
        if group and item.gap > _CELL_GAP and not item.is_part:
            yield group
            group = []
        group.append(item.glyph)
    if group:
        yield group


def _cell(glyphs: Sequence[Glyph]) -> _Cell:
    letters = [glyph for glyph in glyphs if glyph.text[:1].isalpha() and not glyph.is_math_font]
    return _Cell(
        union(glyph.box for glyph in glyphs),
        "".join(glyph.text for glyph in glyphs),
        bool(letters) and all(glyph.is_bold for glyph in letters),
        len(letters),
    )


def _is_next(above: Row, below: Row, body_size: float) -> bool:
    return below.box[1] - above.box[3] < 1.3 * body_size and abs(above.size - below.size) < 0.12 * body_size


def _is_table(rows: Sequence[Sequence[_Cell]], *, body_size: float) -> bool:
    """Whether cells stand below each other in as many columns in most rows, and are not items, contents or formulas."""
    counts = [len(row) for row in rows]
    usual = max(set(counts), key=counts.count)
    regular = [row for row in rows if len(row) == usual]
    if len(regular) < max(_FEWEST_ROWS, 0.7 * len(rows)):
        return False
    if any("....." in cell.text for row in rows for cell in row):
        return False
    if all(_MARKER.fullmatch(row[0].text) for row in regular) and usual == 2:
        return False
    if sum(bool(_NUMBER.fullmatch(row[-1].text)) for row in rows) > 0:
        return False
    # Rows of nothing but formulas are lines of one display.
    if sum(any(cell.words >= 2 for cell in row) for row in regular) < 0.6 * len(regular):
        return False
    return all(_is_aligned([row[column].box for row in regular], body_size) for column in range(usual))


def _is_aligned(boxes: Sequence[Box], body_size: float) -> bool:
    """Whether boxes share their left edges, their right edges or their middles."""
    edges = ([box[0] for box in boxes], [box[2] for box in boxes], [(box[0] + box[2]) / 2 for box in boxes])
    for values in edges:
        usual = sorted(values)[len(values) // 2]
        if sum(abs(value - usual) < 0.35 * body_size for value in values) >= 0.8 * len(values):
            return True
    return False


def _area(rows: Sequence[Row], cells: Sequence[Sequence[_Cell]]) -> TableArea:
    box = union(row.box for row in rows)
    box = (box[0] - 1.0, box[1] - 0.5, box[2] + 1.0, box[3] + 0.5)
    edge = (rows[0].box[3] + rows[1].box[1]) / 2
    if _is_head(cells):
        return TableArea(box, ((box[1], edge), (edge, box[3])), 1, False)
    return TableArea(box, ((box[1], box[3]),), 0, False)


def _is_head(cells: Sequence[Sequence[_Cell]]) -> bool:
    """Whether the first row names the columns: in bold, or in words where the others have numbers and signs."""
    first, rest = cells[0], cells[1:]
    if all(cell.is_bold for cell in first) and not all(cell.is_bold for row in rest for cell in row):
        return True
    if any(cell.words < 2 or any(c.isdigit() or c == "=" for c in cell.text) for cell in first):
        return False
    others = [cell for row in rest for cell in row]
    return sum(cell.words < 2 or any(c.isdigit() for c in cell.text) for cell in others) > 0.2 * len(others)
