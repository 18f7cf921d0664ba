"""Quotes are found exactly or not at all; signs are compared one by one."""

from __future__ import annotations

import pytest
from golden_cases import read
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.extract.proposals.quotes import (
    find_passage,
    find_quote,
    holds,
    missing_symbol,
    same_signs,
    signs_of,
    stands_alone,
)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("F = m a", "Thus  F =\n m a holds", "F =\n m a"),
        ("Newton's law", "by Newton’s law of", "Newton’s law"),
        ("5 - 3", "so 5 − 3 is", "5 − 3"),
        ("a b", "a\u00a0b", "a\u00a0b"),
        ("pressure", "pres\u00adsure", "pres\u00adsure"),
        ("efficient", "eﬃcient", "eﬃcient"),
    ],
)
def test_typography_does_not_matter(quote: str, text: str, found: str) -> None:
    quoted = find_quote(quote, text)
    assert quoted is not None
    assert quoted.text == found == text[quoted.start : quoted.end]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("E = mc2", "E = mc²"),
        ("F = m a", "F = m b"),
        ("F = M a", "F = m a"),
        ("аrea", "area"),
        ("1,000", "1000"),
        ("F=ma", "F = m a"),
        ("", "anything"),
        (" \u200b ", "anything"),
    ],
)
def test_everything_else_does(quote: str, text: str) -> None:
    assert not holds(text, quote)


@settings(deadline=None)
@given(st.text(max_size=60), st.text(min_size=1, max_size=40), st.text(max_size=60))
def test_what_stands_in_a_text_is_found_there(before: str, quote: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    quoted = find_quote(quote, text)
    if quoted is not None:
        assert text[quoted.start : quoted.end] == quoted.text
    elif any(character.isprintable() and not character.isspace() for character in quote):
        pytest.fail("a quote that stands there")


@pytest.mark.parametrize(
    ("latex", "quote", "same"),
    [
        (r"E_k = \frac{1}{2} m v^2", "E k = 1 2 mv2", True),
        (r"E_k = \frac{1}{2} m v^2", "so that Ek = ½ m v² holds", True),
        (r"E_k = \frac{1}{2} m v", "E k = 1 2 mv2", False),
        (r"E_k = \frac{1}{2} v m^2", "E k = 1 2 mv2", False),
        (r"E_k = m v^2", "E k = 1 2 mv2", False),
        (r"\rho = \frac{m}{V}", "ρ = m V", True),
        (r"\rho = \frac{m}{V}", "ρ = m V T", False),
        (r"v = v_0 + a t", "v = v0 + at", True),
        (r"v = v_0 - a t", "v = v0 + at", False),
        (r"v = v_0 + a t", "v = v0 − at", False),
        (r"y = \sqrt{x}", "y = √x", True),
        (r"y = x", "y ∝ x", False),
        (r"y = x", "2 y = x", False),
        ("", "E", False),
    ],
)
def test_signs_in_their_order(latex: str, quote: str, same: bool) -> None:
    assert same_signs(latex, quote) is same


def test_signs_leave_structure_out() -> None:
    assert signs_of(r"\mathrm{Re} = \frac{\rho\, v \cdot L}{\mu}") == ("R", "e", "=", "rho", "v", "L", "mu")
    assert missing_symbol(("rho", "v_max"), "ρ and vmax") is None
    assert missing_symbol(("rho", "T"), "ρ and vmax") == "T"


@pytest.mark.parametrize(
    ("text", "formula", "alone"),
    [
        (r"thus E = m v^{2} holds", r"E = m v", False),
        (r"thus E = m v^{2} holds", r"E = m v^{2}", True),
        ("so F = m a b", "F = m a", False),
        ("so F = m a (Newton)", "F = m a", True),
        ("so 2 F = m a.", "F = m a", False),
        ("with F = m a a body", "F = m a", True),
        ("F = m a'", "F = m a", False),
    ],
)
def test_a_stretch_of_a_formula_is_none(text: str, formula: str, alone: bool) -> None:
    start = text.index(formula)
    assert stands_alone(text, start, start + len(formula)) is alone


def test_a_passage_is_whole() -> None:
    known = read("# A\n\nFirst one. The pressure is the force divided by the area squared, they say. Last.\n")
    passage = find_passage("the force divided by the area", known.chunks[0], document=known.document)
    assert passage is not None
    assert passage.whole == "The pressure is the force divided by the area squared, they say."
    assert passage.quote == "the force divided by the area"
    assert passage.place.line == 3


def test_a_formula_is_whole() -> None:
    known = read("# A\n\nNote that $$E = \\frac{1}{2} m v^2$$ holds.\n")
    passage = find_passage("E = \\frac{1}{2} m v", known.chunks[0])
    assert passage is not None
    assert [math.source for math in passage.formulas] == ["E = \\frac{1}{2} m v^2"]
    assert len(passage.equations) == 1
