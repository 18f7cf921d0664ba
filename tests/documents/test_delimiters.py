"""Formulas between the delimiters that people use, in every text format; rows apart; pictures whose address is TeX."""

from __future__ import annotations

import pytest

from mathrag.documents import Source, read_document
from mathrag.documents.math_in_text.delimiters import DelimiterReader, with_bare_signs
from mathrag.types.document import formulas_of


def _sources(name: str, text: str) -> list[str]:
    document = read_document(Source(name, text.encode()))
    return [" ".join(math.source.split()) for block in document.blocks for math in formulas_of(block)]


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.md", r"The rise is \f$h = v t\f$ here.", ["h = v t"]),
        ("a.md", "Before\n\\f[\n h = v t\n\\f]\nafter", ["h = v t"]),
        ("a.md", r"@f$h = v t@f$ and @f[ q = h / w @f]", ["h = v t", "q = h / w"]),
        ("a.md", "\\f{align*}{\n h &= v t \\\\\n q &= h / w\n\\f}", ["h = v t", "q = h / w"]),
        ("a.txt", r" * \f$h = v t\f$", ["h = v t"]),
        ("a.html", r"<p>\f$h = v t\f$</p>", ["h = v t"]),
        ("a.md", "\\begin{IEEEeqnarray}{rCl}\nh &=& v t \\\\\nq &=& h/w\n\\end{IEEEeqnarray}", ["h = v t", "q = h/w"]),
        ("a.html", r"<p>$latex h = \frac{v}{t}$ and [latex]q = \frac{h}{w}[/latex]</p>",
         [r"h = \frac{v}{t}", r"q = \frac{h}{w}"]),
        ("a.html", '<p><img src="e.png" alt="$h = v t$"></p>', ["h = v t"]),
        ("a.html", '<p><img class="formulaInl" src="e.png" alt="$ h $"></p>', ["h"]),
        ("a.html", '<p><img src="https://latex.codecogs.com/gif.latex?h=a&space;&plus;&space;b" alt="equation"></p>',
         ["h=a + b"]),
        ("a.md", '<img src="https://latex.codecogs.com/svg.latex?h=\\frac{v}{t}" />', [r"h=\frac{v}{t}"]),
        ("a.html", "<p><math-renderer>$h = v t$</math-renderer></p>", ["h = v t"]),
        ("a.html", '<p><img src="photo.png" alt="a house = a home"></p>', []),
        ("a.md", r"Write \f for a form feed and \frac for a fraction.", []),
        ("a.md", "mail a@f.org, cost $5 and $7", []),
        ("a.md", "Cost ($/h) is wage ($/h) and rent ($) of $h = v t$", ["h = v t"]),
    ],
)  # fmt: skip
def test_formulas_between_delimiters(name: str, text: str, wanted: list[str]) -> None:
    assert _sources(name, text) == wanted


def test_an_opening_without_an_end_opens_nothing_and_takes_no_time() -> None:
    text = r"\f[ a " * 20_000
    assert DelimiterReader(text).at_doxygen(0) is None
    assert DelimiterReader(text).trusted_spans(with_dollars=False) == []


def test_a_row_that_cannot_be_read_leaves_the_others() -> None:
    text = (
        "<p>\\[\\begin{eqnarray*} \\# \\mbox{of jars} &=& 12 \\\\ J &=& \\frac{V}{v} \\\\ &=& N \\end{eqnarray*}\\]</p>"
    )
    sources = _sources("a.html", text)
    assert len(sources) == 2
    assert sources[1].startswith(r"\begin{aligned} J & = \frac{V}{v}")


def test_equations_side_by_side_do_not_multiply() -> None:
    text = "$$\\begin{eqnarray} a = 0.2 & b = 0.5 & c = 0.1 \\\\ d &=& e f \\end{eqnarray}$$"
    assert _sources("a.md", text) == ["a = 0.2", "b = 0.5", "c = 0.1", "d = e f"]


def test_rows_stand_on_their_own_lines() -> None:
    document = read_document(Source("a.html", b"<p>\\[\\begin{align}\nh &= v t\\\\\nq &= h / w\n\\end{align}\\]</p>"))
    assert [math.place.line for block in document.blocks for math in formulas_of(block)] == [2, 3]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (r"a\mathrm{=}b\mathrm{-}\mathrm{2}c", "a=b-2c"),
        (r"A{\rm{ = 0}}.{\rm{25}}{d^{{\rm{0}}.{\rm{5}}}}", "A = 0.25{d^{0.5}}"),
        (r"x^\mathrm{-1} y_\mathrm{12}", "x^{-1} y_{12}"),
        (r"\mathrm{max} + \mathrm{H_2O}", r"\mathrm{max} + \mathrm{H_2O}"),
    ],
)
def test_signs_and_digits_in_upright_type_are_signs_and_digits(source: str, wanted: str) -> None:
    assert with_bare_signs(source) == wanted
