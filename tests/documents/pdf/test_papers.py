"""What a paper says of itself, its headings, floats and references, from drafts and rows as pages give them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mathrag.documents.pdf.bibliography import take_references
from mathrag.documents.pdf.floats import place_floats
from mathrag.documents.pdf.front_matter import FrontMatter, read_front
from mathrag.documents.pdf.layout.front_rows import MARK, FrontRow
from mathrag.documents.pdf.layout.page_record import Draft, PageReading
from mathrag.documents.pdf.numbered_headings import numbered_headings
from mathrag.documents.pdf.raw import PdfMetadata
from mathrag.documents.pdf.spread_rows import split_spread
from mathrag.documents.pdf.whole_document import look_of, rank_looks
from mathrag.types.document import Display, Image, ListItem, Math, Paragraph, Place, Reference, Table, Text

PROSE = "Tides rise and fall as the moon goes round, and boats that lie at anchor rise and fall with them all day long."


def _row(top: float, *texts: str, size: float = 10.0, is_bold: bool = False, is_italic: bool = False) -> FrontRow:
    parts = tuple((100.0 + 150 * number, 200.0 + 150 * number, text) for number, text in enumerate(texts))
    return FrontRow(parts, top, top + size, size, is_bold, is_italic)


def _front(*rows: FrontRow, metadata: PdfMetadata | None = None) -> FrontMatter:
    page = PageReading(1, 600.0, 800.0, front=rows)
    return read_front(page, metadata or PdfMetadata(), name="tides.pdf", body_size=10.0)


def _text(text: str, top: float, *, page: int = 1, left: float = 50.0, right: float = 290.0, **others: object) -> Draft:
    rows = text.count("\n") + 1
    box = (left, top, right, top + 12.0 * rows)
    block = Paragraph(Place(page=page, box=box), text, (Text(text.replace("\n", " ")),))
    values: dict[str, object] = {"size": 10.0, "rows": rows, "edges": (50.0, 290.0), "starts": (left,) * rows}
    return Draft("text", block, box, **{**values, **others})  # type: ignore[arg-type]


def _prose(top: float, **others: object) -> Draft:
    return _text("\n".join([PROSE] * 4), top, **others)  # type: ignore[arg-type]


TITLE = (_row(80, "On Tides and the Boats that", size=17.0), _row(100, "Lie at Anchor", size=17.0))
ABSTRACT = _row(300, "Abstract", is_bold=True)


def test_a_title_has_as_many_rows_as_its_type_and_names_stand_below_it() -> None:
    names = _row(150, f"Ada Lindqvist{MARK}, Bruno de Carvalho{MARK}{MARK} and", is_bold=True)
    more = _row(165, f"J.-P. O'Neill{MARK}", is_bold=True)
    where = _row(180, f"{MARK}Institute of Tides, {MARK}Harbour University")
    found = _front(*TITLE, names, more, where, _row(195, "ada@tides.example"), ABSTRACT)
    assert found.title == "On Tides and the Boats that Lie at Anchor"
    assert found.authors == ("Ada Lindqvist", "Bruno de Carvalho", "J.-P. O'Neill")


def test_names_that_the_file_spells_in_codes_are_as_printed_and_badges_are_no_letters() -> None:
    names = _row(150, f"Ada LindqvistID{MARK}, Øyvind Bjørnsen{MARK}, Émile Roux{MARK}", is_bold=True)
    told = PdfMetadata(authors=("Ada Lindqvist", "#_#x00D8", "yvind Bj#x00F8", "rnsen", "Émile Roux"))
    assert _front(*TITLE, names, ABSTRACT, metadata=told).authors == ("Ada Lindqvist", "Øyvind Bjørnsen", "Émile Roux")


def test_headings_in_capitals_stand_above_others_of_their_size() -> None:
    texts = ("WHAT WAS DONE", "Boats", "Ropes", "WHAT CAME OUT", "Tides")
    drafts = [_text(text, 100.0, size=12.0, is_bold=True) for text in texts]
    levels = rank_looks(drafts, first=2)
    assert [levels[look_of(draft)] for draft in drafts] == [2, 3, 3, 2, 3]
    fonts = [_text(text, 100.0, size=12.0, is_bold=True, font=font) for text, font in (
        ("Ways", "Sans-Bold"), ("Boats", "Serif-Bold"), ("Ropes", "Serif-Bold"), ("Results", "Sans-Bold"),
    )]  # fmt: skip
    levels = rank_looks(fonts, first=2)
    assert [levels[look_of(draft)] for draft in fonts] == [2, 3, 3, 2]


def test_a_title_with_wide_rows_goes_on_above_names_in_another_type() -> None:
    rows = (_row(80, "On Tides and the Boats of", size=17.0), _row(122, "Norwegian Harbours", size=17.0))
    found = _front(*rows, _row(200, "Ada Lindqvist", is_bold=True), ABSTRACT)
    assert (found.title, found.authors) == ("On Tides and the Boats of Norwegian Harbours", ("Ada Lindqvist",))
    found = _front(rows[0], _row(122, "Ada Lindqvist", size=17.0), _row(200, "Harbour University"), ABSTRACT)
    assert (found.title, found.authors) == ("On Tides and the Boats of", ("Ada Lindqvist",))


@pytest.mark.parametrize("kind", ["Research Article", "REVIEW ARTICLE", "Letter"])
def test_what_kind_of_text_it_is_stands_above_the_title_and_is_none(kind: str) -> None:
    names = _row(150, "Ada Lindqvist and Bruno Carvalho")
    found = _front(_row(50, kind, size=20.0, is_italic=True), *TITLE, names, ABSTRACT)
    assert found.title == "On Tides and the Boats that Lie at Anchor"


def test_a_title_in_the_type_of_the_text_is_what_stands_right_above_several_names() -> None:
    rows = (
        _row(40, "Draft version March 3, 2021"),
        _row(100, "Boats at Anchor Rise"),
        _row(112, "with the Spring Tide"),
        _row(150, "A. B. LINDQVIST, J. CARVALHO, AND M. O'NEILL"),
    )
    found = _front(*rows, ABSTRACT)
    assert found.title == "Boats at Anchor Rise with the Spring Tide"
    assert len(found.authors) == 3


def test_names_beside_each_other_are_parted_by_white_and_addresses_are_no_names() -> None:
    rows = (
        _row(150, "Ada Lindqvist", "Bruno Carvalho", size=11.0),
        _row(165, "Department of Tides", "Faculty of Boats", is_italic=True),
        _row(180, "Old Harbour, Norway", "New Harbour, Norway"),
    )
    assert _front(*TITLE, *rows, ABSTRACT).authors == ("Ada Lindqvist", "Bruno Carvalho")


@pytest.mark.parametrize("line", ["Anonymous submission", "Draft of May 2021", "Harbour University", "Tides"])
def test_what_is_no_name_is_no_author(line: str) -> None:
    assert _front(*TITLE, _row(150, line), ABSTRACT).authors == ()


def test_the_file_is_believed_where_the_page_bears_it_out() -> None:
    names = _row(150, "Ada Lindqvist and Bruno Carvalho")
    told = PdfMetadata("On tides and the boats that lie at anchor", ("Ada Lindqvist", "Bruno Carvalho"))
    assert _front(*TITLE, names, ABSTRACT, metadata=told).authors == told.authors
    wrong = PdfMetadata("", ("user {1}", "Somebody"))
    assert _front(*TITLE, names, ABSTRACT, metadata=wrong).authors == ("Ada Lindqvist", "Bruno Carvalho")


def test_a_year_is_that_of_the_publication() -> None:
    names = _row(150, "Ada Lindqvist and Bruno Carvalho")
    steps = _row(180, "Received: 3 May 2017", size=8.0)
    assert _front(*TITLE, names, steps, ABSTRACT).year is None
    published = _row(600, "Published: 9 March 2018", size=8.0)
    assert _front(*TITLE, names, steps, ABSTRACT, published).year == 2018
    both = _row(180, "Received 3 May 2017; accepted 1 Dec 2017; published online 9 March 2018", size=8.0)
    assert _front(*TITLE, names, both, ABSTRACT).year == 2018
    prose = _row(600, "as was published by others in 1999", size=10.0)
    assert _front(*TITLE, names, ABSTRACT, prose).year is None
    assert _front(*TITLE, names, _row(180, "12 June 2020", size=8.0), ABSTRACT).year == 2020


def test_a_badge_in_the_margin_is_no_part_of_the_title() -> None:
    badged = [replace(TITLE[0], parts=((10.0, 60.0, "OPEN ACCESS"), *TITLE[0].parts)), *TITLE[1:]]
    assert _front(*badged, ABSTRACT).title == "On Tides and the Boats that Lie at Anchor"
    updates = _row(60, "Check for updates", size=30.0)
    assert _front(updates, *TITLE, ABSTRACT).title == "On Tides and the Boats that Lie at Anchor"


def test_names_without_white_between_their_words_or_between_each_other_are_apart() -> None:
    glued = _row(150, "AdaLindqvist, BrunoR.Carvalho and ÉmileRoux", is_bold=True)
    assert _front(*TITLE, glued, ABSTRACT).authors == ("Ada Lindqvist", "Bruno R. Carvalho", "Émile Roux")
    run = _row(150, "Ada LindqvistBruno CarvalhoÉmile Roux", is_bold=True)
    assert _front(*TITLE, run, ABSTRACT).authors == ("Ada Lindqvist", "Bruno Carvalho", "Émile Roux")
    own = _row(150, "Ada McKay, Bruno DeWitt", is_bold=True)
    assert _front(*TITLE, own, ABSTRACT).authors == ("Ada McKay", "Bruno DeWitt")


def test_venue_year_volume_and_identifier_are_as_printed() -> None:
    head = _row(20, "Journal of Tides, Vol. 12, No. 3, 2019", size=8.0)
    found = _front(head, *TITLE, ABSTRACT, _row(780, "doi: 10.1234/tides.5678.", size=8.0))
    assert (found.venue, found.volume, found.year) == ("Journal of Tides, Vol. 12, No. 3, 2019", "12", 2019)
    assert found.identifier == "10.1234/tides.5678"
    assert found.title == "On Tides and the Boats that Lie at Anchor"


def test_a_page_without_large_type_has_no_title() -> None:
    assert _front(_row(80, "It was a dark night and the tide came in."), _row(95, "Nobody saw it.")) == FrontMatter()


def test_headings_count_up_over_prose_and_lists_do_not() -> None:
    heads = [_text(f"{number}. {name}", 0, size=8.0, is_centred=True)
             for number, name in (("I", "INTRODUCTION"), ("II", "BOATS"), ("III", "TIDES"))]  # fmt: skip
    below = [_text(f"{letter}. Of {name}", 0, is_italic=True) for letter, name in (("A", "Oars"), ("B", "Sails"))]
    drafts = [heads[0], _prose(20), heads[1], below[0], _prose(40), below[1], _prose(60), heads[2], _prose(80)]
    assert numbered_headings(drafts, body_size=10.0) == {0: 1, 2: 1, 3: 2, 5: 2, 7: 1}
    items = [_text(f"{number}. Oars and sails", 0, is_italic=True) for number in range(1, 5)]
    assert numbered_headings(items, body_size=10.0) == {}
    plain = [part for number in range(1, 5) for part in (_text(f"{number}. Oars and sails", 0), _prose(20))]
    assert numbered_headings(plain, body_size=10.0) == {}


def test_what_stands_between_text_and_the_caption_of_a_figure_is_of_the_figure() -> None:
    math = Math("x y", "latex", Place(page=1), "$x y$", is_display=True, confidence=0.3)
    stray = Draft("display", Display(Place(page=1), "$x y$", math), (100.0, 150.0, 150.0, 170.0))
    label = _text("5 10 15", 180, left=90.0, right=160.0, size=6.0)
    caption = _text("Figure 2: How the water rises.", 220)
    placed = place_floats([(1, _prose(50)), (1, stray), (1, label), (1, caption), (1, _prose(300))], (), body_size=10.0)
    assert [draft.kind for _, draft in placed] == ["text", "image", "text"]
    block = placed[1][1].block
    assert isinstance(block, Image)
    assert block.place.box is not None
    assert block.place.box[1] <= 150
    assert block.place.box[3] >= 192


@pytest.mark.parametrize("text", ["Figure 2 shows how the water rises.", "Figure 2. shows it.", "Table 3 and others."])
def test_a_sentence_about_a_figure_is_no_caption(text: str) -> None:
    drafts = [(1, _prose(50)), (1, _text(text, 220)), (1, _prose(300))]
    assert place_floats(drafts, (), body_size=10.0) == drafts


def _table(top: float) -> Draft:
    box = (60.0, top, 280.0, top + 40.0)
    return Draft("table", Table(Place(page=1, box=box), "a | b", (), ()), box)


@pytest.mark.parametrize("is_above", [True, False])
def test_captions_of_tables_stand_all_above_or_all_below(is_above: bool) -> None:
    captions = [_text(f"Table {number}: Heights.", 0, size=9.0) for number in (1, 2)]
    tops = (100.0, 190.0) if is_above else (145.0, 235.0)
    moved = [
        _text(draft.block.quote, top, size=9.0) for draft, top in zip(captions, tops, strict=True)
    ]  # fmt: skip
    tables = [_table(115.0), _table(205.0)] if is_above else [_table(100.0), _table(190.0)]
    parts = sorted([*moved, *tables], key=lambda draft: draft.box[1])
    placed = place_floats([(1, _prose(20)), *((1, part) for part in parts), (1, _prose(300))], (), body_size=10.0)
    found = [(draft.block.caption, draft.box[1]) for _, draft in placed if isinstance(draft.block, Table)]
    assert [top for _, top in found] == [table.box[1] for table in tables]
    assert [caption[0].text for caption, _ in found if isinstance(caption[0], Text)] == [
        "Table 1: Heights.", "Table 2: Heights.",
    ]  # fmt: skip


def _references(drafts: list[tuple[int, Draft]]) -> list[Reference]:
    title = _text("References", 10, is_bold=True)
    found, _ = take_references([(1, title), *drafts], {0})
    return [draft.block for _, draft in found if isinstance(draft.block, Reference)]


def test_numbered_references_go_on_over_columns_and_pages() -> None:
    first = _text("[1] A. Lindqvist. Of tides and other\nwaters. 2001.\n[2] B. Carvalho. Of boats and", 30)
    rest = _text("anchors, in 1999 [3] and later.\n[3] C. Moreau. Of ropes. 2003.", 20, page=2)
    found = _references([(1, first), (2, rest)])
    assert [(each.key, each.text) for each in found] == [
        ("1", "A. Lindqvist. Of tides and other waters. 2001."),
        ("2", "B. Carvalho. Of boats and anchors, in 1999 [3] and later."),
        ("3", "C. Moreau. Of ropes. 2003."),
    ]
    assert [each.place.page for each in found] == [1, 1, 2]


def test_a_list_that_looks_like_a_table_of_numbers_and_texts_is_no_table() -> None:
    box = (60.0, 20.0, 280.0, 120.0)
    rows = "3. | Moreau C. Of ropes and knots. 2003.\n4. | Falk I. Of kites over water. 2010."
    listed = (2, Draft("table", Table(Place(page=2, box=box), rows, (), ()), box))
    first = (1, _text("1. Lindqvist A. Of tides. 2001.\n2. Carvalho B. Of boats. 1999.", 30))
    assert [each.key for each in _references([first, listed])] == ["1", "2", "3", "4"]
    heights = (2, Draft("table", Table(Place(page=2, box=box), "3. | 14\n4. | 15", (), ()), box))
    assert [each.key for each in _references([first, heights])] == ["1", "2"]


def test_numbered_references_go_on_below_other_headings_of_the_next_column() -> None:
    listed = [(1, _text(f"{number}. Lindqvist A (2001) Tides {number}. Waters 3: 1-9.", 600)) for number in (1, 2, 3)]
    thanks = [(1, _text("Thanks", 20, left=310.0, is_bold=True)), (1, _text("We thank 4 sailors.", 40, left=310.0))]
    rest = [
        (1, _text(f"{number}. Moreau C (2003) Ropes {number}. Knots 5: 2-8.", 600, left=310.0)) for number in (4, 5)
    ]
    found, moved = take_references([(1, _text("References", 580)), *listed, *thanks, *rest], {0, 4})
    keys = [draft.block.key for _, draft in found if isinstance(draft.block, Reference)]
    assert keys == ["1", "2", "3", "4", "5"]
    assert found[moved[4]][1].block.quote == "Thanks"
    assert found[moved[5]][1].block.quote == "We thank 4 sailors."


def test_sorted_references_go_on_below_other_headings_and_end_where_the_order_breaks() -> None:
    names = ("Abel, A.", "Berg, B.", "Carvalho, C.", "Dahl, D.")
    listed = [(2, _text(f"{name} (2001). Of tides. Waters 3, 1–9.", 600, page=2, size=8.0)) for name in names]
    thanks = [(2, _text("Thanks", 20, page=2, is_bold=True)), (2, _text("We thank four sailors.", 40, page=2))]
    rest = [
        (2, _text(f"{name} (2003). Of ropes. Knots 5, 2–8.", 300, page=2, size=8.0))
        for name in ("Falk, F.", "Moreau, M.")
    ]
    after = (2, _text("Copyright A. Abel (2003). All of it may be read by all.", 500, page=2, size=8.0))
    own = [(1, _text("Citation", 10, is_bold=True)), (1, _text("Abel A (2004) On tides. Waters 9: 1.", 30))]
    drafts = [*own, (2, _text("References", 580, page=2)), *listed, *thanks, *rest, after]
    found, _ = take_references(drafts, {0, 2, 7})
    texts = [draft.block.text for _, draft in found if isinstance(draft.block, Reference)]
    assert [text.split(",")[0] for text in texts] == ["Abel", "Berg", "Carvalho", "Dahl", "Falk", "Moreau"]


def test_references_that_hang_are_told_by_their_edge() -> None:
    rows = (
        "Ada Lindqvist. 2001. Of tides and\nother waters.\nBruno Carvalho. 1999. Boats.\nCarl Moreau. 2003. Of\nropes."
    )
    hanging = _text(rows, 30, starts=(50.0, 60.0, 50.0, 50.0, 60.0))
    note = _text("1 https://tides.example", 700, size=7.0)
    assert [each.text for each in _references([(1, hanging), (1, note)])] == [
        "Ada Lindqvist. 2001. Of tides and other waters.", "Bruno Carvalho. 1999. Boats.",
        "Carl Moreau. 2003. Of ropes.",
    ]  # fmt: skip


def test_a_run_of_numbers_at_the_end_needs_no_heading() -> None:
    listed = [
        (1, _text(f"[{number}] A. Lindqvist, Tides {number}, 2001.", 100 + 20 * number)) for number in range(1, 6)
    ]
    found, _ = take_references([*((1, _prose(20)) for _ in range(6)), *listed], ())
    assert [draft.block.key for _, draft in found if isinstance(draft.block, Reference)] == ["1", "2", "3", "4", "5"]


def test_a_heading_beside_a_row_of_the_next_column_is_taken_apart() -> None:
    box = (50.0, 20.0, 550.0, 32.0)
    content = (Text("References", bold=True), Text(" Moreau, Carl. 2003. Of ropes."))
    row = Draft("text", Paragraph(Place(page=1, box=box), "References Moreau", content), box, is_spread=True, size=10.0)
    left, right = _prose(40), _prose(40, left=310.0, right=550.0, edges=(310.0, 550.0))
    found = split_spread([(1, row), (1, left), (1, right)])
    assert [draft.block.quote.split("\n")[0][:10] for _, draft in found] == [
        "References", PROSE[:10], "Moreau, Ca", PROSE[:10],
    ]  # fmt: skip
    assert split_spread([(1, row), (1, left)])[0] == (1, row)


def test_a_bullet_between_columns_goes_to_its_item() -> None:
    box = (50.0, 20.0, 550.0, 32.0)
    content = (Text("Abstract •", bold=True), Text(" of ropes"))
    row = Draft("text", Paragraph(Place(page=1, box=box), "Abstract • of ropes", content), box, is_spread=True)
    found = split_spread([(1, row), (1, _prose(40, left=310.0, right=550.0, edges=(310.0, 550.0)))])
    assert isinstance(found[1][1].block, ListItem)
    assert (found[0][1].block.quote, found[1][1].block.marker) == ("Abstract", "•")
