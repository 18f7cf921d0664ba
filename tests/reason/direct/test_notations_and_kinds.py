"""Notations whose meaning is asked for, kinds of things by definition, and names with a slash between them."""

from __future__ import annotations

import pytest

from mathrag.knowledge.notations import Notation, notation_called, notations
from mathrag.reason.direct.kinds_of_concepts import answer_kinds
from mathrag.reason.direct.notations import answer_notation
from mathrag.retrieve.glossary import glossary_called


def test_the_entry_of_every_notation_is_there() -> None:
    assert [one.read for one in notations() if one.see and not glossary_called(one.see)] == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does m! mean?", "n factorial"),
        ("what does \\binom{m}{r} stand for", "n choose k"),
        ("how do you read ∃!", "exactly one"),
        ("what is the symbol ∪", "union"),
        ("what does $B^T$ mean", "A transpose"),
        ("what does dz/dt mean in calculus", "dy by dx"),
        ("what is the meaning of ⌈y⌉", "ceiling"),
        ("what does P(C|D) mean", "given"),
        ("what does c ≤ d mean", "less than or equal"),
        ("how do you read m ∤ n", "does not divide"),
        ("what does \\cos^{-1} x mean", "not the reciprocal"),
        ("what is the meaning of t → ∞", "tends to infinity"),
    ],
)
def test_a_notation_is_read(question: str, said: str) -> None:
    reply = answer_notation(question)
    assert reply is not None
    assert said in reply.text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("⟨letter⟩!", "x_{1}!"),
        ("∇⟨vector⟩", "∇\\boldsymbol{x}"),
        ("a{5}", "aaaaa"),
        ("b+", "b" * 9),
        (r"(ab)\1", "abab"),
    ],
)
def test_no_notation_is_thought_too_long_that_is_written_so(source: str, text: str) -> None:
    assert Notation(source, "read", "It means.").is_written(text)


def test_every_notation_can_be_searched_for() -> None:
    assert [one.read for one in notations() if one.is_written("\n")] == []
    assert notation_called("f⟨" * 500) is None


@pytest.mark.parametrize("question", ["what is 6!", "what is the speed", "what does the cat mean", "explain the table"])
def test_other_questions_are_left_alone(question: str) -> None:
    assert answer_notation(question) is None
    assert notation_called("speed of light") is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is every square a parallelogram", "Yes: by definition"),
        ("are all rectangles quadrilaterals", "Yes: by definition"),
        ("is every parallelogram a rhombus", "Not by definition"),
        ("is every abelian group a group", "Yes: by definition"),
    ],
)
def test_kinds_follow_from_definitions(question: str, said: str) -> None:
    reply = answer_kinds(question)
    assert reply is not None
    assert reply.text.startswith(said)


@pytest.mark.parametrize(
    "question", ["is every variance a measure", "is every circle a square", "is every answer a good one"]
)
def test_what_definitions_do_not_say_is_not_said(question: str) -> None:
    assert answer_kinds(question) is None
