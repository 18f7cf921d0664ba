"""Passages: at most so many tokens, nothing lost, nothing twice, words whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mathrag.documents.views.passages import count_tokens, cut_passages, make_passages
from mathrag.documents.views.records import PageView, SectionView
from mathrag.types.document import Place


def test_words_and_signs_count_and_words_stay_whole() -> None:
    assert list(cut_passages("a man, a plan", limit=3)) == [("a man,", 3), ("a plan", 2)]
    assert list(cut_passages("it is well-known", limit=3)) == [("it is", 2), ("well-known", 3)]
    assert list(cut_passages("a+b+c+d", limit=3)) == [("a+b", 3), ("+c+", 3), ("d", 1)]
    assert list(cut_passages(" \n ")) == []


@given(st.text(alphabet="ab \n.+-é", max_size=200), st.integers(1, 9))
def test_passages_are_the_text_without_overlap(text: str, limit: int) -> None:
    parts = list(cut_passages(text, limit=limit))
    assert "".join("".join(part.split()) for part, _ in parts) == "".join(text.split())
    assert all(1 <= tokens <= limit and count_tokens(part) == tokens for part, tokens in parts)


def test_no_passage_runs_over_a_page_and_without_pages_none_over_a_section() -> None:
    pages = (PageView(1, 600, 800, text="one two"), PageView(2, 600, 800), PageView(3, 600, 800, text="three"))
    found = make_passages(pages, ())
    assert [(each.ordinal, each.place.page, each.text) for each in found] == [(0, 1, "one two"), (1, 3, "three")]
    sections = tuple(
        SectionView(number, 1, "", (), number, number, Place(line=number + 1), text=text)
        for number, text in enumerate(("one two", "three"))
    )
    assert [(each.section, each.place.line, each.text) for each in make_passages((), sections)] == [
        (0, 1, "one two"), (1, 2, "three"),
    ]  # fmt: skip
