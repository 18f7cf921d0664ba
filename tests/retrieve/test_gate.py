"""Correlations and their intervals, right before wrong, the gate, and the final rank."""

from __future__ import annotations

import random

import pytest

from mathrag.evaluate.metrics import area_under_curve
from mathrag.retrieve.agreement import chance_ahead, difference, middle_ranks, pearson, spearman, together
from mathrag.retrieve.final_rank import final_rank, normalised, quality_weight
from mathrag.retrieve.gate import GatedText, decide
from mathrag.types.quality import Estimate


def test_a_correlation_has_the_interval_of_fisher() -> None:
    found = pearson([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])
    assert found is not None
    assert found.value == pytest.approx(0.8285714)
    assert (found.low, found.high) == (pytest.approx(0.05193, abs=1e-4), pytest.approx(0.98068, abs=1e-4))
    assert pearson([1, 1, 1, 1], [1, 2, 3, 4]) is None
    assert pearson([1, 2, 3], [1, 2, 3]) is None
    assert pearson([1, 2, float("inf"), 4], [1, 2, 3, 4]) is None
    exact = pearson([1, 2, 3, 4], [2, 4, 6, 8])
    assert exact == Estimate(1.0, 1.0, 1.0, 4)
    huge = pearson([1e300, 2e300, 3e300, 5e300], [1, 2, 3, 4])
    assert huge is not None
    assert huge.value > 0.9


def test_ranks_of_equal_values_are_shared() -> None:
    assert middle_ranks([3, 1, 3, 2]).tolist() == [3.5, 1.0, 3.5, 2.0]
    found = spearman([1, 2, 3, 4, 100], [1, 2, 3, 4, 5])
    assert found is not None
    assert found.value == pytest.approx(1.0)


def test_right_ahead_of_wrong_is_the_area_under_the_curve() -> None:
    chance = random.Random(7)
    scores = [round(chance.random(), 1) for _ in range(60)]
    is_right = [chance.random() < 0.6 for _ in range(60)]
    found = chance_ahead(scores, is_right)
    assert found is not None
    assert found.value == pytest.approx(area_under_curve(list(zip(scores, is_right, strict=True))))
    assert found.low < found.value < found.high
    assert chance_ahead([1, 2], [True, True]) is None


def test_solutions_of_one_problem_count_as_one_thing() -> None:
    scores, is_right = [0.9, 0.9, 0.2, 0.7, 0.1, 0.5], [True, True, False, False, True, False]
    alone = chance_ahead(scores * 8, is_right * 8)
    clustered = chance_ahead(scores * 8, is_right * 8, ["a", "a", "b", "b", "c", "c"] * 8)
    assert alone is not None
    assert clustered is not None
    assert clustered.value == alone.value
    assert clustered.high - clustered.low > 1.5 * (alone.high - alone.low)


def test_a_difference_is_that_of_the_two() -> None:
    is_right = [True, False] * 20
    good, bad = [1.0, 0.0] * 20, [0.0, 1.0] * 20
    assert difference(good, bad, is_right) == Estimate(1.0, 1.0, 1.0, 40)
    same = difference(good, good, is_right)
    assert same == Estimate(0.0, 0.0, 0.0, 40)
    both = together([Estimate(0.1, 0.0, 0.2, 5), Estimate(0.3, 0.2, 0.4, 5)])
    assert both is not None
    assert (both.value, both.low, both.high) == (0.2, pytest.approx(0.1292893), pytest.approx(0.2707107))
    assert together([]) is None


def _texts(count: int, noise: float) -> list[GatedText]:
    chance = random.Random(3)
    rules = [chance.random() for _ in range(count)]
    return [GatedText(one, min(1.0, max(0.0, (1 - noise) * one + noise * chance.random()))) for one in rules]


def test_the_gate_goes_by_the_interval_of_the_agreement() -> None:
    assert decide(_texts(200, 0.1)).choice == "rules"
    far = decide(_texts(200, 1.0))
    assert (far.choice, far.basis) == ("model", "agreement")
    assert "that it is right is not shown" in far.reason
    between = decide(_texts(60, 0.66))
    assert (between.choice, between.basis) == ("undecided", "agreement")


def test_the_gate_decides_nothing_where_there_is_too_little() -> None:
    few = decide(_texts(29, 0.1))
    assert (few.choice, few.basis) == ("undecided", "nothing")
    unknown = decide([GatedText(0.5) for _ in range(200)])
    assert (unknown.choice, unknown.unknown) == ("undecided", 200)
    assert decide([GatedText(0.5, place / 100) for place in range(100)]).choice == "undecided"
    assert decide([]).choice == "undecided"


def test_labels_decide_where_there_are_any() -> None:
    def labelled(rules: tuple[float, float], model: tuple[float, float] | None) -> list[GatedText]:
        return [
            GatedText(rules[place % 2] + place / 1000, None if model is None else model[place % 2], place % 2 == 1)
            for place in range(60)
        ]

    assert decide(labelled((0.2, 0.8), (0.8, 0.2))).choice == "rules"
    assert decide(labelled((0.8, 0.2), (0.2, 0.8))).choice == "model"
    assert decide(labelled((0.2, 0.8), None)).choice == "rules"
    backward = decide(labelled((0.8, 0.2), (0.8, 0.2)))
    assert (backward.choice, backward.basis) == ("undecided", "labels")


def test_the_final_rank_mixes_normalised_scores() -> None:
    assert normalised([0.033, 0.03, 0.0165]) == [1.0, pytest.approx(0.818182), 0.0]
    assert normalised([2.0, 2.0]) == [1.0, 1.0]
    fits, qualities = [0.033, 0.032, 0.016], [0.1, 0.9, 1.0]
    assert [one.place for one in final_rank(fits, qualities, weight=0.0)] == [0, 1, 2]
    assert [one.place for one in final_rank(fits, qualities, weight=0.5)] == [1, 0, 2]
    assert [one.place for one in final_rank(fits, qualities, weight=1.0)] == [2, 1, 0]


def test_an_unknown_quality_neither_gains_nor_loses() -> None:
    ranked = final_rank([0.5, 0.5, 0.5], [0.2, None, 0.8], weight=0.9)
    assert [one.place for one in ranked] == [2, 1, 0]
    assert [one.place for one in final_rank([0.3, 0.1, 0.2], [None] * 3, weight=0.9)] == [0, 2, 1]
    assert final_rank([], [], weight=0.5) == []
    with pytest.raises(ValueError, match="weight"):
        final_rank([1.0], [1.0], weight=1.5)
    assert 0 <= quality_weight() <= 1
