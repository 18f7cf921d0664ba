"""Rows, words and formulas from glyphs that are set by hand, letter by letter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.pdf.layout.pieces import PageContext, join_contents, read_line
from mathrag.documents.pdf.layout.rows import find_rows
from mathrag.documents.pdf.page_content import Glyph, Rule
from mathrag.types.document import Math, Place, Text, plain_text

SIZE = 10.0


def set_text(text: str, *, x: float = 50.0, y: float = 100.0, size: float = SIZE) -> list[Glyph]:
    """Glyphs of a row: `_c` and `^c` set a script, `*c` an italic letter, a space is a third of the size."""
    glyphs: list[Glyph] = []
    index = 0
    while index < len(text):
        character = text[index]
        if character == " ":
            x += size / 3
            index += 1
            continue
        shift, scale, style = 0.0, 1.0, "upright"
        if character in "_^*" and index + 1 < len(text):
            shift, scale = {"_": (0.15, 0.7), "^": (-0.36, 0.7), "*": (0.0, 1.0)}[character]
            style = "italic" if character == "*" else "upright"
            index += 1
            character = text[index]
        width = 0.5 * size * scale
        base = y + shift * size
        box = (x, base - 0.6 * size * scale, x + width, base)
        glyphs.append(Glyph(character, "Font", size * scale, x, base, width, box, style=style))  # type: ignore[arg-type]
        x += width
        index += 1
    return glyphs


def read(text: str) -> list[str]:
    """The formulas of a row."""
    (row,) = find_rows(set_text(text), body_size=SIZE)
    line = read_line(row, PageContext(1, SIZE))
    return [piece.source.replace(" ", "") for piece in line.content if isinstance(piece, Math)]


def words(text: str) -> str:
    (row,) = find_rows(set_text(text), body_size=SIZE)
    return plain_text(read_line(row, PageContext(1, SIZE)).content)


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("the force *F = *m *a acts on it", ["F=ma"]),
        ("where *m is the mass", ["m"]),
        ("the angle α and the length *l", ["\\alpha", "l"]),
        ("the energy *E = *m *c^2.", ["E=mc^{2}"]),
        ("*x_1, *x_2 and *x_3", ["x_{1}", "x_{2}", "x_{3}"]),
        ("(see *v_0)", ["v_{0}"]),
        ("where *e = 2.718... holds", ["e=2.718\\ldots"]),
        ("with *n = 2*m *R = 8.31 of it", ["n=2m", "R=8.31"]),
        ("of *n = 6 × 10^2 parts/mol in all", ["n=6\\times10^{2}\\,\\mathrm{parts}/\\mathrm{mol}"]),
        ("so [A] = *k *t holds", ["[\\mathrm{A}]=kt"]),
        ("Here −*r_A = *k", ["-r_{\\mathrm{A}}=k"]),
    ],
)
def test_formulas_among_words_are_found(text: str, formulas: list[str]) -> None:
    assert read(text) == formulas


@pytest.mark.parametrize(
    "text",
    [
        "the year 1998 was dry",
        "on the 1^s^t of May",
        "as was shown before.^3 Then",
        "as was shown^4 before",
        "*t*h*e *w*o*r*d *i*t*s*e*l*f",
        "write to ada@example.org today",
        "see https://example.org/a/b for more",
        "the H_2O molecule of water",
        "a value of 5 m/s^2 is usual",
        "pages 12–15 and 3.5 percent",
        "well-known facts",
    ],
)
def test_words_and_numbers_are_no_formulas(text: str) -> None:
    assert read(text) == []


def test_spaces_come_from_white_and_scripts_keep_their_level() -> None:
    assert words("the H_2O of 5 m/s^2") == "the H₂O of 5 m/s²"
    assert words("on the 1^s^t day") == "on the 1^st day"


def test_a_fraction_stands_in_the_row_of_its_bar() -> None:
    row_text = set_text("*v =", y=100.0)
    right = row_text[-1].box[2] + 3
    above, below = set_text("*s", x=right, y=93.0), set_text("*t", x=right, y=106.5)
    rows = find_rows([*row_text, *above, *below], rules=[Rule((right - 0.5, 97.3, right + 5.5, 97.7))], body_size=SIZE)
    assert len(rows) == 1
    line = read_line(rows[0], PageContext(1, SIZE))
    assert [piece.source for piece in line.content if isinstance(piece, Math)] == ["v=\\frac{s}{t}"]


def test_two_rows_stay_apart_where_scripts_come_near() -> None:
    rows = find_rows([*set_text("the mass *m_1 is", y=100.0), *set_text("or *m^2 then", y=112.0)], body_size=SIZE)
    assert [row.y for row in rows] == [100.0, 112.0]


def doubts(glyphs: list[Glyph], *, cut_at: float = 0.0) -> list[str]:
    """The doubts about the formulas of the largest row."""
    row = max(find_rows(glyphs, body_size=SIZE), key=lambda row: len(row.items))
    content = read_line(row, PageContext(1, SIZE, cut_at=cut_at)).content
    return [doubt for piece in content if isinstance(piece, Math) and not piece.is_certain for doubt in piece.doubts]


def test_a_formula_that_something_stands_against_is_not_certain() -> None:
    underscore = Glyph("_", "Font", SIZE, 60.0, 100.0, 5.0, (60.0, 101.0, 65.0, 101.4))
    glyphs = [*set_text("*F", x=55.0), underscore, *set_text("0 = *q *E", x=65.0)]
    assert any("cut at its edge" in doubt for doubt in doubts(glyphs))
    assert not doubts(set_text("so *F_0 = *q *E, and"))


def test_a_formula_beside_small_signs_of_nobody_is_not_certain() -> None:
    glyphs = set_text("*T = *a *b *c *d")
    lost = set_text("1", x=glyphs[-1].box[0] + 1, y=105.2, size=6.5)
    assert not doubts(glyphs)
    assert any("small signs" in doubt for doubt in doubts([*glyphs, *lost]))


def test_a_formula_at_the_edge_of_a_page_that_its_text_leaves_is_not_certain() -> None:
    glyphs = set_text("1 *m = 5.2", x=500.0)
    assert not doubts(glyphs, cut_at=612.0)
    assert any("out of the page" in doubt for doubt in doubts(glyphs, cut_at=glyphs[-1].box[2] + 3))


def test_letters_of_an_abbreviation_are_no_symbols() -> None:
    bold = [replace(glyph, is_bold=True) for glyph in set_text("N.B.")]
    rest = set_text("work is a scalar", x=bold[-1].box[2] + 4)
    (row,) = find_rows([*bold, *rest], body_size=SIZE)
    assert not any(isinstance(piece, Math) for piece in read_line(row, PageContext(1, SIZE)).content)


def test_the_lower_limit_of_a_leaning_integral_is_its_own() -> None:
    sign = Glyph("∫", "Font", SIZE, 50.0, 90.0, 5.6, (50.5, 88.0, 59.4, 110.0), is_math_font=True)
    limits = [*set_text("*a", x=55.6, y=111.0, size=7.0), *set_text("*b", x=60.0, y=90.0, size=7.0)]
    (row,) = find_rows([sign, *limits, *set_text("*f *d *x", x=64.0, y=101.0)], body_size=SIZE)
    assert len(row.items) == 6


def test_the_script_of_a_script_of_a_script_stays_in_its_row() -> None:
    x = set_text("*x", y=100.0)
    k = set_text("*k", x=55.0, y=101.5, size=7.0)
    i = set_text("*i", x=58.5, y=102.5, size=5.0)
    j = set_text("*j", x=61.0, y=104.1, size=5.0)
    rows = find_rows([*x, *k, *i, *j, *set_text("the next row of text", y=112.0)], body_size=SIZE)
    assert [len(row.items) for row in rows] == [4, 16]


def text(*parts: str) -> str:
    return plain_text(join_contents([(Text(part),) for part in parts], vocabulary={"well-known", "elongation"}))


def test_words_broken_at_row_ends_are_joined() -> None:
    assert text("the elon-", "gation of") == "the elongation of"
    assert text("a well-", "known law") == "a well-known law"
    assert text("the Navier-", "Stokes law") == "the Navier-Stokes law"
    assert text("one row", "and the next") == "one row and the next"
    assert text("pages 3–", "7 there") == "pages 3–7 there"


def test_formulas_broken_at_row_ends_are_joined() -> None:
    place = Place(page=1, box=(0.0, 0.0, 1.0, 1.0))
    one, other = Math("x = a +", "latex", place, "x = a +"), Math("b", "latex", place, "b")
    joined = join_contents([(Text("so "), one), (other, Text("."))])
    assert [piece.source for piece in joined if isinstance(piece, Math)] == ["x = a + b"]


GLYPHS = st.builds(
    lambda character, x, y, size: Glyph(character, "F", size, x, y, 0.5 * size, (x, y - 0.6 * size, x + 0.5 * size, y)),
    st.sampled_from([*"ab1=∑√(|⃗", ""]),
    st.floats(0, 500),
    st.floats(0, 700),
    st.floats(2, 30),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(GLYPHS, max_size=40),
    st.lists(st.tuples(st.floats(0, 400), st.floats(0, 700), st.floats(1, 90)), max_size=6),
)
def test_every_glyph_stands_in_one_row(glyphs: list[Glyph], bars: list[tuple[float, float, float]]) -> None:
    rules = [Rule((x, y, x + width, y + 0.4)) for x, y, width in bars]
    rows = find_rows(glyphs, rules=rules, body_size=SIZE)
    placed = [id(item.glyph) for row in rows for item in row.items]
    assert sorted(placed) == sorted(id(glyph) for glyph in glyphs)
    assert [row.y for row in rows] == sorted(row.y for row in rows)
