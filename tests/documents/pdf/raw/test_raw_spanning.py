"""Signs over and under others become glyphs where they span something, and stay what they are where they do not."""

from __future__ import annotations

import pytest

from mathrag.documents.boxes import Box
from mathrag.documents.pdf.page_content import Drawing, Glyph
from mathrag.documents.pdf.raw.built_signs import assemble_signs, drop_brace_fillings, take_spanning_signs
from mathrag.documents.pdf.raw.font_encodings import describe_font_name
from mathrag.documents.pdf.raw.glyph_identities import FontIdentities
from mathrag.documents.pdf.raw.page_glyphs import settle_plain_style

SIZE = 10.0


def letter(text: str, x: float, *, baseline: float = 100.0, height: float = 7.0) -> Glyph:
    box = (x, baseline - height, x + 6.0, baseline)
    return Glyph(text, "Some", SIZE, x, baseline, 7.0, box, "italic", is_math_font=True)


def texts(glyphs: tuple[Glyph, ...]) -> str:
    return "".join(glyph.text for glyph in glyphs)


@pytest.mark.parametrize(
    ("box", "expected"),
    [((51.0, 89.0, 55.5, 91.0), "F\u20d7ab"), ((50.0, 87.0, 77.0, 91.0), "F\u20d7ab")],
)
def test_a_drawn_arrow_over_letters_is_an_accent(box: Box, expected: str) -> None:
    row = (letter("F", 50.0), letter("a", 60.0, height=4.5), letter("b", 70.0))
    glyphs, left = take_spanning_signs(row, (Drawing(box, "→", is_filled=True),))
    assert (texts(glyphs), left) == (expected, ())
    accent = next(glyph for glyph in glyphs if glyph.text == "\u20d7")
    assert (accent.box, accent.size, accent.evidence) == (box, SIZE, "shape")


def test_an_arrow_over_a_low_letter_beside_a_tall_one_is_an_accent() -> None:
    row = (letter("k", 50.0), letter("r", 59.0, height=4.5))
    glyphs, _ = take_spanning_signs(row, (Drawing((60.0, 91.5, 64.5, 94.0), "→", is_filled=True),))
    assert texts(glyphs) == "kr\u20d7"


def test_a_drawn_arrow_between_two_letters_is_a_long_arrow() -> None:
    row = (letter("A", 50.0), letter("B", 85.0), letter("1", 68.0, baseline=95.0, height=5.0))
    glyphs, left = take_spanning_signs(row, (Drawing((59.0, 95.5, 83.0, 99.5), "→", is_filled=True),))
    assert (texts(glyphs), left) == ("A⟶B1", ())


def test_an_arrow_of_a_figure_stays_a_drawing() -> None:
    arrow = Drawing((200.0, 300.0, 260.0, 304.0), "→", is_filled=True)
    assert take_spanning_signs((letter("A", 50.0),), (arrow,))[1] == (arrow,)


@pytest.mark.parametrize(
    ("arrow", "expected"), [((50.0, 86.0, 66.0, 91.0), "\u20d7AB"), ((70.0, 95.0, 79.0, 100.0), "→AB")]
)
def test_an_arrow_of_a_font_is_an_accent_only_over_letters(arrow: Box, expected: str) -> None:
    sign = Glyph("→", "Some", SIZE, arrow[0], arrow[3], 9.0, arrow, is_math_font=True)
    glyphs, _ = take_spanning_signs((sign, letter("A", 50.0), letter("B", 60.0)), ())
    assert texts(glyphs) == expected


def test_braces_span_what_stands_over_or_under_them() -> None:
    row = (letter("a", 50.0), letter("b", 60.0))
    over, under = Drawing((49.0, 84.0, 67.0, 90.0), "⏞"), Drawing((49.0, 102.0, 67.0, 108.0), "⏟")
    far = Drawing((49.0, 202.0, 67.0, 208.0), "⏟")
    glyphs, left = take_spanning_signs(row, (over, under, far))
    assert (texts(glyphs), left) == ("a⏞⏟b", (far,))


def test_braces_whose_map_names_only_their_left_quarters() -> None:
    named = describe_font_name("CMEX10")
    font = FontIdentities(named, named.is_bold, named.style, dict, {"⏞", "⏟", " "})
    signs = [font.identify(claimed, is_code=False).text for claimed in ("⏞", " ", "⏟", " ")]
    quarters = [
        Glyph(sign, "CMEX10", SIZE, 10.0 * n, 5.0, 5.0, (10.0 * n, 0.0, 10.0 * n + 8, 5.0), is_math_font=True)
        for n, sign in enumerate(signs)
    ]
    (brace,) = assemble_signs(quarters)
    assert (brace.text, brace.box) == ("⏞", (0.0, 0.0, 38.0, 5.0))
    fillings = (Drawing((8.0, 1.0, 10.0, 2.0)), Drawing((8.0, 11.0, 10.0, 12.0)))
    assert drop_brace_fillings(fillings, (brace,)) == fillings[1:]


def _font(name: str) -> FontIdentities:
    named = describe_font_name(name)
    return FontIdentities(named, named.is_bold, named.style)


def test_sans_is_plain_where_the_prose_is_sans() -> None:
    sans, serif, slanted, math = _font("CMSS10"), _font("CMR10"), _font("CMSSI10"), _font("CMMI10")
    settle_plain_style([(sans, 10), (serif, 200), (slanted, 5), (math, 50)])
    assert (sans.style, serif.style, slanted.style, math.style) == ("sans", "upright", "italic", "italic")
    settle_plain_style([(sans, 200), (serif, 10), (slanted, 5), (math, 500)])
    assert (sans.style, serif.style, slanted.style, math.style) == ("upright", "upright", "italic", "italic")


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("CMSSI8", "italic"), ("CMSS8", "sans"), ("CMSSBX10", "sans"), ("LMSans10-Oblique", "italic"),
        ("LMSans10-Regular", "sans"), ("SFSI1095", "italic"), ("SFSS1095", "sans"), ("FiraSans-Italic", "italic"),
        ("Helvetica-Oblique", "italic"), ("Helvetica", "sans"),
    ],
)  # fmt: skip
def test_styles_of_sans_fonts(name: str, style: str) -> None:
    assert describe_font_name(name).style == style


def test_a_bar_that_bears_the_name_of_the_barred_letter_joins_it() -> None:
    h = Glyph("h", "Some-Italic", 10.0, 50.0, 100.0, 5.5, (50.2, 92.2, 55.3, 100.0), style="italic")
    bar = Glyph("ℏ", "Some-Symbols", 10.0, 49.7, 100.0, 5.5, (50.5, 93.9, 55.5, 94.5))
    whole = Glyph("ℏ", "Some-Symbols", 10.0, 49.7, 100.0, 5.5, (50.5, 92.2, 55.5, 100.0))
    assert texts(assemble_signs([bar, h])) == "ℏ"
    assert texts(assemble_signs([whole])) == "ℏ"
