"""Statements on sets and between matrices, and arithmetic with i: proved by cases, refuted by an example, or left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.algebra.complex_values import complex_value
from mathrag.compute.algebra.matrix_laws import follows_from_laws
from mathrag.compute.algebra.matrix_statements import UnreadMatricesError, read_matrix_statement, try_matrices
from mathrag.compute.logic import UnreadLogicError, cases, letters_of, truth
from mathrag.compute.set_algebra import read_set_statement
from mathrag.compute.typed_mathematics import read_one
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.complex_numbers import answer_complex
from mathrag.reason.direct.result import DirectStatement

TRUE = (
    "is X ∩ (Y ∪ Z) = (X ∩ Y) ∪ (X ∩ Z)?",
    "(P ∩ Q)^c = P^c ∪ Q^c",
    "is P △ Q equal to (P ∖ Q) ∪ (Q ∖ P) for all sets P and Q?",
    r"$M \cap N \subseteq M \cup N$",
    "P minus (Q intersect R) = (P minus Q) union (P minus R), true?",
    "is the complement of (S union T) = the complement of S intersection the complement of T",
)
FALSE = (
    "is P ∖ Q = Q ∖ P?",
    "S ∪ T ⊆ S ∩ T, correct?",
    "X union (Y intersect Z) = (X union Y) intersect Z",
)
NO_SETS = (
    "is A minus B = B minus A?",
    "P ∪ Q ∩ R = R",
    "is P ∪ Q",
    "is p ∪ q = q",
    "the union of workers = a party",
)


@pytest.mark.parametrize(("question", "verdict"), [*((q, "True") for q in TRUE), *((q, "False") for q in FALSE)])
def test_statements_on_sets_are_decided_by_all_cases(question: str, verdict: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(verdict)


@pytest.mark.parametrize("question", NO_SETS)
def test_what_is_no_statement_on_sets_is_left(question: str) -> None:
    found = compute_directly(question)
    assert found is None or "set" not in getattr(found, "text", "")


@given(st.text(alphabet="ABC∪∩∖△∁()'=⊆⊇ ^c\\", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        statement = read_set_statement(text)
    except UnreadLogicError:
        return
    for case in cases(letters_of(statement.left, statement.right)):
        assert truth(statement.left, case) in (True, False)


BY_LAWS = (
    "(MN)^T = N^T M^T", "det(MN) = det(M) det(N)", "tr(M + N) = tr(M) + tr(N)", "(MN)^-1 = N^-1 M^-1", "M I = M",
    "tr(M N P) = tr(P M N)", "det(M^-1) = 1/det(M)", "(M + N)(M - N) = M^2 - M N + N M - N^2", "M^-1 M N = N",
    "tr(M^T N) = tr(N^T M)", "(c M)^-1 = M^-1/c", "tr(N^-1 M N) = tr(M)", "(M^T)^-1 = (M^-1)^T",
)  # fmt: skip
HELD = ("det(M N - I) = det(N M - I)", "rank(M N) = rank(N^T M^T)")
FAILING = ("MN = NM", "det(2M) = 2 det(M)", "(M + N)^2 = M^2 + 2MN + N^2", "tr(MN) = tr(M) tr(N)")


@pytest.mark.parametrize("text", BY_LAWS)
def test_what_follows_from_the_laws_of_matrices_is_true(text: str) -> None:
    found = compute_directly(f"is {text} for all matrices?")
    assert isinstance(found, DirectStatement)
    assert found.text.startswith("True for all square matrices of one size for which both sides exist")


@pytest.mark.parametrize("text", HELD)
def test_what_does_not_follow_from_them_is_not_called_proved(text: str) -> None:
    found = compute_directly(f"is {text} for all matrices?")
    assert isinstance(found, DirectStatement)
    assert "not proved" in found.text


_FACTORS = ("M", "N", "M^T", "N^-1", "(M + N)", "(N + M)", "(M N)^T", "N^T M^T", "2", "tr(M N)", "tr(N M)", "det(N)")
_PRODUCTS = st.lists(st.sampled_from(_FACTORS), max_size=4)


@given(_PRODUCTS, _PRODUCTS)
def test_what_follows_from_the_laws_holds_for_matrices(left: list[str], right: list[str]) -> None:
    try:
        statement = read_matrix_statement(f"{' '.join(left)} = {' '.join(right)}")
        trial = try_matrices(statement)
    except UnreadMatricesError:
        return
    assert not follows_from_laws(statement) or trial.counterexample is None


@pytest.mark.parametrize("text", FAILING)
def test_a_choice_of_matrices_refutes(text: str) -> None:
    found = compute_directly(f"is {text} for 2x2 matrices?")
    assert isinstance(found, DirectStatement)
    assert found.text.startswith("False in general: with M = [[")


@pytest.mark.parametrize("text", ["is M + 1 = N for matrices?", "is MN = for matrices", "M = 3 for matrices"])
def test_what_does_not_fit_together_gets_no_verdict(text: str) -> None:
    assert not isinstance(compute_directly(text), DirectStatement)


@given(st.text(alphabet="MN()+-*^T=2 det", max_size=40))
def test_any_equation_of_matrices_is_read_or_refused(text: str) -> None:
    try:
        trial = try_matrices(read_matrix_statement(text))
    except UnreadMatricesError:
        return
    assert trial.held >= 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1 - i)^6", "8i"), ("(2 + i)(2 - i)", "5"), ("what is (3 + 4i)/(1 - 2i)", "−1 + 2i"),
        ("1/(1 + i)", "1/2 − (1/2)i"),
        ("i^7 + 1 (i is the imaginary unit)", "1 − i"), ("compute (1+2i)^2 where i^2 = -1", "−3 + 4i"),
    ],
)  # fmt: skip
def test_arithmetic_with_the_imaginary_unit_is_exact(text: str, value: str) -> None:
    found = answer_complex(text)
    assert found is not None
    assert f"= {value} (" in found.text


@pytest.mark.parametrize("text", ["3 i", "i", "x + i", "2^i", "1/(i^2 + 1)", "sin(i)", "is i = 2?"])
def test_other_texts_with_the_letter_are_left(text: str) -> None:
    assert answer_complex(text) is None


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9), st.integers(1, 5))
def test_complex_values_agree_with_those_of_python(a: int, b: int, c: int, d: int, n: int) -> None:
    found = complex_value(read_one(f"({a} + {b}i)^{n}/({c} + {d}i)".replace("+ -", "- ")))
    assert found is not None
    expected = complex(a, b) ** n / complex(c, d)
    assert complex(found.real, found.imaginary) == pytest.approx(expected, rel=1e-9, abs=1e-9)
