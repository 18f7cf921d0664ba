"""Formulas whose left side stands in words before them, in the formats that mark formulas."""

from __future__ import annotations

import pytest

from mathrag.documents import Source, read_document
from mathrag.extract.pipeline import extract
from mathrag.types.library import Finding


def findings(text: str, media_type: str = "text/markdown") -> list[Finding]:
    return list(extract(read_document(Source("x", text.encode()), media_type=media_type), document_id="d").findings)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("- Sale price = $p (1 - d)$", "Sale_price"),
        ("The table follows. **Net yield (NY)** = $y - c$, where $y$ is the yield.", "NY"),
        ("Attenuation $= 10 \\log_{10}(a/b)$.", "Attenuation"),
        ("1. Mean waiting time = $\\frac{q}{r}$", "Mean_waiting_time"),
        ("Q = $k A d$", "Q"),
    ],
)
def test_words_before_an_equals_sign_are_what_is_computed(text: str, target: str) -> None:
    (found,) = findings(text)
    assert found.equation is not None
    assert found.equation.target == target


def test_words_in_mathml_pages_count_as_well() -> None:
    page = "<p>Stock turnover = <math><mfrac><mi>s</mi><mi>v</mi></mfrac></math></p>"
    (found,) = findings(page, "text/html")
    assert found.equation is not None
    assert found.equation.target == "Stock_turnover"


@pytest.mark.parametrize(
    "text",
    [
        "We get for each of the cases that were named above and below = $2 x$ again and again.",
        "The force on it = $m a$ and the work on it differ.",
        "The value of x = $y = 2 z$",
        "a < b = $c$ holds",
    ],
)
def test_sentences_name_nothing(text: str) -> None:
    assert not [one for one in findings(text) if one.status == "executable" and len(one.equation.target or "") > 3]


@pytest.mark.parametrize(
    ("line", "target", "symbols"),
    [
        ("I<sub>set</sub> = CT<sub>prim</sub> &times; M<sub>p</sub>", "I_set", {"I_set", "CT_prim", "M_p"}),
        ("t<sub>e</sub> = min(t<sub>a</sub>, t<sub>b</sub>)", "t_e", {"t_e", "t_a", "t_b"}),
    ],
)
def test_a_line_of_symbols_and_signs_is_one_formula(line: str, target: str, symbols: set[str]) -> None:
    (found,) = findings(f"<div>{line}</div>", "text/html")
    assert found.equation is not None
    assert found.equation.target == target
    assert {symbol.name for symbol in found.symbols} == symbols


@pytest.mark.parametrize(
    "line", ["I<sub>a</sub> and I<sub>b</sub> = see page 3", "x<sub>1</sub>, x<sub>2</sub> &gt; 0"]
)
def test_a_line_with_other_words_is_none(line: str) -> None:
    assert not [one for one in findings(f"<div>{line}</div>", "text/html") if one.status == "executable"]
