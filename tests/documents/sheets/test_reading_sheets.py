"""Workbooks as people build them, and the formulas, tables and refusals that come of them."""

from __future__ import annotations

from typing import Any

import pytest

from mathrag.documents import Source, detect_media_type
from mathrag.documents.sheets.reader import ODS_TYPE, XLSX_TYPE, read_ods, read_xlsx
from mathrag.documents.sheets.workbook import column_letters
from mathrag.types.document import Document, Heading, Math, Table, formulas_of, plain_text
from sheet_archives import SPREADSHEET, open_sheet, sheet_xml, workbook, xlsx_cell

ENERGIES: dict[str, Any] = {
    "A1": "Body", "B1": "Mass (kg)", "C1": "Speed (m/s)", "D1": "Kinetic energy (J)",
    "A2": "Cart", "B2": 2, "C2": 3, "D2": ("=B2*C2^2/2", 9),
    "A3": "Ball", "B3": 0.5, "C3": 4, "D3": ("=B3*C3^2/2", 4),
    "A4": "Truck", "B4": 1000, "C4": 20, "D4": ("=B4*C4^2/2", 200000),
}  # fmt: skip


def _read(cells: Any, **more: Any) -> Document:
    sheets = cells if isinstance(next(iter(cells.values())), dict) else {"Data": cells}
    return read_xlsx(Source("a.xlsx", workbook(sheets, **more)))


def _formulas(document: Document) -> list[Math]:
    return [math for block in document.blocks for math in formulas_of(block) if math.is_display]


def _read_as(document: Document) -> dict[str, str]:
    """The formulas that were read, by the cell they begin in."""
    return {math.quote.partition(":")[0]: math.source for math in _formulas(document) if math.is_certain}


def _doubts(document: Document) -> dict[str, str]:
    return {math.quote.partition(":")[0]: math.doubts[0] for math in _formulas(document) if not math.is_certain}


def test_what_a_workbook_is_shows_in_its_bytes() -> None:
    assert detect_media_type(workbook({"Data": ENERGIES}), "noname") == XLSX_TYPE
    assert detect_media_type(open_sheet([["a"]]), "noname") == ODS_TYPE


def test_a_column_that_was_filled_down_is_one_formula_under_its_headers() -> None:
    document = _read(ENERGIES)
    [formula] = _formulas(document)
    assert formula.source == r"\text{Kinetic energy (J)} = \frac{\text{Mass (kg)} \cdot \text{Speed (m/s)}^{2}}{2}"
    assert formula.place.path == "Data!D2:D4"
    assert formula.quote == "Data!D2: =B2*C2^2/2"
    assert isinstance(document.blocks[0], Heading)
    table = document.blocks[1]
    assert isinstance(table, Table)
    assert table.place.path == "Data!A1:D4"
    assert [plain_text(cell.content) for cell in table.rows[0]] == ["Cart", "2", "3", "9"]
    assert table.rows[1][3].place.path == "Data!D3"


def test_shared_formulas_are_moved_with_their_cells() -> None:
    raw = (
        f'<row r="1">{xlsx_cell("A1", "Side (m)")}{xlsx_cell("B1", "Area (m2)")}</row>'
        f'<row r="2">{xlsx_cell("A2", 2)}<c r="B2"><f t="shared" ref="B2:B4" si="0">A2^2</f><v>4</v></c></row>'
        f'<row r="3">{xlsx_cell("A3", 3)}<c r="B3"><f t="shared" si="0"/><v>9</v></c></row>'
        f'<row r="4">{xlsx_cell("A4", 5)}<c r="B4"><f t="shared" si="0"/><v>25</v></c></row>'
    )
    document = read_xlsx(Source("a.xlsx", workbook({"Data": sheet_xml({}, raw=raw)})))
    assert _read_as(document) == {"Data!B2": r"\text{Area (m^2)} = \text{Side (m)}^{2}"}
    wrong = raw.replace("<v>25</v>", "<v>26</v>")
    document = read_xlsx(Source("a.xlsx", workbook({"Data": sheet_xml({}, raw=wrong)})))
    assert _doubts(document) == {"Data!B2": "the file gives 26 for Data!B4, the formula as read 25"}


def test_a_model_of_single_cells_has_labels_on_the_left_and_units_behind() -> None:
    cells = {
        "A1": "Flow rate", "B1": 0.02, "C1": "m3/s", "A2": "Head (m)", "B2": 35, "A3": "Density", "B3": 1000,
        "C3": "kg/m3", "A4": "Gravity", "B4": 9.81, "C4": "m/s2",
        "A5": "Hydraulic power", "B5": ("=B1*B2*B3*B4", 6867), "C5": "W",
    }  # fmt: skip
    assert _read_as(_read(cells)) == {
        "Data!B5": r"\text{Hydraulic power (W)} = \text{Flow rate (m^3/s)} \cdot \text{Head (m)} \cdot "
        r"\text{Density (kg/m^3)} \cdot \text{Gravity (m/s^2)}"
    }


def test_parameters_and_defined_names_have_their_own_names() -> None:
    sheets: dict[str, Any] = {
        "Prices": {"A1": "Unit price", "B1": 1.5, "C1": "USD/kg", "A2": "Handling", "B2": 4, "C2": "USD"},
        "Orders": {"A1": "Weight (kg)", "B1": "Cost (USD)", "A2": 10, "B2": ("=A2*Prices!$B$1+Handling_fee", 19)},
    }
    document = _read(sheets, names={"Handling_fee": "Prices!$B$2"})
    assert _read_as(document) == {
        "Orders!B2": r"\text{Cost (USD)} = \text{Weight (kg)} \cdot \text{Unit price (USD/kg)} + "
        r"\text{Handling fee (USD)}"
    }
    parameters = document.blocks[-1]
    assert isinstance(parameters, Table)
    assert [[plain_text(cell.content) for cell in row] for row in parameters.rows] == [
        ["Unit price", "", "1.5", "USD/kg"],
        ["Handling fee", "", "4", "USD"],
    ]


@pytest.mark.parametrize(
    ("formula", "value", "source"),
    [
        ("=SUM(A2:B2)", 5, r"y = a + b"),
        ("=AVERAGE(A2,B2)", 2.5, r"y = \frac{a + b}{2}"),
        ("=MAX(A2:B2)-MIN(A2:B2)", 1, r"y = \max\left(a, b\right) - \min\left(a, b\right)"),
        ("=SQRT(A2)*EXP(B2)", 2**0.5 * 2.718281828459045**3, r"y = \sqrt{a} \cdot \exp\left(b\right)"),
        ("=LOG(A2)+LN(B2)", 0.30102999566398 + 1.09861228866811, r"y = \log_{10}\left(a\right) + \ln\left(b\right)"),
        ("=-A2^2", 4, r"y = \left(-a\right)^{2}"),
        ("=A2^B2^2", 64, r"y = \left(a^{b}\right)^{2}"),
        ("=A2*15%", 0.3, r"y = a \cdot \frac{15}{100}"),
        ("=POWER(A2,B2)*PI()", 25.1327412287183, r"y = a^{b} \cdot \pi"),
        ("=IF(A2>B2,A2,B2*2)", 6, r"y = \begin{cases} a & a > b \\ b \cdot 2 & \text{otherwise} \end{cases}"),
        ("=ROUND(A2/B2,2)", 0.67, r"y = \frac{a}{b}"),
    ],
)
def test_functions_of_arithmetic(formula: str, value: float, source: str) -> None:
    cells = {"A1": "a", "B1": "b", "C1": "y", "A2": 2, "B2": 3, "C2": (formula, value)}
    assert _read_as(_read(cells)) == {"Data!C2": source}


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("=VLOOKUP(A2,A1:B9,2)", "the function VLOOKUP is not one of arithmetic"),
        ("=A2*RAND()", "RAND gives another value"),
        ("=A2&B2", "it joins texts"),
        ("=A2>B2", "it says whether something holds"),
        ("=[2]Old!A1*A2", "another file"),
        ("=A2*ROUND(B2,0)/3", "rounding"),
        ("=A2*Gone!B2", "no sheet Gone"),
        ("=A2*#REF!", "a cell that is gone"),
        ("=A2", "it only repeats another cell"),
        ("=SUM(A2:A900)", "an area of 899 cells"),
        ("=A2*A1", "holds a text"),
        ("=A2*Tax", "the name Tax stands for no single cell"),
        ("=2*3", "no cell that has a name"),
    ],
)
def test_everything_else_is_declined_and_says_why(formula: str, reason: str) -> None:
    document = _read({"A1": "a", "B1": "b", "C1": "y", "A2": 2, "B2": 3, "C2": (formula, 1)})
    assert _read_as(document) == {}
    assert reason in _doubts(document)["Data!C2"]
    assert any(reason in note.message for note in document.notes)


def test_a_value_that_the_formula_does_not_give_is_told_with_both_numbers() -> None:
    document = _read({**ENERGIES, "D3": ("=B3*C3^2/2", 7)})
    assert _doubts(document) == {"Data!D2": "the file gives 7 for Data!D3, the formula as read 4"}


def test_a_formula_that_reaches_into_another_row_is_declined() -> None:
    cells = {"A1": "Time (s)", "B1": "Step (s)", "A2": 1, "A3": 4, "B3": ("=A3-A2", 3), "A4": 9, "B4": ("=A4-A3", 5)}
    assert _doubts(_read(cells)) == {"Data!B3": "it takes values of another row"}


def test_a_title_over_several_columns_names_none_of_them() -> None:
    after = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
    xml = sheet_xml({"A1": "Losses", "A2": "m", "B2": "m/s", "A3": 2, "B3": ("=A3*4", 8)}, after=after)
    document = read_xlsx(Source("a.xlsx", workbook({"Data": xml})))
    assert _read_as(document) == {}


def test_dates_percentages_units_of_formats_and_errors_are_shown_as_they_are() -> None:
    raw = (
        f'<row r="1">{xlsx_cell("A1", "Day")}{xlsx_cell("B1", "Share")}{xlsx_cell("C1", "Speed")}'
        f'{xlsx_cell("D1", "Bad")}</row><row r="2">{xlsx_cell("A2", 45000, 1)}{xlsx_cell("B2", 0.155, 2)}'
        f'{xlsx_cell("C2", 3.5, 3)}<c r="D2" t="e"><v>#DIV/0!</v></c></row>'
    )
    formats = ["yyyy-mm-dd", "0.0%", '0.00" m/s"']
    document = read_xlsx(Source("a.xlsx", workbook({"Data": sheet_xml({}, raw=raw)}, formats=formats)))
    table = document.blocks[1]
    assert isinstance(table, Table)
    assert [plain_text(cell.content) for cell in table.rows[0]] == ["2023-03-15", "15.5%", "3.5 m/s", "#DIV/0!"]


def test_hidden_sheets_and_rows_are_read_and_marked() -> None:
    hidden = sheet_xml(ENERGIES).replace('<row r="3">', '<row r="3" hidden="1">')
    document = read_xlsx(Source("a.xlsx", workbook({"Data": hidden}, states={"Data": "hidden"})))
    heading = document.blocks[0]
    assert isinstance(heading, Heading)
    assert plain_text(heading.content) == "Data (hidden)"
    assert any(note.code == "hidden" for note in document.notes)


def test_macros_and_links_are_noted_and_left_alone() -> None:
    data = workbook({"Data": ENERGIES}, **{"xl/vbaProject.bin": "x", "xl/externalLinks/externalLink1.xml": "<x/>"})
    messages = [note.message for note in read_xlsx(Source("a.xlsm", data)).notes]
    assert "macros are never run or read" in messages
    assert "links to other files are not followed" in messages


def test_an_open_document_says_the_same_as_a_workbook() -> None:
    rows: list[list[Any]] = [
        ["Body", "Mass (kg)", "Speed (m/s)", "Kinetic energy (J)"],
        ["Cart", 2, 3, ("=[.B2]*[.C2]^2/2", 9)],
        ["Ball", 0.5, 4, ("=[.B3]*[.C3]^2/2", 4)],
        ["Truck", 1000, 20, ("=[.B4]*[.C4]^2/2", 200000)],
    ]
    one, other = read_ods(Source("a.ods", open_sheet(rows))), _read(ENERGIES)
    assert [math.source for math in _formulas(one)] == [math.source for math in _formulas(other)]
    assert one.blocks[1].quote == other.blocks[1].quote


def test_repeated_rows_of_an_open_document_stand_where_they_belong() -> None:
    raw = (
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16000"/></table:table-row>'
    )
    document = read_ods(
        Source("a.ods", open_sheet([["Mass (kg)", "Weight (N)"], [2, ("=[.A2]*9.81", 19.62)]], raw=raw))
    )
    assert _read_as(document) == {"Data!B2": r"\text{Weight (N)} = \text{Mass (kg)} \cdot 9.81"}


_TABLE_PART = "xl/tables/table1.xml"
_TABLE_RELATION = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="t1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/>'
    "</Relationships>"
)


def _with_table(cells: Any, *, area: str, columns: tuple[str, ...], totals: int = 0) -> Document:
    """A sheet whose cells are a table called Parts."""
    listed = "".join(f'<tableColumn id="{at}" name="{name}"/>' for at, name in enumerate(columns, 1))
    table = (
        f'<table xmlns="{SPREADSHEET}" id="1" name="Parts" displayName="Parts" ref="{area}" totalsRowCount="{totals}">'
        f"<tableColumns>{listed}</tableColumns></table>"
    )
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    after = f'<tableParts xmlns:r="{relations}"><tablePart r:id="t1"/></tableParts>'
    more = {_TABLE_PART: table, "xl/worksheets/_rels/sheet1.xml.rels": _TABLE_RELATION}
    return read_xlsx(Source("a.xlsx", workbook({"Data": sheet_xml(cells, after=after)}, **more)))


_COLUMNS = ("Part", "Mass (kg)", "Unit price (USD/kg)", "Cost (USD)")
_HEAD = dict(zip(("A1", "B1", "C1", "D1"), _COLUMNS, strict=True))


@pytest.mark.parametrize(
    "formula",
    [
        "=[@[Mass (kg)]]*[@[Unit price (USD/kg)]]",
        "=Parts[[#This Row],[Mass (kg)]]*Parts[[#This Row],[Unit price (USD/kg)]]",
        "=parts[@[mass (kg)]]*[@[Unit price (USD/kg)]]",
    ],
)
def test_columns_of_a_named_table_are_the_cells_of_the_row(formula: str) -> None:
    rows: dict[str, Any] = {
        "A2": "Bolt", "B2": 2, "C2": 3.5, "D2": (formula, 7), "A3": "Nut", "B3": 4, "C3": 0.5, "D3": (formula, 2),
    }  # fmt: skip
    document = _with_table({**_HEAD, **rows}, area="A1:D3", columns=_COLUMNS)
    assert _read_as(document) == {"Data!D2": r"\text{Cost (USD)} = \text{Mass (kg)} \cdot \text{Unit price (USD/kg)}"}
    [made] = _formulas(document)
    assert made.place.path == "Data!D2:D3"


def test_a_column_of_a_named_table_that_gives_another_value_is_not_used() -> None:
    rows: dict[str, Any] = {"A2": "Bolt", "B2": 2, "C2": 3.5, "D2": ("=[@[Mass (kg)]]*[@[Unit price (USD/kg)]]", 8)}
    document = _with_table({**_HEAD, **rows}, area="A1:D2", columns=_COLUMNS)
    assert _read_as(document) == {}
    assert "the file gives 8 for Data!D2" in _doubts(document)["Data!D2"]


@pytest.mark.parametrize(
    "formula",
    [
        "=Parts[[#Totals],[Mass (kg)]]*2",
        "=Parts[[Mass (kg)]:[Cost (USD)]]*2",
        "=Parts[[#All],[Mass (kg)]]*2",
        "=Parts[Colour]*2",
        "=Others[Mass (kg)]*2",
        # Outside of the rows of the table there is no row to take it from.
        "=Parts[@[Mass (kg)]]*2",
    ],
)
def test_other_parts_of_named_tables_are_declined(formula: str) -> None:
    rows: dict[str, Any] = {"A2": "Bolt", "B2": 2, "C2": 3.5, "D2": 7, "E6": "Double (kg)", "E7": (formula, 4)}
    document = _with_table({**_HEAD, **rows}, area="A1:D2", columns=_COLUMNS)
    assert _read_as(document) == {}
    assert "named table" in _doubts(document)["Data!E7"]


def test_a_header_with_its_unit_is_no_row_of_units() -> None:
    cells: dict[str, Any] = {
        "A1": "Run", "B1": "Water", "C1": "Water", "D1": "Water",
        "A2": "Number", "B2": "Mass (kg)", "C2": "Volume (L)", "D2": "Density (kg/L)",
        "A3": 1, "B3": 3, "C3": 2, "D3": ("=B3/C3", 1.5),
    }  # fmt: skip
    assert _read_as(_read(cells)) == {"Data!D3": r"\text{Density (kg/L)} = \frac{\text{Mass (kg)}}{\text{Volume (L)}}"}


def test_a_long_row_over_a_long_column_is_read_as_lines() -> None:
    cells: dict[str, Any] = {f"{column_letters(at)}1": f"Name {at}" for at in range(1, 601)}
    cells |= {f"A{at}": f"Row {at}" for at in range(2, 602)}
    document = _read(cells)
    assert not any(isinstance(block, Table) for block in document.blocks)
    assert [block.quote for block in document.blocks[2:4]] == ["Row 2", "Row 3"]
    assert document.blocks[-1].place.path == "Data!A601"
