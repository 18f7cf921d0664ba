"""Sets written out: worked out, compared, counted; nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.finite_sets import read_finite_set, shown
from mathrag.compute.logic import UnreadLogicError
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.algebra.written_sets import answer_written_sets

WORKED = (
    ("{2,4,6} △ {6,8} = ?", "= {2, 4, 8} (3 elements)"),
    (r"compute $\{5,6\} \cup \{6,7\}$", "= {5, 6, 7}"),
    ("what is the intersection of {p, q} and {q, r}?", "= {q} (1 element)"),
    ("{1,2,3} minus {3}", "= {1, 2}"),
    ("{0,1} × {u, v}", "= {(0, u), (0, v), (1, u), (1, v)}"),
    ("list the power set of {5, 7}", "= {∅, {5}, {7}, {5, 7}} (4 elements)"),
    ("what is the powerset of the empty set", "= {∅} (1 element)"),
    ("Let A = {1, 5} and B = {5, 9}. Find A ∩ B", "= {5} (1 element)"),
    ("A = {1,2,3}, B = {3,4}. What is A ∪ B?", "= {1, 2, 3, 4}"),
    ("if P = {1, 2} and Q = {2, 3}, is P ⊆ Q?", "False: 1 is in"),
    ("A = {1,2,3}, B = {3,4}. What is |A ∪ B|?", "4 elements"),
    ("is 7 ∈ {5, 6}", "False: 7 is none"),
    ("is {7} in {7, 8}?", "it is a subset"),
    ("is {8} ⊂ {7, 8}", "True: "),
    ("{1/2, 2} = {2/4, 2.0}", ""),
    ("{1/2, 2} = {2/4, 2}, T/F", "True: "),
    ("is {1, 2} a proper subset of {2, 1}", "False: they are the same set"),
    ("how many elements does 𝒫({0, 1}) have", "4 elements"),
    ("cardinality of the power set of a 4-element set", "16 elements"),
    ("how many subsets does an m-element set have and how many of size 2", "C(m, 2)"),
    ("how many subsets of size 3 does a 7-element set have?", "35 of 3 elements"),
    ("how many proper subsets does a set with 5 elements have", "31 subsets"),
    ("number of subsets of {1, 2, 3, 3}", "8 subsets"),
)


@pytest.mark.parametrize(("question", "told"), WORKED)
def test_sets_are_worked_out(question: str, told: str) -> None:
    found = compute_directly(question)
    assert told in getattr(found, "text", "")


@pytest.mark.parametrize(
    "question",
    [
        "{1,2} ∪ {3} ∩ {2,3}",
        "mean of {1,2,3}",
        "how many sets of plates are in a box",
        "is 3 in the set",
        "{x | x > 2} ∪ {1}",
        "{1, 2, …} ∩ {2}",
        "how many elements does the periodic table have",
        "how many subsets does a study of 40 patients have",
        "f{2} - {3}",
    ],
)
def test_what_is_no_written_set_is_left(question: str) -> None:
    assert answer_written_sets(question) is None


@given(st.text(alphabet="{}(),12ab∅∪∩∖△×𝒫 /.", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_finite_set(text)
    except UnreadLogicError:
        return
    assert read_finite_set(shown(found)) == found
