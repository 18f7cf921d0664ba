"""Columns of tables, bars of wide fractions, turned pages and pages that are the same, from glyphs set by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hand_set_glyphs import SIZE, letters, ruled, stretch, tables_of
from mathrag.documents.pdf.layout.figures import part_rules
from mathrag.documents.pdf.layout.page_drafts import read_page_content
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.layout.rows import find_rows
from mathrag.documents.pdf.layout.table_cells import find_separators
from mathrag.documents.pdf.page_content import Glyph, PageContent, Rule
from mathrag.documents.pdf.whole_document import find_running
from mathrag.types.document import Paragraph, Place, Text, contents_of, plain_text


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


def grouped(start: float) -> list[Glyph]:
    glyphs: list[Glyph] = []
    for step, name in enumerate(("Red", "Blue", "Green", "Grey")):
        y = start + 16 * step
        glyphs += letters(name, x=55, y=y)
        for column in range(4):
            glyphs += letters(f"{step}{column}.5", x=130 + 60 * column, y=y)
    return glyphs


def test_numbers_between_two_vertical_borders_stand_in_columns() -> None:
    head = [g for column in range(4) for g in letters("Pull", x=130 + 60 * column, y=112)]
    rules = ruled(
        (50, 99, 380, 100), (50, 117, 380, 117.5), (50, 190, 380, 191), (235, 100, 235.4, 190)
    )  # fmt: skip
    (rows,) = tables_of([*head, *grouped(130)], rules)
    assert rows[1] == ["Red", "00.5", "01.5", "02.5", "03.5"]
    assert rows[0] == ["", "Pull", "Pull", "Pull", "Pull"]


def test_a_border_that_leaves_the_first_column_free_ends_the_header() -> None:
    head = [*letters("Kite", x=55, y=112), *[g for c in range(4) for g in letters("Lift", x=130 + 60 * c, y=112)]]
    rules = ruled((50, 99, 380, 100), (120, 117, 380, 117.5), (50, 190, 380, 191))
    (rows,) = tables_of([*head, *grouped(130)], rules)
    assert rows[0] == ["Kite", "Lift", "Lift", "Lift", "Lift"]
    assert len(rows) == 5


def test_titles_of_one_and_of_two_rows_make_one_header() -> None:
    head = [*letters("Kite", x=55, y=112)]
    head += [*letters("Pull", x=130, y=112), *letters("Own", x=190, y=107), *letters("lift", x=190, y=118)]
    head += [*letters("Drag", x=250, y=112), *letters("Side", x=310, y=107), *letters("wind", x=310, y=118)]
    rules = ruled((50, 95, 380, 96), (50, 122, 380, 122.4), (50, 195, 380, 196))
    (rows,) = tables_of([*head, *grouped(135)], rules)
    assert rows[0] == ["Kite", "Pull", "Own lift", "Drag", "Side wind"]


@pytest.mark.parametrize("label", ["Table 3", "Table B.2", "Fig. 4", "TABLE IV."])
def test_the_number_of_a_table_at_the_top_of_pages_is_no_running_head(label: str) -> None:
    pages = [page(number, (label, 50.0), (f"text {number}", 300.0)) for number in (1, 2, 3)]
    assert find_running(pages) == set()


def lines_of(*rows: str, xs: tuple[float, ...], y: float = 100.0, step: float = 12.0) -> list[Glyph]:
    """Rows of cells that begin at the same places."""
    return [
        glyph
        for number, row in enumerate(rows)
        for text, x in zip(row.split("|"), xs, strict=True)
        if text.strip()
        for glyph in letters(text.strip(), x=x, y=y + step * number)
    ]


def test_rows_between_borders_that_stand_only_between_groups_are_told_apart() -> None:
    xs = (60.0, 200.0, 300.0)
    body = [f"{kite} {maker} | {number}.5 | .{number}" for number, kite in enumerate("ABC", 1) for maker in ("x", "y")]
    glyphs = lines_of("kite | height | speed", *body, xs=xs)
    rules = ruled(*((50.0, y, 400.0, y + 0.5) for y in (90.0, 103.0, 127.0, 151.0, 175.0)))
    (found,) = tables_of(glyphs, rules)
    assert found[1:3] == [["A x", "1.5", ".1"], ["A y", "1.5", ".1"]]
    assert len(found) == 7


def test_names_of_two_rows_beside_one_number_stay_one_row() -> None:
    xs = (60.0, 200.0, 300.0)
    body = [line for number in (1, 2, 3) for line in (f"kite {number} | {number}.5 | .{number}", "of Orr | |")]
    glyphs = lines_of("kite | height | speed", *body, xs=xs)
    rules = ruled(*((50.0, y, 400.0, y + 0.5) for y in (90.0, 103.0, 127.0, 151.0, 175.0)))
    (found,) = tables_of(glyphs, rules)
    assert found[1] == ["kite 1 of Orr", "1.5", ".1"]


def test_a_label_beside_several_rows_between_borders_stands_in_each() -> None:
    xs = (60.0, 150.0, 250.0, 330.0)
    rows = ("sail | Plain | 4 | 16", "| Striped | 9 | 36", "tail | Long | 5 | 20", "| Short | 8 | 32")
    glyphs = lines_of("part | form | number | share", *rows, "line | Steel | 3 | 12", "| Silk | 7 | 28", xs=xs)
    rules = ruled(*((50.0, y, 400.0, y + 0.5) for y in (90.0, 103.0, 127.0, 151.0, 175.0)))
    (found,) = tables_of(glyphs, rules)
    assert found[1:3] == [["sail", "Plain", "4", "16"], ["sail", "Striped", "9", "36"]]
    assert len(found) == 7


def test_a_name_over_two_lines_with_what_its_number_is_off_by_stays_one_row() -> None:
    xs = (60.0, 150.0, 250.0, 330.0)
    rows = [line for part in "abc" for line in (f"{part} | Long | 4.1 | 16", "| and thin | (0.2) | (1)")]
    glyphs = lines_of("part | form | height | share", *rows, xs=xs)
    rules = ruled(*((50.0, y, 400.0, y + 0.5) for y in (90.0, 103.0, 127.0, 151.0, 175.0)))
    (found,) = tables_of(glyphs, rules)
    assert found[1] == ["a", "Long and thin", "4.1 (0.2)", "16 (1)"]


def test_labels_without_a_title_are_a_column_though_the_white_behind_them_is_narrow() -> None:
    rows = find_rows(
        lines_of("height | 1.5 | 2.5", "speed s | 22.4 | 3.5", "pull | 7.1 | 4.5", xs=(50.0, 98.0, 200.0)),
        rules=[], body_size=SIZE,
    )  # fmt: skip
    heads = [stretch("red", x=98, y=85), stretch("blue", x=200, y=85)]
    separators = find_separators(rows, heads, (45.0, 70.0, 300.0, 140.0), body_size=SIZE)
    assert len(separators) == 2
    assert separators[0] < 98


def test_a_title_over_groups_hides_no_column_and_none_is_cut() -> None:
    xs = (50.0, 120.0, 170.0, 260.0, 310.0)
    body = [f"kite {name} | 1.5 | 2.5 | 3.5 | 4.5" for name in "abcd"]
    glyphs = [*letters("summer and autumn", x=120, y=88), *letters("winter and spring", x=260, y=88)]
    rows = find_rows([*glyphs, *lines_of("| pull | speed | pull | speed", *body, xs=xs)], rules=[], body_size=SIZE)
    separators = find_separators(rows, [], (45.0, 70.0, 400.0, 160.0), body_size=SIZE)
    assert len(separators) == 4


def test_words_behind_numbers_are_a_column_and_units_are_none() -> None:
    sides = ruled((50.0, 90.0, 50.5, 152.0), (130.0, 90.0, 130.5, 152.0), (330.0, 90.0, 330.5, 152.0))
    edges = ruled((50.0, 90.0, 330.0, 90.5), (50.0, 104.0, 330.0, 104.5), (50.0, 152.0, 330.0, 152.5))
    xs = (60.0, 140.0, 230.0)
    glyphs = lines_of("kite | pulls | colour", "A | 1,200 | yellow", "B | 2,400 | crimson", "C | 3,100 | purple", xs=xs)
    (found,) = tables_of(glyphs, (*sides, *edges))
    assert found[1] == ["A", "1,200", "yellow"]
