"""Votes among several solutions: by what their answers say, ties to the first, unknown scores never zero."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.reason.steps.votes import (
    METHODS,
    Candidate,
    best_score,
    first,
    groups,
    last_max,
    last_vote,
    majority,
    min_max,
    min_vote,
    sum_of_scores,
)


def plain(*answers: str | None) -> list[Candidate]:
    return [Candidate(answer) for answer in answers]


def test_answers_are_counted_by_what_they_say() -> None:
    assert groups(plain("1/2", "2", "0.5", None, "\\frac{2}{4}", "", "x = 2")) == [[0, 2, 4], [1, 6]]
    assert majority(plain("2", "1/2", "0.5")).answer == "1/2"
    assert majority(plain("1000", "7", "1,000")).place == 0


def test_a_unit_that_was_left_out_is_the_same_answer() -> None:
    assert groups(plain("12 \\text{ cm}", "12", "13")) == [[0, 1], [2]]


def test_ties_go_to_the_first_and_are_said() -> None:
    vote = majority(plain("3", "4", "4", "3", "5"))
    assert (vote.answer, vote.place, vote.tied, vote.weight) == ("3", 0, ("4",), 2.0)
    assert majority(plain("3", "3", "4")).tied == ()


def test_sums_and_best_ones() -> None:
    candidates = [
        Candidate("7", (0.9, 0.2)),
        Candidate("8", (0.6, 0.7)),
        Candidate("7", (0.5, 0.6)),
        Candidate("9", (0.1, 0.95)),
    ]
    assert last_max(candidates).answer == "9"
    assert min_max(candidates).answer == "8"
    assert last_vote(candidates).answer == "9"
    assert min_vote(candidates).answer == "7"
    assert best_score(candidates).answer == "9"
    assert (
        sum_of_scores([Candidate("1", score=2.0), Candidate("2", score=1.5), Candidate("2", score=1.0)]).answer == "2"
    )


def test_an_unknown_score_is_not_zero() -> None:
    candidates = [Candidate("7", (0.9,)), Candidate("7", (None,)), Candidate("8", (0.95,))]
    vote = last_vote(candidates)
    assert (vote.answer, vote.unknown) == ("7", 1)
    assert math.isclose(vote.weight, 0.9 + 0.925)
    assert last_max(candidates).answer == "8"
    # Below zero, taking an unknown score for zero would make it the best.
    below = [Candidate("7", (-3.0,)), Candidate("8", (None,)), Candidate("9", (-2.0,))]
    assert last_max(below).answer == "9"
    assert sum_of_scores(below).answer == "9"


def test_the_last_step_must_be_known_and_the_worst_is_taken_among_the_known() -> None:
    candidate = Candidate("7", (0.4, None, 0.8, None))
    assert candidate.last is None
    assert candidate.least == 0.4
    assert candidate.whole is None
    assert Candidate("7", (0.4,), score=0.9).whole == 0.9


@pytest.mark.parametrize("method", ["last vote", "min vote", "last max", "min max", "best score", "sum of scores"])
def test_without_any_score_the_majority_decides_and_says_so(method: str) -> None:
    vote = METHODS[method](plain("3", "4", "4"))
    assert (vote.answer, vote.by_majority, vote.unknown) == ("4", True, 3)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_chosen_from_nothing(method: str) -> None:
    assert METHODS[method]([]).answer is None
    vote = METHODS[method](plain(None, "  ", ""))
    assert (vote.answer, vote.place, vote.unanswered) == (None, None, 3)


def test_the_first_with_an_answer() -> None:
    vote = first(plain(None, "5", "6"))
    assert (vote.answer, vote.place, vote.unanswered) == ("5", 1, 1)


def test_a_tie_names_each_answer_once_however_it_is_written() -> None:
    scored = [Candidate("7", (0.5,)), Candidate("\\frac{-4}{2}", (0.5,)), Candidate("-2.0", (0.5,))]
    vote = best_score(scored)
    assert (vote.answer, vote.tied) == ("7", ("\\frac{-4}{2}",))


WRITINGS = {"1/2": ("0.5", "\\frac{1}{2}", "2/4"), "3": ("3.0", "x = 3", "6/2"), "-1": ("-1.0", "\\frac{-2}{2}", "-1")}
SCORES = st.one_of(st.none(), st.floats(-5, 5, allow_nan=False).map(lambda value: round(value, 3)))
CANDIDATES = st.lists(
    st.builds(
        lambda answer, steps: Candidate(answer, tuple(steps)),
        st.one_of(st.none(), st.sampled_from(sorted(WRITINGS))),
        st.lists(SCORES, max_size=3),
    ),
    max_size=7,
)


@given(CANDIDATES, st.sampled_from(sorted(METHODS)))
@settings(max_examples=80, deadline=None)
def test_the_way_of_writing_changes_no_vote(candidates: list[Candidate], method: str) -> None:
    rewritten = [
        Candidate(WRITINGS[each.answer][place % 3] if each.answer else None, each.steps, each.score)
        for place, each in enumerate(candidates)
    ]
    vote, other = METHODS[method](candidates), METHODS[method](rewritten)
    assert (vote.place, vote.weight, len(vote.tied)) == (other.place, other.weight, len(other.tied))


@given(CANDIDATES, st.sampled_from(sorted(METHODS)))
@settings(max_examples=80, deadline=None)
def test_what_is_chosen_is_an_answer_that_was_given(candidates: list[Candidate], method: str) -> None:
    vote = METHODS[method](candidates)
    answers = [each.answer for each in candidates if each.answer]
    assert (vote.answer is None) == (not answers)
    if vote.place is not None:
        assert candidates[vote.place].answer == vote.answer
    assert vote.unanswered == len(candidates) - len(answers)


@given(CANDIDATES, st.sampled_from(["majority", "sum of scores", "last vote", "min vote"]))
@settings(max_examples=60, deadline=None)
def test_voting_twice_changes_nothing(candidates: list[Candidate], method: str) -> None:
    """Every solution doubled: the same answer."""
    assert METHODS[method](candidates).answer == METHODS[method]([*candidates, *candidates]).answer
