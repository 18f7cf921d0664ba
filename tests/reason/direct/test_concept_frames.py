"""Questions about concepts in other frames: how something is written, clauses, examples behind a name, slips."""

from __future__ import annotations

import pytest

from mathrag.knowledge.notations import notations
from mathrag.reason.direct.concept_clauses import plainly_asked
from mathrag.reason.direct.notations import answer_writing
from mathrag.retrieve.glossary import glossary_called


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("notation for the symmetric difference of two sets", "Notation for symmetric difference"),
        ("how do you write the conjugate transpose?", "A†"),
        ("which symbol is used for the integers", "ℤ"),
        ("how is the floor function denoted", "⌊x⌋"),
        ("proportionality symbol", "∝"),
        ("what symbol denotes logical or", "P ∨ Q"),
        ("what's the sign for not equal?", "≠"),
        ("how do we denote the trace of B", "tr A"),
    ],
)
def test_how_something_is_written(question: str, said: str) -> None:
    reply = answer_writing(question)
    assert reply is not None
    assert said in reply.text


@pytest.mark.parametrize(
    "question",
    [
        "how do you write 0.125 as a fraction",
        "symbol for power",
        "symbol for iron",
        "how is the bridge written",
        "big O notation",
        "how do you write a letter to the mayor",
    ],
)
def test_what_has_no_notation_is_left_alone(question: str) -> None:
    assert answer_writing(question) is None


def test_everything_written_has_a_name() -> None:
    assert [one.read for one in notations() if one.written and not one.names] == []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what does it mean for h to be surjective", "surjective function"),
        ("when is a matrix called nilpotent?", "nilpotent matrix"),
        ("what does it mean that p divides q", "divisor"),
        ("when are two integers coprime", "coprime integers"),
        ("what does it mean if a series diverges", "divergent series"),
        ("what does it mean to say that two events are mutually exclusive", "mutually exclusive events"),
        ("what does it mean that C is a superset of D", "superset"),
        ("when do we call a relation antisymmetric", "antisymmetric relation"),
    ],
)
def test_the_concept_of_a_clause(question: str, name: str) -> None:
    asked = plainly_asked(question)
    assert asked.startswith("define ")
    assert [one.name for one in glossary_called(asked.removeprefix("define "))] == [name]


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("what is a prime number such as 13", "what is a prime number"),
        ("what is meant by an open interval like (0, 1)?", "what is meant by an open interval"),
        ("define irrational number, e.g. sqrt(5)", "define irrational number"),
        ("diffrence between ring and field", "difference between ring and field"),
    ],
)
def test_examples_and_slips_are_set_aside(question: str, plain: str) -> None:
    assert plainly_asked(question) == plain


@pytest.mark.parametrize(
    "question",
    [
        "when is the train at the station",
        "when does the ball hit the ground",
        "what does it mean that the pump is broken",
        "what is the density of a metal like iron",
        "what is the mean of numbers like 3, 4, 5",
        "how long does a trip like 120 km take at 60 km/h",
    ],
)
def test_other_questions_stay_as_they_are(question: str) -> None:
    assert plainly_asked(question) == question
