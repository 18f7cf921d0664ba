"""Logic with the signs of Boolean algebra or of programs, with its letters declared; negations in words."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectStatement


def said(question: str) -> str:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement), (question, found)
    return found.text


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("(x+y)' = x'y' in Boolean algebra", "True"),
        ("Boolean algebra: x + xy = x?", "True"),
        ("In Boolean algebra, is x + yz = (x + y)z?", "False"),
        ("Let $u,v$ be propositions. Is $\\neg(u\\lor v)$ equivalent to $\\neg u\\land\\neg v$?", "True"),
        ("suppose s and t are statements. is s → t the same as t → s", "False"),
        ("is s -> t same as !s || t", "True"),
        ("in java, is !(s || t) the same as !s && !t?", "True"),
        ("~(S v T) = ~S & ~T", "True"),
        ("is an implication equivalent to its contrapositive", "Yes"),
        ("is a statement logically equivalent to its converse?", "No"),
    ],
)
def test_equivalences(question: str, verdict: str) -> None:
    assert said(question).startswith(verdict)


def test_an_expression_of_boolean_algebra_is_simplified() -> None:
    assert "≡ u" in said("simplify the Boolean expression u w + u w'")


@pytest.mark.parametrize(
    ("question", "negation"),
    [
        ("negate: all swans are white", "Some swans are not white"),
        ("negation of “every lamp is on”", "Some lamp is not on"),
        ("what is the negation of 'some fish can sing'?", "No fish can sing"),
        ("negate the statement: no stone is soft", "Some stone is soft"),
        ("negation of: not all roads are long", "All roads are long"),
        ("negate: every guest sang", "Not every guest sang"),
        ("negation of there is a number x such that x^2 = 2", "There is no number x such that x^2 = 2"),
        ("negate: some roads are not long", "All roads are long"),
    ],
)
def test_negations(question: str, negation: str) -> None:
    assert f"is: “{negation}" in said(question)


@pytest.mark.parametrize(
    "question",
    [
        "negate: all swans are white and some ducks are brown",
        "negation of all that glitters is not gold",
        "negate: all visitors must pay and leave",
        "if p, then p or q",
        "the opposite of a battery",
        "negation of 5",
    ],
)
def test_what_could_be_read_in_two_ways_is_left_alone(question: str) -> None:
    found = compute_directly(question)
    assert not isinstance(found, DirectStatement) or "negation of “" not in found.text
