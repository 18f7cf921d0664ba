"""Questions of several parts: where they are parted, what a pronoun means, what is left open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mathrag.reason.several_parts import answer_parts, other_questions, parts_of, separate_questions
from mathrag.types.answer import Outcome, Reply
from mathrag.types.concept import GlossaryEntry

PARTED = {
    "What is a lattice, and is every chain one?": ("What is a lattice", "is every chain one?"),
    "Is 51 prime? Is 53?": ("Is 51 prime?", "Is 53?"),
    "Define a kite; give its area": ("Define a kite", "give its area"),
    "Find the gcd of 8 and 12 and explain what it means": ("Find the gcd of 8 and 12", "explain what it means"),
    "is every kite a rhombus and is every rhombus a kite": ("is every kite a rhombus", "is every rhombus a kite"),
}
WHOLE = (
    "What is the gcd of 8 and 12?",
    "give an example of a set that is open and is not empty",
    "name a sequence that is bounded but does not converge",
    "What is 0.5 of 3.2 and 4?",
    "e.g. x is even",
    "What is a permutation and a combination?",
)


@pytest.mark.parametrize(("text", "parts"), PARTED.items())
def test_where_a_question_is_parted(text: str, parts: tuple[str, ...]) -> None:
    assert parts_of(text) == parts


@pytest.mark.parametrize("text", WHOLE)
def test_what_asks_one_thing_stays_whole(text: str) -> None:
    assert parts_of(text) == (text,)


def _known(said: dict[str, str]) -> dict[str, Reply]:
    entry = GlossaryEntry("kite", "geometry", "A quadrilateral.")
    return {asked: Reply(asked, told, glossary=(entry,) if "kite" in told else ()) for asked, told in said.items()}


def _answer(told: dict[str, Reply]) -> Callable[[str], Outcome | None]:
    def answer(part: str) -> Outcome | None:
        return told.get(part.rstrip("?. "))

    return answer


def test_what_has_no_answer_is_named() -> None:
    told = _known({"What is a kite": "kite: a quadrilateral"})
    found = answer_parts("What is a kite, and who found it?", _answer(told))
    assert found is not None
    assert found.text == "kite: a quadrilateral\nNot answered by itself: “who found it”."


def test_a_pronoun_means_what_came_before() -> None:
    told = _known(
        {"What is a kite": "kite: a quadrilateral", "What is the difference between kite and a rhombus": "its sides"}
    )
    found = answer_parts("What is a kite, and how does it differ from a rhombus?", _answer(told))
    assert found is not None
    assert found.text == "kite: a quadrilateral\nits sides"


def test_the_first_part_decides() -> None:
    told = _known({"what is a kite": "kite: a quadrilateral"})
    assert answer_parts("How fast is a car, and what is a kite?", _answer(told)) is None


def test_what_asks_the_same_once_more_is_not_left_open() -> None:
    told = _known({"kite vs rhombus": "two kites"})
    found = answer_parts("kite vs rhombus, how do they differ?", _answer(told))
    assert found is not None
    assert found.text == "two kites"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("A 2 kg ball has 3 m/s. What is its energy? And what is its momentum?", ("And what is its momentum?",)),
        ("What is a fathom, and what is the energy of 2 kg at 3 m/s?", ("What is a fathom",)),
        ("What is the energy of 2 kg at 3 m/s? Give it in kJ.", ()),
        ("Can you help me? What is the energy of 2 kg at 3 m/s?", ()),
        ("What is the energy of 2 kg at 3 m/s?", ()),
    ],
)
def test_questions_beside_the_one_that_is_answered_are_named(text: str, left: tuple[str, ...]) -> None:
    found = other_questions(text, lambda part: "energy" in part)
    assert tuple(each.words for each in found) == left


def test_other_questions_come_with_what_was_stated() -> None:
    text = "A 2 kg ball has 3 m/s. What is its energy? And what is its momentum?"
    (found,) = other_questions(text, lambda part: "energy" in part)
    assert found.whole == "A 2 kg ball has 3 m/s. what is its momentum?"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A 2 kg ball has 3 m/s. What is its energy? And what is its momentum?", 2),
        ("What does a 2 kg ball weigh? On the Moon?", 0),
        ("What is the energy of 2 kg at 3 m/s?", 0),
    ],
)
def test_questions_that_lean_on_others_are_not_separate(text: str, count: int) -> None:
    assert len(separate_questions(text)) == count
