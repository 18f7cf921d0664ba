"""What holds for the views of any document: all text once, nothing cut that must not be, sections that nest."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.views import make_views
from mathrag.documents.views.chunks import block_text
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
    formulas_of,
)

LIMIT = 80
_places = st.builds(Place, line=st.integers(1, 99))
# Formulas are told apart from words by their own letters, so that a cut one shows.
_math = st.builds(
    lambda source, place: Math(source, "latex", place, f"⟦{source}⟧", False),
    st.text("αβγ δ", min_size=1, max_size=110),
    _places,
)
_words = st.one_of(st.text("ab .\n", max_size=60), st.text("xyz!", max_size=200))
_inline = st.one_of(st.builds(Text, _words), _math, st.just(Break()))
_content = st.lists(_inline, max_size=8).map(tuple)
_cells = st.builds(Cell, _content, _places, columns=st.integers(1, 3), rows=st.integers(1, 3))
_rows = st.lists(st.lists(_cells, max_size=3).map(tuple), max_size=6).map(tuple)
_blocks = st.one_of(
    st.builds(Heading, _places, st.just("q"), st.integers(-1, 8), _content),
    st.builds(Paragraph, _places, st.just("q"), _content),
    st.builds(ListItem, _places, st.just("q"), _content, st.integers(0, 5), st.sampled_from(["", "1."]), _content),
    st.builds(Table, _places, st.just("q"), _rows.map(lambda rows: rows[:2]), _rows, _content),
    st.builds(Display, _places, st.just("q"), _math),
    st.builds(Image, _places, st.just("q"), _content, _words, st.just("p.png")),
    st.builds(Code, _places, st.just("q"), _words),
    st.builds(Reference, _places, st.just("q"), _words, st.sampled_from(["", "key"])),
)
_documents = st.lists(_blocks, max_size=12).map(lambda blocks: Document("a", "text/markdown", "0" * 64, tuple(blocks)))


def _dense(text: str) -> str:
    return "".join(text.split())


@pytest.mark.slow
@given(_documents)
@settings(max_examples=120, deadline=None)
def test_chunks_hold_all_text_exactly_once(document: Document) -> None:
    chunks = make_views(document, chunk_characters=LIMIT).chunks
    held = "".join(chunk.text[chunk.repeated_characters :] for chunk in chunks)
    written = "".join(text for text in (block_text(block) for block in document.blocks) if text.strip())
    assert _dense(held) == _dense(written)


@given(_documents)
@settings(max_examples=120, deadline=None)
def test_chunks_are_small_and_formulas_whole(document: Document) -> None:
    chunks = make_views(document, chunk_characters=LIMIT).chunks
    for chunk in chunks:
        assert chunk.text.strip()
        assert len(chunk.text) <= LIMIT or chunk.is_oversized
        assert chunk.text.count("⟦") == chunk.text.count("⟧")
        assert chunk.first_block <= chunk.last_block
    formulas = Counter(_dense(math.quote) for block in document.blocks for math in formulas_of(block))
    for quote in formulas:
        assert sum(_dense(chunk.text[chunk.repeated_characters :]).count(quote) for chunk in chunks) >= formulas[quote]
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert all(before.last_block <= after.first_block for before, after in pairwise(chunks))


@pytest.mark.slow
@given(_documents)
@settings(max_examples=200, deadline=None)
def test_sections_nest_and_cover_every_block(document: Document) -> None:
    views = make_views(document, chunk_characters=LIMIT)
    for number in range(len(document.blocks)):
        section = views.section_of(number)
        assert section is not None
        assert section.first_block <= number <= section.last_block
    for section in views.sections:
        if section.parent is not None:
            parent = views.sections[section.parent]
            assert parent.first_block < section.first_block
            assert section.last_block <= parent.last_block
            assert parent.level < section.level
            assert section.path[: len(parent.path)] == parent.path


@pytest.mark.slow
@given(_documents)
@settings(max_examples=100, deadline=None)
def test_no_chunk_joins_texts_of_two_sections(document: Document) -> None:
    views = make_views(document, chunk_characters=LIMIT)
    for chunk in views.chunks:
        held = range(chunk.first_block, chunk.last_block + 1)
        with_text = {
            section.ordinal
            for number in held
            if not isinstance(document.blocks[number], Heading) and block_text(document.blocks[number]).strip()
            if (section := views.section_of(number)) is not None
        }
        assert len(with_text) <= 1


@given(_documents)
@settings(max_examples=50, deadline=None)
def test_views_depend_on_the_document_alone(document: Document) -> None:
    assert make_views(document) == make_views(document)
