"""Whole projects, read and compared with what a person checked: `projects/NAME/main.tex` against `expected.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest
from latex_outline import outline

from mathrag.documents.latex_project import read_latex_project
from mathrag.documents.seams import Source
from mathrag.types.document import Document, formulas_of

PROJECTS = Path(__file__).parent / "projects"
NAMES = sorted(path.name for path in PROJECTS.iterdir())


def read(name: str) -> Document:
    path = PROJECTS / name / "main.tex"
    return read_latex_project(Source("main.tex", path.read_bytes(), folder=path.parent, path=path))


@pytest.mark.parametrize("name", NAMES)
def test_the_project_comes_out_as_checked(name: str) -> None:
    expected = (PROJECTS / name / "expected.txt").read_text(encoding="utf-8")
    assert outline(read(name)) == expected


@pytest.mark.parametrize("name", NAMES)
def test_quotes_are_exact_text_at_their_place(name: str) -> None:
    for block in read(name).blocks:
        for math in formulas_of(block):
            text = (PROJECTS / name / (math.place.file or "main.tex")).read_text(encoding="utf-8")
            assert math.quote
            assert math.quote in text
            assert math.place.line is not None
            line = text.splitlines()[math.place.line - 1]
            assert math.quote.split("\n")[0] in line


@pytest.mark.parametrize("name", NAMES)
def test_reading_again_gives_the_same(name: str) -> None:
    assert read(name) == read(name)
