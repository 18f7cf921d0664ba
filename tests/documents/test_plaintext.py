"""Plain text told apart by how its lines look: headings, lists, tables, formulas, prose."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.plaintext import read_plain_text
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Display,
    Document,
    Heading,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    formulas_of,
    plain_text,
)

NOTES = """\
Mechanics notes
===============

1. Kinematics

A body at rest stays at rest. The speed after
a time t is given by

    v = v0 + a*t            (1.1)

where
  v = final speed (m/s)
  v0 = initial speed (m/s)
  a is the acceleration

The energy follows, with x = 5 being an example.
    E = ½mv²

It costs $5 and $6. In LaTeX, $F = ma$ and \\(p = mv\\).

- first item that goes
  on here
  - nested: p = mv
- second item

CONCLUSION

1) one
2) two

References

[1] A. Author, A book, 1999.
[2] B. Author, Another book, 2001.
"""


def read(text: str) -> Document:
    return read_plain_text(Source("notes.txt", text.encode()))


def table_of(text: str) -> Table:
    (table,) = read(text).blocks
    assert isinstance(table, Table)
    return table


def rows_of(table: Table) -> list[list[str]]:
    return [[plain_text(cell.content) for cell in row] for row in (*table.header, *table.rows)]


def kinds(blocks: tuple[Block, ...]) -> list[str]:
    return [type(block).__name__ for block in blocks]


def test_a_page_of_notes() -> None:
    document = read(NOTES)
    assert document.title == "Mechanics notes"
    headings = [(block.level, plain_text(block.content)) for block in document.blocks if isinstance(block, Heading)]
    assert headings == [(1, "Mechanics notes"), (2, "1. Kinematics"), (2, "CONCLUSION"), (2, "References")]
    items = [block for block in document.blocks if isinstance(block, ListItem)]
    assert [(item.depth, item.marker, plain_text(item.term), plain_text(item.content)) for item in items] == [
        (1, "=", "v", "final speed (m/s)"),
        (1, "=", "v0", "initial speed (m/s)"),
        (1, "is", "a", "the acceleration"),
        (1, "-", "", "first item that goes on here"),
        (2, "-", "", "nested: p = mv"),
        (1, "-", "", "second item"),
        (1, "1)", "", "one"),
        (1, "2)", "", "two"),
    ]
    references = [(block.key, block.text) for block in document.blocks if isinstance(block, Reference)]
    assert references == [("1", "A. Author, A book, 1999."), ("2", "B. Author, Another book, 2001.")]


def test_formulas_have_their_lines_and_numbers() -> None:
    formulas = [math for block in read(NOTES).blocks for math in formulas_of(block)]
    assert [(math.source, math.place.line, math.is_display, math.number) for math in formulas] == [
        ("v = v0 + a*t", 9, True, "1.1"),
        ("E = ½mv^{2}", 17, True, ""),
        ("F = ma", 19, False, ""),
        ("p = mv", 19, False, ""),
        ("p = mv", 23, False, ""),
    ]


def test_a_formula_on_its_own_is_a_display_and_one_under_prose_stays_with_it() -> None:
    assert kinds(read("F = m a\n\nSo that\n   p = mv\nholds.").blocks) == ["Display", "Paragraph"]


def test_prose_stays_prose() -> None:
    blocks = read("where x = the number of apples\nand a = 1 in this case, so\nthat the sum is known.").blocks
    assert kinds(blocks) == ["Paragraph"]
    assert not list(formulas_of(blocks[0]))


@pytest.mark.parametrize(
    "text",
    [
        "Symbol   Quantity   Unit\n------   --------   ----\nF        force      N\nm        mass       kg\n",
        "Symbol   Quantity   Unit\nF        force      N\nm        mass       kg\n",
        "| Symbol | Quantity | Unit |\n|---|---|---|\n| F | force | N |\n| m | mass | kg |\n",
        "+--+--+--+\n| Symbol | Quantity | Unit |\n+--+--+--+\n| F | force | N |\n| m | mass | kg |\n+--+--+--+",
        "Symbol\tQuantity\tUnit\nF\tforce\tN\nm\tmass\tkg\n",
    ],
    ids=["ruled", "aligned", "barred", "grid", "tabbed"],
)
def test_tables(text: str) -> None:
    table = table_of(text)
    assert rows_of(table) == [["Symbol", "Quantity", "Unit"], ["F", "force", "N"], ["m", "mass", "kg"]]
    assert len(table.header) == 1


def test_formulas_in_cells() -> None:
    table = table_of("Name      Law\nForce     F = m·a\nMomentum  p = mv\n")
    assert [math.quote for math in formulas_of(table)] == ["F = m·a", "p = mv"]


@pytest.mark.parametrize("text", ["a  b\nc\n", "one  word and\nanother line of prose\nwith  gaps", "x | y\nno bar"])
def test_unclear_tables_stay_prose(text: str) -> None:
    assert "Table" not in kinds(read(text).blocks)


@pytest.mark.parametrize("text", ["1. The answer is given below.", "3 apples = 5 pears", "A. B. Smith wrote it,"])
def test_no_headings(text: str) -> None:
    assert "Heading" not in kinds(read(text).blocks)


def test_captions_go_to_their_tables() -> None:
    document = read("Table 1: Units\n\na    b\n1    2\n3    4\n")
    (table,) = document.blocks
    assert isinstance(table, Table)
    assert plain_text(table.caption) == "Table 1: Units"


def test_blocks_are_limited() -> None:
    with pytest.raises(DocumentError) as caught:
        read_plain_text(Source("a.txt", b"a\n\n" * 50, limits=ReadingLimits(blocks=20)))
    assert caught.value.code == "too_large"


PARTS = (
    "word ", "x = 1", "F = m a", "- ", "1. ", "\n", "\n\n", "    ", "===", "---", "|", "\t",
    "where\n", "v = speed", "$a$", "(1)", "+--+\n", "  ", "ABC", "é", "[1] ",
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_quotes_are_verbatim_and_on_their_lines(text: str) -> None:
    lines = text.split("\n")
    for block in read(text).blocks:
        assert block.quote in text
        assert block.place.line is not None
        assert block.place.end_line is not None
        assert 1 <= block.place.line <= block.place.end_line <= len(lines)
        for math in formulas_of(block):
            assert math.place.line is not None
            assert math.place.end_line is not None
            assert math.quote in "\n".join(lines[math.place.line - 1 : math.place.end_line])


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="abc =\n-*1.", max_size=200))
def test_no_word_is_lost(text: str) -> None:
    document = read(text)
    shown = "".join(_words(block) for block in document.blocks)
    for letter in "abc":
        assert shown.count(letter) == text.count(letter)


def _words(block: Block) -> str:
    match block:
        case ListItem():
            return block.marker + plain_text(block.term) + plain_text(block.content)
        case Heading() | Paragraph():
            return plain_text(block.content)
        case Display():
            return block.quote
        case _:
            return block.quote


HOSTILE = ("a | b\n", "+--+\n", "--|--\n", "a  b\n", "- ", "$", "\\(aa bb ", "a\tb\n", "x = y\n", "-" * 50, "1. a\n")


@pytest.mark.growth
@pytest.mark.parametrize("part", HOSTILE)
def test_time_grows_with_the_text(part: str) -> None:
    def once(size: int) -> float:
        start = time.process_time()
        read(part * (size // len(part)) + "x")
        return time.process_time() - start

    def seconds(size: int) -> float:
        # The least of three: memory of other tests may be cleared in between.
        return min(once(size) for _ in range(3))

    once(1_000)
    assert seconds(40_000) < 25 * (seconds(4_000) + 0.02)


def test_a_formula_is_a_formula_of_its_block() -> None:
    (block,) = read("E = mc²").blocks
    assert isinstance(block, Display)
    assert isinstance(block.math, Math)
