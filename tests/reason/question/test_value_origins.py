"""Values are known by where they stand: "5 m" stands in "15 m", and two of one size are two."""

from __future__ import annotations

import pytest

from mathrag.reason.question import read_question
from mathrag.reason.question.origins import is_from, is_taken_up, origin_of
from mathrag.types.answer import Provenance

TEXT = "A stone falls 15 m beside a pole of 5 m, and another pole has 5 m."


def test_an_origin_is_of_the_value_that_stands_there() -> None:
    long, short, same = read_question(TEXT).givens
    assert [each.text for each in (long, short, same)] == ["15 m", "5 m", "5 m"]
    assert is_from(origin_of(long), long)
    assert not is_from(origin_of(long), short)
    assert not is_from(origin_of(short), same)
    assert is_taken_up(same, [origin_of(long), origin_of(same)])


@pytest.mark.parametrize(
    ("quote", "is_quoted"),
    [
        ("5 m", True),
        ("a pole of 5 m", True),
        ("5 m.", True),
        ("15 m", False),
        ("2.5 m", False),
        ("5 mm", False),
        ("5 m.5", False),
    ],
)
def test_what_nobody_placed_quotes_whole_values(quote: str, is_quoted: bool) -> None:
    short = read_question(TEXT).givens[1]
    assert is_from(Provenance("question", quote), short) is is_quoted


def test_how_a_number_was_taken_is_no_part_of_its_words() -> None:
    (given,) = read_question("A ramp rises at an angle of 30.").givens
    taken = Provenance("question", given.text, taken="degrees")
    assert is_from(taken, given)
    assert taken.words.startswith(f"{given.text}, ")
