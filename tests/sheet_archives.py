"""Workbooks written by hand, as Excel and LibreOffice write them: cells by address, a formula with the value it had."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

# A cell is a text, a number, or a formula beginning with `=` and the value that the file holds for it.
CellValue = str | float | int | tuple[str, float | None]


def packed(members: Mapping[str, str]) -> bytes:
    """An archive of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            file.writestr(zipfile.ZipInfo(name), text.encode("utf-8"), kind)
    return buffer.getvalue()


def xlsx_cell(place: str, value: CellValue, style: int = 0) -> str:
    """One cell of a sheet."""
    opening = f'<c r="{place}" s="{style}"'
    if isinstance(value, tuple):
        formula, cached = value
        kept = "" if cached is None else f"<v>{cached!r}</v>"
        return f"{opening}><f>{escape(formula.removeprefix('='), quote=False)}</f>{kept}</c>"
    if isinstance(value, str):
        return f'{opening} t="inlineStr"><is><t>{escape(value, quote=False)}</t></is></c>'
    return f"{opening}><v>{value!r}</v></c>"


def sheet_xml(cells: Mapping[str, CellValue], *, before: str = "", after: str = "", raw: str = "") -> str:
    """A sheet of these cells; `raw` are rows as they are."""
    rows: dict[int, list[str]] = {}
    for place, value in cells.items():
        rows.setdefault(int(re.sub(r"\D", "", place)), []).append(xlsx_cell(place, value))
    lines = "".join(f'<row r="{row}">{"".join(texts)}</row>' for row, texts in sorted(rows.items()))
    return f'<worksheet xmlns="{SPREADSHEET}">{before}<sheetData>{lines}{raw}</sheetData>{after}</worksheet>'


def workbook(
    sheets: Mapping[str, Mapping[str, CellValue] | str],
    *,
    names: Mapping[str, str] | None = None,
    formats: Sequence[str] = (),
    states: Mapping[str, str] | None = None,
    **more: str,
) -> bytes:
    """An Excel workbook: sheets by name, each its cells or its whole XML."""
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"'
        + (f' state="{states[name]}"' if states and name in states else "")
        + "/>"
        for at, name in enumerate(sheets, 1)
    )
    defined = "".join(
        f'<definedName name="{name}">{escape(text, quote=False)}</definedName>' for name, text in (names or {}).items()
    )
    relations = "".join(
        f'<Relationship Id="rId{at}" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(sheets) + 1)
    )
    codes = "".join(
        f'<numFmt numFmtId="{170 + at}" formatCode="{escape(code)}"/>' for at, code in enumerate(formats, 1)
    )
    used = '<xf numFmtId="0"/>' + "".join(f'<xf numFmtId="{170 + at}"/>' for at in range(1, len(formats) + 1))
    members = {
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" Type="{_RELATIONS}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SPREADSHEET}" xmlns:r="{_RELATIONS}"><sheets>{listed}</sheets>'
        f"<definedNames>{defined}</definedNames></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">{relations}<Relationship Id="s" '
        f'Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{SPREADSHEET}"><numFmts>{codes}</numFmts><cellXfs>{used}</cellXfs>'
        "</styleSheet>",
    }
    for at, cells in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/sheet{at}.xml"] = cells if isinstance(cells, str) else sheet_xml(cells)
    return packed({**members, **more})


_OPEN = "urn:oasis:names:tc:opendocument:xmlns:"


def open_sheet(rows: Sequence[Sequence[CellValue | None]], *, name: str = "Data", raw: str = "") -> bytes:
    """An OpenDocument spreadsheet with one sheet; formulas are those of OpenFormula (`=[.B2]*2`)."""
    lines = "".join(f"<table:table-row>{''.join(map(_open_cell, row))}</table:table-row>" for row in rows)
    content = (
        f'<office:document-content xmlns:office="{_OPEN}office:1.0" xmlns:table="{_OPEN}table:1.0" '
        f'xmlns:text="{_OPEN}text:1.0"><office:body><office:spreadsheet><table:table table:name="{name}">{lines}{raw}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    return packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content})


def _open_cell(value: CellValue | None) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'
    formula, number = value if isinstance(value, tuple) else ("", value)
    written = f' table:formula="of:{escape(formula)}"' if formula else ""
    return (
        f'<table:table-cell{written} office:value-type="float" office:value="{number!r}"><text:p>{number}</text:p>'
        "</table:table-cell>"
    )
