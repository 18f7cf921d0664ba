"""Random and absurd pages: the reader never raises, loses no ink in silence and stays within its time."""

from __future__ import annotations

import pytest
from formula_ink import EM, bar, sign
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.pdf.formulas import read_display, read_inline
from mathrag.documents.pdf.formulas.formula_items import Ledger, ink_of
from mathrag.documents.pdf.formulas.line_layout import RegionReader
from mathrag.documents.pdf.formulas.thresholds import MOST_GLYPHS
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule

TEXTS = st.sampled_from(
    [*"aexXΔπ012.,=+−∑∫√()[]{}|⟨⟩⎛⎜⎝⎧⎨⎩⎪→∣′°²∂", "lim", "", "\u0302", "\u0338", "⏞", "⏟", "fi", "?"]
)
PLACES = st.one_of(st.floats(0, 120), st.sampled_from([0.0, 10.0, 20.0, 50.0]))
ANY = st.floats(allow_nan=True, allow_infinity=True)


@st.composite
def glyphs(draw: st.DrawFn) -> Glyph:
    size = draw(st.sampled_from([5.0, 7.0, 10.0, 12.0]))
    text = draw(TEXTS)
    height = draw(st.sampled_from([0.5, 0.7, 1.0, 2.5]))
    style = draw(st.sampled_from(["italic", "upright", "script"]))
    return sign(
        text, draw(PLACES), draw(PLACES), size=size, style=style, width=draw(st.floats(0, 2)), top=height,
        bottom=draw(st.floats(-0.3, 1)),
    )  # fmt: skip


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    left, width = draw(PLACES), draw(st.floats(0, 80))
    if draw(st.booleans()):
        return bar(left, left + width, draw(PLACES))
    top = draw(PLACES)
    return Rule((left, top, left + 0.4, top + width))


@st.composite
def drawings(draw: st.DrawFn) -> Drawing:
    left, top = draw(PLACES), draw(PLACES)
    text = draw(st.sampled_from(["√", "", "(", "⏞"]))
    return Drawing((left, top, left + draw(PLACES), top + draw(PLACES)), text=text)


@settings(max_examples=150, deadline=None)
@given(st.lists(glyphs(), max_size=40), st.lists(rules(), max_size=8), st.lists(drawings(), max_size=3))
def test_random_ink_is_read_without_loss(ink: list[Glyph], lines: list[Rule], shapes: list[Drawing]) -> None:
    inline = read_inline(ink, lines, shapes, body_size=EM)
    for reading in (inline, *read_display(ink, lines, shapes, body_size=EM)):
        assert 0.0 <= reading.confidence <= 1.0
        assert "{}{}{}" not in reading.latex
    reader = RegionReader(Ledger())
    items = reader.items(ink, lines, shapes, size=EM)
    merged = len(lines) - ink_of(items) - reader.ledger.ink + len(ink) + len(shapes)
    # Lines drawn twice are one; nothing else may disappear or be counted twice.
    assert merged == 0 or "not every sign of the region was used once" in inline.doubts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(ANY, ANY, ANY, ANY, ANY, ANY, ANY), max_size=8))
def test_absurd_numbers_are_survived(places: list[tuple[float, ...]]) -> None:
    ink = [Glyph("x", "F", place[0], place[1], place[2], place[3], place[3:]) for place in places]  # type: ignore[arg-type]
    lines = [Rule(place[:4]) for place in places]  # type: ignore[arg-type]
    read_inline(ink, lines, body_size=EM)
    read_display(ink, lines, body_size=EM)


def test_nothing_gives_nothing() -> None:
    assert read_display([], body_size=EM) == ()
    assert read_inline([], body_size=EM).confidence == 0.0


def test_too_much_ink_is_refused_at_once() -> None:
    ink = [sign("x", number % 100 * 6, number // 100 * 14) for number in range(MOST_GLYPHS + 1)]
    (reading,) = read_display(ink, body_size=EM)
    assert (reading.latex, reading.confidence) == ("", 0.0)


@pytest.mark.slow
def test_the_most_ink_is_read_in_bounded_time() -> None:
    row = [sign("(" if number % 2 else ")", number * 3.0, width=0.3) for number in range(MOST_GLYPHS)]
    read_display(row, [], body_size=EM)
    grid = [sign("x", number % 60 * 6, number // 60 * 13) for number in range(MOST_GLYPHS)]
    read_display(grid, [], body_size=EM)


def test_towers_of_fractions_and_scripts_end() -> None:
    lines = [bar(100 - number, 100 + number, 100 + 3.0 * number) for number in range(1, 200)]
    ink = [sign("a", 98, 99 + 3.0 * number, size=2.5) for number in range(200)]
    read_display(ink, lines, body_size=EM)
    stairs = [sign("x", 5.0 * number, 100 - 4.0 * number, size=10 * 0.72 ** min(number, 12)) for number in range(200)]
    read_display(stairs, [], body_size=EM)


def test_a_heap_of_tall_brackets_is_given_up_soon() -> None:
    heap = [sign("([|])}{"[number % 7], number * 7 % 500, number * 13 % 100, top=3.0) for number in range(MOST_GLYPHS)]
    read_display(heap, [], body_size=EM)
