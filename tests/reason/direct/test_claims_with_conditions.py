"""Claims on events, on orders of growth, with conditions in words; and the law behind a refuted equation."""

from __future__ import annotations

import pytest

from mathrag.compute.typed_mathematics import read_one
from mathrag.knowledge.corrections import corrections
from mathrag.reason.direct import DirectStatement, compute_directly
from mathrag.types.expression import symbols_of


def _said(text: str) -> str:
    found = compute_directly(text)
    return found.text if isinstance(found, DirectStatement) else ""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("P(E or F) = P(E) + P(F)?", "False in general"),
        ("is P(E ∪ F) = P(E) + P(F) for disjoint events E and F?", "True"),
        ("If E and F are independent, is P(E and F) = P(E) P(F)?", "True"),
        ("P(E|F) + P(E'|F) = 1?", "True"),
        ("P(E|F) + P(E|F') = 1?", "False in general"),
        (r"$P(E\mid F)=\frac{P(F\mid E)P(E)}{P(F)}$ right?", "True"),
        ("P(E ∪ F) ≤ P(E) + P(F)", "True"),
        ("P(E \\ F) = P(E) - P(F)", "False in general"),
    ],
)
def test_laws_of_events(text: str, verdict: str) -> None:
    assert _said(text).startswith(verdict), _said(text)


@pytest.mark.parametrize("text", ["P(x) = x^2 + 1", "P = F/A", "P(A) = 0.2 and P(B) = 0.4, find P(A or B)"])
def test_other_uses_of_the_letter_are_left_alone(text: str) -> None:
    assert "events" not in _said(text)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("is m^2 = O(m^3)?", "True"),
        ("m^3 = O(m^2)", "False"),
        ("4m + 1 is Θ(m)", "True"),
        ("m^2 = o(m^2)?", "False"),
        ("cos(m) = O(1)", ""),
    ],
)
def test_orders_of_growth(text: str, verdict: str) -> None:
    assert _said(text).startswith(verdict)
    assert bool(verdict) == bool(_said(text))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Is log_c(u^k) = k log_c(u) for all u > 0?", "True"),
        ("does log_c(1) = 0 hold for every base c", "True"),
        ("Is Var(2X + 7) equal to 4 Var(X)?", "True"),
        ("Var(X + k) = Var(X) + k, k is constant", "False"),
        ("w/conj(w) has modulus 1 for every complex w except 0", "True"),
        ("(u+v) mod m = ((u mod m) + (v mod m)) mod m ?", "True"),
        ("n^2 - n + 41 gives prime numbers for all natural n", "False"),
    ],
)
def test_conditions_in_words(text: str, verdict: str) -> None:
    assert _said(text).startswith(verdict), _said(text)


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("(s + t)^2 = s^2 + t^2", "Right is (s + t)² = s² + 2 s t + t²."),
        ("1/s + 1/t = 1/(s + t)", "Right is 1 / s + 1 / t = (s + t) / (s t)."),
        ("cos(s + t) = cos s + cos t", "Right is cos(s + t) = cos(s) cos(t) − sin(s) sin(t)."),
    ],
)
def test_the_right_law_is_told(text: str, law: str) -> None:
    assert law in _said(text)


@pytest.mark.soak
def test_every_law_that_corrects_is_true() -> None:
    for one in corrections():
        left, right = read_one(one.left), read_one(one.right)
        assert set(symbols_of(right)) == set(symbols_of(left)), one.left
        where = (
            f" for {one.where.replace('≥', '>=')}"
            if one.where and one.where[0].islower() and " > " in one.where
            else ""
        )
        said = _said(f"{one.left} = {one.right}{where}")
        assert not said.startswith("False"), said
