"""Later parts of a question: how each is put as a question of its own, and what a definition already says."""

from __future__ import annotations

import pytest

from mathrag.reason.second_parts import completed, decided_by, wishes_example
from mathrag.reason.several_parts import answer_parts, parts_of
from mathrag.types.answer import Outcome, Reply
from mathrag.types.concept import GlossaryEntry


@pytest.mark.parametrize(
    ("part", "topic", "asked"),
    [
        ("is sqrt(20) one", "surd", "is sqrt(20) a surd?"),
        ("whether every square counts as one?", "kite", "is every square a kite?"),
        ("is 6 one of them?", "abundant number", "is 6 an abundant number?"),
        ("what about 12?", "triangular number", "is 12 a triangular number?"),
        ("what is it for 3 + 2i", "complex conjugate", "what is the complex conjugate of 3 + 2i?"),
        ("how many are there for 6 objects", "derangement", "how many derangements are there of 6 objects?"),
        ("how many derangements have five things", "derangement", "how many derangements are there of five things?"),
        ("give an example", "monoid", "give an example of a monoid"),
        ("could I see a nonzero 2x2 example", "nilpotent matrix", "give a nonzero 2x2 example of a nilpotent matrix"),
        ("can both be even", "coprime integers", "can two coprime integers both be even?"),
    ],
)
def test_a_later_part_as_a_question(part: str, topic: str, asked: str) -> None:
    assert completed(part, topic)[0] == asked


@pytest.mark.parametrize("part", ["who found it", "where is it used", "how long is a rope", "is it one"])
def test_other_parts_are_not_put_anew(part: str) -> None:
    assert not any("kite" in each and part.startswith("who") for each in completed(part, "kite"))


def test_a_definition_is_quoted_where_it_has_all_the_words() -> None:
    said = "A square matrix equal to its transpose. Over the real numbers its eigenvalues are real."
    assert decided_by("must its eigenvalues be real", said) == "Over the real numbers its eigenvalues are real."
    assert decided_by("must its eigenvalues be positive", said) == ""
    assert decided_by("are its eigenvalues never real", said) == ""
    assert decided_by("why", said) == ""
    assert decided_by("give an example", "A number such as 7. It is odd.") == "A number such as 7."
    assert decided_by("give an example", said) == ""


def test_wishes() -> None:
    assert wishes_example("example plz")
    assert not wishes_example("is it exemplary")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("what is a kite, example please", ("what is a kite", "example please")),
        ("what is a kite and can it be a square", ("what is a kite", "can it be a square")),
        ("say what a kite is, and whether every square is one", ("say what a kite is", "whether every square is one")),
        ("what is a kite, is every square one?", ("what is a kite", "is every square one?")),
    ],
)  # fmt: skip
def test_where_later_parts_begin(text: str, parts: tuple[str, ...]) -> None:
    assert parts_of(text) == parts


def _known(part: str) -> Outcome | None:
    entry = GlossaryEntry("kite", "geometry", "A quadrilateral such as a square. Its diagonals are perpendicular.")
    asked = part.strip(" ?.").lower()
    if asked in ("what is a kite", "is every square a kite", "m is odd", "is m^2 odd"):
        return Reply(part, f"said of {asked}", glossary=(entry,) if asked == "what is a kite" else ())
    return None


def test_later_parts_are_answered_quoted_or_left_open() -> None:
    found = answer_parts("What is a kite? Is every square one? Are its diagonals perpendicular? Who found it?", _known)
    assert found is not None
    assert found.text.split("\n") == [
        "said of what is a kite",
        "said of is every square a kite",
        "On “Are its diagonals perpendicular” the definition says: “Its diagonals are perpendicular.”",
        "Not answered by itself: “Who found it”.",
    ]


def test_a_statement_before_a_question_is_its_condition_and_no_part() -> None:
    assert answer_parts("m is odd. Is m^2 odd?", _known) is None
    assert answer_parts("She said that m is odd. Is m^2 odd?", _known) is None
