"""What holds for every Markdown text, however odd: quotes are verbatim, lines are right, reading ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.decoding import decode, normalise_lines
from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Table, Text, contents_of, formulas_of

SHARED = Path(__file__).parents[3].parent / "shared" / "documents"
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.md"))
PARTS = (
    *"$ $$ \\( \\) \\[ \\] \\\\( \\\\) ` ``` ~~~ * ** _ __ | || - + 1. > # ## = == --- === : :::".split(),
    *"[ ] ( ) ![ ]( < > & ; { } ~ ^".split(),
    "\n", "\n\n", "  \n", "\n    ", "\t", " ", "\\|", "\\$", "\\_", "<br>", "<br/>", "<sub>", "</sub>", "<b>", "</b>",
    "<!--", "-->", "<table>", "<td>", "</table>", "<div>", "</div>", "|-|-|\n", "\\begin{align}", "\\end{align}",
    "\\tag{1}", "{{< x >}}", "{% raw %}", "[^1]", "[^1]: ", "[a]: b", "&amp;", "(3.2)", "Table 1: ", "F = ma",
    "E = ½mv²", "**Law:** ", "x_i", "a", "b", "word", "m²", "中", "é", "\u00a0", "\u2028", "\f", "```math\n",
    "---\ntitle: a\n---\n",
)  # fmt: skip
texts = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)


def check(document: Document, text: str) -> None:
    lines = text.split("\n")
    for block in document.blocks:
        assert block.quote
        assert block.quote in text
        assert block.place.line is not None
        assert block.place.end_line is not None
        assert 1 <= block.place.line <= block.place.end_line <= len(lines)
        for math in formulas_of(block):
            assert math.place.line is not None
            assert math.place.end_line is not None
            assert math.source.strip() == math.source != ""
            assert math.quote in "\n".join(lines[math.place.line - 1 : math.place.end_line])
        for content in contents_of(block):
            assert all(not isinstance(piece, Text) or piece.text for piece in content)
        if isinstance(block, Table):
            for row in (*block.header, *block.rows):
                assert all(cell.place.line == cell.place.end_line for cell in row) or "<table>" in text


def read(text: str) -> Document:
    return read_markdown(Source("a.md", text.encode()))


@settings(max_examples=300, deadline=None)
@given(texts)
def test_every_quote_is_verbatim_and_on_its_lines(text: str) -> None:
    check(read(text), normalise_lines(text))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    source = Source("a.md", text.encode("utf-8", "replace"))
    try:
        document = read_markdown(source)
    except DocumentError:
        # Control characters: no text, then.
        assert any(ord(character) < 32 for character in text)
        return
    check(document, decode(source).text)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_documents_keep_their_quotes(path: Path) -> None:
    check(read(path.read_text(encoding="utf-8")), path.read_text(encoding="utf-8"))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared documents are not beside the project")
def test_shared_documents_keep_their_quotes_and_lose_no_formula() -> None:
    for path in sorted(SHARED.rglob("*.md")):
        source = Source(path.name, path.read_bytes())
        document = read_markdown(source)
        text = decode(source).text
        check(document, text)
        left = [
            piece.text
            for block in document.blocks
            for content in contents_of(block)
            for piece in content
            if isinstance(piece, Text) and ("\\frac" in piece.text or "$\\" in piece.text)
        ]
        assert not left, f"{path.name}: {left[:3]}"


@given(
    st.lists(
        st.sampled_from(("x_1", "a*b*c", "\\frac{a}{b}", "p_{i*}", "|v|", "f'(x)", "\\{a\\}", "m<n", "[a](b)")),
        min_size=1,
    )
)
def test_a_formula_between_dollars_is_kept_as_written(parts: list[str]) -> None:
    formula = " = ".join(parts)
    document = read(f"Before *one* ${formula}$ after *two*.")
    (math,) = formulas_of(document.blocks[0])
    assert math.source == formula
    assert math.quote == f"${formula}$"
