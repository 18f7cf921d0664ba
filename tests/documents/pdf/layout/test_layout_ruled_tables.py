"""Tables as journals print them: few rules, captions and notes between them, groups of columns; from glyphs set by
hand."""

from __future__ import annotations

from dataclasses import replace

from hand_set_glyphs import SIZE, letters, ruled, stretch, tables_of
from mathrag.documents.pdf.layout.columns import find_regions
from mathrag.documents.pdf.layout.figures import part_rules
from mathrag.documents.pdf.layout.page_drafts import read_page_content
from mathrag.documents.pdf.layout.rows import place_items, with_pens
from mathrag.documents.pdf.page_content import Glyph, PageContent, Rule
from mathrag.types.document import Table, plain_text

NUMBERS = ("1.25", "3.50", "7.75")


def _row(name: str, cells: tuple[str, ...], *, y: float, at: tuple[float, ...]) -> list[Glyph]:
    return [*letters(name, x=55, y=y), *(g for x, cell in zip(at, cells, strict=True) for g in letters(cell, x=x, y=y))]


def _bold(glyphs: list[Glyph], font: str = "Font") -> list[Glyph]:
    return [replace(glyph, is_bold=True, font=font) for glyph in glyphs]


def test_a_rule_that_a_line_crosses_is_no_bar_and_the_line_says_how_far_the_table_reaches() -> None:
    at = (160.0, 200.0, 240.0)
    glyphs = _row("", ("Sun", "Ice", "Fog"), y=108, at=at)
    for step, name in enumerate(("Alder", "Birch", "Maple")):
        glyphs += _row(name, NUMBERS, y=122 + 12 * step, at=at)
    rules = ruled((50, 111, 270, 111.4), (145, 98, 145.4, 150))
    bars, borders, _ = part_rules(rules, [stretch("Alder", x=55, y=122)], body_size=SIZE)
    assert not bars
    assert len(borders) == 1
    (rows,) = tables_of(glyphs, rules)
    assert rows == [["", "Sun", "Ice", "Fog"], *([name, *NUMBERS] for name in ("Alder", "Birch", "Maple"))]


def test_titles_as_near_as_words_go_to_the_columns_they_are_centred_over() -> None:
    glyphs = [*letters("Sunlit Frozen Foggy", x=155, y=108)]
    for step, name in enumerate(("Alder", "Birch", "Maple")):
        glyphs += _row(name, NUMBERS, y=122 + 12 * step, at=(160.0, 193.0, 226.0))
    (rows,) = tables_of(glyphs, ruled((50, 111, 270, 111.4), (145, 98, 145.4, 150)))
    assert rows[0] == ["", "Sunlit", "Frozen", "Foggy"]


def test_a_caption_between_rules_and_notes_below_are_no_rows() -> None:
    at = (160.0, 220.0, 280.0)
    notes = "Sun is the light that falls on all of the leaves from above"
    glyphs = [*letters("TABLE 2 | What the trees of the valley were given", x=50, y=110)]
    glyphs += _bold(_row("Tree", ("Sun", "Ice", "Fog"), y=128, at=at))
    for step, name in enumerate(("alder", "birch", "maple")):
        glyphs += _row(name, NUMBERS, y=144 + 12 * step, at=at)
    glyphs += [*letters(notes, x=50, y=186), *letters("and of the ice in winter", x=50, y=198)]
    lines = ruled(*((50, y, 345, y + 0.4) for y in (98, 115, 133, 175, 205)))
    (rows,) = tables_of(glyphs, lines)
    assert rows == [["Tree", "Sun", "Ice", "Fog"], *([name, *NUMBERS] for name in ("alder", "birch", "maple"))]


def test_a_title_over_a_short_rule_spans_the_columns_of_the_rule() -> None:
    at = (130.0, 180.0, 230.0, 280.0)
    glyphs = [*letters("Wet", x=155, y=110), *letters("Dry", x=255, y=110)]
    glyphs += _row("", ("Low", "Top", "Low", "Top"), y=126, at=at)
    for step, name in enumerate(("Alder", "Birch", "Maple", "Larch")):
        glyphs += _row(name, ("1.25", "2.50", "3.75", "4.00"), y=144 + 12 * step, at=at)
    lines = (
        (50, 98, 310, 99),
        (125, 114, 205, 114.3),
        (225, 114, 305, 114.3),
        (50, 131, 310, 131.5),
        (50, 190, 310, 191),
    )
    prose = [g for i in range(8) for g in letters("some words of a text that goes on below", x=50, y=500 + 14 * i)]
    reading = read_page_content(PageContent(1, 500, 700, (*glyphs, *prose), ruled(*lines)))
    (table,) = [draft.block for draft in reading.drafts if isinstance(draft.block, Table)]
    spans = [(plain_text(cell.content), cell.columns) for cell in table.header[0]]
    assert spans == [("", 1), ("Wet", 2), ("Dry", 2)]
    assert [plain_text(cell.content) for cell in table.rows[0]] == ["Alder", "1.25", "2.50", "3.75", "4.00"]


def test_labels_in_small_letters_begin_rows_where_numbers_stand_beside_them() -> None:
    glyphs = _bold([*letters("Kind", x=55, y=112), *letters("Yield", x=230, y=112)])
    for step, name in enumerate(("wood of old trees", "wood of new trees", "wood of no trees")):
        glyphs += [*letters(name, x=55, y=130 + 12 * step), *letters(f"{step}.50", x=230, y=130 + 12 * step)]
    (rows,) = tables_of(glyphs, ruled((50, 99, 280, 100), (50, 117, 280, 117.4), (50, 160, 280, 161)))
    assert [row[1] for row in rows] == ["Yield", "0.50", "1.50", "2.50"]


def test_two_columns_of_prose_between_the_rules_of_a_page_are_no_table() -> None:
    line = "the leaves of a tree turn to the light"
    glyphs = [g for i in range(12) for x in (50, 270) for g in letters(line, x=x, y=80 + 14 * i)]
    assert not tables_of(glyphs, ruled((50, 60, 450, 60.4), (50, 270, 450, 270.4)))


def test_columns_are_found_below_wide_tables_with_captions() -> None:
    whole = "a caption that runs over both of the columns of the page and says what there is to see in it"
    line = "the leaves of a tree turn to the light"
    objects = [
        replace(stretch("x", x=50, y=60 + 60 * i), box=(50, 40 + 60 * i, 480, 70 + 60 * i), object=i) for i in range(3)
    ]
    captions = [stretch(whole, x=50, y=80 + 60 * i + 10 * j) for i in range(3) for j in range(2)]
    rows = [stretch(line, x=x, y=300 + 14 * i) for i in range(10) for x in (50, 280)]
    regions = find_regions([*objects, *captions, *rows], body_size=SIZE)
    assert any(region.box[0] > 270 and len(region.stretches) == 10 for region in regions)


def test_lines_of_a_plot_are_no_table() -> None:
    glyphs = [g for i in range(4) for g in letters("curve", x=270, y=110 + 20 * i)]
    lines = [(50, 98 + 20 * i, 350, 98.4 + 20 * i) for i in range(5)]
    ticks = [(x, 98, x + 0.3, 178) for x in (90, 130, 170, 210, 250)]
    assert not tables_of(glyphs, ruled(*lines, *ticks))


def test_the_hook_of_an_f_hides_no_blank() -> None:
    inside = letters("ofo", x=50, y=100)
    word = letters("of air", x=90, y=100)
    hooked = [
        replace(g, advance=7.0, box=(*g.box[:2], g.x + 7.0, g.box[3])) if g.text == "f" else g for g in (*inside, *word)
    ]
    gaps = {item.glyph.x: item.gap for item in place_items((glyph, False) for glyph in with_pens(hooked))}
    assert gaps[word[2].x] > 0.3
    assert gaps[inside[2].x] < 0.01


def test_a_ring_behind_a_number_is_the_sign_of_degrees() -> None:
    glyphs = letters("20xC or Ax", x=50, y=100)
    ring = replace(glyphs[2], text="\u030a")
    over = replace(glyphs[-1], text="\u030a", x=glyphs[-2].x, box=glyphs[-2].box)
    page = PageContent(1, 500, 700, (*glyphs[:2], ring, *glyphs[3:-1], over))
    (draft,) = read_page_content(page).drafts
    assert draft.block.quote.startswith("20°C or")
    assert "°" not in draft.block.quote[4:]


def test_bold_rows_in_fonts_of_their_own_are_headings_of_their_own() -> None:
    above = _bold(letters("Ways and means", x=50, y=100), "Sans-Bold")
    below = _bold(letters("Where we were", x=50, y=113), "Serif-Bold")
    rest = [g for i in range(6) for g in letters("some words of a text that goes on below", x=50, y=126 + 13 * i)]
    rules: tuple[Rule, ...] = ()
    drafts = read_page_content(PageContent(1, 500, 700, (*above, *below, *rest), rules)).drafts
    assert [draft.font for draft in drafts[:2]] == ["Sans-Bold", "Serif-Bold"]
