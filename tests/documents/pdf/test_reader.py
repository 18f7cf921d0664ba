"""The PDF reader as a whole: what it refuses, what it notes, and that one bad page costs only itself."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from mathrag.documents.pdf import read_pages, read_pdf
from mathrag.documents.pdf import reader as pdf_reader
from mathrag.documents.pdf.doubtful_formulas import within_limit
from mathrag.documents.pdf.page_content import PageContent
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import KeptPicture, Place, Table

DOCUMENTS = Path(__file__).parent / "layout" / "documents"
SHEETS = Path(__file__).parents[4] / "shared" / "documents" / "equation-sheets"


def _source(name: str = "notes_times") -> Source:
    return Source(f"{name}.pdf", (DOCUMENTS / f"{name}.pdf").read_bytes())


@pytest.mark.parametrize("data", [b"", b"%PDF-1.5", b"no pdf at all", b"%PDF-1.4\n" + b"\0" * 500])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError):
        read_pdf(Source("broken.pdf", data))


def test_a_cut_off_file_is_refused_or_read_but_never_breaks() -> None:
    data = _source().data
    for part in (0.2, 0.5, 0.9):
        with contextlib.suppress(DocumentError):
            read_pdf(Source("cut.pdf", data[: int(part * len(data))]))


def test_a_page_that_fails_is_noted_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    real = pdf_reader.read_page_content

    def failing(page: PageContent) -> object:
        if page.number == 2:
            raise IndexError("broken inside")
        return real(page)

    monkeypatch.setattr(pdf_reader, "read_page_content", failing)
    document = read_pdf(_source())
    assert [note.code for note in document.notes] == ["page_failed"]
    assert document.notes[0].place.page == 2
    assert {block.place.page for block in document.blocks} == {1, 3}


def test_single_pages_can_be_read() -> None:
    (page,) = read_pages(_source(), [3])
    assert page.number == 3
    assert any(isinstance(draft.block, Table) for draft in page.drafts)
    with pytest.raises(DocumentError):
        read_pages(Source("x.pdf", b"nothing"), [1])


def test_pictures_are_kept_up_to_a_limit() -> None:
    pictures = [KeptPicture(Place(page=1), "A" * 5_000_000)] * 4
    assert len(within_limit(pictures)) == 2


@pytest.mark.skipif(not SHEETS.exists(), reason="the shared equation sheets are not here")
@pytest.mark.parametrize(("name", "rows"), [("phys121", 58), ("phys122", 171)])
def test_sheets_have_the_rows_of_their_originals(name: str, rows: int) -> None:
    source = Source(f"{name}.pdf", (SHEETS / "pdf" / f"{name}.pdf").read_bytes())
    tables = [block for block in read_pdf(source).blocks if isinstance(block, Table)]
    assert sum(len(table.rows) for table in tables) == rows
    assert all(table.header for table in tables)


@pytest.mark.skipif(not SHEETS.exists(), reason="the shared equation sheets are not here")
def test_formulas_drawn_as_outlines_are_kept_as_pictures() -> None:
    source = Source("chem145.pdf", (SHEETS / "pdf-as-published" / "chem145.pdf").read_bytes())
    (page,) = read_pages(source, [1])
    assert "outlines" in {note.code for note in page.notes}
    assert page.pictures
    assert all(picture.place.box for picture in page.pictures)
