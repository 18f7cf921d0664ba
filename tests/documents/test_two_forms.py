"""Several forms of one formula say the same, or it is uncertain; what nobody sees makes it uncertain, too."""

from __future__ import annotations

import pytest

from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.documents.registry import read_document
from mathrag.documents.seams import Source
from mathrag.documents.two_forms import Form, compared, doubted
from mathrag.types.document import Math, Place, formulas_of
from mathrag.types.expression import Declined

DENSITY: Form = (
    "<math><mi>ρ</mi><mo>=</mo><mfrac><mi>m</mi><mi>V</mi></mfrac></math>",
    "mathml",
)


def _math(source: str) -> Math:
    return Math(source, "latex", Place(line=1), source)


@pytest.mark.parametrize(
    "source",
    [r"\rho = \frac{m}{V}", r"\rho=\dfrac{m}{V}", r"\rho = m / V", r"\mathrm{\rho} = {m \over V}", r"\rho = m V^{-1}",
     r"\rho = \left(\frac{m}{V}\right)", r"\rho V = m"],
)  # fmt: skip
def test_spelling_and_order_do_not_matter(source: str) -> None:
    assert compared(_math(source), [DENSITY]).is_certain


@pytest.mark.parametrize(
    "source",
    [r"\rho = \frac{V}{m}", r"\rho = 2 \frac{m}{V}", r"\rho = \frac{M}{V}", r"\rho = \frac{m}{V} + 1", r"\rho = m V"],
)
def test_another_meaning_is_uncertain_with_both_in_the_reason(source: str) -> None:
    found = compared(_math(source), [DENSITY])
    assert not found.is_certain
    assert "two forms" in found.doubts[0]
    assert source in found.doubts[0]
    assert "ρ=mV" in found.doubts[0]


def test_what_is_not_read_keeps_its_own_reason() -> None:
    assert compared(_math(r"\frac{dx}{dt} = \lim_{h \to 0} y"), [DENSITY]).is_certain


def test_a_form_that_cannot_be_read_must_have_the_same_signs() -> None:
    struck: Form = (
        '<math><mi>ρ</mi><mo>=</mo><menclose notation="updiagonalstrike"><mi>m</mi></menclose></math>',
        "mathml",
    )
    assert not compared(_math(r"\rho = m"), [struck]).is_certain


def test_a_doubt_is_said_once() -> None:
    assert doubted(doubted(_math("a = b"), "struck out"), "struck out").doubts == ("struck out",)


@pytest.mark.parametrize("command", ["cancel", "bcancel", "xcancel", "sout", "cancelto{0}", "hcancel"])
def test_what_is_struck_out_is_declined(command: str) -> None:
    read = read_latex(rf"\rho = \{command}{{2}} \frac{{m}}{{V}}")
    assert isinstance(read, Declined)
    assert read.code == "struck_out"


@pytest.mark.parametrize("colour", ["white", "#FFFFFF", "#fff", "1,1,1", "transparent"])
def test_what_has_the_colour_of_paper_is_declined(colour: str) -> None:
    for source in (rf"\rho = \textcolor{{{colour}}}{{2}} m", rf"\rho = {{\color{{{colour}}} 2}} m"):
        read = read_latex(source)
        assert isinstance(read, Declined)
        assert read.code == "unseen"
    assert not isinstance(read_latex(r"\rho = \textcolor{blue}{2} m"), Declined)


@pytest.mark.parametrize("attribute", ['mathcolor="white"', 'style="display: none"', 'mathsize="0"', 'color="#ffffff"'])
def test_a_part_of_mathml_that_is_not_seen_is_declined(attribute: str) -> None:
    read = read_mathml(f"<math><mi>a</mi><mo>=</mo><mn {attribute}>2</mn><mi>b</mi></math>")
    assert isinstance(read, Declined)
    assert read.code == "unseen"


@pytest.mark.parametrize("sign", ["\u202e", "\u2067", "\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff"])
def test_signs_that_nobody_sees_make_a_formula_uncertain(sign: str) -> None:
    data = f"# Matter\n\nThe density is $\\rho = m{sign}n$ here.\n".encode()
    document = read_document(Source("note.md", data), media_type="text/markdown")
    (math,) = [math for block in document.blocks for math in formulas_of(block)]
    assert not math.is_certain
    assert math.doubts


@pytest.mark.parametrize(
    "text", ["$\\rho = m n$\u200b", "\u200e$\\rho = m n$", "$\\rho = m\u2062n$", "\ufeff$\\rho = m n$"]
)
def test_signs_beside_a_formula_change_nothing(text: str) -> None:
    document = read_document(Source("note.md", f"# Matter\n\nSo {text}.\n".encode()), media_type="text/markdown")
    maths = [math for block in document.blocks for math in formulas_of(block)]
    assert maths
    assert all(math.is_certain for math in maths)
