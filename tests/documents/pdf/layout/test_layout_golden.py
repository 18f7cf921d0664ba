"""Whole documents, typeset beside this test, against listings of their blocks. `REWRITE = True` writes them anew."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from mathrag.documents.pdf import assemble, count_pages, read_pages, read_pdf
from mathrag.documents.pdf.layout.page_record import PageReading
from mathrag.documents.seams import Source
from mathrag.types.document import Math, Table, contents_of, formulas_of

DOCUMENTS = Path(__file__).parent / "documents"
NAMES = sorted(path.stem for path in DOCUMENTS.glob("*.pdf"))
REWRITE = False


def _listing_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("layout_listing", Path(__file__).parent / "listing.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _source(name: str) -> Source:
    return Source(f"{name}.pdf", (DOCUMENTS / f"{name}.pdf").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_those_of_the_listing(name: str) -> None:
    got = _listing_module().listing(read_pdf(_source(name)))
    expected = DOCUMENTS / f"{name}.txt"
    if REWRITE:
        expected.write_text(got, encoding="utf-8")
    assert got == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_everything_has_its_place_on_the_page(name: str) -> None:
    document = read_pdf(_source(name))
    sizes = {page.number: (page.width, page.height) for page in document.pages}
    for block in document.blocks:
        maths = list(formulas_of(block))
        for place in (block.place, *(math.place for math in maths)):
            assert place.page is not None
            assert place.box is not None
            width, height = sizes[place.page]
            left, top, right, bottom = place.box
            assert -2 <= left <= right <= width + 2
            assert -2 <= top <= bottom <= height + 2
        assert all(math.quote for math in maths)


@pytest.mark.parametrize("name", NAMES)
def test_pages_read_apart_and_sent_as_json_make_the_same_document(name: str) -> None:
    source = _source(name)
    numbers = range(1, count_pages(source) + 1)
    apart = [page for number in numbers for page in read_pages(source, [number])]
    sent = [PageReading.from_json(page.to_json()) for page in apart]
    assert sent == apart
    assert assemble(source, list(reversed(sent))) == read_pdf(source)


def test_a_damaged_reading_is_refused() -> None:
    for data in (None, {}, [], {"number": 1}, {"number": "x"}):
        with pytest.raises(ValueError, match=r"."):
            PageReading.from_json(data)


def test_columns_are_read_one_after_the_other() -> None:
    text = _listing_module().listing(read_pdf(_source("two_columns")))
    assert text.index("2.1 Uncertainty") > text.index("Three things are needed")
    assert "fol-" not in text
    assert "temperature follows" in text


def test_tables_over_pages_are_one() -> None:
    tables = [block for block in read_pdf(_source("tables")).blocks if isinstance(block, Table)]
    assert len(tables) == 2
    assert len(tables[0].rows) == 21
    assert all(len(row) == 2 for row in tables[0].rows)
    assert sum(isinstance(p, Math) for content in contents_of(tables[0]) for p in content) >= 21
