"""OpenDocument spreadsheets to the one model: repeated rows and cells, formulas of OpenFormula, styles, names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from mathrag.documents.office.archive import Archive, Element, attribute, local_name, parse_part
from mathrag.documents.seams import ReadingLimits
from mathrag.documents.sheets.formula_text import LONGEST_FORMULA
from mathrag.documents.sheets.number_formats import NumberFormat
from mathrag.documents.sheets.workbook import (
    LARGEST_COLUMN,
    LARGEST_ROW,
    LONGEST_TEXT,
    MOST_CELLS,
    MOST_SHEETS,
    Sheet,
    SheetCell,
    Workbook,
    cell_path,
)
from mathrag.documents.sheets.xlsx import numeric_cell
from mathrag.errors import DocumentError
from mathrag.language.unit_text import unit_of_text

_PREFIX = re.compile(r"(?P<prefix>[a-z]{1,12}:)?=?(?P<text>.*)", re.DOTALL)
_READ_PREFIXES = ("of:", "oooc:", "")
_NUMERIC = ("float", "percentage", "currency")
_NOT_TEXT = frozenset(("annotation", "frame", "custom-shape", "detective", "shapes"))
# A filled cell that stands for many is written out as far as people would look at it.
_MOST_REPEATED = 1_000


@dataclass(slots=True)
class _Progress:
    workbook: Workbook
    units: dict[str, str] = field(default_factory=dict)
    cells: int = 0


def workbook_of_ods(archive: Archive, limits: ReadingLimits) -> Workbook:
    """The workbook of an OpenDocument spreadsheet."""
    manifest = "META-INF/manifest.xml"
    if manifest in archive and b"encryption-data" in archive.read(manifest):
        raise DocumentError(
            "encrypted", "this spreadsheet is protected by a password; save a copy without it and give that"
        )
    if "content.xml" not in archive:
        raise DocumentError("broken", "this OpenDocument spreadsheet has no content.xml; save it again")
    root = parse_part(archive.read("content.xml"), name="content.xml", limits=limits)
    progress = _Progress(Workbook(dialect="open"))
    progress.units = _style_units(root)
    if any(name.startswith(("Basic/", "Scripts/")) for name in archive.members):
        progress.workbook.note("left_out", "macros are never run or read")
    hidden = _hidden_table_styles(root)
    for element in root.iter():
        match local_name(element):
            case "table" if len(progress.workbook.sheets) < MOST_SHEETS and _is_sheet(element):
                _add_sheet(element, progress, hidden)
            case "named-range":
                name, place = attribute(element, "name"), attribute(element, "cell-range-address")
                if name and place and len(place) < 300:
                    progress.workbook.names.setdefault(
                        name, f"[{place.replace(':$', ':.$') if ':' in place else place}]"
                    )
            case "named-expression":
                name, text = attribute(element, "name"), _formula(attribute(element, "expression"))[0]
                if name and text and len(text) <= LONGEST_FORMULA:
                    progress.workbook.names.setdefault(name, text)
    if not progress.workbook.sheets:
        raise DocumentError("broken", "this OpenDocument spreadsheet has no sheet; save it again")
    return progress.workbook


def _is_sheet(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and local_name(parent) == "spreadsheet"


def _hidden_table_styles(root: Element) -> frozenset[str]:
    return frozenset(
        attribute(style, "name")
        for style in root.iter()
        if local_name(style) == "style"
        and any(local_name(each) == "table-properties" and attribute(each, "display") == "false" for each in style)
    )


def _style_units(root: Element) -> dict[str, str]:
    """By the name of a cell style, the unit that its number style writes behind numbers."""
    behind: dict[str, str] = {}
    for style in root.iter():
        if local_name(style) == "number-style":
            parts = [(local_name(part), part.text or "") for part in style]
            number = next((at for at, (name, _) in enumerate(parts) if name in ("number", "scientific-number")), -1)
            words = "".join(text for name, text in parts[number + 1 :] if name == "text").strip() if number >= 0 else ""
            unit = unit_of_text(words) if words else None
            if unit is not None and unit.text:
                behind[attribute(style, "name")] = words
    return {
        attribute(style, "name"): behind[attribute(style, "data-style-name")]
        for style in root.iter()
        if local_name(style) == "style" and attribute(style, "data-style-name") in behind
    }


def _repeated(element: Element, name: str, most: int) -> int:
    text = attribute(element, name)
    return min(int(text), most) if text.isdecimal() and 0 < len(text) < 9 else 1


def _add_sheet(table: Element, progress: _Progress, hidden: frozenset[str]) -> None:
    sheet = Sheet(
        attribute(table, "name")[:200] or f"Sheet {len(progress.workbook.sheets) + 1}",
        is_hidden=attribute(table, "style-name") in hidden,
    )
    progress.workbook.sheets.append(sheet)
    row = column = 0
    pending = list(table)[::-1]
    while pending:
        element = pending.pop()
        match local_name(element):
            case "table-header-rows" | "table-rows" | "table-row-group" | "table-header-columns" | "table-column-group":
                pending.extend(list(element)[::-1])
            case "table-columns":
                pending.extend(list(element)[::-1])
            case "table-column":
                count = _repeated(element, "number-columns-repeated", LARGEST_COLUMN)
                if attribute(element, "visibility") == "collapse":
                    sheet.hidden_columns.update(range(column + 1, column + 1 + min(count, _MOST_REPEATED)))
                column += count
            case "table-row":
                times = _repeated(element, "number-rows-repeated", LARGEST_ROW)
                if row >= LARGEST_ROW or not _add_row(element, row + 1, times, sheet, progress):
                    return
                if attribute(element, "visibility") in ("collapse", "filter"):
                    sheet.hidden_rows.update(range(row + 1, row + 1 + min(times, _MOST_REPEATED)))
                row += times


def _add_row(line: Element, row: int, times: int, sheet: Sheet, progress: _Progress) -> bool:
    """Add the cells of a row, as often as it is repeated; False where no more cells are read."""
    found: list[tuple[int, SheetCell]] = []
    column = 1
    for element in line:
        name = local_name(element)
        if name not in ("table-cell", "covered-table-cell"):
            continue
        count = _repeated(element, "number-columns-repeated", LARGEST_COLUMN)
        cell = _cell(element, progress) if name == "table-cell" else None
        if cell is not None:
            found.extend((column + at, cell) for at in range(min(count, _MOST_REPEATED)))
            rows = _repeated(element, "number-rows-spanned", LARGEST_ROW)
            columns = _repeated(element, "number-columns-spanned", LARGEST_COLUMN)
            if rows > 1 or columns > 1:
                sheet.merged[row, column] = (rows, columns)
        column += count
        if column > LARGEST_COLUMN:
            break
    for down in range(min(times, _MOST_REPEATED) if found else 0):
        for at, cell in found:
            if progress.cells >= MOST_CELLS:
                path = cell_path(sheet.name, row + down, at)
                progress.workbook.note("too_many_cells", f"only the first {MOST_CELLS:,} filled cells are read", path)
                return False
            progress.cells += 1
            sheet.cells[row + down, at] = cell
    return True


def _cell(element: Element, progress: _Progress) -> SheetCell | None:
    kind = attribute(element, "value-type")
    text = "\n".join(_words(each) for each in element if local_name(each) == "p")[:LONGEST_TEXT]
    formula, declined = _formula(attribute(element, "formula"))
    if attribute(element, "number-matrix-columns-spanned"):
        declined = "it is an array formula"
    cell: SheetCell | None = None
    if kind in _NUMERIC:
        shown = NumberFormat(
            is_percentage=kind == "percentage", unit=progress.units.get(attribute(element, "style-name"), "")
        )
        cell = numeric_cell(attribute(element, "value"), shown)
    elif kind == "date":
        cell = SheetCell(attribute(element, "date-value").replace("T", " ")[:40] or text)
    elif kind == "boolean":
        cell = SheetCell(attribute(element, "boolean-value").upper()[:5])
    elif text.strip():
        cell = SheetCell(text, is_error=bool(formula) and text.startswith(("#", "Err:")))
    if formula or declined:
        cell = replace(cell or SheetCell(""), formula=formula or "?", declined=declined)
    return cell


def _formula(written: str) -> tuple[str, str]:
    """The text behind prefix and equals sign, and why it is not read where the prefix names another grammar."""
    if not written:
        return "", ""
    match = _PREFIX.fullmatch(written)
    assert match is not None
    prefix = match["prefix"] or ""
    declined = "" if prefix in _READ_PREFIXES else f"it is written in the grammar {prefix.rstrip(':')}"
    return match["text"].strip()[: LONGEST_FORMULA + 1], declined


def _words(paragraph: Element) -> str:
    pieces = [paragraph.text or ""]
    for child in paragraph:
        name = local_name(child)
        if name == "s":
            count = attribute(child, "c")
            pieces.append(" " * (min(int(count), 99) if count.isdecimal() else 1))
        elif name not in _NOT_TEXT:
            pieces.append("".join(child.itertext()))
        pieces.append(child.tail or "")
    return "".join(pieces)
