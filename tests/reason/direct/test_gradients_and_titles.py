"""Gradients in letters and at a point, brackets that round, and statements with their name in front."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly

TOLD = {
    "compute the gradient of f(x, y) = x^2 y": "(2 x y, x²)",
    "gradient of u v + w^2 at (1, 2, 3)": "at (1, 2, 3) it is (2, 1, 6)",
    "Is ⌊2 t⌋ = 2 ⌊t⌋?": "False",
    "is ⌈t⌉ = −⌊−t⌋ ?": "True",
    "Write (2 + i)/(1 - i) in the form a + bi": "= 1/2 + (3/2)i",
    "is sin(t)^2 = 1 − cos(t)^2 wherever both sides are defined?": "True",
    "is the transpose of PQ equal to P^T Q^T?": "False",
    "is the inverse of PQ equal to Q^-1 P^-1 for invertible matrices?": "True",
    "sum of the squares from 1 to 5": "is 55",
    "Square of a sum: is (p + q)^2 = p^2 + 2 p q + q^2?": "True",
}


@pytest.mark.parametrize(("question", "told"), TOLD.items())
def test_it_is_told(question: str, told: str) -> None:
    assert told in getattr(compute_directly(question), "text", "")


@pytest.mark.parametrize(
    "question", ["gradient of a road", "gradient of 3 x", "what is the gradient of the line y = 2x + 1"]
)
def test_what_is_no_such_gradient_is_left_alone(question: str) -> None:
    assert "gradient of" not in str(getattr(compute_directly(question), "text", "")).lower()
