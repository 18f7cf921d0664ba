"""Questions about matrices that are written out in numbers."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectFailure, DirectResult, DirectStatement

NUMBERS = (
    ("determinant of [[4, 7], [2, 6]]", 10),
    ("What is the det of [1 2 0; 0 3 1; 5 0 2]?", 16),
    (r"find the determinant of $\begin{pmatrix} 3 & -1 \\ 2 & 5 \end{pmatrix}$", 17),
    ("rank of [[1, 2, 3], [2, 4, 6], [0, 0, 1]]", 2),
    ("trace of [[5, 1], [9, −2]]", 3),
)
STATED = (
    ("invert [[2, 0], [0, 4]]", "[[1/2, 0], [0, 1/4]]"),
    ("find the inverse of the matrix [[3, 6], [1, 2]]", "has no inverse"),
    ("transpose [[1, 2, 3], [4, 5, 6]]", "[[1, 4], [2, 5], [3, 6]]"),
    ("multiply [[1, 1], [0, 1]] by [[2, 0], [3, 1]]", "[[5, 1], [3, 1]]"),
)
NONE = (
    "determinant of [[1, 2], [3]]",
    "determinant of [[a, b], [c, d]]",
    "what is the stress tensor [[1, 2], [2, 3]] of the beam?",
    "determinant and trace of [[1, 2], [3, 4]]",
    "determinant of [[1/0, 2], [3, 4]]",
    "how many of [[1, 2], [3, 4]] are even?",
)


@pytest.mark.parametrize(("question", "value"), NUMBERS)
def test_a_number_of_a_matrix(question: str, value: int) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult)
    assert found.quantity.value == value


@pytest.mark.parametrize(("question", "words"), STATED)
def test_a_matrix_of_a_matrix(question: str, words: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert words in found.text


@pytest.mark.parametrize("question", NONE)
def test_what_is_not_asked_of_a_matrix_of_numbers(question: str) -> None:
    assert not isinstance(compute_directly(question), DirectResult | DirectStatement)


def test_only_square_matrices_have_a_determinant() -> None:
    found = compute_directly("determinant of [[1, 2, 3], [4, 5, 6]]")
    assert isinstance(found, DirectFailure)
    assert "square" in found.message
    assert isinstance(compute_directly("[[1, 2]] * [[3, 4]]"), DirectFailure)
