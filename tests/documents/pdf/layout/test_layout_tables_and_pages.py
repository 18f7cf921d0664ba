"""Columns of tables, bars of wide fractions, turned pages and pages that are the same, from glyphs set by hand."""

from __future__ import annotations

from dataclasses import replace

from mathrag.documents.pdf.layout.columns import Stretch
from mathrag.documents.pdf.layout.figures import part_rules
from mathrag.documents.pdf.layout.page_drafts import read_page_content
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.layout.rows import find_rows
from mathrag.documents.pdf.layout.table_cells import find_separators
from mathrag.documents.pdf.page_content import Glyph, PageContent, Rule
from mathrag.documents.pdf.whole_document import find_running
from mathrag.types.document import Paragraph, Place, Text, contents_of, plain_text

SIZE = 10.0


def letters(text: str, *, x: float, y: float, size: float = SIZE) -> list[Glyph]:
    """Upright letters of half their size; a space is a third of it."""
    glyphs: list[Glyph] = []
    for character in text:
        if character != " ":
            glyphs.append(Glyph(character, "Font", size, x, y, size / 2, (x, y - 0.6 * size, x + size / 2, y)))
        x += size / 3 if character == " " else size / 2
    return glyphs


def stretch(text: str, *, x: float, y: float, size: float = SIZE) -> Stretch:
    glyphs = letters(text, x=x, y=y, size=size)
    return Stretch((x, y - 0.6 * size, glyphs[-1].box[2], y), y, tuple(glyphs))


def test_no_column_ends_in_the_middle_of_a_formula() -> None:
    glyphs, rules = [], []
    for step in range(6):
        y = 100.0 + 30 * step
        glyphs += [*letters("F=ma", x=50, y=y), *letters("is the force", x=300, y=y)]
    # One long formula with a fraction, whose parts stand on baselines of their own.
    glyphs += [*letters("W=ab+cd=", x=50, y=280), *letters("is the work", x=300, y=280)]
    glyphs += [*letters("QR", x=95, y=273), *letters("ST", x=95, y=287)]
    rules.append(Rule((94, 276.3, 106, 276.7)))
    rows = find_rows(glyphs, rules=rules, body_size=SIZE)
    separators = find_separators(rows, [], (45.0, 80.0, 400.0, 300.0), body_size=SIZE)
    assert len(separators) == 1
    assert 106 < separators[0] < 300


def test_a_wide_rule_with_a_short_numerator_in_its_middle_is_a_bar() -> None:
    bar = Rule((100.0, 99.8, 200.0, 100.2))
    near = [
        stretch("Fm", x=145, y=97),
        stretch("2", x=150, y=108, size=6),
        stretch("abcdefghijklmnopqrs", x=102, y=115),
    ]
    assert part_rules([bar], near, body_size=SIZE)[0] == [bar]
    below = [stretch("one", x=101, y=112), stretch("two", x=184, y=112)]
    assert part_rules([bar], [stretch("Fm", x=145, y=97), *below], body_size=SIZE)[1] == [bar]


def test_a_turned_page_is_read_and_its_places_are_those_of_the_page() -> None:
    upright = [g for i in range(4) for g in letters("some words of a turned text", x=100, y=200 + 14 * i)]
    # Upwards: what is right becomes up.
    turned = tuple(
        replace(g, x=g.y, y=600 - g.x, box=(g.box[1], 600 - g.box[2], g.box[3], 600 - g.box[0]), angle=90)
        for g in upright
    )
    reading = read_page_content(PageContent(1, 500, 600, turned))
    text = " ".join(plain_text(content) for draft in reading.drafts for content in contents_of(draft.block))
    assert text.startswith("some words of a turned text some words")
    box = reading.drafts[0].block.place.box
    assert box is not None
    assert 190 < box[0] < 200
    assert abs(box[3] - 500) < 1
    assert (reading.width, reading.height) == (500, 600)


def test_turned_words_beside_upright_text_are_noted() -> None:
    upright = [g for i in range(12) for g in letters("some words of upright text", x=100, y=200 + 14 * i)]
    turned = [replace(g, angle=90) for g in letters("a" * 80, x=20, y=20)]
    reading = read_page_content(PageContent(1, 500, 600, (*upright, *turned)))
    assert [note.code for note in reading.notes] == ["turned_text"]


def page(number: int, *lines: tuple[str, float]) -> PageReading:
    drafts = tuple(
        Draft("text", Paragraph(Place(page=number), words, (Text(words),)), (50.0, y, 300.0, y + 10), size=10.0)
        for words, y in lines
    )
    return PageReading(number, 400.0, 600.0, drafts=drafts)


def test_pages_that_are_the_same_are_not_taken_for_running_heads() -> None:
    lines = (("A law of motion", 50.0), ("Force is mass times acceleration", 300.0))
    assert find_running([page(1, *lines), page(2, *lines)]) == set()
    heads = [page(1, lines[0], ("One text", 300.0)), page(2, lines[0], ("Another text", 300.0))]
    assert find_running(heads) == {(1, 0), (2, 0)}
