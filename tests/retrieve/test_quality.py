"""Scores of quality: the published rule part by part, what calculation adds, and what a score may be called."""

from __future__ import annotations

import pytest

from mathrag.reason.steps.checking import check_solution
from mathrag.retrieve.quality import (
    CHECKED,
    RULES,
    checked_score,
    features,
    fitted_numbers,
    rule_score,
    shortness,
    standing,
    standing_of,
)
from mathrag.types.quality import Estimate, Quality
from mathrag.types.solution import Problem, Solution, SolutionStep

_LONG = "and the rest of the words only make this text long enough to count as an explanation of some length, " * 2


def _points(text: str) -> dict[str, float]:
    return {part.name: round(part.points, 4) for part in rule_score(text).parts}


def checked(*steps: str, problem: str = "Ann packs 12 boxes with 8 pens each. How many pens?") -> Quality:
    return checked_score(check_solution(Solution(tuple(map(SolutionStep, steps)), Problem(problem))))


def test_every_part_of_the_published_rule_is_counted_and_capped() -> None:
    text = f"Step 1: let x be a side. Since x = 3, therefore y = \\frac{{6}}{{3}}. \\boxed{{2}} {_LONG}"
    assert _points(text) == {"connectors": 0.1, "structure": 0.12, "mathematics": 0.06, "final_answer": 0.15}
    assert rule_score(text).value == pytest.approx(0.43)
    many = "because " * 50 + "a = b\n" * 50 + "case 1 " * 50
    assert _points(many) == {"connectors": 0.3, "structure": 0.3, "mathematics": 0.25}
    assert "capped" in rule_score(many).parts[0].said


def test_a_short_text_loses_half_and_glossing_over_costs() -> None:
    assert rule_score("Thus x = 2.").value == pytest.approx((0.05 + 0.03) / 2)
    assert rule_score(f"Obviously, because we say so. {_LONG}").value == 0.0
    assert [part.name for part in rule_score("obviously").parts][-2:] == ["short", "glossing_over"]
    assert rule_score("").value == rule_score(" \n ").value == 0.0


def test_oddities_of_the_published_rule_are_kept() -> None:
    # The letters of a command are a connector, too; only whole sides of an equation on one line are paired.
    assert _points(f"\\implies {_LONG}")["connectors"] == 0.1
    assert _points(f"a = b = c = d\n= e {_LONG}")["mathematics"] == 0.06
    assert _points(f"a == b {_LONG}")["mathematics"] == 0.0


def test_hostile_texts_take_no_long_time() -> None:
    for text in ("a" * 300_000, "=" * 300_000, "step " * 60_000, "step" + " " * 200_000, "1" * 300_000, "\\" * 300_000):
        assert 0.0 <= rule_score(text).value <= 1.0
        assert 0.0 <= checked(text).value <= 1.0


def test_shortness_falls_with_length() -> None:
    assert shortness("").value == 1.0
    assert shortness("x" * 1000).value == 0.5
    assert shortness("x").value > shortness("xx").value


def test_a_false_calculation_and_doubt_lower_the_checked_score() -> None:
    right = checked("There are 12 * 8 = 96 pens.", "The answer is 96.")
    wrong = checked("There are 12 * 8 = 86 pens.", "The answer is 86.")
    unsure = checked("There are 12 * 8 = 96 pens. But wait, that might be a mistake.", "The answer is 96.")
    assert right.value > unsure.value > wrong.value
    said = {part.name: part.said for part in wrong.parts}
    assert said["false_calculations"] == "1 false calculation"
    assert {part.name: part.said for part in unsure.parts}["second_thoughts"] == "4 words of doubt"


def test_the_parts_of_the_checked_score_add_up_to_it() -> None:
    import math

    quality = checked("There are 12 * 8 = 96 pens.", "The answer is 96.")
    odds = math.log(quality.value / (1 - quality.value))
    assert sum(part.points for part in quality.parts) + fitted_numbers(CHECKED)["intercept"] == pytest.approx(odds)
    assert set(fitted_numbers(CHECKED)["features"]) <= set(features(check_solution(Solution((SolutionStep("1 = 1"),)))))


def test_an_empty_solution_has_a_score_and_no_unused_numbers_without_a_problem() -> None:
    found = features(check_solution(Solution((SolutionStep(""),))))
    assert found["unused_numbers"] == 0.0
    assert found["no_answer"] == 1.0
    assert 0 < checked("", problem="").value < 1


def test_what_a_score_is_called_follows_from_its_figures() -> None:
    assert standing(CHECKED) == "correctness"
    assert standing(RULES) == "style"
    assert standing("never measured") == "style"
    assert rule_score("Thus x = 2.").standing == "style"
    good, unsure, bad = Estimate(0.1, 0.05, 0.15), Estimate(0.1, -0.2, 0.4), Estimate(-0.01, -0.02, 0.0)
    assert standing_of([good, good]) == "correctness"
    assert standing_of([unsure]) == standing_of([good, good, bad]) == standing_of([]) == "style"


def test_a_quality_outside_its_range_is_no_quality() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Quality(RULES, 1.2, "style")
    with pytest.raises(ValueError, match="finite"):
        Estimate(float("nan"), 0.0, 1.0)
