"""Statements of logic: every case is tried, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.logic import UnreadLogicError, cases, letters_of, read_proposition, truth
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectStatement

TRUE = (
    "is not (a or b) the same as (not a) and (not b)?",
    "p implies q is equivalent to not q implies not p, right?",
    "is ¬¬p = p?",
    "is r or not r a tautology?",
    "is (p → q) ≡ (¬p ∨ q)?",
    "is it true that (p and (p -> q)) -> q",
    "are p → q and ¬p ∨ q equivalent?",
    "are not (r and s) and (not r) or (not s) logically equivalent",
)
FALSE = (
    "is p -> q the same as q -> p?",
    "is not (a and b) the same as not a and not b?",
    "is p xor q equivalent to p or q?",
)
NONE = (
    "is a = b?",
    "is this or that the same as those?",
    "is p and q or r xor s nor t the same?",
    "is p -> q -> r the same as p?",
    "what is a and b?",
    "is F = m a and a = F/m?",
)


@pytest.mark.parametrize(("question", "verdict"), [*((q, "True") for q in TRUE), *((q, "False") for q in FALSE)])
def test_every_case_is_tried(question: str, verdict: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(f"{verdict}:")


@pytest.mark.parametrize("question", NONE)
def test_other_questions_are_no_logic(question: str) -> None:
    found = compute_directly(question)
    assert not isinstance(found, DirectStatement) or "cases of true" not in found.text


@given(st.text(alphabet="pq()¬∧∨→ andortx", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_proposition(text)
    except UnreadLogicError:
        return
    assert all(isinstance(truth(found, case), bool) for case in cases(letters_of(found)))
