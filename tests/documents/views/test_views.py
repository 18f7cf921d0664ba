"""Views of small documents made by hand: sections, chunks, tables, equations and the rest."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from mathrag.documents.views import Views, make_views, section_path
from mathrag.types.document import (
    Block,
    Break,
    Cell,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Page,
    Paragraph,
    Place,
    Reference,
    Table,
    Text,
)


def _document(*blocks: Block, **fields: object) -> Document:
    return Document("a.md", "text/markdown", "0" * 64, blocks, **fields)  # type: ignore[arg-type]


def _place(line: int) -> Place:
    return Place(line=line)


def _heading(level: int, title: str, line: int = 1) -> Heading:
    return Heading(_place(line), f"# {title}", level, (Text(title),))


def _prose(*pieces: str | Math, line: int = 1) -> Paragraph:
    content = tuple(Text(piece) if isinstance(piece, str) else piece for piece in pieces)
    return Paragraph(Place(line=line, end_line=line + 1), "quote", content)


def _math(source: str, *, is_display: bool = False, number: str = "") -> Math:
    return Math(source, "latex", _place(1), f"${source}$", is_display, number)


def _cell(*pieces: str | Math | Break, columns: int = 1, rows: int = 1) -> Cell:
    return Cell(_pieces(*pieces), _place(1), columns, rows)


def _pieces(*pieces: str | Math | Break) -> Content:
    return tuple(Text(piece) if isinstance(piece, str) else piece for piece in pieces)


def _row(*texts: str) -> tuple[Cell, ...]:
    return tuple(_cell(text) for text in texts)


def _texts(views: Views) -> list[str]:
    return [chunk.text for chunk in views.chunks]


def test_sections_follow_the_headings() -> None:
    views = make_views(
        _document(
            _prose("before"),
            _heading(1, "Mechanics"),
            _heading(3, "Motion"),
            _prose("v"),
            _heading(2, "Forces"),
            _prose("F"),
            _heading(1, "Heat"),
        )
    )
    told = [
        (section.level, section.path, section.first_block, section.last_block, section.parent)
        for section in views.sections
    ]
    assert told == [
        (0, (), 0, 0, None),
        (1, ("Mechanics",), 1, 5, None),
        (3, ("Mechanics", "Motion"), 2, 3, 1),
        (2, ("Mechanics", "Forces"), 4, 5, 1),
        (1, ("Heat",), 6, 6, None),
    ]
    assert section_path(views.sections, 3) == ("Mechanics", "Motion")
    assert section_path(views.sections, 0) == ()
    found = views.section_of(5)
    assert found is not None
    assert found.title == "Forces"


def test_a_document_without_blocks_has_no_views() -> None:
    assert make_views(_document()) == Views((), (), (), (), (), (), ())
    assert make_views(_document()).section_of(0) is None


def test_chunks_begin_with_their_headings_and_stay_in_their_section() -> None:
    views = make_views(
        _document(
            _heading(1, "Mechanics", 1),
            _heading(2, "Forces", 3),
            _prose("Newton: ", _math("F = m a"), ".", line=5),
            _prose("where m is the mass.", line=8),
            _heading(2, "Empty", 11),
            _heading(2, "Energy", 12),
            _prose("E", line=14),
        )
    )
    assert _texts(views) == [
        "Mechanics\n\nForces\n\nNewton: $F = m a$.\n\nwhere m is the mass.",
        "Empty",
        "Energy\n\nE",
    ]
    first = views.chunks[0]
    assert first.heading_path == ("Mechanics", "Forces")
    assert (first.first_block, first.last_block) == (0, 3)
    assert (first.place.line, first.place.end_line) == (1, 9)
    assert first.section == 1


def test_chunks_never_cut_a_formula_and_prefer_the_end_of_a_sentence() -> None:
    formula = _math("x + " * 20 + "y")
    pieces: list[str | Math] = []
    for number in range(40):
        pieces.extend((f"Sentence number {number} says that ", formula, " holds. "))
    views = make_views(_document(_heading(1, "T"), _prose(*pieces)), chunk_characters=500)
    assert all(len(chunk.text) <= 500 for chunk in views.chunks)
    assert all(chunk.text.count("$") % 2 == 0 for chunk in views.chunks)
    assert all(chunk.text.rstrip().endswith("holds.") for chunk in views.chunks)
    assert views.chunks[0].text.startswith("T\n\nSentence")


def test_a_long_formula_is_a_chunk_of_its_own() -> None:
    long = _math("a + " * 1_000 + "b")
    views = make_views(_document(_prose("Before ", long, ", after."), Display(_place(9), "q", long), _prose("End.")))
    assert [(len(chunk.text) > 3_000, chunk.is_oversized) for chunk in views.chunks] == [
        (False, False), (True, True), (False, False), (True, True), (False, False),
    ]  # fmt: skip
    assert views.chunks[2].text == ", after."


def test_words_without_spaces_are_cut_but_accents_stay() -> None:
    text = ("e\u0301" * 2_000) + "力" * 4_000
    views = make_views(_document(_prose(text)))
    assert "".join(_texts(views)) == text
    assert all(len(chunk.text) <= 3_000 and not chunk.text.startswith("\u0301") for chunk in views.chunks)
    assert not any(chunk.is_oversized for chunk in views.chunks)


def test_code_is_cut_between_lines() -> None:
    code = "\n".join(f"line {number}" for number in range(1_000))
    views = make_views(_document(Code(_place(1), code, code)))
    assert "".join(_texts(views)) == code
    assert all(re.fullmatch(r"(line \d+\n?)+", chunk.text) for chunk in views.chunks)


def test_a_large_table_is_cut_between_rows_with_its_header_repeated() -> None:
    rows = tuple(_row(f"symbol {number}", "x" * 90) for number in range(100))
    table = Table(_place(1), "q", (_row("Symbol", "Meaning"),), rows, (Text("Symbols"),))
    views = make_views(_document(_heading(1, "Table"), table, _prose("after")))
    assert len(views.chunks) > 3
    assert views.chunks[0].text.startswith("Table\n\nSymbols\nSymbol | Meaning\nsymbol 0 | x")
    assert views.chunks[0].repeated_characters == 0
    header = "Symbol | Meaning\n"
    for chunk in views.chunks[1:]:
        assert chunk.text.startswith(header)
        assert chunk.repeated_characters == len(header)
        assert len(chunk.text) <= 3_000
    lines = [
        line
        for chunk in views.chunks
        for line in chunk.text[chunk.repeated_characters :].split("\n")
        if "symbol" in line
    ]
    assert lines == [f"symbol {number} | {'x' * 90}" for number in range(100)]


def test_a_row_longer_than_a_chunk_stands_alone() -> None:
    table = Table(_place(1), "q", (_row("A"),), (_row("short"), _row("y" * 4_000), _row("last")))
    views = make_views(_document(table))
    assert [(chunk.text[:8], chunk.is_oversized) for chunk in views.chunks] == [
        ("A\nshort", False),
        ("y" * 8, True),
        ("A\nlast", False),
    ]


def test_a_header_that_leaves_no_room_is_not_repeated() -> None:
    table = Table(_place(1), "q", (_row("h" * 2_900),), tuple(_row("r" * 500) for _ in range(20)))
    views = make_views(_document(table))
    assert sum(chunk.text.count("h") for chunk in views.chunks) == 2_900
    assert all(len(chunk.text) <= 3_000 for chunk in views.chunks)


def test_lists_definitions_images_and_references_are_text_too() -> None:
    views = make_views(
        _document(
            ListItem(_place(1), "q", (Text("one"),), marker="1."),
            ListItem(_place(2), "q", (Text("inner"),), depth=2),
            ListItem(_place(3), "q", (Text("the mass"),), term=(_math("m"),)),
            Image(_place(4), "q", (Text("Figure 1: a lever"),), "a lever", "lever.png"),
            Reference(_place(5), "q", "Newton, Principia", "newton"),
        )
    )
    assert _texts(views) == [
        "1. one\n\n  - inner\n\n- $m$: the mass\n\na lever\nFigure 1: a lever\n\n[newton] Newton, Principia"
    ]
    assert [(image.caption, image.alternative, image.source) for image in views.images] == [
        ("Figure 1: a lever", "a lever", "lever.png")
    ]
    assert [(reference.key, reference.text, reference.block) for reference in views.references] == [
        ("newton", "Newton, Principia", 4)
    ]


def test_equations_are_listed_wherever_they_stand() -> None:
    table = Table(_place(1), "q", (), ((_cell(_math("a"), Break(), _math("b")),),), (_math("c"),))
    mathml = Math("<math><mi>x</mi></math>", "mathml", Place(page=3, box=(1, 2, 3, 4)), "x")
    views = make_views(
        _document(_heading(1, "H"), _prose("see ", _math("d", is_display=True, number="3.2")), table, _prose(mathml))
    )
    told = [(equation.latex, equation.is_display, equation.number, equation.block) for equation in views.equations]
    assert told == [
        ("d", True, "3.2", 1),
        ("c", False, "", 2),
        ("a", False, "", 2),
        ("b", False, "", 2),
        ("", False, "", 3),
    ]
    assert views.equations[-1].source == "<math><mi>x</mi></math>"
    assert views.equations[-1].box == (1, 2, 3, 4)
    assert {equation.section for equation in views.equations} == {0}
    assert [equation.ordinal for equation in views.equations] == [0, 1, 2, 3, 4]


def test_tables_as_grids() -> None:
    table = Table(
        _place(1),
        "q",
        ((_cell("Quantity", columns=2), _cell("Unit")),),
        ((_cell("mass", rows=2), _cell(_math("m")), _cell("kg")), (_cell(_math("M")), _cell("g"))),
        (Text("Symbols and\nunits"),),
    )
    (view,) = make_views(_document(table)).tables
    assert view.cells == (("Quantity", "", "Unit"), ("mass", "$m$", "kg"), ("", "$M$", "g"))
    assert (view.rows, view.columns, view.header_rows, view.caption) == (3, 3, 1, "Symbols and units")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert {name for name, _ in attrs} <= {"class", "colspan", "rowspan"}


def test_table_html_is_safe() -> None:
    evil = "<script>alert('\"&')</script>\x00\x1b"
    cell = Cell((Text(evil, bold=True, italic=True), Break(), _math(evil)), _place(1), 10**12, 10**12, True)
    table = Table(_place(1), "q", ((cell,),), ((cell, cell),), (Text(evil),))
    (view,) = make_views(_document(table)).tables
    tags = _Tags()
    tags.feed(view.html)
    assert tags.seen == {"table", "caption", "thead", "tbody", "tr", "th", "br", "code", "strong", "em"}
    assert '<code class="math">&lt;script&gt;' in view.html
    assert view.html.replace("\n", "").isprintable()


@pytest.mark.parametrize(("columns", "rows"), [(10**9, 10**9), (1, 10**9), (10**9, 1), (-5, 0)])
def test_claims_of_huge_spans_cost_little(columns: int, rows: int) -> None:
    row = tuple(_cell("x", columns=columns, rows=rows) for _ in range(50))
    table = Table(_place(1), "q", (), (row,) * 300)
    (view,) = make_views(_document(table)).tables
    assert view.rows == 300
    assert sum(cell == "x" for line in view.cells for cell in line) == 50 * 300


def test_pages_know_their_blocks() -> None:
    blocks = [Paragraph(Place(page=page), "q", (Text("x"),)) for page in (1, 1, 3)]
    views = make_views(_document(*blocks, pages=(Page(1, 595, 842), Page(2, 595, 842), Page(3, 595, 842))))
    assert [(page.number, page.first_block, page.last_block) for page in views.pages] == [
        (1, 0, 1),
        (2, None, None),
        (3, 2, 2),
    ]
    assert make_views(_document(_prose("x"))).pages == ()


def test_thousands_of_ever_deeper_headings_cost_little() -> None:
    views = make_views(_document(*[_heading(level, f"t{level}") for level in range(1, 3_000)]))
    assert len(views.sections) == 2_999
    assert max(len(section.path) for section in views.sections) <= 13
    assert all(section.first_block <= section.last_block for section in views.sections)
