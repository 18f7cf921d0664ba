"""LaTeX: errors point at the place, ambiguities are flagged, and what is printed reads back to the same tree."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from mathrag.compute.latex import read_latex
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.pythontext import python_text
from mathrag.types.expression import Call, Declined, Expression, Negate, Number, Reading, Series, Symbol, walk
from strategies import NAMES, expressions


@pytest.mark.parametrize(
    ("source", "code", "place"),
    [
        (r"x = \frac{a}{b", "syntax", "{b"),
        (r"x = (a + b", "syntax", "(a"),
        (r"x = a + b)", "syntax", ")"),
        (r"x = a +", "syntax", "+"),
        (r"x = \foo{a}", "unknown_command", r"\foo"),
        (r"v = \frac{dx}{dt}", "derivative", r"\frac"),
        (r"y = \lim_{x \to 0} a", "limit", r"\lim"),
        (r"a \propto b", "proportionality", r"\propto"),
        (r"F = q\vec v\times\vec B", "vector_product", r"\times"),
        (r"\ce{2H2 + O2 -> 2H2O}", "reaction", "2H2"),
        (r"y = f(x, z)", "unknown_function", "(x"),
        (r"x = \text{because the sun is hot}", "free_text", r"because"),
        (r"x = a \left( b", "syntax", r"\left"),
        (r"x = \begin{cases} a & b", "syntax", r"\begin"),
        ("x = а + b", "character", "а"),  # a Cyrillic letter
        ("", "empty", ""),
    ],
)
def test_declined_with_the_place(source: str, code: str, place: str) -> None:
    reading = read_latex(source)
    assert isinstance(reading, Declined)
    assert reading.code == code
    if place:
        assert reading.position is not None
        assert source[reading.position :].startswith(place)


@pytest.mark.parametrize(
    ("source", "flag", "text"),
    [
        (r"y = \log x", "log_base", "log10(x)"),
        ("y = a/bc", "slash_product", "a/(b*c)"),
        ("y = 1/2 m", "slash_product", "1/2*m"),
        ("y = a(b)", "call_or_product", "a*b"),
        (r"y = a \pm b", "plus_minus", "a + b"),
        (r"y = \cos\omega t", "function_argument", "cos(omega*t)"),
        (r"y = x^10", "sloppy_script", "x**10"),
        (r"y = 30^\circ", "degrees", "30*(pi/180)"),
        (r"y = 5\%", "percent", "5/100"),
        (r"y = e^2 a", "e_base", "(e)**2*a"),
        (r"y = Re", "multi_letter_name", "Re"),
        (r"y = \Delta v^2", "delta_power", "Delta_v**2"),
    ],
)
def test_ambiguities_are_flagged(source: str, flag: str, text: str) -> None:
    reading = read_latex(source)
    assert isinstance(reading, Reading)
    assert flag in {each.code for each in reading.flags}
    assert python_text(reading.equations[0].right) == text


def test_known_names_are_one_symbol_each() -> None:
    reading = read_latex("MW = abc + ab", ["MW", "ab"])
    assert isinstance(reading, Reading)
    assert reading.equations[0].left == Symbol("MW")
    assert python_text(reading.equations[0].right) == "ab*c + ab"


@pytest.mark.parametrize(
    ("source", "conditions"),
    [
        (r"y = a, \quad T > 0", ["T > 0"]),
        (r"y = a \quad (\text{at } 25^\circ\text{C})", ["( at 25 ^ ∘ C)"]),
        (r"y = a \text{ for } 0 \le x < 1", ["for 0 <= x < 1"]),
    ],
)
def test_trailing_conditions(source: str, conditions: list[str]) -> None:
    reading = read_latex(source)
    assert isinstance(reading, Reading)
    assert len(reading.equations) == 1
    assert len(reading.conditions) == len(conditions)


@pytest.mark.parametrize(
    ("source", "text", "comparisons"),
    [
        (r"y = a h \qquad \text{for } h < 10 \text{ in air}", "for h < 10 in air", 1),
        (r"y = a h \qquad \text{for } h < 10^{-4}", "for h < 10^-4", 1),
        (r"y = a h \qquad \text{for } h < \sqrt[3]{b}", "for h < sqrt[3](b)", 1),
    ],
)
def test_conditions_as_they_are_said(source: str, text: str, comparisons: int) -> None:
    reading = read_latex(source)
    assert isinstance(reading, Reading)
    (condition,) = reading.conditions
    assert (condition.text, len(condition.comparisons)) == (text, comparisons)


def test_no_term_vanishes_behind_a_wide_space() -> None:
    assert isinstance(read_latex(r"y = a \quad b"), Declined)
    split = read_latex(r"\begin{split} y &= a \\ &\quad + b \end{split}")
    assert isinstance(split, Reading)
    assert python_text(split.equations[0].right) == "a + b"


def _reads_back(tree: Expression) -> bool:
    """Short sums with literal bounds are written out on reading; the least of one value is refused."""
    for node in walk(tree):
        bounds = (node.lower, node.upper) if isinstance(node, Series) else ()
        literal = [isinstance(each.operand if isinstance(each, Negate) else each, Number) for each in bounds]
        if bounds and all(literal):
            return False
        if isinstance(node, Call) and node.function in ("min", "max", "gcd", "lcm") and len(node.arguments) == 1:
            return False
    return True


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(expressions)
def test_print_then_read(tree: Expression) -> None:
    assume(_reads_back(tree))
    reading = read_latex(latex_text(tree), NAMES)
    assert isinstance(reading, Reading), reading
    assert reading.expression == tree


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (r"E = \frac{1}{2} {mv}^2", r"E = \frac{1}{2} m v^2"),
        (r"a = \frac{h^2}{{4\pi}^2 m}", r"a = \frac{h^2}{4 \pi^2 m}"),
        (r"V = {a b_1}^3", r"V = a b_1^3"),
    ],
)
def test_braces_that_nobody_sees_hold_no_power(written: str, seen: str) -> None:
    found, plain = read_latex(written), read_latex(seen)
    assert isinstance(found, Reading)
    assert isinstance(plain, Reading)
    assert found.equations == plain.equations
