"""Contents of blocks in reading order, places for people, ids made of content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.types.document import (
    Break,
    Cell,
    Code,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Place,
    Reference,
    Table,
    Text,
    contents_of,
    formulas_of,
    plain_text,
)
from mathrag.types.library import Formula, content_id
from noun_strategies import nouns

HERE = Place(line=1)


def _math(source: str) -> Math:
    return Math(source, "latex", HERE, f"${source}$")


def test_words_and_formulas_alternate() -> None:
    content = (Text("where "), _math("m"), Text(" is the mass"), Break(), Text("in kg", italic=True))
    assert plain_text(content) == "where $m$ is the mass\nin kg"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (Heading(HERE, "", 1, (Text("On "), _math("E"))), ["E"]),
        (Paragraph(HERE, "", (_math("a"), Text(" and "), _math("b"))), ["a", "b"]),
        (ListItem(HERE, "", (_math("b"),), term=(_math("a"),)), ["a", "b"]),
        (ListItem(HERE, "", (_math("b"),)), ["b"]),
        (Display(HERE, "", _math("a = b")), ["a = b"]),
        (Image(HERE, "", caption=(_math("F"),)), ["F"]),
        (Code(HERE, "", "a = b"), []),
        (Reference(HERE, "", "$x$"), []),
        (
            Table(
                HERE,
                "",
                header=((Cell((_math("h"),), HERE),),),
                rows=((Cell((_math("r"),), HERE), Cell((Text("x"),), HERE)), (Cell((_math("s"),), HERE),)),
                caption=(_math("c"),),
            ),
            ["c", "h", "r", "s"],
        ),
    ],
)
def test_formulas_of_a_block_in_reading_order(block: object, expected: list[str]) -> None:
    assert [math.source for math in formulas_of(block)] == expected  # type: ignore[arg-type]
    assert sum(len(content) for content in contents_of(block)) >= len(expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (Place(), ""),
        (Place(line=12, end_line=14), "line 12"),
        (Place(page=3), "page 3"),
        (Place(page=3, line=2), "page 3 line 2"),
        (Place(file="chapters/ch05.tex", line=7), "chapters/ch05.tex line 7"),
        (Place(path="body/p[3]"), "body/p[3]"),
        (Place(path="cell 4", line=2), "line 2"),
    ],
)
def test_a_place_in_words(place: Place, shown: str) -> None:
    assert str(place) == shown


def test_a_document_has_a_whole_hash() -> None:
    with pytest.raises(ValueError, match="64"):
        Document("a.md", "text/markdown", "abc", ())


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_ids_are_made_of_content(first: list[str], second: list[str]) -> None:
    joined = ("\x1f".join(first), "\x1f".join(second))
    assert (content_id("f", *first) == content_id("f", *second)) == (joined[0] == joined[1])
    assert content_id("f", *first).startswith("f-")
    assert len(content_id("f", *first)) == 14


def test_ids_do_not_change() -> None:
    # Libraries on disk hold these: a change here is a change of every id.
    assert content_id("f", "F = m a", "m:kg") == "f-f92fa399e4f1"
    assert content_id("f", "a", "b") != content_id("f", "ab")
    assert content_id("f", "\ud800") == content_id("f", "\ud800")


@given(nouns(Formula))
def test_the_target_is_the_symbol_alone_on_one_side(formula: Formula) -> None:
    assert formula.target == (None if formula.equation is None else formula.equation.target)
