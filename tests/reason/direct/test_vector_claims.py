"""Equations between vectors in letters: shown by components, refuted by small vectors, never judged as numbers."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.vector_claims import answer_vector_claim
from mathrag.reason.direct.result import DirectFailure

JUDGED = {
    "is p × q = −(q × p) for vectors?": "True for all vectors p, q",
    "is r × (s × t) = s (r·t) − t (r·s)?": "True for all vectors r, s, t",
    "u · (u × v) = 0, true or false?": "True",
    "is p × p = 0 for every vector p?": "True",
    "is p × q = q × p for vectors in R^3?": "False: at p = ",
    "is (p × q) × r = p × (q × r) for all vectors": "False",
    "is |p × q|^2 = |p|^2 |q|^2 - (p·q)^2 for vectors p, q": "True",
    r"\vec{p} \times (\vec{q} + \vec{r}) = \vec{p} \times \vec{q} + \vec{p} \times \vec{r} for vectors": "True",
    "3 (p × q) = (3 p) × q for vectors": "True",
}


@pytest.mark.parametrize(("question", "told"), JUDGED.items())
def test_statements_are_judged(question: str, told: str) -> None:
    assert getattr(compute_directly(question), "text", "").startswith(told)


@pytest.mark.parametrize("question", ["is p × q = q × p?", "3 m × 4 m", "A × B ⊆ C × D", "2 × x = 8, solve for x"])
def test_products_of_numbers_are_left_to_others(question: str) -> None:
    assert answer_vector_claim(question) is None


@pytest.mark.parametrize(
    "question", ["is p × q = p · q for vectors?", "is |p × q| = |p| |q| for vectors p and q?", "p × (q · r) = 1"]
)
def test_what_does_not_fit_together_is_not_judged(question: str) -> None:
    assert isinstance(answer_vector_claim(question), DirectFailure)
