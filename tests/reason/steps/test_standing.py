"""Which answers count as checked: those that a checked calculation gives, with numbers that come from somewhere."""

from __future__ import annotations

import pytest
from solving_models import judge_sums, same_text

from mathrag.reason.steps.standing import standing_of
from mathrag.types.solution import Claim, ClaimVerdict, StepVerdict

PROBLEM = "A tray holds 12 cups; Ida fills six trays and then 5 more cups."


def standing(answer: str, *steps: str, problem: str = PROBLEM) -> tuple[str, str, str]:
    found = standing_of(answer, steps, judge_sums(steps), problem=problem, same=same_text)
    return found.standing, found.value, found.reason


def test_what_a_checked_calculation_gives_is_checked() -> None:
    assert standing("77", "Six trays: 6 * 12 = 72", "and 72 + 5 = 77 cups")[:2] == ("checked", "77")


@pytest.mark.parametrize(
    ("answer", "steps", "why"),
    [
        ("77", ("It is clear.",), "no calculation that gives it"),
        ("78", ("6 * 12 = 72", "72 + 5 = 77"), "no calculation that gives it"),
        ("77", ("6 * 12 = 71", "72 + 5 = 77"), "a calculation in step 1 is false"),
        ("77", ("70 + 7 = 77",), "the number 70 "),
        ("77", ("9 * 8 = 72", "72 + 5 = 77"), "the number 72 "),
    ],
)
def test_everything_else_is_the_model_s_word(answer: str, steps: tuple[str, ...], why: str) -> None:
    found = standing(answer, *steps)
    assert found[:2] == ("unverified", "")
    assert why in found[2]


def test_without_an_answer_there_is_none() -> None:
    assert standing("", "6 * 12 = 72")[0] == "none"


def judged(text: str, kind: str = "value") -> StepVerdict:
    claim = Claim(text, kind, 0, len(text))
    return StepVerdict(0, (ClaimVerdict(claim, "verified"),))


@pytest.mark.parametrize("text", ["5 = 5", "$5$ = 5", "12 = 12"])
def test_a_number_that_equals_itself_computes_nothing(text: str) -> None:
    answer = text.rsplit(" ", 1)[-1]
    found = standing_of(answer, [text], [judged(text)], problem=PROBLEM, same=same_text)
    assert found.standing == "unverified"


@pytest.mark.parametrize(
    ("text", "answer", "problem"),
    [
        ("12 + 0 = 12", "12", PROBLEM),
        ("12 * 1 = 12", "12", PROBLEM),
        ("p - q = p - q", "p - q", "Write the sum with p and q."),
        ("q + p = p + q", "p + q", "Write the sum with p and q."),
    ],
)
def test_what_gives_back_what_it_takes_computes_nothing(text: str, answer: str, problem: str) -> None:
    kind = "value" if text[0].isdigit() else "identity"
    found = standing_of(answer, [text], [judged(text, kind)], problem=problem, same=same_text)
    assert found.standing == "unverified"


def test_an_expression_that_the_problem_writes_may_be_rewritten() -> None:
    text = "$a(b + c)$ = ab + ac"
    found = standing_of("ab + ac", [text], [judged(text, "identity")], problem="Expand $a(b+c)$.", same=same_text)
    assert (found.standing, found.value) == ("checked", "ab + ac")


def test_a_consequence_needs_every_number_before_it_from_somewhere() -> None:
    given = ["12 x = 60 because they say so, thus", "x = 5"]
    last = StepVerdict(1, judged("x = 5", "consequence").claims)
    found = standing_of("5", given, [StepVerdict(0), last], problem=PROBLEM, same=same_text)
    assert (found.standing, "60" in found.reason) == ("unverified", True)
    found = standing_of("5", given, [StepVerdict(0), last], problem=f"{PROBLEM} In all 60.", same=same_text)
    assert found.standing == "checked"


def test_numbers_are_the_same_in_any_writing() -> None:
    problem = "The hall has 1,200 seats in rows of thirty."
    text = r"1200 / 30 = 40"
    found = standing_of("40", [text], [judged(text)], problem=problem, same=same_text)
    assert found.standing == "checked"


def test_answers_that_cannot_be_compared_are_not_checked() -> None:
    found = standing_of("40", ["20 + 20 = 40"], [judged("20 + 20 = 40")], problem="20", same=lambda *_: None)
    assert found.standing == "unverified"
