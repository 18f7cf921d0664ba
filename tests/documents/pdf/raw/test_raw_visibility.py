"""What can be seen: transparent and paper-coloured things, pale rules on dark grounds, lines that leave the page."""

from __future__ import annotations

import pytest

from documents.pdf.raw.pdf_by_hand import one_page
from mathrag.documents.pdf.page_content import Glyph, PageContent
from mathrag.documents.pdf.raw import open_pdf
from mathrag.documents.pdf.raw.built_signs import compose_accents

WORD = b"BT /F1 10 Tf 100 600 Td (Word) Tj ET "
CLEAR = b"/ExtGState<</G0<</ca 0>>/G1<</ca 0.3>>>>"


def read(content: bytes, *, page: bytes = b"", resources: bytes = b"") -> PageContent:
    with open_pdf(one_page(content, page=page, resources=resources)) as document:
        return document.page(1)


def text_of(content: PageContent) -> str:
    return "".join(glyph.text for glyph in content.glyphs)


def test_a_transparent_phantom_is_dropped_and_a_faint_letter_kept() -> None:
    phantom = b"q /G0 gs BT /F1 10 Tf 130 600 Td (X) Tj ET Q q /G1 gs BT /F1 10 Tf 150 600 Td (Y) Tj ET Q"
    assert text_of(read(WORD + phantom, resources=CLEAR)) == "WordY"


def test_a_page_of_transparent_text_is_a_layer_of_recognised_text() -> None:
    content = read(b"/G0 gs BT /F1 10 Tf 100 600 Td (recognised text of a scan) Tj ET", resources=CLEAR)
    assert text_of(content) == "recognised text of a scan"
    assert content.notes == ("the text is an invisible layer of recognised characters over a picture",)


def test_white_text_is_seen_on_a_dark_ground_alone() -> None:
    white = b"1 g BT /F1 10 Tf 200 600 Td (abc) Tj ET"
    assert text_of(read(WORD + white)) == "Word"
    assert text_of(read(WORD + b"0.2 g 180 580 100 50 re f " + white)) == "Wordabc"


def test_a_page_whose_text_is_all_white_keeps_it() -> None:
    assert text_of(read(b"1 g " + WORD)) == "Word"


def test_a_white_rule_is_seen_on_a_dark_ground_until_paper_covers_it() -> None:
    dark, rule, paper = b"0.2 0.2 0.7 rg 0 300 612 400 re f ", b"1 g 100 500 80 0.6 re f ", b"1 g 90 450 200 100 re f "
    assert read(rule).rules == ()
    assert read(rule + dark).rules == ()
    (seen,) = read(dark + rule).rules
    assert seen.box == pytest.approx((100, 291.4, 180, 292), abs=0.01)
    covered = read(dark + paper + rule)
    assert covered.rules == ()
    assert len(covered.drawings) == 1


def test_a_line_that_runs_over_the_edge_is_kept_to_its_end_with_its_rules() -> None:
    line = b"BT /F1 10 Tf 580 600 Td (E = 1.602 x 10) Tj 72 4 Td (19) Tj ET 620 596 40 0.5 re f 900 596 40 0.5 re f "
    content = read(line + b"BT /F1 10 Tf 700 600 Td (far) Tj ET")
    assert text_of(content) == "E = 1.602 x 1019"
    assert [rule.box[0] for rule in content.rules] == pytest.approx([620])
    assert content.notes == ("3 signs outside the visible page were left out",)


def test_a_line_that_comes_in_over_the_left_edge_is_whole() -> None:
    assert text_of(read(b"BT /F1 10 Tf -30 600 Td (wide formula) Tj ET")) == "wide formula"


def test_a_ligature_of_equal_letters_keeps_them_all() -> None:
    to_unicode = b"1 beginbfchar <66> <00660066> endbfchar"
    table = b"<</Length %d>>stream\n%b\nendstream" % (len(_map(to_unicode)), _map(to_unicode))
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>"
    with open_pdf(one_page(b"BT /F1 10 Tf 100 600 Td (difuse) Tj ET", font=font, more=table)) as document:
        content = document.page(1)
    assert text_of(content) == "diffuse"
    assert [glyph.text for glyph in content.glyphs] == ["d", "i", "ff", "u", "s", "e"]


def _map(entries: bytes) -> bytes:
    return (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def "
        b"1 begincodespacerange <00> <FF> endcodespacerange " + entries + b" endcmap end end"
    )


def _glyph(text: str, left: float, *, font: str = "CMR10", top: float = 95.0, width: float = 5.0) -> Glyph:
    return Glyph(text, font, 10.0, left, 100.0, width, (left, top, left + width, 100.0))


def test_an_accent_joins_the_letter_of_a_word_under_it() -> None:
    word = [_glyph("r", 0), _glyph("\u0308", 6, top=93, width=3), _glyph("o", 5), _glyph("m", 10)]
    assert [glyph.text for glyph in compose_accents(word)] == ["r", "ö", "m"]
    assert compose_accents(word)[1].box == (5, 93, 10, 100)
    dotless = [_glyph("\u0301", 1, width=3), _glyph("ı", 0), _glyph("n", 5)]
    assert [glyph.text for glyph in compose_accents(dotless)] == ["í", "n"]


@pytest.mark.parametrize(
    ("accent", "letter", "whole"), [("´", "a", "á"), ("¨", "u", "ü"), ("ˇ", "c", "č"), ("¸", "c", "ç"), ("˚", "a", "å")]
)
def test_a_loose_accent_joins_its_letter_wherever_the_file_prints_it(accent: str, letter: str, whole: str) -> None:
    word = [_glyph("k", 0), _glyph(letter, 5), _glyph("r", 10), _glyph("o", 15), _glyph("s", 20), _glyph("i", 25)]
    loose = _glyph(accent, 6, width=3)
    assert [glyph.text for glyph in compose_accents([*word, loose])] == ["k", whole, "r", "o", "s", "i"]
    assert [glyph.text for glyph in compose_accents([loose, *word])] == ["k", whole, "r", "o", "s", "i"]


def test_an_accent_of_a_formula_stays_a_sign() -> None:
    alone = [_glyph("\u0302", 1, width=3), _glyph("e", 0), _glyph("=", 12)]
    other_font = [_glyph("\u0308", 1, width=3), _glyph("x", 0, font="CMMI10"), _glyph("y", 5, font="CMMI10")]
    mean = [_glyph("\u0304", 1, width=3), _glyph("u", 0), _glyph("v", 5)]
    for glyphs in (alone, other_font, mean):
        assert compose_accents(glyphs) == tuple(glyphs)


def test_the_angstrom_is_a_letter_of_its_own() -> None:
    glyphs = [_glyph("1", -10), _glyph("\u030a", 1, width=3), _glyph("A", 0)]
    assert [glyph.text for glyph in compose_accents(glyphs)] == ["1", "Å"]
