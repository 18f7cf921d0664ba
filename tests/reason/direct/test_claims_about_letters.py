"""Equations whose letters are said to be matrices or complex numbers: shown, refuted, held at points, or left with what
was not read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.algebra.complex_statements import UnreadComplexError, read_complex_statement, try_complex
from mathrag.reason.direct import DirectFailure, DirectStatement, compute_directly
from mathrag.reason.direct.algebra.stated_letters import stated_equation

SHOWN = (
    "is u + conj(u) = 2 Re(u) for every complex number u",
    "for complex v, is |v|^2 = conj(v) v true?",
    "is conj(u v) = conj(u) conj(v) for complex numbers u and v?",
    "is |u/v| = |u|/|v| for complex u and nonzero complex v",
    r"show that $\overline{z - w} = \bar{z} - \bar{w}$",
    "is |z + w|^2 + |z - w|^2 = 2|z|^2 + 2|w|^2 for complex z, w",
    "is Im(i z) = Re(z)",
)
REFUTED = (
    "is Im(z w) = Im(z) Im(w)?",
    "if u is a complex number, is |u|^2 = u^2",
    "is |u - v| = |u| - |v| for complex u and v",
    "does arg(u v) = arg(u) + arg(v) hold for complex u and v?",
    "is ln(e^z) = z for all complex z",
)
HELD = (
    "is e^(u + v) = e^u e^v for complex u and v",
    "is |z^n| = |z|^n for complex z and natural n",
    "is sin(u)^2 + cos(u)^2 = 1 for complex u",
)


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        *((question, "True: ") for question in SHOWN),
        *((question, "False for complex") for question in REFUTED),
        *((question, "No counterexample found, not proved: ") for question in HELD),
    ],
)
def test_equations_between_complex_numbers(question: str, opening: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(opening)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is u @ v = v @ u for complex u and v", "“@ v"),
        ("is |u| = 1 for primitive complex u", "“primitive”"),
        ("is P @ Q = Q @ P for matrices P and Q", "“@ Q"),
        ("is P^2 = P for stochastic matrices P", "“stochastic”"),
    ],
)
def test_what_cannot_be_read_is_named(question: str, said: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectFailure)
    assert said in found.message


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("if P and Q are matrices, is trace(P - Q) = trace P - trace Q", "True for all square"),
        ("Let P and Q be matrices. Is PQ = QP?", "False in general: with P = [["),
        ("is PQ = QP for diagonal matrices P and Q", "True for all diagonal"),
        ("is PQ = QP for symmetric matrices P and Q", "False in general"),
        ("is |PQ| = |P||Q| for square matrices P and Q", "True for all square"),
        ("is det(k P) = k^3 det(P) for a 3x3 matrix P and a scalar k", "True for all 3 × 3"),
        ("is det(k P) = k det(P) for a 3x3 matrix P and a scalar k", "False in general"),
        ("is P - P = 0 for a matrix P", "True for all square"),
        ("is rank(P + Q) = rank(P) + rank(Q) for matrices P and Q", "False in general"),
        ("for invertible matrices P and Q, does (PQ)^(-1) = P^(-1) Q^(-1) hold?", "False in general"),
    ],
)
def test_equations_between_matrices(question: str, opening: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(opening)


def test_a_clause_says_which_letters_are_what() -> None:
    found = stated_equation("for complex u and v and real t, is t(u + v) = t u + t v")
    assert found is not None
    assert found.body == "t(u + v) = t u + t v"
    assert found.letters_said("complex") == {"u", "v"}
    assert found.letters_said("real") == {"t"}


def test_real_letters_stay_real() -> None:
    statement = read_complex_statement("Re(t) = t")
    assert try_complex(statement, {"t": "real"}).is_shown
    assert try_complex(statement, {"t": "complex"}).counterexample is not None


@given(st.text(alphabet="zw|()^-+*/=i2 conjReT²̄{}", max_size=40))
def test_any_text_is_an_equation_or_refused(text: str) -> None:
    try:
        statement = read_complex_statement(text)
    except UnreadComplexError:
        return
    try_complex(statement, dict.fromkeys(statement.letters, "complex"))
