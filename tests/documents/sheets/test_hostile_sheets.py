"""Workbooks that want to hurt: bombs, lies about sizes, cycles, entities. Each ends in a document or our error."""

from __future__ import annotations

import pytest

from mathrag.documents import Source
from mathrag.documents.sheets.reader import read_ods, read_xlsx
from mathrag.errors import DocumentError
from mathrag.types.document import formulas_of
from sheet_archives import SPREADSHEET, open_sheet, packed, sheet_xml, workbook


def _sheet(xml: str) -> Source:
    return Source("a.xlsx", workbook({"Data": xml}))


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(DocumentError, match="grows more than"):
        read_xlsx(_sheet(f'<worksheet xmlns="{SPREADSHEET}">{" " * 30_000_000}</worksheet>'))


def test_entities_are_refused() -> None:
    xml = '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData/></worksheet>'
    with pytest.raises(DocumentError, match="entities"):
        read_xlsx(_sheet(xml))


def test_declared_sizes_are_not_believed() -> None:
    cells = {"A1": "Mass (kg)", "B1": "Weight (N)", "A2": 2, "B2": ("=A2*9.81", 19.62)}
    merged = '<mergeCells><mergeCell ref="A5:XFD1048576"/></mergeCells>'
    xml = sheet_xml(cells, before='<dimension ref="A1:XFD1048576"/>', after=merged)
    assert len(read_xlsx(_sheet(xml)).blocks) == 3
    far = sheet_xml(
        {}, raw='<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="99999999"><c><v>2</v></c></row>'
    )
    assert read_xlsx(_sheet(far)).blocks


@pytest.mark.soak
def test_a_million_rows_of_a_repeated_cell_are_cut() -> None:
    raw = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000" '
        'office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row>'
    )
    document = read_ods(Source("a.ods", open_sheet([["a"]], raw=raw)))
    assert any(note.code == "too_many_cells" for note in document.notes)


def test_cycles_of_references_and_names_end() -> None:
    cells = {"A1": "Left", "B1": ("=B2+1", None), "A2": "Right", "B2": ("=B1+Loop", None)}
    document = read_xlsx(Source("a.xlsx", workbook({"Data": cells}, names={"Loop": "Loop", "Ring": "Data!$B$1"})))
    assert document.blocks


@pytest.mark.parametrize(
    "formula",
    [
        "(" * 3_000 + "A1" + ")" * 3_000,
        "-" * 5_000 + "A1",
        "SUM(" * 1_000 + "A1" + ")" * 1_000,
        "A1^" * 2_000 + "2",
        "A1+" * 2_700 + "1",
        "A1+" * 490 + "1",
        "9" * 8_000,
        "1E999*A1",
        "\u202e=A1",
    ],
)
def test_formulas_out_of_all_bounds_are_declined(formula: str) -> None:
    cells = {"A1": "Mass", "B1": 2, "A2": "Weight", "B2": (f"={formula}", 1)}
    document = read_xlsx(Source("a.xlsx", workbook({"Data": cells})))
    assert not any(math.is_certain for block in document.blocks for math in formulas_of(block))


def test_a_formula_that_shares_one_that_is_not_there_is_declined() -> None:
    array = '<c r="C2"><f t="array" ref="C2">A1</f><v>1</v></c>'
    raw = f'<row r="2"><c r="B2"><f t="shared" si="7"/><v>9</v></c>{array}</row>'
    document = read_xlsx(_sheet(sheet_xml({"A1": "Mass"}, raw=raw)))
    doubts = [math.doubts[0] for block in document.blocks for math in formulas_of(block)]
    assert doubts == ["it shares the formula of a cell that is not there", "it is an array formula"]


@pytest.mark.parametrize("members", [{}, {"xl/workbook.xml": "<workbook/>"}, {"xl/workbook.xml": "no xml"}])
def test_a_workbook_without_its_parts_is_broken(members: dict[str, str]) -> None:
    with pytest.raises(DocumentError):
        read_xlsx(Source("a.xlsx", packed({"xl/a.xml": "<a/>", **members})))


def test_what_holds_nothing_is_empty() -> None:
    with pytest.raises(DocumentError, match="nothing to read"):
        read_xlsx(_sheet(sheet_xml({})))
