"""Names of concepts in other words, alone, and asked for what they say."""

from __future__ import annotations

import pytest

from mathrag.reason.direct.concept_clauses import plainly_asked
from mathrag.retrieve.glossary import glossary_called, has_one_meaning


@pytest.mark.parametrize(
    ("written", "name"),
    [("eigen vector", "eigenvector"), ("crossproduct", "cross product"), ("semi group", "semigroup")],
)
def test_the_same_letters_in_other_words_are_the_same_name(written: str, name: str) -> None:
    assert [one.name for one in glossary_called(written)] == [one.name for one in glossary_called(name)] != []


@pytest.mark.parametrize("written", ["se t", "gro up", "cosines et"])
def test_short_names_and_other_words_are_none(written: str) -> None:
    assert glossary_called(written) == ()


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("cross product?", "define cross product"),
        ("Bijective function ?", "define Bijective function"),
        ("what does a gradient tell us?", "define gradient"),
        ("What does the median represent?", "define median"),
        ("cross product", "define cross product"),
        ("force?", "force?"),
        ("what does a thermometer measure?", "what does a thermometer measure?"),
        ("7?", "7?"),
    ],
)
def test_a_name_alone_and_what_it_says_ask_for_its_definition(question: str, asked: str) -> None:
    assert plainly_asked(question) == asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what conditions must a norm satisfy?", "define norm"),
        ("which properties does a relation need in order to be a total order?", "define total order"),
        ("what are the axioms of a field?", "define field"),
        ("which properties does steel need?", "which properties does steel need?"),
    ],
)
def test_what_must_be_met_is_what_the_definition_says(question: str, asked: str) -> None:
    assert plainly_asked(question) == asked


def test_a_name_of_one_thing_needs_no_word_of_what() -> None:
    assert has_one_meaning("identity element")
    assert not has_one_meaning("conjugate")
    assert not has_one_meaning("order")
