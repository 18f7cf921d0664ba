"""Equations between functions of whole numbers: what follows from their definitions holds wherever it is tried."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.algebra.identities import Comparison, try_statement
from mathrag.compute.algebra.whole_functions import shown_by_definitions
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_mathematics
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectStatement

TRUE = (
    "is C(m, r) = C(m, m - r)?",
    "is C(m, r) + C(m, r - 1) = C(m + 1, r)?",
    "is C(m, 3) = m (m - 1)(m - 2)/6?",
    "is (m + 1)! = (m + 1) m!?",
    "is lcm(p, q) gcd(p, q) = p q for positive integers p and q?",
    "is gcd(p, q) = gcd(q, p)?",
)


@pytest.mark.parametrize("question", TRUE)
def test_what_follows_from_the_definitions_is_true_for_whole_numbers(question: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith("True for all whole numbers")


@pytest.mark.parametrize("question", ["is C(m, r) = C(m, r + 1)?", "is (2m)! = 2 m!?", "is lcm(p, q) = p q?"])
def test_what_is_false_stays_false(question: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith("False")


_PARTS = ("C(n,k)", "C(n,k+1)", "C(n+1,k)", "C(n,n-k)", "n!", "(n+1)!", "gcd(n,k)", "lcm(n,k)", "n", "k", "2", "(n-k)")


@given(
    st.lists(st.sampled_from(_PARTS), min_size=1, max_size=3), st.lists(st.sampled_from(_PARTS), min_size=1, max_size=3)
)
def test_nothing_is_shown_that_fails_somewhere(left: list[str], right: list[str]) -> None:
    try:
        statement = read_mathematics(f"{' * '.join(left)} = {' + '.join(right)}")
    except (AmbiguousMathematicsError, UnreadMathematicsError):
        return
    relation = Comparison(statement.sides[0], "=", statement.sides[1])
    if shown_by_definitions(relation, frozenset(("n", "k")), "whole"):
        assert try_statement(relation, numbers="whole").counterexample is None
