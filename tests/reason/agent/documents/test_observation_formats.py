"""Rows as a model is shown them: the table of the published example in four formats as files, and whatever a cell holds
stays in its cell."""

from __future__ import annotations

import json
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.llm.accounts import usual_tokens
from mathrag.reason.agent.documents.observation_formats import MOST_COLUMNS, MOST_ROWS, name_picture, write_rows
from mathrag.types.document_actions import OBSERVATION_FORMATS, ObservationFormat, PageCut, Rows

GOLDEN = Path(__file__).parent / "observations"
# The values of the published example: titles of three papers and their year.
PAPERS = Rows(
    ("title", "pub_year"),
    (
        ("ContraCLM: Contrastive Learning For Causal Language Model", 2023),
        ("Mitigating Label Biases for In-context Learning", 2023),
        ("mCLIP: Multilingual CLIP via Cross-lingual Transfer", 2023),
    ),
)
HARD = Rows(
    ("name", "a|b", "name", ""),
    (
        ("pipe | and \\ and \\|", "two\nlines\r\nand\ttab", None, True),
        ("<script>alert('x')</script> & co", 'say "so"', 1.5, False),
        ("\x00\x1b[31m\u202egnirts\u2028end", "é 漢字 🙂", float("nan"), b"\x00\x01"),
        ("long " * 2_000, ["a", {"b": 1}], 10**60, date(2024, 2, 29)),
        ("short row",),
        ("long row", 1, 2, 3, PageCut("d-1", 3, b"", (1.0, 2.0, 11.5, 22.0))),
    ),
    total=120,
)


@pytest.mark.parametrize("form", OBSERVATION_FORMATS)
@pytest.mark.parametrize(("name", "rows"), [("papers", PAPERS), ("hard", HARD)])
def test_rows_look_as_they_did(form: ObservationFormat, name: str, rows: Rows) -> None:
    file = GOLDEN / f"{name}.{form}.txt"
    assert write_rows(rows, form) + "\n" == file.read_bytes().decode("utf-8")


def last_line(text: str) -> str:
    return text.rsplit("\n", 1)[-1]


@pytest.mark.parametrize("form", OBSERVATION_FORMATS)
def test_the_last_line_says_how_many_of_how_many(form: ObservationFormat) -> None:
    assert last_line(write_rows(PAPERS, form)).startswith("3 of 3 rows shown as ")
    many = Rows(("n",), tuple((number,) for number in range(37)))
    assert last_line(write_rows(many, form)).startswith(f"{MOST_ROWS} of 37 rows shown as ")
    known = Rows(("n",), ((1,), (2,)), total=5_000)
    assert last_line(write_rows(known, form)).startswith("2 of 5,000 rows shown as ")
    assert write_rows(Rows(("n",), ()), form).startswith("0 of 0 rows shown as ")
    assert write_rows(Rows((), ()), form).startswith("0 of 0 rows shown as ")


@pytest.mark.parametrize("form", OBSERVATION_FORMATS)
@pytest.mark.parametrize("tokens", [100, 400, 1_500, 5_000])
def test_a_budget_of_tokens_is_kept_and_the_cut_is_said(form: ObservationFormat, tokens: int) -> None:
    rows = Rows(("id", "text"), tuple((number, f"passage {number} " + "word " * 3_000) for number in range(10)))
    text = write_rows(rows, form, most_tokens=tokens)
    assert usual_tokens(text) <= tokens
    assert "cut short" in last_line(text) or "too long" in last_line(text)


def test_all_rows_are_shown_shorter_before_any_is_left_out() -> None:
    rows = Rows(("text",), tuple((f"{number} " + "word " * 500,) for number in range(8)))
    text = write_rows(rows, "json", most_tokens=2_000)
    assert last_line(text).startswith("8 of 8 rows")
    assert "8 cells cut short" in last_line(text)
    few = write_rows(rows, "json", most_tokens=500)
    shown = int(last_line(few).split(" ")[0])
    assert 1 <= shown < 8


def test_a_cell_is_never_cut_inside_a_number() -> None:
    for length in range(40):
        text = "x" * length + " 0.598 and 1,234.5 " * 400
        line = write_rows(Rows(("a",), ((text,),)), "json", most_tokens=150)
        assert json.loads(line.split("\n")[0])["a"].rstrip("…").split(" ")[-1] in ("0.598", "and", "1,234.5")
    digits = write_rows(Rows(("a",), (("7" * 9_000,),)), "json")
    assert json.loads(digits.split("\n")[0])["a"] == "…"


def test_a_row_that_never_fits_is_not_shown_in_part() -> None:
    rows = Rows(tuple(f"column_{number}" for number in range(90)), (tuple("x" * 90 for _ in range(90)),))
    text = write_rows(rows, "json", most_tokens=200)
    assert text.startswith("0 of 1 row shown")
    assert "fewer columns" in text


def test_too_many_columns_are_said() -> None:
    wide = Rows(tuple(f"c{number}" for number in range(500)), (tuple(range(500)),))
    text = write_rows(wide, "json")
    assert len(json.loads(text.split("\n")[0])) == MOST_COLUMNS
    assert f"only the first {MOST_COLUMNS} columns" in last_line(text)


def test_pictures_are_named_with_the_box_that_an_action_would_write() -> None:
    assert name_picture(PageCut("d-1", 3, b"")) == "picture: page 3 of d-1"
    assert name_picture(PageCut("d-1", 3, b"", (10.0, 20.0, 110.5, 40.0))) == (
        "picture: page 3 of d-1, cut to [10, 20, 100.5, 20]"
    )


cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=30),
    st.binary(max_size=4),
    st.lists(st.text(max_size=4), max_size=3),
    st.sampled_from(
        ("a|b", "a\\|b", "\n", "\r", "</td></tr></table>", "\x85", "\u2028", "\u202e", "\ud800", "{}", "---")
    ),
)
tables = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Rows,
        st.tuples(*[st.text(max_size=8)] * width),
        st.lists(st.tuples(*[cells] * width), min_size=1, max_size=4).map(tuple),
    )
)


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.append(tag)


@given(tables)
@settings(max_examples=200)
def test_no_cell_leaves_its_place(rows: Rows) -> None:
    count, width = len(rows.rows), len(rows.columns)
    lines = {form: write_rows(rows, form).splitlines() for form in OBSERVATION_FORMATS}
    objects = [json.loads(line) for line in lines["json"][:count]]
    assert len(lines["json"]) == count + 2
    assert all(len(each) == width for each in objects)
    bars = [line.replace("\\\\", "").replace("\\|", "").count("|") for line in lines["markdown"][: count + 2]]
    assert len(lines["markdown"]) == count + 4
    assert bars == [width + 1] * (count + 2)
    assert len(lines["string"]) == count + 3
    parser = _Cells()
    parser.feed("\n".join(lines["html"]))
    assert [parser.tags.count(tag) for tag in ("table", "tr", "th", "td")] == [1, count + 1, width, width * count]
    assert all(line.isprintable() for each in lines.values() for line in each)


def test_huge_tables_take_little_time() -> None:
    huge = Rows(tuple("abcdefgh"), (("x" * 100_000,) * 8,) * 2_000)
    for form in OBSERVATION_FORMATS:
        assert usual_tokens(write_rows(huge, form)) <= 5_000
