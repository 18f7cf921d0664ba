"""Spreadsheets to documents: a section a sheet, its areas as tables, its formulas under their names, its parameters.

Cells are quoted as they stand in the file; their place is `Sheet!B2`. What is not read is noted with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from mathrag.documents.office.archive import open_archive
from mathrag.documents.office.document_parts import stated_properties
from mathrag.documents.seams import Source
from mathrag.documents.sheets.areas import FilledArea, filled_areas
from mathrag.documents.sheets.formulas import FormulaBook, SheetFormula
from mathrag.documents.sheets.labels import Label
from mathrag.documents.sheets.ods import workbook_of_ods
from mathrag.documents.sheets.workbook import (
    Place2D,
    Sheet,
    SheetCell,
    Workbook,
    address,
    area_path,
    cell_path,
)
from mathrag.documents.sheets.xlsx import workbook_of_xlsx
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Cell,
    Content,
    Display,
    Document,
    Heading,
    Math,
    Paragraph,
    Place,
    ReaderNote,
    Table,
    Text,
)

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
# More notes of one kind tell nobody more.
_MOST_NOTES = 200
_MOST_HEADER_ROWS = 3
_LONGEST_CELL = 2_000
_MOST_EMPTY, _EMPTY_PER_CELL = 10_000, 20
# A row alone with a number in it is a label with its value, symbol and unit.
_WIDEST_PAIR = 4


def read_xlsx(source: Source) -> Document:
    """Read an Excel workbook. Raises `DocumentError` for what is broken, protected or hostile."""
    with open_archive(source, what="Excel workbook") as archive:
        workbook = workbook_of_xlsx(archive, source.limits)
        properties = stated_properties(archive, "docProps/core.xml", source.limits)
    return _document(source, workbook, XLSX_TYPE, properties.title, properties.authors, properties.year)


def read_ods(source: Source) -> Document:
    """Read an OpenDocument spreadsheet. Raises `DocumentError` for what is broken, protected or hostile."""
    with open_archive(source, what="OpenDocument spreadsheet") as archive:
        workbook = workbook_of_ods(archive, source.limits)
        properties = stated_properties(archive, "meta.xml", source.limits)
    return _document(source, workbook, ODS_TYPE, properties.title, properties.authors, properties.year)


def _document(
    source: Source, workbook: Workbook, media_type: str, title: str, authors: tuple[str, ...], year: int | None
) -> Document:
    book = FormulaBook(workbook)
    blocks: list[Block] = []
    for sheet in workbook.sheets:
        if not sheet.cells:
            continue
        if len(blocks) > source.limits.blocks:
            raise DocumentError("too_large", f"the workbook has more than {source.limits.blocks:,} blocks; split it")
        blocks.extend(_sheet_blocks(sheet, book, workbook))
    if not blocks:
        raise DocumentError("empty", f"{source.name} holds no filled cell; there is nothing to read")
    notes = tuple(ReaderNote(code, message, Place(path=path)) for code, message, path in workbook.notes[:_MOST_NOTES])
    return Document(
        source=source.name,
        media_type=media_type,
        hash=source.hash,
        blocks=tuple(blocks),
        title=title,
        authors=authors,
        year=year,
        notes=notes,
    )


def _sheet_blocks(sheet: Sheet, book: FormulaBook, workbook: Workbook) -> Iterator[Block]:
    hidden = " (hidden)" if sheet.is_hidden else ""
    place = Place(path=cell_path(sheet.name, 1, 1).rpartition("!")[0])
    yield Heading(place, sheet.name, 1, (Text(f"{sheet.name}{hidden}"),))
    if sheet.hidden_rows or sheet.hidden_columns:
        workbook.note("hidden", f"the sheet {sheet.name} has hidden rows or columns; they are read too", place.path)
    for area in filled_areas(sheet):
        yield from _area_blocks(sheet, area)
    parameters: dict[str, tuple[Label, SheetCell, str]] = {}
    for formula in book.read(sheet):
        yield from _formula_blocks(formula, workbook)
        for used in formula.used if not formula.doubt else ():
            cell = book.cell(sheet.name, used.reference)
            path = cell_path(used.reference.sheet or sheet.name, used.reference.row, used.reference.column)
            if used.is_fixed and cell is not None and cell.number is not None and not cell.formula:
                parameters.setdefault(used.name, (used.label, cell, path))
    yield from _parameter_blocks(parameters)


# ---- words and tables


def _area_blocks(sheet: Sheet, area: FilledArea) -> Iterator[Block]:
    is_pair = area.rows == 1 and 1 < area.columns <= _WIDEST_PAIR and any(_numbers(sheet, area.first[0], area))
    # A long row over a long column spans a rectangle of next to nothing, which is no table.
    is_hollow = area.rows * area.columns > _MOST_EMPTY + _EMPTY_PER_CELL * len(area.filled)
    if area.columns == 1 or is_hollow or (area.rows == 1 and not is_pair):
        yield from _lines(sheet, area)
        return
    grid = [_row(sheet, row, area) for row in range(area.first[0], area.last[0] + 1)]
    header = 0
    while header < min(_MOST_HEADER_ROWS, len(grid) - 1) and _is_header(sheet, area.first[0] + header, area):
        header += 1
    if header == _MOST_HEADER_ROWS or (header and not any(_numbers(sheet, area.first[0] + header, area))):
        header = min(header, 1)
    if not header and "\\" in _shown(grid[0][0]) and area.columns > 2:
        # `T (°C) \ p (bar)` in the corner: the first row holds keys, as the first column does.
        header = 1
    quote = "\n".join(" | ".join(_shown(cell) for cell in row) for row in grid[:20])[:_LONGEST_CELL]
    place = Place(path=area_path(sheet.name, area.first, area.last))
    yield Table(place, quote, tuple(grid[:header]), tuple(grid[header:]), (Text(sheet.name),))


def _shown(cell: Cell) -> str:
    return "".join(piece.text for piece in cell.content if isinstance(piece, Text))


def _lines(sheet: Sheet, area: FilledArea) -> Iterator[Block]:
    """A lone row or column: its texts as paragraphs, each with its place."""
    for _, line in groupby(area.filled, key=lambda place: place[0]):
        places = list(line)
        words = " ".join(cell_shown(sheet.cells[place]) for place in places).strip()
        if words:
            yield Paragraph(Place(path=cell_path(sheet.name, *places[0])), words, (Text(words),))


def _row(sheet: Sheet, row: int, area: FilledArea) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    column = area.first[1]
    while column <= area.last[1]:
        cell = sheet.cells.get((row, column))
        _, wide = sheet.merged.get((row, column), (1, 1))
        wide = max(1, min(wide, area.last[1] - column + 1))
        text = cell_shown(cell) if cell is not None else ""
        content: Content = (Text(text),) if text else ()
        cells.append(Cell(content, Place(path=cell_path(sheet.name, row, column)), columns=wide))
        column += wide
    return tuple(cells)


def cell_shown(cell: SheetCell) -> str:
    """What a person sees in a cell, its unit behind its number."""
    text = f"{cell.text} {cell.unit}" if cell.unit else cell.text
    return " ".join(text.split())[:_LONGEST_CELL]


def _numbers(sheet: Sheet, row: int, area: FilledArea) -> Iterator[Place2D]:
    for column in range(area.first[1], area.last[1] + 1):
        cell = sheet.cells.get((row, column))
        if cell is not None and (cell.number is not None or cell.formula or cell.is_error):
            yield row, column


def _is_header(sheet: Sheet, row: int, area: FilledArea) -> bool:
    """Whether a row is of names: words in at least two columns and no number."""
    filled = sum((row, column) in sheet.cells for column in range(area.first[1], area.last[1] + 1))
    return filled >= 2 and not any(_numbers(sheet, row, area))


# ---- formulas


def _formula_blocks(formula: SheetFormula, workbook: Workbook) -> Iterator[Block]:
    quote = f"{formula.path}: ={formula.text}"
    place = Place(path=_cells_path(formula))
    if formula.declined:
        workbook.note("formula_declined", f"{formula.path} ={formula.text[:120]}: {formula.declined}", formula.path)
        math = Math(f"={formula.text}", "text", place, quote, True, confidence=0.0, doubts=(formula.declined,))
        yield Display(place, quote, math)
        return
    if formula.doubt:
        workbook.note("formula_unsure", f"{formula.path} ={formula.text[:120]}: {formula.doubt}", formula.path)
        math = Math(formula.latex, "latex", place, quote, True, confidence=0.3, doubts=(formula.doubt,))
        yield Display(place, quote, math)
        return
    math = Math(formula.latex, "latex", place, quote, is_display=True)
    labels = [(formula.target, formula.path), *((used.label, used.name) for used in formula.used)]
    symbols = [label for label, _ in labels if label is not None and not label.words]
    if not symbols:
        yield Display(place, quote, math)
        return
    yield Paragraph(place, quote, (math, *_where(symbols, place)))


def _where(labels: list[Label], place: Place) -> Iterator[Text | Math]:
    """In which units the symbols of a formula are, as headers say."""
    from mathrag.compute.printers.latex import symbol_latex

    lead = " where "
    for label in labels:
        if label.unit is None or not label.unit.text:
            continue
        latex = symbol_latex(label.name)
        yield Text(lead)
        yield Math(latex, "latex", place, label.symbol)
        yield Text(f" is in {label.unit_text or label.unit.text}")
        lead = ", "


def _cells_path(formula: SheetFormula) -> str:
    """The cell, or the run of cells that the formula was filled down."""
    first, last = formula.cells[0], formula.cells[-1]
    is_run = first[1] == last[1] and last[0] - first[0] == len(formula.cells) - 1
    return area_path(formula.sheet, first, last) if len(formula.cells) > 1 and is_run else formula.path


def _parameter_blocks(parameters: dict[str, tuple[Label, SheetCell, str]]) -> Iterator[Block]:
    """The cells that formulas take as they are for every row: named values of the sheet."""
    if not parameters:
        return
    rows = []
    for label, cell, path in parameters.values():
        place = Place(path=path)
        name = label.words or label.symbol
        texts = (name, label.symbol, cell.text, label.unit_text)
        rows.append(tuple(Cell((Text(text),) if text else (), place) for text in texts))
    place = rows[0][0].place
    titles = tuple(Cell((Text(title),), place, is_header=True) for title in ("Constant", "Symbol", "Value", "Unit"))
    quote = "\n".join(f"{path}: {cell.text}" for _, cell, path in parameters.values())
    yield Table(place, quote, (titles,), tuple(rows), (Text("Parameters"),))


__all__ = ["ODS_TYPE", "XLSX_TYPE", "address", "read_ods", "read_xlsx"]
