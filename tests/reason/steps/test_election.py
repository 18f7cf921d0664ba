"""Which of several attempts is shown: by each vote, with ties and unknown scores told."""

from __future__ import annotations

import pytest

from mathrag.reason.steps.election import elect
from mathrag.types.solution import StepVerdict
from mathrag.types.solving import VOTE_RULES, Attempt, Standing, TakenStep, VoteRule


def attempt(answer: str, *scores: float | None, standing: Standing = "unverified") -> Attempt:
    steps = tuple(TakenStep("so", StepVerdict(place), score=score) for place, score in enumerate(scores))
    return Attempt(0, steps, "answered", answer, standing=standing)


FOUR = [attempt("1/2", 0.9, 0.3), attempt("0.5", 0.2, 0.4), attempt("3", 0.8, 0.95), attempt("7", 0.5, 0.6)]


@pytest.mark.parametrize(
    ("rule", "chosen"), [("majority", 0), ("last", 2), ("last-max", 2), ("min", 2), ("min-max", 2)]
)
def test_each_vote(rule: VoteRule, chosen: int) -> None:
    assert elect(FOUR, rule).chosen == chosen


def test_scores_of_one_answer_add_up() -> None:
    attempts = [attempt("3", 0.9), attempt("1/2", 0.5), attempt("0.5", 0.6)]
    assert [elect(attempts, rule).chosen for rule in ("last", "last-max")] == [1, 0]


def test_of_one_answer_the_checked_attempt_is_shown() -> None:
    assert elect([attempt("18"), attempt("18", standing="checked")], "majority").chosen == 1


@pytest.mark.parametrize("rule", VOTE_RULES)
def test_without_answers_there_is_none_and_without_scores_the_majority_decides(rule: VoteRule) -> None:
    assert elect([attempt(""), attempt("", 0.9)], rule).chosen is None
    made = elect([attempt("1"), attempt("2"), attempt("2.0")], rule)
    assert made.chosen == 1
    assert ("no score is known" in made.note) == (rule != "majority")


def test_unknown_is_not_zero() -> None:
    attempts = [attempt("1", None), attempt("2", 0.1), attempt("1", None)]
    assert elect(attempts, "last").chosen == 0
    assert elect(attempts, "last-max").chosen == 1


def test_a_tie_is_told() -> None:
    made = elect([attempt("1"), attempt("2")], "majority")
    assert (made.chosen, "a tie with 1 other" in made.note) == (0, True)
