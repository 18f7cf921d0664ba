"""Excel workbooks to the one model: cells with their formulas and cached values, shared formulas, formats, names.

Nothing is computed and nothing outside the file is looked at: macros, links to other files, pivot tables and pictures
are only noted. What a sheet declares to be its size is not believed.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation

from mathrag.documents.office.archive import Archive, Element, attribute, local_name, parse_part
from mathrag.documents.seams import ReadingLimits
from mathrag.documents.sheets.formula_text import LONGEST_FORMULA
from mathrag.documents.sheets.number_formats import (
    PLAIN,
    NumberFormat,
    date_text,
    number_text,
    percentage_text,
    read_format,
)
from mathrag.documents.sheets.workbook import (
    LONGEST_TEXT,
    MOST_CELLS,
    MOST_SHEETS,
    NamedTable,
    Place2D,
    Sheet,
    SheetCell,
    Workbook,
    cell_path,
    read_address,
    read_area,
)
from mathrag.errors import DocumentError

_MOST_STRINGS = 1_000_000
_MOST_MERGED = 20_000
_MOST_TABLES = 1_000
_ARRAY = "it is an array formula"
_TABLE = "it is a data table of what-if values"


@dataclass(slots=True)
class _Package:
    """What sheets of one file share."""

    workbook: Workbook
    strings: list[str] = field(default_factory=list)
    formats: list[NumberFormat] = field(default_factory=list)
    from_1904: bool = False
    cells: int = 0


def workbook_of_xlsx(archive: Archive, limits: ReadingLimits) -> Workbook:
    """The workbook of an Excel file."""
    main = _main_part(archive, limits)
    root = parse_part(archive.read(main), name=main, limits=limits)
    folder = posixpath.dirname(main)
    targets = _relations(archive, main, limits)
    package = _Package(Workbook(dialect="excel"))
    strings, styles = targets.get("sharedStrings", ""), targets.get("styles", "")
    if strings in archive:
        package.strings = _strings(parse_part(archive.read(strings), name=strings, limits=limits))
    if styles in archive:
        package.formats = _formats(parse_part(archive.read(styles), name=styles, limits=limits))
    _note_left_out(archive, package.workbook)
    for element in root.iter():
        match local_name(element):
            case "workbookPr":
                package.from_1904 = attribute(element, "date1904") in ("1", "true")
            case "definedName":
                _define(element, package.workbook)
            case "sheet" if len(package.workbook.sheets) < MOST_SHEETS:
                # Only the part that the relation names; the sheet's own number says nothing.
                part = targets.get(attribute(element, "id"), "")
                _add_sheet(element, part, archive, package, limits)
    if not package.workbook.sheets:
        raise DocumentError("broken", f"this Excel workbook has no sheet in {folder or 'its parts'}; save it again")
    return package.workbook


def _main_part(archive: Archive, limits: ReadingLimits) -> str:
    targets = _relations(archive, "", limits)
    main = targets.get("officeDocument", "xl/workbook.xml")
    if main not in archive:
        raise DocumentError("broken", "this Excel workbook has no list of its sheets; save it again as .xlsx")
    return main


def _relations(archive: Archive, part: str, limits: ReadingLimits) -> dict[str, str]:
    """What a part points at within the file: by identifier, and by the last word of the kind."""
    folder, name = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    if relations not in archive:
        return {}
    found: dict[str, str] = {}
    for element in parse_part(archive.read(relations), name=relations, limits=limits):
        if attribute(element, "TargetMode") == "External":
            continue
        target = attribute(element, "Target")
        inside = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
        found[attribute(element, "Id")] = inside
        found.setdefault(attribute(element, "Type").rpartition("/")[2], inside)
    return found


def _note_left_out(archive: Archive, workbook: Workbook) -> None:
    for start, what in (
        ("xl/vbaProject", "macros are never run or read"),
        ("xl/externalLinks/", "links to other files are not followed"),
        ("xl/pivotTables/", "pivot tables are not computed; their cells are read as they are"),
        ("xl/charts/", "charts are left out"),
    ):
        if any(name.startswith(start) for name in archive.members):
            workbook.note("left_out", what)


def _strings(root: Element) -> list[str]:
    found: list[str] = []
    for item in root:
        if local_name(item) == "si" and len(found) < _MOST_STRINGS:
            found.append(_joined(item))
    return found


def _joined(item: Element) -> str:
    """The text of its runs; how an East Asian word is pronounced is no part of it."""
    pieces: list[str] = []
    for child in item:
        name = local_name(child)
        if name == "t":
            pieces.append(child.text or "")
        elif name == "r":
            pieces.extend(each.text or "" for each in child if local_name(each) == "t")
    return "".join(pieces)[:LONGEST_TEXT]


def _formats(root: Element) -> list[NumberFormat]:
    codes: dict[str, str] = {}
    found: list[NumberFormat] = []
    for part in root:
        if local_name(part) == "numFmts":
            codes = {attribute(each, "numFmtId"): attribute(each, "formatCode") for each in part}
    for part in root:
        if local_name(part) == "cellXfs":
            for each in part:
                number = attribute(each, "numFmtId") or "0"
                found.append(read_format(codes.get(number, ""), int(number) if number.isdecimal() else 0))
    return found


def _define(element: Element, workbook: Workbook) -> None:
    name, text = attribute(element, "name"), (element.text or "").strip()
    is_inner = name.startswith("_xlnm.") or attribute(element, "hidden") in ("1", "true")
    if name and text and len(text) <= LONGEST_FORMULA and not is_inner:
        workbook.names.setdefault(name, text)


def _add_sheet(element: Element, part: str, archive: Archive, package: _Package, limits: ReadingLimits) -> None:
    name = attribute(element, "name")[:200] or f"Sheet {len(package.workbook.sheets) + 1}"
    if part not in archive:
        package.workbook.note("sheet_left_out", f"the sheet {name} is missing from the file", name)
        return
    root = parse_part(archive.read(part), name=part, limits=limits)
    if local_name(root) != "worksheet":
        package.workbook.note("sheet_left_out", f"{name} is no sheet of cells and is left out", name)
        return
    sheet = Sheet(name, is_hidden=attribute(element, "state") in ("hidden", "veryHidden"))
    package.workbook.sheets.append(sheet)
    for block in root:
        match local_name(block):
            case "cols":
                _hide_columns(block, sheet)
            case "sheetData":
                _read_rows(block, sheet, package)
            case "mergeCells":
                for merged in list(block)[:_MOST_MERGED]:
                    area = read_area(attribute(merged, "ref"))
                    if area is not None:
                        (top, left), (bottom, right) = area
                        sheet.merged[top, left] = (bottom - top + 1, right - left + 1)
            case "tableParts":
                _read_tables(block, part, sheet, archive, package, limits)


def _read_tables(
    block: Element, part: str, sheet: Sheet, archive: Archive, package: _Package, limits: ReadingLimits
) -> None:
    """The named tables of a sheet, for formulas that name their columns."""
    targets = _relations(archive, part, limits)
    for each in block:
        target = targets.get(attribute(each, "id"), "")
        if target not in archive or len(package.workbook.tables) >= _MOST_TABLES:
            continue
        table = _named_table(parse_part(archive.read(target), name=target, limits=limits), sheet.name)
        if table is not None:
            package.workbook.tables.setdefault(table.name.casefold(), table)


def _named_table(root: Element, sheet: str) -> NamedTable | None:
    name, area = attribute(root, "displayName") or attribute(root, "name"), read_area(attribute(root, "ref"))
    if area is None or not name:
        return None
    (top, left), (bottom, right) = area
    headers, totals = attribute(root, "headerRowCount") or "1", attribute(root, "totalsRowCount") or "0"
    listed = [attribute(each, "name") for block in root if local_name(block) == "tableColumns" for each in block]
    columns = {" ".join(text.replace("_x000a_", " ").split()).casefold(): left + at for at, text in enumerate(listed)}
    is_sound = len(columns) == len(listed) == right - left + 1 and {headers, totals} <= {"0", "1"}
    if not is_sound:
        return None
    first, last = top + int(headers), bottom - int(totals)
    return NamedTable(name, sheet, first, last, columns) if first <= last else None


def _hide_columns(block: Element, sheet: Sheet) -> None:
    for column in block:
        first, last = attribute(column, "min"), attribute(column, "max")
        if attribute(column, "hidden") in ("1", "true") and first.isdecimal() and last.isdecimal():
            sheet.hidden_columns.update(range(int(first), min(int(last), int(first) + 1_000) + 1))


def _read_rows(data: Element, sheet: Sheet, package: _Package) -> None:
    shared: dict[str, Place2D] = {}
    row = 0
    for line in data:
        stated = attribute(line, "r")
        row = int(stated) if stated.isdecimal() and len(stated) < 8 else row + 1
        if attribute(line, "hidden") in ("1", "true"):
            sheet.hidden_rows.add(row)
        column = 0
        for element in line:
            if local_name(element) != "c":
                continue
            place = read_address(attribute(element, "r")) or (row, column + 1)
            column = place[1]
            cell = _cell(element, place, sheet, package, shared)
            if cell is None:
                continue
            if package.cells >= MOST_CELLS:
                package.workbook.note(
                    "too_many_cells",
                    f"only the first {MOST_CELLS:,} filled cells are read",
                    cell_path(sheet.name, *place),
                )
                return
            package.cells += 1
            sheet.cells[place] = cell


def _cell(
    element: Element, place: Place2D, sheet: Sheet, package: _Package, shared: dict[str, Place2D]
) -> SheetCell | None:
    kind, style = attribute(element, "t"), attribute(element, "s")
    styled = int(style) if style.isdecimal() and len(style) < 8 else -1
    shown = package.formats[styled] if 0 <= styled < len(package.formats) else PLAIN
    value, formula, text = "", None, ""
    for child in element:
        match local_name(child):
            case "v":
                value = (child.text or "").strip() if kind not in ("str", "inlineStr") else child.text or ""
            case "f":
                formula = child
            case "is":
                text = _joined(child)
    cell = _valued(kind, value, text, shown, package)
    if formula is None:
        return cell
    cell = cell or SheetCell("")
    return _with_formula(cell, formula, place, sheet, shared)


def _valued(kind: str, value: str, text: str, shown: NumberFormat, package: _Package) -> SheetCell | None:
    match kind:
        case "s":
            at = int(value) if value.isdecimal() and len(value) < 9 else -1
            words = package.strings[at] if 0 <= at < len(package.strings) else ""
            return SheetCell(words) if words.strip() else None
        case "inlineStr":
            return SheetCell(text) if text.strip() else None
        case "str" | "d":
            return SheetCell(value[:LONGEST_TEXT]) if value.strip() else None
        case "b":
            return SheetCell("TRUE" if value == "1" else "FALSE") if value else None
        case "e":
            return SheetCell(value[:40], is_error=True) if value else None
    return numeric_cell(value, shown, from_1904=package.from_1904)


def numeric_cell(value: str, shown: NumberFormat, *, from_1904: bool = False) -> SheetCell | None:
    """The cell of a number as a file writes it; None where it is none."""
    try:
        number = Decimal(value) if value and len(value) < 100 else None
    except InvalidOperation:
        return None
    if number is None or not number.is_finite() or abs(number.adjusted()) > 310:
        return None
    if shown.is_date:
        day = date_text(number, from_1904=from_1904)
        return SheetCell(day) if day else SheetCell(number_text(number), number)
    if shown.is_percentage:
        return SheetCell(percentage_text(number), number, is_percentage=True)
    return SheetCell(number_text(number), number, unit=shown.unit)


def _with_formula(
    cell: SheetCell, formula: Element, place: Place2D, sheet: Sheet, shared: dict[str, Place2D]
) -> SheetCell:
    kind, text = attribute(formula, "t"), (formula.text or "").strip()
    if kind == "array":
        return replace(cell, formula=text, declined=_ARRAY)
    if kind == "dataTable":
        return replace(cell, formula=text or "TABLE()", declined=_TABLE)
    if kind != "shared":
        return replace(cell, formula=text) if text else cell
    number = attribute(formula, "si")
    if text:
        shared[number] = place
        return replace(cell, formula=text)
    first = shared.get(number)
    if first is None:
        return replace(cell, formula="?", declined="it shares the formula of a cell that is not there")
    return replace(cell, formula=sheet.cells[first].formula, filled_from=first) if first in sheet.cells else cell
