"""Formulas whose ink is partly missing must not be trusted; whole ones that look alike must be."""

from __future__ import annotations

from formula_ink import EM, bar, sign

from mathrag.documents.pdf.formulas import read_display, read_inline
from mathrag.documents.pdf.page_content import FormulaReading, Glyph, Rule


def _read(glyphs: list[Glyph], rules: list[Rule] | None = None) -> FormulaReading:
    return read_inline(glyphs, rules or [], body_size=EM)


def _upright(text: str, x: float, y: float = 100.0, *, size: float = EM) -> Glyph:
    return sign(text, x, y, size=size, style="upright")


def _word(text: str, x: float) -> list[Glyph]:
    return [_upright(letter, x + 5 * number) for number, letter in enumerate(text)]


def _integral(*bounds: Glyph) -> FormulaReading:
    sum_sign = sign("∫", 10, 95, style="upright", width=0.6, top=0.9, bottom=1.3)
    return _read([sum_sign, *bounds, sign("x", 24), sign("d", 30), sign("x", 35)])


def test_an_integral_with_an_upper_bound_alone_is_doubted() -> None:
    upper, lower = _upright("1", 16.5, 90, size=7), _upright("0", 15, 108, size=7)
    assert _integral(upper).confidence < 0.9
    assert _integral(upper, lower).confidence == 1.0
    assert _integral().confidence == 1.0


def test_a_bound_that_lost_its_base_is_doubted() -> None:
    upper = sign("b", 16.5, 90, size=7)
    assert "a script in the type of a script's script" in _integral(upper, _upright("1", 15, 108, size=5)).doubts


def test_a_fraction_in_two_sizes_is_doubted() -> None:
    line = bar(9, 16, 97.5)
    assert _read([sign("a", 10, 92), sign("b", 10, 108)], [line]).confidence == 1.0
    assert _read([sign("a", 10, 92), _upright("2", 10, 106, size=7)], [line]).confidence < 0.9


def test_a_minus_alone_in_an_exponent_is_doubted_in_an_equation_only() -> None:
    electron = [sign("e", 30), _upright("−", 35.2, 96, size=7)]
    assert _read([sign("f", 10), _upright("=", 18), *electron]).confidence < 0.9
    assert _read([sign("f", 10), _upright("→", 18), *electron]).confidence == 1.0


def test_a_hole_after_an_equals_sign_is_doubted() -> None:
    assert _read([sign("V", 10), _upright("=", 18), sign("r", 26)]).confidence == 1.0
    assert _read([sign("V", 10), _upright("=", 18), sign("r", 36)]).confidence < 0.9


def test_a_word_before_a_minus_that_belongs_to_what_follows_is_doubted() -> None:
    rest = [sign("r", 43), _upright("=", 51), sign("k", 59)]
    assert _read([*_word("Here", 10), _upright("−", 33.5), *rest]).confidence == 1.0
    assert _read([*_word("Here", 10), _upright("−", 37.5), *rest]).confidence < 0.9


def test_a_bracket_without_its_partner_is_doubted() -> None:
    assert _read([sign("x", 10), _upright("=", 18), sign("a", 26), _upright(")", 31)]).confidence < 0.9


def test_a_line_without_relation_over_one_with_it_is_doubted() -> None:
    above = [sign("a", 30, 80), _upright("+", 38, 80), sign("b", 46, 80)]
    below = [sign("x", 10), _upright("=", 18), sign("c", 30), _upright("+", 38), sign("d", 46)]
    assert all(reading.confidence < 0.9 for reading in read_display([*above, *below], body_size=EM))
    assert [reading.confidence for reading in read_display(below, body_size=EM)] == [1.0]


def test_what_follows_the_line_of_a_root_is_not_under_it() -> None:
    root = sign("√", 5, 100, width=0.8, top=1.0, bottom=0.2)
    bracket = sign("]", 18.1, 100, style="upright", width=0.25, top=0.75, bottom=0.25)
    opening = sign("[", 0, 100, style="upright", width=0.25, top=0.75, bottom=0.25)
    assert _read([opening, root, sign("x", 13), bracket], [bar(13, 18, 90)]).latex == "[\\sqrt{x}]"


def test_the_number_of_an_equation_is_no_entry_of_its_cases() -> None:
    brace = sign("{", 30, 100, style="upright", width=0.6, top=2.0, bottom=1.5)
    upper = [sign("a", 38, 92), sign("x", 60, 92), _upright(">", 68, 92), _upright("0", 76, 92)]
    lower = [sign("b", 38, 107), sign("x", 60, 107), _upright("<", 68, 107), _upright("0", 76, 107)]
    number = [_upright("(", 200, 92), _upright("7", 205, 92), _upright(")", 210, 92)]
    readings = read_display([sign("y", 10), _upright("=", 18), brace, *upper, *lower, *number], body_size=EM)
    assert [reading.latex for reading in readings] == ["y=\\begin{cases} a & x>0 \\\\ b & x<0 \\end{cases}"]
    assert readings[0].number == "(7)"


def test_a_limit_under_two_words_belongs_to_both() -> None:
    words = [*_word("arg", 10), *_word("max", 26.7)]
    both, second = sign("t", 24, 108, size=7), sign("t", 32.4, 108, size=7)
    rest = [sign("f", 44)]
    assert _read([*words, both, *rest]).latex == "\\operatorname{argmax}_{t}f"
    assert _read([*words, second, *rest]).latex == "\\arg\\max_{t}f"
