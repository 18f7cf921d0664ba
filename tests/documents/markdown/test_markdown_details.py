"""Single points of reading Markdown that deserve a sentence of their own."""

from __future__ import annotations

import contextlib
import time

import pytest

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, ListItem, Math, Paragraph, Table, Text, formulas_of, plain_text


def read(text: str, name: str = "sheet.md") -> Document:
    return read_markdown(Source(name, text.encode()))


def formulas(text: str) -> list[str]:
    return [math.source for block in read(text).blocks for math in formulas_of(block)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "Between $5 and 10$ or so.",
        "From $10-$20 to US$5.",
        "The $HOME and $PATH variables",
        "32.16 $/hour, 66910 $/year",
        r"A \$5 note and a \$6 note",
        "`$x$` and ``$y$``",
        "one $ alone",
        "$$$$$$",
        r"see \[12\] and \[citation needed here\]",
    ],
)
def test_no_formula(text: str) -> None:
    assert formulas(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x$", ["x"]),
        ("$ x = 2 $", ["x = 2"]),
        ("It costs $5, where $x = 5$.", ["x = 5"]),
        (r"$\text{mass of the whole body in use} = m$", [r"\text{mass of the whole body in use} = m"]),
        (r"$\ce{ROH + SOCl2 ->[][pyridine]RCl + SO2 + HCl}$", [r"\ce{ROH + SOCl2 ->[][pyridine]RCl + SO2 + HCl}"]),
        (r"$a \$ b_1$", [r"a \$ b_1"]),
        ("$a\n= b$", ["a\n= b"]),
        ("**$x$ and $y$**", ["x", "y"]),
        ("[$x$](u)", ["x"]),
        (r"\begin{gather*} a \end{gather*}", [r"\begin{gather*} a \end{gather*}"]),
        ("<math><mi>x</mi></math> inline", ["<math><mi>x</mi></math>"]),
    ],
)
def test_formulas(text: str, expected: list[str]) -> None:
    assert formulas(text) == expected


def test_a_bar_escaped_for_the_table_is_a_bar_of_the_formula() -> None:
    (table,) = read("|a|b|\n|-|-|\n|$\\|x\\|$|$\\\\|y$|\n").blocks
    first, second = formulas_of(table)
    assert (first.source, first.quote) == ("|x|", r"$\|x\|$")
    assert second.source == r"\|y"


def test_a_bare_bar_in_a_formula_does_not_tear_it() -> None:
    (table,) = read("|a|b|\n|-|-|\n|norm|$|x|$|\n|$P(A|B)$|\n").blocks
    assert isinstance(table, Table)
    assert [len(row) for row in table.rows] == [2, 1]
    assert [math.source for math in formulas_of(table)] == ["|x|", "P(A|B)"]


def test_places_inside_a_paragraph_are_exact() -> None:
    (block,) = read("one\ntwo $a$\n$$\nb\n$$\nend $c$").blocks
    assert [(math.place.line, math.place.end_line) for math in formulas_of(block)] == [(2, 2), (3, 5), (6, 6)]
    assert (block.place.line, block.place.end_line) == (1, 6)


def test_quoted_formula_is_clean_in_the_source_and_exact_in_the_quote() -> None:
    (block,) = read("> so $$a\n> + b$$ it is").blocks
    (math,) = formulas_of(block)
    assert math.source == "a\n+ b"
    assert math.quote == "$$a\n> + b$$"


def test_title_falls_back_to_the_first_heading_and_then_to_the_name() -> None:
    assert read("## Two\n\n# One\n").title == "One"
    assert read("words", "folder/sheet.md").title == "sheet"
    assert read("---\ntitle: Three\n---\n# One\n").title == "Three"


@pytest.mark.parametrize("text", ["---\nno colon here\n---\nx", "---\nnever: closed\n", "--- \n", "---"])
def test_what_only_looks_like_front_matter_is_text(text: str) -> None:
    assert read(text).title == "sheet"


def test_lines_count_from_the_top_of_the_file_with_front_matter() -> None:
    document = read("---\ntitle: a\n---\n\nText $x$.\n")
    assert document.blocks[0].place.line == 5


def test_carriage_returns_count_as_line_ends() -> None:
    document = read("# A\r\n\r\n$$\r\nx = y\r\n$$\r\n")
    assert [block.place.line for block in document.blocks] == [1, 3]


def test_nested_lists_know_their_depth() -> None:
    items = [block for block in read("- a\n  - b\n    - c\n- d\n").blocks if isinstance(block, ListItem)]
    assert [(item.depth, plain_text(item.content)) for item in items] == [(1, "a"), (2, "b"), (3, "c"), (1, "d")]


def test_stars_between_factors_multiply() -> None:
    (block,) = read("F = v0*t*2 + r**2").blocks
    (math,) = formulas_of(block)
    assert (math.source, math.notation) == ("F = v0*t*2 + r**2", "text")


def test_styles_survive_around_formulas() -> None:
    (block,) = read("**bold $x$ more** *it*").blocks
    assert isinstance(block, Paragraph)
    shown = [(piece.text, piece.bold, piece.italic) for piece in block.content if isinstance(piece, Text)]
    assert shown == [("bold ", True, False), (" more", True, False), (" ", False, False), ("it", False, True)]
    assert isinstance(block.content[1], Math)


def test_too_many_blocks_are_refused() -> None:
    with pytest.raises(DocumentError) as caught:
        read_markdown(Source("a.md", b"# a\n" * 50, limits=ReadingLimits(blocks=20)))
    assert caught.value.code == "too_large"


DEEP = ("> " * 10_000 + "a", "- " * 10_000 + "a", "\n".join(" " * (2 * n) + "- a" for n in range(400)))


@pytest.mark.parametrize("text", DEEP, ids=["quotes", "lists", "indents"])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(text)
    assert caught.value.code == "too_large"


@pytest.mark.growth
@pytest.mark.parametrize(
    "part",
    [
        "$", "$a ", "$$ a\n", "\\(aa bb ", "\\[ \n", "\\begin{align}\n", "[", "](", "![", "*a **b _c ", "`a``", "<a \"",
        "<!-- ", "<sub>", "|", "<table>\n", "{{< a ", "{", ">", "&", "a = ", "[^a]: b\n", "::: a\n", "<![", "~a",
    ],
)  # fmt: skip
def test_time_grows_with_the_text_and_not_with_its_square(part: str) -> None:
    def seconds(size: int) -> float:
        start = time.process_time()
        with contextlib.suppress(DocumentError):
            read(part * (size // len(part)) + " \\) x")
        return time.process_time() - start

    seconds(1_000)
    # A busy machine may hold up one reading, not each of three; the square of the size holds up all.
    assert any(seconds(40_000) < 25 * (seconds(4_000) + 0.02) for _ in range(3))
