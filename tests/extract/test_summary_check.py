"""A summary says no number that the text does not hold, in digits or in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.extract.summary_check import LONGEST_SUMMARY, foreign_number_in, summary_problem

SOURCE = r"""The pipe has a pressure of 2 bar, 1,200 bends and a length of 3.5 m. Its volume is
$V = \frac{4}{3} \pi r^3$, about 6.02 × 10^5 litres; half of it is water (37 %), with $4 \times 10^{3}$ fish."""


@pytest.mark.parametrize(
    "summary",
    [
        "A pipe and its volume are described here.",
        "A pipe of 2 bar and 3.5 m with 1200 bends.",
        "A pipe of 1,200 bends, 37 % of it water.",
        "The volume is four thirds of pi times a cube, half of it water.",
        "About 602000 litres of water are in it.",
        "It holds 6.02 × 10^5 litres of water.",
        "It holds 6.02 × 10⁵ litres of water and 4000 fish.",
    ],
)
def test_numbers_of_the_text_may_be_said(summary: str) -> None:
    assert summary_problem(summary, SOURCE) is None


@pytest.mark.parametrize(
    ("summary", "number"),
    [
        ("A pipe with a pressure of 3.6 bar.", "3.6"),
        ("A pipe with a pressure of 25 bar.", "25"),
        ("A pipe with 1,201 bends.", "1,201"),
        ("A pipe with nine bends in it.", "nine"),
        ("A pipe with ９ bends in it.", "9"),
        ("A pipe built in 1999.", "1999"),
        ("The pipe has 12 parts.", "12"),
        ("The pipe has 0.75 parts.", "0.75"),
        ("It holds 6.02 × 10⁶ litres.", "6"),
        ("It is 7% water, they say.", "7"),
        ("A pipe of length " + "9" * 100, "9" * 100),
    ],
)
def test_numbers_of_the_model_may_not(summary: str, number: str) -> None:
    assert foreign_number_in(summary, SOURCE) == number
    problem = summary_problem(summary, SOURCE)
    assert problem is not None
    assert problem[0] == "number_not_in_source"


@pytest.mark.parametrize(
    ("summary", "code"),
    [
        ("", "empty"),
        ("  \n ", "empty"),
        ("word " * LONGEST_SUMMARY, "too_long"),
        ("A pipe\x1b[31m and more", "unprintable"),
        ("A pipe with one bend \u202e at it", "unprintable"),
    ],
)
def test_what_is_no_summary(summary: str, code: str) -> None:
    problem = summary_problem(summary, SOURCE)
    assert problem is not None
    assert problem[0] == code


def test_a_one_is_not_implied_in_words() -> None:
    assert foreign_number_in("There is 1 pipe in it.", "There are many pipes.") == "1"
    assert foreign_number_in("There is 1 pipe in it.", "There is 1 pipe.") is None


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_is_too_strange(summary: str, source: str) -> None:
    summary_problem(summary, source)


@given(st.integers(min_value=10_000, max_value=10**12))
def test_no_large_number_of_its_own_passes(number: int) -> None:
    assert foreign_number_in(f"about {number} of them", "no number here") == str(number)
    assert foreign_number_in(f"about {number} of them", f"there are {number}") is None
