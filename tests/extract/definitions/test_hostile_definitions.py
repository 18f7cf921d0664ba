"""Nothing a document holds makes the rules fail or crawl."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.definitions.snippet_documents import snippet_document
from mathrag.extract.constants import find_constants
from mathrag.extract.definitions import find_definitions
from mathrag.types.document import Document, Heading, ListItem, Math, Paragraph, Place, Table, Text

HOSTILE = (
    "where " * 20_000,
    "where $m$ is " * 5_000,
    "(" * 30_000,
    "the " * 30_000 + "$x$",
    "of the " * 20_000 + "$x$ is the mass",
    "$x$, " * 8_000 + "are the sides",
    "m = " * 10_000,
    "\\text{" * 5_000,
    "where $" + "{" * 3_000 + "$ is the mass (" + "kg" * 3_000 + ")",
    "1.5 × 10^" * 5_000,
    "constant = 9 × 10⁹⁹⁹⁹⁹ m/s and $g = 10^{999999999}$",
    "|" * 5_000 + "\n|---|\n" + "|m" * 5_000,
    "R = 8.314 J/(mol K)\n" * 2_000,
    "\x00\ufffd\u202e where \ud7ff is the mass",
    "- $x$: " * 3_000,
)


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:24].strip() for text in HOSTILE])
def test_hostile_text_is_read_in_bearable_time(text: str) -> None:
    document = snippet_document(text)
    find_definitions(document, document_id="d")
    find_constants(document, document_id="d")


WORDS = st.sampled_from(
    "where is the mass of ( ) , ; and with in kg m/s = : $ let be denoted by a I 9.8 × 10 ^ [ ] – respectively".split()
)
PIECES = st.one_of(
    st.lists(WORDS, max_size=8).map(lambda words: Text(" ".join(words) + " ")),
    st.sampled_from(
        ["m", "v_0", "F=ma", "x,y", "g = 9.8\\ \\mathrm{m/s^2}", "{", "\\frac", "\\mathrm{kg}", "", "m = \\text{mass}"]
    ).map(lambda source: Math(source, "latex", Place(line=1), f"${source}$")),
)
CONTENTS = st.lists(PIECES, max_size=10).map(tuple)
BLOCKS = st.one_of(
    CONTENTS.map(lambda content: Paragraph(Place(), "q", content)),
    CONTENTS.map(lambda content: ListItem(Place(), "q", content)),
    CONTENTS.map(lambda content: Heading(Place(), "q", 1, content)),
    st.just(Table(Place(), "q", (), ())),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(BLOCKS, max_size=6))
def test_every_definition_is_complete_and_in_range(blocks: list) -> None:
    document = Document("d", "text/plain", "0" * 64, tuple(blocks))
    for one in find_definitions(document, document_id="d"):
        assert one.name.isidentifier()
        # A sentence may say nothing but the unit: "with T in kelvin".
        assert one.description.strip() or one.unit is not None
        assert 0 <= one.first_block <= one.last_block < len(blocks)
        assert 0 < one.confidence <= 1
        assert one.unit is None or one.dimension is not None
    for constant in find_constants(document, document_id="d"):
        assert constant.value.is_finite()
