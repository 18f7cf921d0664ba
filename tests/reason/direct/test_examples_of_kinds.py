"""Examples of things with some properties and without others; notations told apart; where a concept stands."""

from __future__ import annotations

import pytest

from mathrag.knowledge.properties import property_kinds
from mathrag.reason.direct.examples_of_kinds import answer_examples
from mathrag.reason.direct.notations import answer_notation
from mathrag.reason.direct.properties import said_of, stated_of

TOLD = {
    "give me an example of a function that is continuous but not differentiable": "|x| is continuous",
    "example of a nonabelian group": "not abelian",
    "Name a simple example of a finite field": "finite",
    "can you give an example of a matrix that is not invertible?": "the zero matrix is singular",
    "counterexample to: every bounded sequence is convergent": "No, not always",
}
LEFT_ALONE = (
    "give an example of a car",
    "example of a function that is green",
    "what is an example",
    "counterexample to every square is a rectangle",
)


@pytest.mark.parametrize(("text", "words"), TOLD.items())
def test_examples_are_told(text: str, words: str) -> None:
    found = answer_examples(text)
    assert found is not None
    assert words in found.text


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_not_known_is_left_alone(text: str) -> None:
    assert answer_examples(text) is None


def test_every_example_has_what_is_said_of_it() -> None:
    for kind in property_kinds():
        for name in {each for one in kind.examples for each in one.literals if not each.startswith("!")}:
            assert said_of(kind, (name,))
    kind = next(each for each in property_kinds() if each.name == "function")
    assert stated_of(kind, "function that is even and not constant") == ("even", "!constant")
    assert stated_of(kind, "function that is not") is None


def test_two_notations_are_told_apart() -> None:
    found = answer_notation("what is the difference between ∪ and ∩?")
    assert found is not None
    assert "∪ is read" in found.text
    assert "∩ is read" in found.text
    assert answer_notation("what is the difference between 3 and 5?") is None


def test_a_sign_where_it_stands() -> None:
    found = answer_notation("what does the ! mean in 7!")
    assert found is not None
    assert "n factorial" in found.text
