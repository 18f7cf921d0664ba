"""Single decisions of the formula reader on hand-made geometry: what a line, a script or a gap is taken for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from formula_ink import EM, bar, sign

from mathrag.documents.pdf.formulas import read_display, read_inline
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule, Style


def _latex(glyphs: list[Glyph], rules: list[Rule] | None = None, drawings: list[Drawing] | None = None) -> str:
    return read_inline(glyphs, rules or [], drawings or [], body_size=EM).latex


def test_a_line_between_is_a_fraction_bar() -> None:
    assert _latex([sign("a", 10, 92), sign("b", 10, 108)], [bar(9, 16, 97.5)]) == "\\frac{a}{b}"


def test_a_line_right_above_is_an_overline() -> None:
    assert _latex([sign("a", 10), sign("b", 15)], [bar(10, 20, 91.5)]) == "\\overline{ab}"
    assert _latex([sign("a", 10), sign("b", 15.2)], [bar(10, 15, 91.5)]) == "\\bar{a}b"


def test_a_short_line_alone_is_a_minus_sign_and_doubted() -> None:
    reading = read_inline([sign("a", 10), sign("b", 24)], [bar(17, 23, 97.5)], body_size=EM)
    assert reading.latex == "a-b"
    assert 0.5 < reading.confidence < 1.0


def test_a_long_line_alone_is_reported() -> None:
    reading = read_inline([sign("a", 10)], [bar(20, 90, 97.5)], body_size=EM)
    assert reading.doubts == ("a line that is neither fraction bar nor overline", "a sign without identity")
    assert reading.confidence < 0.5


def test_a_root_drawn_in_one_stroke() -> None:
    root = Drawing((5.0, 90.0, 25.0, 102.0), text="√")
    assert _latex([sign("a", 13), sign("b", 18)], [], [root]) == "\\sqrt{ab}"


def test_a_root_sign_with_its_line() -> None:
    root = sign("√", 5, 100, width=0.8, top=1.0, bottom=0.2)
    assert _latex([root, sign("x", 13), sign("y", 19)], [bar(13, 18, 90)]) == "\\sqrt{x}y"


@pytest.mark.parametrize(
    ("shift", "size", "expected"),
    [(-4.0, 7.0, "x^{2}"), (2.0, 7.0, "x_{2}"), (0.0, 10.0, "x2"), (-3.6, 5.0, "x^{2}")],
)
def test_scripts_by_baseline_and_size(shift: float, size: float, expected: str) -> None:
    assert _latex([sign("x", 10), sign("2", 15.2, 100 + shift, size=size, style="upright")]) == expected


def test_a_script_between_levels_is_doubted() -> None:
    reading = read_inline([sign("x", 10), sign("2", 15.2, 98.6, size=8.6, style="upright")], body_size=EM)
    assert reading.confidence < 1.0


def test_scripts_before_a_letter() -> None:
    glyphs = [sign("1", 10, 96, size=7, style="upright"), sign("3", 13.5, 96, size=7, style="upright"), sign("C", 17.2)]
    assert _latex(glyphs) == "{}^{13}C"


def test_words_numbers_and_gaps() -> None:
    upright = [sign(letter, 10 + 5 * number, style="upright") for number, letter in enumerate("sin")]
    assert _latex([*upright, sign("x", 26.7)]) == "\\sin x"
    number = [sign(text, 10 + 5 * place, style="upright") for place, text in enumerate("3.14")]
    assert _latex(number) == "3.14"
    unit = [sign("k", 31.7, style="upright"), sign("g", 36.7, style="upright")]
    assert _latex([*number, *unit]) == "3.14\\,\\mathrm{kg}"


def test_tall_delimiters_are_put_together() -> None:
    pieces = [
        sign("⎛", 10, 90, top=0.5, bottom=0.5),
        sign("⎜", 10, 100, top=0.5, bottom=0.5),
        sign("⎝", 10, 110, top=0.5, bottom=0.5),
    ]
    closing = [replace(piece, text=text, x=25.0, box=(25.0, *piece.box[1:2], 30.0, piece.box[3]))
               for piece, text in zip(pieces, "⎞⎟⎠", strict=True)]  # fmt: skip
    fraction = [sign("a", 17.5, 94), sign("b", 17.5, 110)]
    assert _latex([*pieces, *fraction, *closing], [bar(16.5, 23.5, 100)]) == "\\left(\\frac{a}{b}\\right)"


def test_a_frame_is_left_out() -> None:
    frame = [bar(5, 25, 88), bar(5, 25, 104), Rule((5, 88, 5.4, 104)), Rule((24.6, 88, 25, 104))]
    reading = read_inline([sign("a", 10), sign("b", 16)], frame, body_size=EM)
    assert (reading.latex, reading.confidence) == ("ab", 1.0)


def test_a_glyph_without_identity_is_never_believed() -> None:
    reading = read_inline([sign("a", 10), sign("", 16)], body_size=EM)
    assert reading.unknown == 1
    assert reading.confidence < 0.5
    assert "a sign without identity" in reading.doubts


def test_doubt_in_one_line_leaves_the_others_alone() -> None:
    sure = [sign("a", 10), sign("=", 18, style="upright"), sign("b", 26)]
    unsure = [replace(glyph, y=glyph.y + 25, box=(glyph.box[0], glyph.box[1] + 25, glyph.box[2], glyph.box[3] + 25))
              for glyph in [*sure[:2], sign("", 26)]]  # fmt: skip
    readings = read_display([*sure, *unsure], body_size=EM)
    assert [reading.confidence == 1.0 for reading in readings] == [True, False]


def test_an_equation_number_on_the_left() -> None:
    number = [sign(text, 10 + 5 * place, style="upright") for place, text in enumerate("(12)")]
    formula = [sign("a", 80), sign("=", 88, style="upright"), sign("b", 96)]
    (reading,) = read_display([*number, *formula], body_size=EM)
    assert (reading.latex, reading.number) == ("a=b", "(12)")


def _line(text: str, x: float = 10.0, y: float = 100.0, *, style: Style = "italic") -> list[Glyph]:
    """Letters, each half an em wide; a blank is a third of one."""
    glyphs: list[Glyph] = []
    for character in text:
        if character != " ":
            glyphs.append(sign(character, x, y, style=style if character.isalpha() else "upright"))
        x += EM / 3 if character == " " else EM / 2
    return glyphs


def test_slanted_words_with_blanks_are_text_and_a_long_one_is_a_name() -> None:
    assert _latex(_line("d=rate of decay")) == "d=\\text{rate of decay}"
    assert _latex(_line("d=velocity")) == "d=\\mathit{velocity}"
    assert _latex(_line("d=abc")) == "d=abc"


def test_a_product_before_a_function_in_slanted_type_is_no_name() -> None:
    assert "mathit" not in _latex(_line("d=abcsin"))


def test_white_between_names_of_several_letters_is_kept_and_between_single_letters_not() -> None:
    assert _latex(_line("kg m")) == "kg\\,m"
    assert _latex(_line("k m")) == "km"


def test_a_delimiter_in_larger_type_stands_on_the_axis_of_its_line() -> None:
    left = sign("{", 15, 106, size=24.0, style="upright", width=0.15, top=0.8, bottom=0.2)
    right = sign("}", 32, 106, size=24.0, style="upright", width=0.15, top=0.8, bottom=0.2)
    reading = read_inline([sign("a", 10), left, sign("b", 20), sign("c", 26), right], body_size=EM)
    assert reading.latex == "a\\left\\{bc\\right\\}"
    assert reading.confidence == 1.0


def test_formulas_side_by_side_stand_each_on_its_own_baseline() -> None:
    readings = read_display([*_line("a=b"), *_line("c=d", 120, 104)], body_size=EM)
    assert [(reading.latex, reading.confidence) for reading in readings] == [("a=b", 1.0), ("c=d", 1.0)]


def test_a_doubt_stays_with_its_line() -> None:
    odd = sign("2", 15.2, 128.4, size=8.6, style="upright")
    readings = read_display([*_line("a=b"), sign("x", 10, 130), odd, *_line("=y", 24, 130)], body_size=EM)
    assert [reading.confidence == 1.0 for reading in readings] == [True, False]


def test_an_equation_behind_where_is_a_formula_and_a_value_is_a_condition() -> None:
    where = _line("where", 40, style="upright")
    defined, given = ([*_line("a=b,"), *where, *_line(text, 80)] for text in ("b=c", "b=3"))
    assert [reading.latex for reading in read_display(defined, body_size=EM)] == ["a=b", "b=c"]
    assert [reading.latex for reading in read_display(given, body_size=EM)] == ["a=b"]


def test_a_second_statement_behind_white_is_no_factor_of_the_first() -> None:
    readings = read_display(_line("a=b  c=d"), body_size=EM)
    assert [reading.latex for reading in readings] == ["a=b", "c=d"]


def test_a_dash_through_a_letter_is_no_minus() -> None:
    reading = read_inline(
        [*_line("a=V"), sign("–", 20.5, 100, style="upright", width=0.4, top=0.4, bottom=-0.3)], body_size=EM
    )
    assert reading.latex == "a=V"
    assert reading.doubts == ("a letter that is struck through",)


def test_degrees_in_one_sign_and_raised_twice() -> None:
    assert _latex([sign("T", 10), sign("℃", 15.2, style="upright")]) == "T{}^{\\circ}\\mathrm{C}"
    degree = sign("°", 15.2, 96, size=7.0, style="upright")
    assert _latex([sign("9", 10, style="upright"), degree]) == "9^{\\circ}"


def test_a_line_that_an_arrow_leads_to_is_a_formula_of_its_own() -> None:
    arrow = sign("⇒", 10, 130, style="upright", width=1.0)
    readings = read_display([*_line("a=b"), arrow, *_line("c=d", 24, 130)], body_size=EM)
    assert [reading.latex for reading in readings] == ["a=b", "c=d"]
    goes_on = read_display([*_line("a=b"), *_line("=c+d", 24, 130)], body_size=EM)
    assert [reading.latex for reading in goes_on] == ["a=b =c+d"]


def test_brackets_of_the_line_in_an_exponent_stand_on_its_axis() -> None:
    left, right = (
        sign(text, x, 96.4, style="upright", width=0.3, top=0.75, bottom=0.25) for text, x in (("(", 15.2), (")", 22.0))
    )
    inside = sign("b", 18.4, 95.8, size=7.0)
    reading = read_inline([sign("a", 10), left, inside, right], body_size=EM)
    assert reading.latex == "a^{\\left(b\\right)}"
    assert reading.confidence == 1.0
