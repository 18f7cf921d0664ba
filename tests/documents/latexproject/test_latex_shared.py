"""The formula sheet among the shared documents, read as a project. Skipped where those documents are not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.compute.latex import read_latex
from mathrag.documents.latex_project import read_latex_project
from mathrag.documents.seams import Source
from mathrag.types.document import Document, Heading, Table, formulas_of, plain_text
from mathrag.types.expression import Declined

SHEET = Path(__file__).parents[4] / "shared" / "documents" / "ap-physics-tex" / "main.tex"
pytestmark = pytest.mark.skipif(not SHEET.exists(), reason="the shared documents lie beside the project, not in it")


@pytest.fixture(scope="module")
def sheet() -> Document:
    return read_latex_project(Source(SHEET.name, SHEET.read_bytes(), folder=SHEET.parent, path=SHEET))


def test_the_title_page_is_understood(sheet: Document) -> None:
    assert sheet.title == "Formula and General Information Sheet"
    assert sheet.authors == ("Charles German", "Rachel Shaw", "David Robie")
    assert sheet.year == 2021


def test_every_chapter_is_a_heading(sheet: Document) -> None:
    headings = [plain_text(block.content) for block in sheet.blocks if isinstance(block, Heading) and block.level == 1]
    assert len(headings) == 32
    assert headings[4] == "Chapter 5: Energy"
    assert sum(isinstance(block, Heading) and block.level == 2 for block in sheet.blocks) > 150


def test_formulas_are_found_and_most_can_be_read(sheet: Document) -> None:
    maths = [math for block in sheet.blocks for math in formulas_of(block)]
    declined = [reading for math in maths if isinstance(reading := read_latex(math.source), Declined)]
    assert len(maths) > 1_900
    assert len(declined) < 0.09 * len(maths)
    # Nothing that only this reader can know is left for the formula reader to stumble over.
    assert [reading.source for reading in declined if reading.code == "unknown_command"] == [r"u\lll c"]


def test_the_constants_are_a_table_with_a_header(sheet: Document) -> None:
    (table,) = (
        block
        for block in sheet.blocks
        if isinstance(block, Table)
        and [plain_text(cell.content) for row in block.header for cell in row][:1] == ["Quantity"]
    )
    assert plain_text(table.rows[0][0].content) == "Avogadro’s Number"
    assert [math.source for cell in table.rows[0] for math in cell.content if hasattr(math, "source")][1] == (
        r"6.02\times10^{23}"
    )


def test_only_drawings_and_a_rare_sign_are_left_out(sheet: Document) -> None:
    assert {note.code for note in sheet.notes} == {"drawing", "unknown_macro"}
    assert sum(note.code == "unknown_macro" for note in sheet.notes) == 1
