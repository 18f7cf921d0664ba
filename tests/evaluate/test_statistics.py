"""Intervals, tests and calibration against values worked out by hand or known in closed form."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.evaluate.metrics import (
    area_under_curve,
    brier,
    calibration,
    calibration_error,
    mcnemar,
    percentile,
    quantile,
    risk_coverage,
    share_of,
    wilson,
)


def test_wilson_interval_of_a_known_share() -> None:
    low, high = wilson(8, 10) or (0, 0)
    assert low == pytest.approx(0.4902, abs=1e-4)
    assert high == pytest.approx(0.9433, abs=1e-4)
    assert wilson(0, 0) is None


@given(st.integers(0, 500), st.integers(1, 500))
def test_a_wilson_interval_holds_its_share(right: int, more: int) -> None:
    total = right + more
    low, high = wilson(right, total) or (1, 0)
    assert 0 <= low <= right / total <= high <= 1


def test_clusters_that_fail_together_widen_the_interval() -> None:
    together = share_of((str(number // 10), number < 50) for number in range(100))
    apart = share_of((str(number // 10), number % 2 == 0) for number in range(100))
    assert (together["right"], together["of"], together["clusters"]) == (50, 100, 10)
    assert together["clustered_low"] < together["low"]
    assert apart["clustered_low"] == apart["clustered_high"] == 0.5
    assert together == share_of((str(number // 10), number < 50) for number in range(100))


def test_one_cluster_gives_no_interval_by_clusters() -> None:
    assert share_of([("a", True), ("a", False)])["clustered_low"] is None
    assert share_of([])["share"] is None


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [(0, 0, 1.0), (5, 0, 2 / 32), (0, 5, 2 / 32), (8, 2, 2 * (1 + 10 + 45) / 1024), (3, 3, 1.0)],
)
def test_mcnemar_is_exact(better: int, worse: int, chance: float) -> None:
    assert mcnemar(better, worse) == pytest.approx(chance)


@pytest.mark.slow
def test_mcnemar_survives_thousands_of_changes() -> None:
    assert mcnemar(3000, 3000) == 1.0
    assert 0 <= mcnemar(3000, 1000) < 1e-200


def test_area_under_the_curve_counts_ties_as_half() -> None:
    assert area_under_curve([(0.9, True), (0.1, False)]) == 1.0
    assert area_under_curve([(0.1, True), (0.9, False)]) == 0.0
    assert area_under_curve([(0.5, True), (0.5, False)]) == 0.5
    assert area_under_curve([(0.5, True)]) is None


def test_brier_and_calibration_error() -> None:
    assert brier([(1.0, True), (0.5, False)]) == pytest.approx(0.125)
    assert calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == pytest.approx(0.0)
    assert calibration_error([(0.9, False)]) == pytest.approx(0.9)
    assert brier([]) is None


def test_calibration_of_nothing_is_told_as_nothing() -> None:
    figures = calibration([])
    assert figures["of"] == 0
    assert figures["brier"] == {"value": None, "low": None, "high": None}


def test_the_surest_answers_come_first_on_the_risk_coverage_curve() -> None:
    figures = risk_coverage([(0.6, False), (0.99, True), (0.8, True), (0.8, False), (0.97, True)], asked=10)
    assert [(one["answered"], one["right"]) for one in figures["curve"]] == [(1, 1), (2, 2), (4, 3), (5, 3)]
    assert figures["curve"][-1]["precision"] == pytest.approx(0.6)
    assert figures["curve"][-1]["share"] == pytest.approx(0.3)
    at = {one["precision"]: (one["answered"], one["confidence"]) for one in figures["at_precision"]}
    assert at[0.9] == at[0.97] == (2, 0.97)


def test_a_precision_that_is_never_reached_answers_nothing() -> None:
    figures = risk_coverage([(0.9, False), (0.8, True)], asked=2)
    assert all(one["answered"] == 0 and one["confidence"] is None for one in figures["at_precision"])
    assert risk_coverage([], asked=3)["curve"] == []


def test_a_long_curve_keeps_its_end() -> None:
    figures = risk_coverage([(number / 1000, True) for number in range(1000)], asked=1000)
    assert len(figures["curve"]) <= 60
    assert figures["curve"][-1]["answered"] == 1000


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_percentiles_lie_within_their_intervals(values: list[float]) -> None:
    for share in (0.5, 0.9, 0.99):
        found = percentile(values, share)
        assert found["low"] <= found["value"] + 1e-3
        assert found["value"] <= found["high"] + 1e-3
    assert math.isclose(quantile(values, 0.0), min(values))
    assert math.isclose(quantile(values, 1.0), max(values))
