"""Marks before formulas, lines under words, pages of centred formulas and shaded tables, from glyphs set by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mathrag.documents.pdf.layout.columns import Stretch, find_regions
from mathrag.documents.pdf.layout.figures import find_figures, part_rules
from mathrag.documents.pdf.layout.page_drafts import read_page_content
from mathrag.documents.pdf.layout.pieces import PageContext, read_line
from mathrag.documents.pdf.layout.rows import find_rows
from mathrag.documents.pdf.layout.table_cells import cell_content
from mathrag.documents.pdf.page_content import Drawing, Glyph, PageContent, Rule
from mathrag.types.document import Break, ListItem, Math, formulas_of

SIZE = 10.0
_CONTEXT = PageContext(1, SIZE)


def letters(text: str, *, x: float = 50.0, y: float = 100.0, size: float = SIZE, italic: bool = True) -> list[Glyph]:
    """Letters of half their size, italic ones of a font for formulas; a space is a third of it."""
    glyphs: list[Glyph] = []
    for character in text:
        if character != " ":
            is_symbol = italic and character.isalpha()
            glyphs.append(
                Glyph(
                    character, "Font", size, x, y, size / 2, (x, y - 0.6 * size, x + size / 2, y),
                    style="italic" if is_symbol else "upright", is_math_font=is_symbol,
                )
            )  # fmt: skip
        x += size / 3 if character == " " else size / 2
    return glyphs


def stretch(text: str, *, x: float = 50.0, y: float = 100.0, size: float = SIZE) -> Stretch:
    glyphs = letters(text, x=x, y=y, size=size, italic=False)
    return Stretch((x, y - 0.6 * size, glyphs[-1].box[2], y), y, tuple(glyphs))


def prose(lines: int, *, y: float) -> list[Glyph]:
    return [
        glyph
        for step in range(lines)
        for glyph in letters("some words that fill a row of the page to its end", y=y + 12 * step, italic=False)
    ]


def items_of(glyphs: list[Glyph]) -> list[tuple[str, list[str]]]:
    page = PageContent(1, 400.0, 500.0, tuple(glyphs))
    blocks = [draft.block for draft in read_page_content(page).drafts]
    return [
        (block.marker, [math.source for math in formulas_of(block)]) for block in blocks if isinstance(block, ListItem)
    ]


@pytest.mark.parametrize("mark", ["•", "‣", "–", "-"])
def test_a_mark_before_a_formula_is_no_part_of_it(mark: str) -> None:
    rows = [*letters(mark, y=150, italic=False), *letters("a=bc", x=60, y=150)]
    assert items_of([*prose(4, y=80), *rows]) == [(mark, ["a=bc"])]


def test_a_minus_that_touches_what_follows_is_no_mark() -> None:
    minus = replace(letters("−", y=150)[0], is_math_font=True)
    assert items_of([*prose(4, y=80), minus, *letters("a=bc", x=56, y=150)]) == []


def test_a_line_under_words_that_go_on_beside_it_is_no_bar() -> None:
    underline = Rule((66.0, 101.2, 84.0, 101.6))
    assert part_rules([underline], [stretch("see part nine of it")], body_size=SIZE) == ([], [], [])


def test_a_line_under_a_title_is_no_bar_but_one_with_a_row_close_below_is() -> None:
    title, line = stretch("Heat and work"), Rule((50.0, 101.0, 114.0, 101.5))
    assert part_rules([line], [title, stretch("Heat", y=118)], body_size=SIZE)[0] == []
    fraction = [stretch("distance"), stretch("time", x=60, y=110)]
    bar = Rule((50.0, 102.2, 90.0, 102.6))
    assert part_rules([bar], fraction, body_size=SIZE)[0] == [bar]


def test_the_bar_of_a_root_below_a_row_is_no_underline() -> None:
    root = Glyph("√", "Font", SIZE, 60.0, 112.0, 6.0, (60.0, 102.0, 66.0, 112.0), is_math_font=True)
    bar = Rule((66.0, 102.0, 80.0, 102.4))
    near = [stretch("words of the row above"), Stretch(root.box, 112.0, (root,)), stretch("ab", x=67, y=112)]
    assert part_rules([bar], near, body_size=SIZE)[0] == [bar]


def test_centred_formulas_between_short_rows_are_no_column() -> None:
    short = [stretch("where it is so", y=100 + 40 * step) for step in range(8)]
    lengths = [8, 13, 20, 11, 17, 9, 15, 22]
    centred = [stretch("a" * length, x=250 - 2.5 * length, y=120 + 40 * step) for step, length in enumerate(lengths)]
    head = [stretch("a head over all", x=380, y=60), stretch("b" * 70, x=50, y=75)]
    assert len(find_regions([*head, *short, *centred], body_size=SIZE)) == 1


def test_rows_that_share_an_edge_are_a_column() -> None:
    lengths = [20, 24, 16, 22, 12, 24, 18, 23]
    left = [stretch("a" * length, x=50, y=100 + 12 * step) for step, length in enumerate(lengths)]
    right = [stretch("b" * length, x=240, y=105 + 12 * step) for step, length in enumerate(reversed(lengths))]
    assert len(find_regions([*left, *right], body_size=SIZE)) == 2


def test_a_page_number_in_the_gutter_hides_no_columns() -> None:
    left = [stretch("a" * 38, x=50, y=100 + 12 * step, size=10) for step in range(30)]
    labels = [stretch(f"[{step}]", x=252, y=103 + 12 * step, size=8) for step in range(1, 25)]
    entries = [stretch("b" * 42, x=275, y=103 + 12 * step, size=8) for step in range(1, 25)]
    regions = find_regions([*left, *labels, *entries, stretch("12", x=241, y=600)], body_size=SIZE)
    assert [len(region.stretches) for region in regions] == [30, 48, 1]


def test_prose_beside_smaller_rows_is_no_title_over_them() -> None:
    left = [stretch("a" * 38, x=50, y=100 + 12 * step, size=10) for step in range(30)]
    right = [stretch("b" * 47, x=252, y=100 + 12 * step, size=8) for step in range(30)]
    assert [len(region.stretches) for region in find_regions([*left, *right], body_size=8)] == [30, 30]


def test_lists_whose_every_second_row_is_short_are_columns_on_common_baselines() -> None:
    lengths = [50, 20, 50, 12, 50, 30, 22, 50, 28, 50]
    left = [stretch("a" * length, x=50, y=100 + 12 * step, size=10) for step, length in enumerate(lengths)]
    right = [stretch("b" * length, x=320, y=100 + 12 * step, size=10) for step, length in enumerate(lengths[::-1])]
    assert len(find_regions([*left, *right], body_size=SIZE)) == 2


def test_shaded_cells_between_borders_are_no_figure() -> None:
    borders = [Rule((50.0, y, 250.0, y + 0.5)) for y in (100.0, 120.0, 140.0, 160.0)]
    sides = [Rule((x, 100.5, x + 0.5, 160.0)) for x in (50.0, 150.0, 250.0)]
    grounds = [Drawing((x, 100.5, x + 99.5, 120.0), is_filled=True) for x in (50.5, 150.5)]
    corners = [Drawing((x, y, x + 0.5, y + 0.5), is_filled=True) for x in (50.0, 150.0, 250.0) for y in (100.0, 120.0)]
    words = [stretch("name", x=60 + 100 * column, y=115 + 20 * row) for column in (0, 1) for row in (0, 1, 2)]
    page = PageContent(1, 400.0, 500.0, (), (*borders, *sides), (*grounds, *corners))
    assert find_figures(page, [*borders, *sides], words, body_size=SIZE) == []


def test_a_base_farther_from_the_bar_than_its_index_is_in_the_fraction() -> None:
    numerator = [*letters("m", x=60, y=90), *letters("1", x=65, y=94.6, size=6)]
    rows = find_rows(
        [*letters("a=", x=45), *numerator, *letters("bc", x=60, y=110)], rules=[Rule((59, 97.3, 71, 97.7))],
        body_size=SIZE,
    )  # fmt: skip
    assert len(rows) == 1
    (math,) = (piece for piece in read_line(rows[0], _CONTEXT).content if isinstance(piece, Math))
    assert math.source == "a=\\frac{m_{1}}{bc}"


def test_an_exponent_set_behind_an_index_belongs_to_the_same_base() -> None:
    glyphs = [*letters("v"), *letters("p", x=55, y=103, size=7), *letters("2", x=59.5, y=94, size=7)]
    rows = find_rows([*glyphs, *letters("=ab", x=66)], body_size=SIZE)
    assert len(rows) == 1


def test_a_formula_of_a_cell_goes_on_with_an_operator_in_the_next_row() -> None:
    rows = find_rows([*letters("a=bc"), *letters("*d", y=115)], body_size=SIZE)
    content = cell_content(rows, _CONTEXT, vocabulary=())
    assert [piece.source for piece in content if isinstance(piece, Math)] == ["a=bc * d"]
    apart = cell_content(find_rows([*letters("a=bc"), *letters("d=e", y=115)], body_size=SIZE), _CONTEXT, vocabulary=())
    assert any(isinstance(piece, Break) for piece in apart)


def test_white_behind_a_decimal_sign_does_not_end_a_formula() -> None:
    glyphs = [replace(glyph, is_math_font=True) for glyph in letters("a=2. 5b")]
    (row,) = find_rows(glyphs, body_size=SIZE)
    assert [piece.source for piece in read_line(row, _CONTEXT).content if isinstance(piece, Math)] == ["a=2.5b"]
