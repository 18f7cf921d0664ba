"""Formulas typeset in five fonts and read back from the page: the golden listing says what must come out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mathrag.documents.pdf.formulas import read_display, read_inline
from mathrag.documents.pdf.page_content import FormulaReading, PageContent
from mathrag.documents.pdf.raw import open_pdf

HERE = Path(__file__).parent
SIZE = 10.0


def _load(name: str) -> list[dict[str, Any]]:
    with (HERE / f"{name}.toml").open("rb") as file:
        content = tomllib.load(file)
    return next(iter(content.values()))


@cache
def _pages(name: str) -> tuple[PageContent, ...]:
    with open_pdf((HERE / "pages" / f"{name}.pdf").read_bytes()) as document:
        return tuple(document.page(number) for number in range(1, document.pages + 1))


def _read(page: PageContent) -> tuple[FormulaReading, ...]:
    return read_display(page.glyphs, page.rules, page.drawings, body_size=SIZE)


def _cases() -> Iterator[Any]:
    for entry in _load("formulas"):
        for name, number in entry["pages"].items():
            yield pytest.param(name, number, entry["read"], id=f"{name}-{number}")


@pytest.mark.parametrize(("name", "number", "expected"), list(_cases()))
def test_formulas(name: str, number: int, expected: list[str]) -> None:
    readings = _read(_pages(name)[number - 1])
    assert [reading.latex for reading in readings] == expected
    assert all(reading.confidence == 1.0 for reading in readings), [reading.doubts for reading in readings]
    assert not any(reading.unknown for reading in readings)


def _displays() -> Iterator[Any]:
    for number, entry in enumerate(_load("displays"), start=1):
        yield pytest.param(number, entry["reading"], id=str(number))


@pytest.mark.parametrize(("number", "expected"), list(_displays()))
def test_displays(number: int, expected: list[dict[str, str]]) -> None:
    found = []
    for reading in _read(_pages("displays")[number - 1]):
        fields = {"latex": reading.latex, "number": reading.number, "condition": reading.condition}
        found.append({key: value for key, value in fields.items() if value or key == "latex"})
        assert reading.confidence == 1.0
    assert found == expected


def test_a_formula_in_a_line_is_read_as_the_same_formula() -> None:
    for entry in _load("formulas"):
        number = entry["pages"].get("computer_modern")
        if number is not None and len(entry["read"]) == 1:
            page = _pages("computer_modern")[number - 1]
            assert read_inline(page.glyphs, page.rules, page.drawings, body_size=SIZE).latex == entry["read"][0]


def test_every_box_lies_on_its_page() -> None:
    for name in ("computer_modern", "displays"):
        for page in _pages(name):
            for reading in _read(page):
                left, top, right, bottom = reading.box
                assert 0 <= left <= right <= page.width
                assert 0 <= top <= bottom <= page.height
