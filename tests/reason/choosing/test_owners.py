"""Whose a value is, read off the words of the question."""

from __future__ import annotations

import pytest

from mathrag.reason.choosing.question_view import view_question
from mathrag.reason.question import read_question


def _owners(text: str) -> dict[str, int]:
    """The values of the thing asked about (1) and of others (-1), by how they are written."""
    seen = view_question(read_question(text)).values
    return {one.given.text: 1 if one.owner > 0 else -1 for one in seen if one.owner}


@pytest.mark.parametrize(
    "question",
    [
        "A 2 kg cart is next to a 5 kg ball moving at 4 m/s. What is the kinetic energy of the ball?",
        "A ball of mass 5 kg moves at 4 m/s beside a cart of mass 2 kg. Find the kinetic energy of the ball.",
        "A cart of mass 2 kg stands beside a ball of mass 5 kg that moves at 4 m/s. What is the ball's kinetic energy?",
        "A red crate weighs 2 kg, a blue crate weighs 5 kg. What is the potential energy of the blue crate 3 m up?",
    ],
)
def test_a_value_is_of_the_thing_it_is_stated_with(question: str) -> None:
    assert _owners(question) == {"2 kg": -1, "5 kg": 1}


@pytest.mark.parametrize(
    "question",
    [
        # One thing, at two moments.
        "How far does the sledge get from 2 m/s to 11 m/s at 0.75 m/s²?",
        # Nothing was spoken of before: "a buffer" is what the question is about as a whole.
        "What is the pH of a buffer with 0.31 mol/L of the base and 0.18 mol/L of its acid?",
        # Both are things asked about.
        "Two masses of 2 kg and 5 kg are 3 m apart. What is the force between the masses?",
        # The same thing twice, which is a contradiction and not a choice.
        "The mass of the ball is 5 kg and its mass is 2 kg. Find the kinetic energy of the ball at 4 m/s.",
    ],
)
def test_where_the_words_do_not_tell_nothing_is_said(question: str) -> None:
    assert _owners(question) == {}
