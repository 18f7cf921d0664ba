"""From which confidence on numbers are given: what a calibration table allows to promise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.reason.choosing.confidence import (
    Calibration,
    ConfidenceModel,
    calibrated,
    chance_of_so_few_errors,
    confidence_model,
)

PROMISES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99)


def model_with(*table: tuple[float, int, int]) -> ConfidenceModel:
    """The model of the product with this table for every library."""
    made = Calibration(((0.0, 0.0), (1.0, 1.0)), table)
    return replace(confidence_model(), collection=made, book=made)


def test_the_chance_of_few_errors_is_the_binomial_tail() -> None:
    assert chance_of_so_few_errors(10, 0, 0.9) == pytest.approx(0.9**10)
    assert chance_of_so_few_errors(3, 1, 0.5) == pytest.approx(0.5)
    assert chance_of_so_few_errors(5, 5, 0.7) == pytest.approx(1.0)
    assert chance_of_so_few_errors(0, 0, 0.7) == 1.0


def test_a_promise_that_many_right_answers_prove_is_sure() -> None:
    model = model_with((0.9, 400, 400), (0.7, 800, 796), (0.5, 1200, 900))
    assert model.promise(0.97, 1).least == 0.7
    assert model.promise(0.97, 1).is_sure
    assert model.promise(0.7, 1).least == 0.5


def test_a_few_right_answers_prove_nothing() -> None:
    made = model_with((0.9, 20, 20), (0.5, 60, 30)).promise(0.97, 1)
    assert (made.least, made.is_sure) == (0.9, False)


def test_where_nothing_is_so_often_right_only_the_surest_are_given() -> None:
    made = model_with((0.9, 50, 40), (0.5, 100, 60)).promise(0.99, 1)
    assert (made.least, made.is_sure) == (0.9, False)


def test_the_tests_end_with_the_first_that_fails() -> None:
    # The lowest would pass again, by chance; it was not reached.
    model = model_with((0.9, 300, 298), (0.8, 310, 290), (0.7, 2000, 1990))
    assert model.promise(0.97, 1).least == 0.9


def test_no_promise_gives_every_number_that_is_worth_showing() -> None:
    assert confidence_model().promise(0.0, 1).least == confidence_model().show


@pytest.mark.parametrize("formulas", [1, 100_000])
def test_a_stronger_promise_never_answers_more(formulas: int) -> None:
    least = [confidence_model().promise(each, formulas).least for each in PROMISES]
    assert all(one <= other for one, other in pairwise(least))


@pytest.mark.parametrize("formulas", [1, 100_000])
def test_the_committed_calibration_rises_and_counts(formulas: int) -> None:
    made = confidence_model().calibration(formulas)
    assert all(one[0] < other[0] and one[1] <= other[1] for one, other in pairwise(made.points))
    assert all(one[0] > other[0] and one[1] <= other[1] for one, other in pairwise(made.table))
    assert all(0 <= right <= given for _, given, right in made.table)


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_raw_confidence_is_never_less(one: float, other: float) -> None:
    points = confidence_model().book.points
    low, high = sorted((one, other))
    assert 0 <= calibrated(low, points) <= calibrated(high, points) <= 1
