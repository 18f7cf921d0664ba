"""Notebooks of both formats: their cells, what is read of their outputs, and what is broken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mathrag.documents.notebook import read_notebook
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Code, Document, Heading, formulas_of, plain_text


def read(notebook: Any, **limits: int) -> Document:
    return read_notebook(Source("work.ipynb", json.dumps(notebook).encode(), limits=ReadingLimits(**limits)))


def four(*cells: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}


def test_cells_become_blocks_with_the_cell_as_their_place() -> None:
    document = read(
        four(
            {"cell_type": "markdown", "source": ["# Motion\n", "\n", "The force $F = ma$.\n", "$$\np = mv\n$$"]},
            {"cell_type": "code", "source": "x = 5\nprint(x)\n", "outputs": []},
            {"cell_type": "raw", "source": "E = mc²"},
        )
    )
    assert document.title == "Motion"
    assert document.media_type == "application/x-ipynb+json"
    places = [(type(block).__name__, block.place.path, block.place.line) for block in document.blocks]
    assert places == [
        ("Heading", "cell 1", 1),
        ("Paragraph", "cell 1", 3),
        ("Code", "cell 2", 1),
        ("Display", "cell 3", 1),
    ]
    formulas = [
        (math.source, str(math.place.path), math.place.line) for block in document.blocks for math in formulas_of(block)
    ]
    assert formulas == [("F = ma", "cell 1", 3), ("p = mv", "cell 1", 4), ("E = mc^{2}", "cell 3", 1)]


def test_outputs_that_are_text_are_read_and_others_noted() -> None:
    document = read(
        four(
            {
                "cell_type": "code",
                "source": "show()",
                "outputs": [
                    {"output_type": "display_data", "data": {"text/latex": ["$\\displaystyle v = \\frac{s}{t}$"]}},
                    {"output_type": "display_data", "data": {"text/markdown": "**Bold** $a = b$", "text/plain": "x"}},
                    {"output_type": "display_data", "data": {"image/png": "AAAA"}},
                    {"output_type": "stream", "name": "stdout", "text": ["5\n"]},
                    "nonsense",
                ],
            }
        )
    )
    formulas = [math.source for block in document.blocks for math in formulas_of(block)]
    assert formulas == [r"\displaystyle v = \frac{s}{t}", "a = b"]
    assert document.blocks[1].place.path == "cell 1 output"
    assert sorted(note.message for note in document.notes) == [
        "outputs (image/png) of cell 1 left out",
        "outputs (stream) of cell 1 left out",
    ]


def test_the_old_format() -> None:
    outputs = [{"output_type": "pyout", "latex": "$z = 3$"}]
    code = {"cell_type": "code", "input": ["y = 2"], "language": "python", "outputs": outputs}
    document = read(
        {
            "nbformat": 3,
            "metadata": {"name": "Old work"},
            "worksheets": [
                {
                    "cells": [
                        {"cell_type": "heading", "level": 2, "source": ["Old"]},
                        {"cell_type": "markdown", "source": "$x = 1$"},
                        code,
                    ]
                }
            ],
        }
    )
    assert document.title == "Old work"
    heading = document.blocks[0]
    assert isinstance(heading, Heading)
    assert (heading.level, plain_text(heading.content)) == (2, "Old")
    assert [block.language for block in document.blocks if isinstance(block, Code)] == ["python"]
    assert [math.source for block in document.blocks for math in formulas_of(block)] == ["x = 1", "z = 3"]


def test_metadata_names_title_and_authors() -> None:
    document = read(four(title="A title", authors=[{"name": "Ann B."}, {"name": "Carl D."}]))
    assert (document.title, document.authors) == ("A title", ("Ann B.", "Carl D."))
    assert read(four()).title == "work"


def test_every_quote_is_in_its_cell() -> None:
    source = "# A $x$\n\n- b\n\n|a|b|\n|-|-|\n|$c$|d|\n"
    for block in read(four({"cell_type": "markdown", "source": source})).blocks:
        assert block.quote in source


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"cells": [',
        b"[]",
        b"null",
        b'"text"',
        b"{}",
        b'{"cells": 5}',
        b'{"cells": {"a": 1}}',
        b"[" * 100_000,
        b'{"cells": ' + b"[" * 100_000,
        b'{"worksheets": 1}',
        b"not json",
    ],
)
def test_what_is_broken_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        read_notebook(Source("work.ipynb", data))
    assert caught.value.code == "not_a_notebook"
    assert "work.ipynb" in str(caught.value)


@pytest.mark.parametrize(
    "cell",
    [
        5,
        None,
        {},
        {"cell_type": "markdown"},
        {"cell_type": "markdown", "source": 5},
        {"cell_type": "markdown", "source": [1, None, "a"]},
        {"cell_type": "code", "source": "a", "outputs": 5},
        {"cell_type": "code", "source": "a", "outputs": [{"data": {"text/latex": 7}}]},
        {"cell_type": "heading", "source": "a", "level": "x"},
        {"cell_type": ["odd"], "source": "a"},
    ],
)
def test_odd_cells_do_no_harm(cell: Any) -> None:
    document = read(four({"cell_type": "markdown", "source": "$x$"}, cell))
    assert [math.source for block in document.blocks for math in formulas_of(block)] == ["x"]


def test_huge_numbers_cost_nothing() -> None:
    read_notebook(Source("work.ipynb", b'{"nbformat": ' + b"9" * 100_000 + b', "cells": []}'))


def test_blocks_are_limited() -> None:
    with pytest.raises(DocumentError) as caught:
        read(four(*[{"cell_type": "code", "source": "a"}] * 30), blocks=20)
    assert caught.value.code == "too_large"
