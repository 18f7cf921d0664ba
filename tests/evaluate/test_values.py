"""Number and unit against the truth: conversion, temperatures with their zero, plain numbers, percent."""

from __future__ import annotations

import pytest

from mathrag.evaluate import grades
from mathrag.evaluate.formula_identity import Catalogue
from mathrag.evaluate.grades import compare, number_of, quantity_of, quantity_of_text, unit_of
from mathrag.evaluate.questions import Truth

CASES = [
    # found, unit, truth, unit, closeness
    (9.0, "J", 9.0, "J", "right"),
    (0.00905, "kJ", 9.0, "J", "right"),
    (9.2, "J", 9.0, "J", "off"),
    (9.0, "N", 9.0, "J", "dimension"),
    (9.0, "", 9.0, "J", "dimension"),
    (9000.0, "J", 9.0, "J", "ratio"),
    (9.0, "kJ", 9.0, "J", "ratio"),
    (25.0, "degC", 298.15, "K", "right"),
    (25.0, "K", 298.15, "K", "ratio"),
    (298.15, "K", 25.0, "degC", "right"),
    (77.0, "degF", 25.0, "degC", "right"),
    (5.0, "K", 5.0, "delta_degC", "right"),
    (5.0, "delta_degC", 5.0, "K", "right"),
    (37.5, "percent", 0.375, "", "right"),
    (0.375, "", 37.5, "%", "right"),
    (180.0, "deg", 3.14159, "rad", "right"),
    (92.0, "dB", 92.0, "", "right"),
    (0.6, "c", 179875474.8, "m/s", "right"),
    (-3.0, "m", 3.0, "m", "off"),
    (0.0, "m", 0.0, "m", "right"),
    (1e-3, "m", 0.0, "m", "off"),
    (1.0, "mmol/(L*min)", 1 / 60, "mmol/(L*s)", "right"),
    (1.0, "no such unit", 1.0, "m", "unreadable"),
]


@pytest.mark.parametrize(("value", "unit", "answer", "truth_unit", "closeness"), CASES)
def test_closeness(value: float, unit: str, answer: float, truth_unit: str, closeness: str) -> None:
    truth = unit_of(truth_unit)
    assert truth is not None
    assert compare(quantity_of(value, unit, prefer=truth.dimension), answer, truth_unit) == closeness


@pytest.mark.parametrize("value", [None, True, "nan", "", [], {}, float("inf"), 10**400, "9" * 500])
def test_what_is_no_number_is_none(value: object) -> None:
    assert number_of(value) is None


def test_digits_as_text_are_a_number() -> None:
    assert number_of("1024") == 1024.0


@pytest.mark.parametrize(("text", "value"), [("2.2e2 K", 220.0), ("0.30", 0.3), ("25 degC", 298.15), ("-2 m/s^2", -2)])
def test_given_values_are_read(text: str, value: float) -> None:
    quantity = quantity_of_text(text)
    assert quantity is not None
    assert quantity.si_value == pytest.approx(value)


def test_ids_tell_formula_half_and_wording() -> None:
    truth = Truth("my-set-d-007-09", "direct", "?", 1.0)
    assert (truth.cluster, truth.half, truth.wording, truth.kind) == ("f-007", "odd", "distractor", "compute")
    assert Truth("s-m-007-01", "missing", "?").cluster == truth.cluster
    chained = Truth("s-c-004-01", "chained", "?", 1.0)
    assert (chained.cluster, chained.half, chained.wording) == ("c-004", "even", None)
    odd = Truth("54935759_1", "2 steps", "?", 1.0, label="54935759")
    assert odd.cluster == "54935759"
    assert odd.half == Truth("54935759_2", "1 step", "?", 1.0, label="54935759").half


@pytest.mark.parametrize(
    ("value", "tolerance", "closeness"), [(2.76, 0.075, "right"), (2.9, 0.075, "off"), (2.76, None, "off")]
)
def test_a_printed_answer_is_met_within_its_rounding(value: float, tolerance: float | None, closeness: str) -> None:
    assert compare(quantity_of(value, "h"), 2.8, "h", tolerance=tolerance) == closeness


@pytest.mark.parametrize(
    ("value", "unit", "answer", "truth_unit", "closeness"),
    [
        (15, "delta_degC", 15, "degC", "right"),
        (27, "delta_degF", 15, "degC", "right"),
        (15, "delta_degC", 27, "degF", "right"),
        (15, "K", 15, "delta_degC", "right"),
        (15, "delta_degC", 15, "K", "right"),
        (15, "degC", 15, "degC", "right"),
        (288.15, "K", 15, "degC", "right"),
        # A temperature is no difference, and kelvins that do not say so are a temperature.
        (15, "degC", 15, "delta_degC", "ratio"),
        (15, "K", 15, "degC", "ratio"),
        (15, "delta_degC", 25, "degC", "off"),
    ],
)
def test_a_difference_of_temperatures_is_held_against_a_difference(
    value: float, unit: str, answer: float, truth_unit: str, closeness: str
) -> None:
    assert compare(quantity_of(value, unit), answer, truth_unit) == closeness


@pytest.mark.parametrize(
    ("unit", "truth_unit", "is_right"),
    [("EUR", "EUR", True), ("USD", "EUR", False), ("EUR", "USD", False), ("EUR/L", "EUR/L", True)],
)
def test_money_is_right_in_its_own_currency(unit: str, truth_unit: str, is_right: bool) -> None:
    truth = Truth("m-1", "first", "What is left?", answer=40.0, units=(truth_unit,))
    grade = grades.grade(truth, {"value": 40.0, "unit": unit}, Catalogue([]))
    assert (grade.verdict == "right") is is_right
