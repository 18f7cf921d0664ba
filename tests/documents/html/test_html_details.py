"""Places, encodings, metadata, notes and the small print of reading a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from html_rendering import render_block

from mathrag.compute.mathml import read_mathml
from mathrag.documents.html import read_html
from mathrag.documents.seams import Source
from mathrag.types.document import Block, Display, Document, Image, ListItem, Math, Paragraph, Table, formulas_of
from mathrag.types.expression import Declined

PHYSICS = Path(__file__).parents[4] / "shared" / "documents" / "openstax-physics" / "physics.html"


def _read(text: str | bytes) -> Document:
    return read_html(Source("page.html", text.encode() if isinstance(text, str) else text))


def _blocks(text: str | bytes) -> list[str]:
    return [line for block in _read(text).blocks for line in render_block(block)]


def test_places_are_lines_and_element_paths() -> None:
    page = "<html>\n<body>\n<p>one</p>\n<section>\n<p>two</p>\n<p>three\n<i>x</i></p></section></body></html>"
    blocks = _read(page).blocks
    assert [(block.place.line, block.place.path) for block in blocks] == [
        (3, "/html/body/p[1]"),
        (5, "/html/body/section[1]/p[1]"),
        (6, "/html/body/section[1]/p[2]"),
    ]
    (math,) = formulas_of(blocks[2])
    assert (math.place.line, math.place.path) == (7, "/html/body/section[1]/p[2]/i[1]")


def test_lines_beyond_what_the_parser_counts() -> None:
    (block,) = _read("<html>" + "\n" * 70_000 + "<p>far down</p>").blocks
    assert block.place.line == 70_001


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        ("<meta charset='iso-8859-1'><p>café µm</p>".encode("latin-1"), []),
        ("<meta http-equiv=Content-Type content='text/html; charset=windows-1251'><p>caf</p>".encode("cp1251"), []),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><html><p>café µm</p></html>".encode("latin-1"), []),
        ("<p>café µm</p>".encode("utf-16"), []),
        ("<html><p>caf</p></html>".encode("utf-16-le"), []),
        ("\ufeff<p>café µm</p>".encode(), []),
        ("<meta charset=iso-8859-1><p>café µm</p>".encode(), []),
        ("<meta charset=utf-8><p>café µm</p>".encode("latin-1"), ["encoding"]),
        ("<meta charset=rot13><p>café µm</p>".encode("latin-1"), ["encoding"]),
        ("<p>café µm</p>".encode("cp1252"), ["encoding"]),
    ],
)
def test_encodings(data: bytes, notes: list[str]) -> None:
    document = _read(data)
    assert [note.code for note in document.notes] == notes
    assert document.blocks[0].quote in ("café µm", "caf")


def test_metadata() -> None:
    document = _read(
        "<head><title>Heat | A Site</title><meta name=author content='Ann Bee and Cy Dee'>"
        "<meta property='article:published_time' content='2019-05-01'>"
        "<meta name=description content=' What  heat is. '></head><h1>Heat</h1>"
    )
    assert (document.title, document.authors, document.year) == ("Heat", ("Ann Bee", "Cy Dee"), 2019)
    assert document.abstract == "What heat is."
    assert _read("<h1>Only a heading</h1><p><time datetime=1999-01-01>then</time>").title == "Only a heading"
    assert _read("<h1>Only a heading</h1><p><time datetime=1999-01-01>then</time>").year == 1999


def test_a_page_without_structure_is_a_paragraph() -> None:
    assert _blocks("just words &amp; more") == ["p  just words & more"]


def test_breaks() -> None:
    assert _blocks("a<br>b<br><br>c") == ["p  a⏎b", "p  c"]
    assert _blocks("<table><tr><th>a<br>b</th><td><p>c</p><p>d</p></td></tr></table>") == ["table", "  td a⏎b | c⏎d"]


def test_spans_headers_and_nested_tables() -> None:
    page = """<table><thead><tr><th colspan=2>wide</th></tr></thead>
    <tbody><tr><th>row</th><td rowspan="2">tall <table><tr><td>in</td><td>side</td></tr></table></td></tr>
    </tbody></table>"""
    table = _read(page).blocks[0]
    assert isinstance(table, Table)
    assert render_block(table) == ["table", "  th wide <2x1>", "  td row | tall⏎in side <1x2>"]
    assert [cell.is_header for cell in table.rows[0]] == [True, False]


def test_equations_set_in_place_by_a_table() -> None:
    page = "<table><tr><td><i>F</i> = <i>ma</i></td><td>(3.2)</td></tr></table>"
    (block,) = _read(page).blocks
    assert isinstance(block, Display)
    assert (block.math.source, block.math.number, block.math.is_display) == ("F = m a", "3.2", True)
    labelled = "<table><tr><td>Newton</td><td><i>F</i> = <i>ma</i></td></tr></table>"
    assert isinstance(_read(labelled).blocks[0], Table)


def test_numbers_beside_displayed_formulas() -> None:
    assert _blocks(r"<div>\[a = b\] (4)</div>") == ["=  ⟦!4: a = b⟧"]
    assert _blocks(r"<p><math display=block><mi>a</mi><mo>=</mo><mn>1</mn></math> &nbsp; [2a]</p>") == [
        "=  ⟦!2a: mathml <math><mi>a</mi><mo>=</mo><mn>1</mn></math>⟧"
    ]


def test_lists_and_terms() -> None:
    page = """<ol reversed><li>b<ul><li>deep<p>more</p></ul><li>a</ol>
    <dl><dt>F</dt><dt>force</dt><dd>push</dd><dd>or pull</dd><dt>alone</dt></dl>"""
    assert _blocks(page) == [
        "li 2. b",
        "li   • deep",
        "p  more",
        "li 1. a",
        "li  F⏎force :: push",
        "li  F⏎force :: or pull",
        "li  alone ::",
    ]
    item = _read("<ul><li><i>E</i> = <i>mc</i><sup>2</sup></ul>").blocks[0]
    assert isinstance(item, ListItem)


def test_pictures() -> None:
    page = """<p>Before <img src="a.png" alt="a curve"> after</p><figure><img src="data:image/png;base64,AA">
    <img src="b.png" alt=""><figcaption>Both, with <i>x</i></figcaption></figure><img src=c.png width=1 height=1>"""
    blocks = _read(page).blocks
    assert [render_block(block)[0] for block in blocks] == [
        "p  Before after",
        "img a.png [a curve]",
        "img  [] Both, with ⟦x⟧",
        "img b.png [] Both, with ⟦x⟧",
    ]
    assert isinstance(blocks[1], Image)


def test_references_by_heading_end_with_the_section() -> None:
    page = "<h2>References</h2><ol><li>[A1] First.</li><li id=b>Second.</li></ol><h2>Next</h2><ul><li>plain</li></ul>"
    assert _blocks(page) == ["h2 References", "ref A1: First.", "ref b: Second.", "h2 Next", "li • plain"]


def test_dollars_only_where_they_mean_formulas() -> None:
    text = "<p>It costs $5 and $6, see $x$ and $y = 2x$."
    assert _blocks(text) == ["p  It costs $5 and $6, see $x$ and $y = 2x$."]
    assert _blocks(f"<script src=/katex/auto-render.js></script>{text}") == [
        "p  It costs $5 and $6, see ⟦x⟧ and ⟦y = 2x⟧."
    ]
    many = text + r" Many: $\alpha$, $a_1$, $b^2$."
    assert "⟦y = 2x⟧" in _blocks(many)[0]


@pytest.mark.parametrize(
    "html",
    [
        "<math><mrow><mi>a</mi><mo>=</mo><mfenced><mi>b</mi></mfenced><mspace width='1em'/></mrow></math>",
        (
            "<mml:math xmlns:mml='http://www.w3.org/1998/Math/MathML'><mml:mi>a</mml:mi><mml:mo>=</mml:mo>"
            "<mml:mi>b</mml:mi></mml:math>"
        ),
        "<MATH><MI>a</MI><MO>=</MO><MI>b</MI></MATH>",
        (
            "<math><apply><eq/><ci>a</ci><apply><plus/><ci>b</ci><cn type='e-notation'>1<sep/>3</cn></apply></apply>"
            "</math>"
        ),
        (
            "<math><semantics><mrow><mi>a</mi><mo>=</mo><mi>b</mi></mrow><annotation encoding='StarMath'>a</annotation>"
            "</semantics></math>"
        ),
    ],
)
def test_mathml_is_kept_so_that_it_reads(html: str) -> None:
    (math,) = [math for block in _read(f"<p>so {html} it is").blocks for math in formulas_of(block)]
    assert math.notation == "mathml"
    assert not isinstance(read_mathml(math.source), Declined), math.source


@pytest.mark.parametrize(
    ("mathml", "line"),
    [
        ("<mfrac><mrow><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup></mrow><mn>2</mn></mfrac>", "mv^2/2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a + b)/2"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>−</mo><mi>c</mi></mrow></mfrac>", "a/(b − c)"),
        ("<mfrac><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></mfrac>", "(a + b)/2"),
        ("<msup><mi>x</mi><mrow><mi>n</mi><mi>k</mi></mrow></msup>", "x^(nk)"),
    ],
)
def test_mathml_in_a_line_has_the_brackets_it_needs(mathml: str, line: str) -> None:
    (block,) = _read(f"<p>so <math>{mathml}</math> it is").blocks
    assert block.quote == f"so {line} it is"


def test_empty_mathml_with_words_for_it() -> None:
    assert _blocks(r"<p>so <math alttext='a_1'></math> and <math></math>.") == ["p  so ⟦a_1⟧ and ."]
    assert _blocks(r"<p>so <math alttext='a sub one'><mi>a</mi></math>.") == ["p  so ⟦mathml <math><mi>a</mi></math>⟧."]


def _maths(blocks: tuple[Block, ...]) -> list[Math]:
    return [math for block in blocks for math in formulas_of(block)]


@pytest.mark.corpora
@pytest.mark.skipif(not PHYSICS.exists(), reason="the school physics book is not beside the project")
def test_a_whole_book() -> None:
    document = read_html(Source(PHYSICS.name, PHYSICS.read_bytes()))
    maths = _maths(document.blocks)
    assert document.title == "OpenStax Physics"
    assert sum(math.notation == "mathml" for math in maths) > 2_800
    read = sum(not isinstance(read_mathml(math.source), Declined) for math in maths if math.notation == "mathml")
    assert read > 2_500
    lines = [block.place.line or 0 for block in document.blocks]
    assert max(lines) > 76_000
    assert sum(isinstance(block, Table) for block in document.blocks) > 150
    sources = {math.source for math in maths}
    assert {"y = m x + b", r"L = I \omega", r"F_{\mathrm{net}} = m a", r"\Delta t"} <= sources
    assert not any(isinstance(block, Paragraph) and block.quote == "Aluminum" for block in document.blocks)
