"""Arms of a run over problems of mathematics: honest votes, the oracle apart, differences on the same problems."""

from __future__ import annotations

import pytest

from mathrag.evaluate.augmentation import Offered
from mathrag.evaluate.math_arms import (
    ERRORS,
    PLAIN,
    MeasuredProblem,
    Tried,
    Tries,
    arm_figures,
    arm_name,
    compared,
    error_of,
    mark,
    paired,
    settled_after,
)
from mathrag.reason.steps.whole import WholeSolution
from mathrag.types.solution import Problem

AUGMENTED = arm_name(0.5)


def tries(greedy: str, *drawn: str) -> Tries:
    return Tries(Tried(WholeSolution("", greedy), 10.0), tuple(Tried(WholeSolution("", answer)) for answer in drawn))


def problem(
    name: str, plain: Tries, augmented: Tries | None = None, *, run: int = 0, level: int = 1, kind: str = "Sums"
) -> MeasuredProblem:
    has_texts = augmented is not None
    return MeasuredProblem(
        Problem("beads", id=name, answer="5", level=level, type=kind),
        run,
        (Offered("text", 0.8 if has_texts else 0.2),),
        {PLAIN: plain, AUGMENTED: augmented if augmented is not None else plain},
        frozenset({AUGMENTED} if has_texts else ()),
    )


def test_the_vote_never_looks_at_the_right_answer() -> None:
    marks = mark(tries("7", "7", "7", "5", "7", "5"), "5")
    assert (marks.greedy, marks.vote, marks.any) == (False, False, True)
    assert marks.chosen == "7"
    assert marks.oracle_attempts == 3
    assert mark(tries("7", "5.0", "7", r"\frac{10}{2}"), "5").vote
    assert mark(tries("5", "7", "5"), "5").chosen == "7", "of equal answers the first"


def test_without_drawn_attempts_the_greedy_one_is_all_there_is() -> None:
    marks = mark(tries("5"), "5")
    assert (marks.greedy, marks.vote, marks.settled, marks.milliseconds) == (True, True, 1, (10.0,))


@pytest.mark.parametrize(
    ("answers", "settled"),
    [
        (["5", "5", "5", "1", "2"], 3),
        (["5", "1", "5", "1", "5"], 5),
        (["5", "5", "1", "5", "1"], 4),
        # Two of four are enough for the answer that came first: the others can only draw level.
        (["5", "5", "1", "1"], 2),
        (["1", "5", "5", "5"], 4),
        (["", "", ""], 3),
        (["5"], 1),
    ],
)
def test_when_the_vote_is_settled(answers: list[str], settled: int) -> None:
    assert settled_after(answers) == settled
    winner = mark(tries("x", *answers), "5").chosen
    if settled < len(answers):
        # Whatever had come after that, the choice would be the same.
        for other in ("1", "5", "77", ""):
            changed = [*answers[:settled], *[other] * (len(answers) - settled)]
            assert mark(tries("x", *changed), "5").chosen == winner


def test_ways_to_be_wrong() -> None:
    assert error_of(WholeSolution("", "", is_cut=True), "5") == ERRORS[0]
    assert error_of(WholeSolution("", ""), "5") == ERRORS[1]
    assert error_of(WholeSolution("", "a cat sat (("), "5") == ERRORS[2]
    assert error_of(WholeSolution("", "7", outcomes=("verified", "refuted")), "5") == ERRORS[3]
    assert error_of(WholeSolution("", "7", outcomes=("verified", "unchecked")), "5") == ERRORS[4]
    assert error_of(WholeSolution("", "7", outcomes=("unchecked",)), "5") == ERRORS[5]


def test_differences_are_paired() -> None:
    figures = paired([(0, 1), (0, 1), (1, 1), (1, 0)])
    assert (figures["difference"], figures["better"], figures["worse"]) == (0.25, 2, 1)
    assert figures["low"] <= 0.25 <= figures["high"]
    assert paired([])["difference"] is None
    means = compared([(4, 2), (2, 2)])
    assert (means["ratio"], means["difference"]) == (pytest.approx(2 / 3, abs=1e-6), -1.0)
    assert compared([])["ratio"] is None


def test_figures_of_a_run() -> None:
    measured = [
        problem("a", tries("7", "7", "7", "7"), tries("5", "5", "5", "7"), level=1),
        problem("b", tries("5", "5", "5", "5"), level=2, kind="Products", run=1),
        problem("c", tries("5", "5", "7", "5"), tries("7", "7", "7", "5"), level=2, run=1),
        problem("d", tries("7", "7", "", "9"), level=1),
    ]
    figures = arm_figures(measured, (0.5,))
    assert (figures["problems"], figures["solved"]) == (4, 4)
    votes = {name: figures["arms"][name]["vote"]["right"] for name in figures["arms"]}
    assert votes == {PLAIN: 2, AUGMENTED: 2}
    effect = figures["effects"][AUGMENTED]
    assert (effect["all"]["problems"], effect["with_texts"]["problems"]) == (4, 2)
    assert (effect["all"]["vote"]["better"], effect["all"]["vote"]["worse"]) == (1, 1)
    assert effect["all"]["vote"]["difference"] == 0
    assert figures["oracle"][AUGMENTED]["any"]["right"] == 3
    assert "any" not in figures["arms"][PLAIN], "what an oracle reaches stands apart"
    covered = {row["threshold"]: (row["problems"], row["of"]) for row in figures["coverage"]}
    assert (covered[0.0], covered[0.5], covered[0.9]) == ((4, 4), (2, 4), (0, 4))
    assert {level: shares[PLAIN]["vote"]["right"] for level, shares in figures["levels"].items()} == {"1": 0, "2": 2}
    assert set(figures["types"]) == {"Sums", "Products"}
    assert [(cell["level"], cell["type"], cell["of"]) for cell in figures["cells"]] == [
        ("1", "Sums", 2), ("2", "Products", 1), ("2", "Sums", 1),
    ]  # fmt: skip
    assert figures["runs"]["problems"] == [2, 2]
    assert figures["runs"]["arms"][AUGMENTED]["difference"]["values"] == [0.5, -0.5]
    assert figures["arms"][PLAIN]["errors"]["no answer"] == 1
    assert sum(figures["arms"][PLAIN]["errors"].values()) == 9


def test_a_problem_with_an_unfinished_arm_counts_for_no_arm() -> None:
    half = MeasuredProblem(Problem("beads", id="x", answer="5"), arms={PLAIN: tries("5", "5")})
    figures = arm_figures([half, problem("a", tries("5", "5"))], (0.5,))
    assert (figures["problems"], figures["solved"]) == (2, 1)
    assert figures["arms"][PLAIN]["vote"]["of"] == 1
    assert figures["coverage"][0]["of"] == 2


def test_figures_of_nothing() -> None:
    figures = arm_figures([], (0.5,))
    assert figures["arms"][PLAIN]["vote"]["share"] is None
    assert figures["runs"]["arms"][PLAIN]["vote"] is None
