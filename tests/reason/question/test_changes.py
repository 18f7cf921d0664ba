"""The change that two temperatures state together."""

from __future__ import annotations

import pytest

from mathrag.reason.question import read_question


@pytest.mark.parametrize(
    ("text", "kelvin"),
    [
        ("How much heat warms 2 kg of water from 20 °C to 80 °C?", 60.0),
        ("What heat does 1 kg of oil give off when it cools from 90 °C to 30 °C?", -60.0),
        ("The inner side is at 21 °C and the outer side at -5 °C. What heat flows?", 26.0),
        ("The glue is at 12 °C and must be at 72 °C, what heat does that take?", 60.0),
    ],
)
def test_two_temperatures_give_their_change(text: str, kelvin: float) -> None:
    (change,) = [given for given in read_question(text).givens if given.covers]
    assert change.readings[0].value == pytest.approx(kelvin)
    assert change.implied
    assert change.is_change
    assert text[change.start : change.end] == change.text


@pytest.mark.parametrize(
    "text",
    [
        "How much heat warms 2 kg of water by 60 K at 20 °C?",  # the change is stated
        "Gas at 300 K is heated. What is its pressure?",
        "Temperatures of 10 °C, 20 °C and 30 °C were read. What is the heat?",
        "T1 = 300 K and T2 = 400 K. What is the efficiency?",  # assigned to symbols of their own
    ],
)
def test_other_temperatures_give_none(text: str) -> None:
    assert not [given for given in read_question(text).givens if given.covers]
