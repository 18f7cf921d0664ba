"""Matrices and vectors of numbers: spaces, bases, projections, qualities; and claims on matrices in letters."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectResult, DirectStatement


def said(question: str) -> str:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement | DirectResult), (question, found)
    return found.text


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("inverse of {{3,1},{5,2}}", "is [[2, −1], [−5, 3]]"),
        ("determinant of the matrix with rows (1, 4) and (2, 3)", "is −5"),
        ("find the determinant of the matrix whose columns are (1, 4) and (2, 3)", "[[1, 2], [4, 3]] is −5"),
        ("kernel of [[1, 3], [2, 6]]", "has the basis (−3, 1)"),
        ("nullspace of [[1, 0], [0, 1]]", "is {0}"),
        ("nullity of [[1, 3], [2, 6]]", "is 1"),
        ("adjugate of [[5, 1], [2, 3]]", "is [[3, −1], [−2, 5]]"),
        ("rref of [[2, 4], [1, 2]]", "is [[1, 2], [0, 0]]"),
        ("eigenvectors of [[4, 0], [0, 7]]", "for the eigenvalue 4: (1, 0)"),
        ("verify the Cayley-Hamilton theorem for [[0, 2], [1, 5]]", "True"),
        ("is [[0, 3], [0, 0]] nilpotent", "Yes"),
        ("is [[2, 3], [0, 2]] diagonalizable?", "No"),
        ("is [[3, 1], [1, 3]] positive definite?", "Yes"),
        ("is [[1, 3], [3, 1]] positive definite?", "No"),
        ("are (1, 3) and (2, 6) linearly independent?", "No"),
        ("Is {(1,0,2), (0,1,1), (1,1,0)} linearly independent", "Yes"),
        ("do (1, 3) and (2, 5) span R^2?", "Yes"),
        ("is {(1,3),(2,6)} a basis of R^2", "No"),
        ("projection of (2, 6) onto (1, 1)", "is (4, 4)"),
        ("angle between (2, 0) and (3, 3)", "is 45°"),
        ("are (1, 3) and (-3, 1) perpendicular?", "are orthogonal"),
    ],
)
def test_matrices_and_vectors_of_numbers(question: str, part: str) -> None:
    assert part in said(question)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("if M is 3x3 is det(2M) = 2det(M)?", "False"),
        ("Let $M$ be a $3\\times 3$ matrix. Is $\\det(2M) = 8\\det(M)$?", "True for all 3 × 3"),
        ("$\\operatorname{tr}(MN) = \\operatorname{tr}(M)\\operatorname{tr}(N)$ for square matrices M, N?", "False"),
        ("tr(MN) = tr(NM) even if MN ≠ NM", "True"),
        ("tr(MNP) = tr(PMN) = tr(NPM)", "True"),
        ("tr(MNP) = tr(PNM) = tr(NPM)", "False"),
        ("rank(MN) = min(rank M, rank N)?", "False"),
        ("rank(MN) <= min(rank(M), rank(N))", "True"),
        ("is the rank of M^T M equal to the rank of M", "Yes"),
        ("[M,N] = -[N,M]?", "True"),
        ("[M, NP] = [M,N]P + N[M,P]", "True"),
        ("[M,N] = [N,M] for matrices", "False"),
        ("exp(M+N) = exp(M)exp(N) for matrices", "False"),
        ("if M and N commute, is e^(M+N) = e^M e^N", "True"),
        ("if MN = NM is (M+N)^2 = M^2 + 2MN + N^2", "True"),
        ("(MNP)^{-1} = P^{-1}N^{-1}M^{-1}", "True for all square matrices"),
        ("is M^T M symmetric", "True"),
        ("the transpose of MN is M^T N^T", "False"),
        ("is (MN)^T the same as N^T M^T", "True for all square"),
        ("for all n×n matrices M, N: (M+N)(M-N) = M^2 - N^2", "False"),
        ("if M and N are symmetric is MN symmetric", "False"),
        ("if M is skew-symmetric then tr(M) = 0", "True"),
        ("is MN orthogonal for orthogonal matrices M and N?", "True"),
        ("if P is idempotent then (I - P)^2 = I - P", "True"),
    ],
)
def test_claims_on_matrices(question: str, verdict: str) -> None:
    assert said(question).startswith(verdict)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("if MN = 0 for matrices then M = 0 or N = 0?", "False for matrices"),
        ("If MN = MP and M is invertible, is N = P?", "True for all square"),
        ("If MN = MP and M is not the zero matrix, must N = P?", "False for matrices"),
        ("if M^2 = I for a matrix M then M = I or M = -I", "False for matrices"),
        ("Let M, N be square matrices. If MN = I, then NM = I", "True for all square"),
        ("if M^3 = 0 is det(M) = 0 for matrices", "No counterexample found, not proved"),
    ],
)
def test_what_follows_from_equations_between_matrices(question: str, verdict: str) -> None:
    assert said(question).startswith(verdict)


@pytest.mark.parametrize(
    "question",
    [
        "[A,B] = 3 mol/L",
        "project (3 m, 4 m) onto (1, 0)",
        "the span of the bridge from (1,2) to (3,4)",
        "rank (1,2), (3,4)",
    ],
)
def test_what_is_no_such_question_is_left_alone(question: str) -> None:
    assert not isinstance(compute_directly(question), DirectStatement)
