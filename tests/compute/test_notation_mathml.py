"""LaTeX shown as MathML: the same formula when read back, nothing but our own markup, whatever the source says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_formulas import load
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.printers.notation_mathml import latex_mathml
from mathrag.types.expression import Declined

FORMULAS = sorted(
    {
        entry["latex"]
        for name in ("formulas", "formulas_second", "formulas_third", "formulas_fourth")
        for entry in load(name)
        if "latex" in entry
    }
)
PIECES = (
    *"\\{}^_<>&\"'xX2 ()[]|$%#~+-=/é∑", "\\frac", "\\text", "\\ce", "\\sqrt", "\\left", "\\right",
    "\\begin{cases}", "\\end{cases}", "<script>",
)  # fmt: skip
# Tags and attributes that may occur; anything else would be the source's own.
TAG = re.compile(
    r"</?(?:math|mrow|mi|mn|mo|mtext|msub|msup|msubsup|munder|mover|munderover|mfrac|msqrt|mroot|mtable|mtr|mtd)"
    r'(?: (?:xmlns|display|mathvariant|fence|stretchy|form|accent|linethickness|lspace|rspace)="[a-zA-Z0-9:/.]+")*>'
    r'|<mspace width="[0-9.]+em"/>'
)


def is_clean(markup: str) -> bool:
    rest = TAG.sub("", markup)
    return "<" not in rest and ">" not in rest


@pytest.mark.corpora
def test_most_golden_formulas_are_the_same_when_read_back() -> None:
    compared = same = 0
    for latex in FORMULAS:
        reading = read_latex(latex)
        markup = latex_mathml(latex)
        if isinstance(reading, Declined) or markup is None:
            continue
        compared += 1
        again = read_mathml(markup)
        same += not isinstance(again, Declined) and again.equations == reading.equations
    assert compared > 400
    # The rest are units and words in upright type, which MathML does not tell from names.
    assert same / compared > 0.95


@pytest.mark.parametrize(
    ("latex", "markup"),
    [
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (r"\vec{F}", '<mover accent="true"><mi>F</mi><mo>→</mo></mover>'),
        (r"\Delta", '<mi mathvariant="normal">Δ</mi>'),
        ("a = -b", '<mrow><mi>a</mi><mo>=</mo><mo form="prefix">−</mo><mi>b</mi></mrow>'),
        (r"\ce{SO4^2-}", "<mrow><msup><msub><mtext>SO</mtext><mn>4</mn></msub><mtext>2−</mtext></msup></mrow>"),
    ],
)
def test_marks_look_as_written(latex: str, markup: str) -> None:
    assert latex_mathml(latex) == f'<math xmlns="http://www.w3.org/1998/Math/MathML">{markup}</math>'


def test_a_reaction_is_shown_although_it_is_not_computed() -> None:
    shown = latex_mathml(r"\ce{2 H2 + O2 -> 2 H2O}")
    assert shown is not None
    assert re.sub(r"<[^>]*>", "", shown) == "2H2+O2⟶2H2O"


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\mathrm{<img src=x onerror=alert(1)>}",
        r"\href{javascript:alert(1)}{x}",
        r"\ce{<b>H2</b>}",
        r"\SI{3}{\"><script>}",
        'x" onclick="alert(1)',
        "<math><mi>x</mi></math>",
    ],
)
def test_the_source_can_add_no_markup(latex: str) -> None:
    markup = latex_mathml(latex)
    assert markup is None or is_clean(markup)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_gives_clean_markup_or_none(latex: str) -> None:
    markup = latex_mathml(latex)
    assert markup is None or is_clean(markup)


@pytest.mark.parametrize("latex", ["{" * 5000 + "x" + "}" * 5000, "x^{" * 2000, r"\frac" * 5000, "x" * 20_000, ""])
def test_what_is_no_formula_is_not_shown(latex: str) -> None:
    assert latex_mathml(latex) is None
