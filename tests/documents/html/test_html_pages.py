"""Whole pages in the styles of the web, and what is read from them: `pages/NAME.html` against `pages/NAME.blocks`."""

from __future__ import annotations

from pathlib import Path

import pytest
from html_rendering import render

from mathrag.documents.html import read_html
from mathrag.documents.seams import Source

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_gives_its_blocks(page: Path) -> None:
    document = read_html(Source(page.name, page.read_bytes()))
    assert render(document) == page.with_suffix(".blocks").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_reading_twice_gives_the_same(page: Path) -> None:
    source = Source(page.name, page.read_bytes())
    assert read_html(source) == read_html(source)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_has_a_place_and_words(page: Path) -> None:
    data = page.read_bytes()
    lines = data.count(b"\n") + 1
    for block in read_html(Source(page.name, data)).blocks:
        assert block.place.path.startswith("/")
        assert block.place.line is not None
        assert 1 <= block.place.line <= lines
        assert block.quote or type(block).__name__ == "Image"
