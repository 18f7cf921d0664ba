"""A solution checked: verdicts, the first error, the answer against what was derived, and what is never claimed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mathrag.answer.solution_cards import check_lines, check_object, claim_pieces, shown_pieces, statement
from mathrag.reason.steps import checking
from mathrag.reason.steps.checking import check_solution
from mathrag.types.solution import (
    CheckOutcome,
    Claim,
    ClaimVerdict,
    Problem,
    SimilarSolution,
    Solution,
    SolutionCheck,
    SolutionStep,
    StepVerdict,
)

PROBLEM = "A shop has 37 boxes of 18 pens and sells half of them. How many pens are left?"


def _claim(text: str, outcome: CheckOutcome = "verified", right: str = "") -> ClaimVerdict:
    return ClaimVerdict(Claim(text, "value", 0, len(text)), outcome, right=right)


def _checked(
    monkeypatch: pytest.MonkeyPatch, steps: Sequence[str], outcomes: Sequence[CheckOutcome | None], answer: str = ""
) -> SolutionCheck:
    """Check steps of which each is one claim with this outcome; None is a step without any."""
    verdicts = tuple(
        StepVerdict(place, () if outcome is None else (_claim(text, outcome, "333" if outcome == "refuted" else ""),))
        for place, (text, outcome) in enumerate(zip(steps, outcomes, strict=True))
    )
    monkeypatch.setattr(checking, "judge_steps", lambda _steps, _problem: verdicts)
    made = Solution(tuple(SolutionStep(text, line=place + 1) for place, text in enumerate(steps)), Problem(PROBLEM))
    return check_solution(Solution(made.steps, made.problem, answer=answer))


def test_the_first_error_is_told_with_the_right_value(monkeypatch: pytest.MonkeyPatch) -> None:
    check = _checked(monkeypatch, ["37 * 18 = 666", "666 / 2 = 332", "666 - 332 = 334"],
                     ["verified", "refuted", "verified"])  # fmt: skip
    assert check.first_error == 1
    said = statement(check)
    assert said.startswith("Step 2 holds a false calculation: 666 / 2 = 332, and the right value is 333.")
    assert "not shown to be correct" in said


def test_no_error_found_is_never_called_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    right = statement(_checked(monkeypatch, ["37 * 18 = 666", "So we are done"], ["verified", None]))
    assert right.startswith("No false calculation found in 2 steps; 1 of them holds calculations that are right.")
    nothing = statement(_checked(monkeypatch, ["So we are done"], [None]))
    assert nothing.startswith("Nothing could be checked by calculation in 1 step.")
    for said in (right, nothing):
        assert "is not the same as correct" in said


def test_the_answer_is_compared_with_the_last_value(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = ["37 * 18 = 666", "666 / 2 = 333"]
    assert _checked(monkeypatch, steps, ["verified", "verified"], "333").final == "verified"
    other = _checked(monkeypatch, steps, ["verified", "verified"], "512")
    assert other.final == "refuted"
    assert "the answer is 512, and the last value that is calculated is 333" in other.final_reason
    assert "The answer is not what is calculated" in statement(other)


@pytest.mark.parametrize("answer", ["666", "18", "(3, 4)", "x + 1", "7", "1332"])
def test_an_answer_that_may_come_from_somewhere_is_not_accused(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    check = _checked(monkeypatch, ["37 * 18 = 666", "666 / 2 = 333"], ["verified", "verified"], answer)
    assert check.final == "unchecked"
    assert check.final_reason


def test_an_answer_without_anything_to_compare_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = ["37 * 18 = 666", "666 / 2 = 332"]
    assert "no final answer" in _checked(monkeypatch, steps, ["verified", "verified"]).final_reason
    assert "is false" in _checked(monkeypatch, steps, ["verified", "refuted"], "332").final_reason
    assert "no calculation could be read" in _checked(monkeypatch, ["So"], [None], "332").final_reason


def test_similar_solutions_are_at_most_three() -> None:
    found = tuple(SimilarSolution(str(number), "p", 0.5, "s") for number in range(9))
    solution = Solution((SolutionStep("So"),), Problem(PROBLEM))
    assert len(check_solution(solution, similar=lambda _: found).similar) == 3
    assert check_solution(Solution(solution.steps), similar=lambda _: found).similar == ()
    assert check_solution(solution).similar == ()


def test_the_card_fits_and_says_marks_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = ["37 * 18 = 666 " + "and so on " * 30, "666 - 413 = 252\x1b[31m", "Done\N{RIGHT-TO-LEFT OVERRIDE}"]
    lines = check_lines(_checked(monkeypatch, steps, ["verified", "refuted", None], "333"))
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "1 ✓ adds up" in text
    assert "2 ✗ false" in text
    assert "3 · unchecked" in text
    assert "where 413 comes from" in " ".join(text.split())
    assert "\x1b" not in text
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text
    assert max(map(len, check_lines(_checked(monkeypatch, steps, ["verified"] * 3), width=40))) <= 80


def test_the_object_has_the_documented_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    found = check_object(_checked(monkeypatch, ["666 / 2 = 332"], ["refuted"], "332"))
    assert set(found) == {
        "statement", "first_error", "problem", "steps", "loose_numbers", "final", "similar", "notes",
    }  # fmt: skip
    assert found["first_error"] == 1
    (step,) = found["steps"]
    assert (step["number"], step["line"], step["outcome"]) == (1, 1, "refuted")
    assert step["claims"][0] == {
        "text": "666 / 2 = 332", "kind": "value", "start": 0, "end": 13, "outcome": "refuted", "right": "333",
        "reason": "",
    }  # fmt: skip
    assert found["final"]["answer"] == "332"


def test_claims_are_shown_as_they_stand() -> None:
    step = r"\begin{aligned} x &= 96 - 46 \\ &= 51 \end{aligned}"
    assert claim_pieces(step, "96 - 46 &= 51", 20)[0]["latex"] == "96 - 46 = 51"
    assert claim_pieces(step, "51", 40)[0]["latex"] == "= 51"
    assert claim_pieces("So 3 + 4 = 8", "3 + 4 = 8", 3) == [{"text": "3 + 4 = 8", "is_marked": False}]


def test_pieces_for_pages_are_words_and_formulas() -> None:
    text = r"So $a = 3$ costs \$4, $5 or \[b\] and 3 + 4 = 8 here"
    start = text.index("3 + 4")
    pieces = shown_pieces(text, [(start, start + 9)])
    assert [piece["latex"] for piece in pieces if "latex" in piece] == ["a = 3", "b"]
    assert [piece["text"] for piece in pieces if piece["is_marked"]] == ["3 + 4 = 8"]
    assert "".join(piece.get("text", "") for piece in pieces) == r"So  costs \$4, $5 or  and 3 + 4 = 8 here"
    (marked,) = [piece for piece in shown_pieces(r"$3 + 4 = 8$", [(1, 10)]) if piece["is_marked"]]
    assert marked["latex"] == "3 + 4 = 8"
