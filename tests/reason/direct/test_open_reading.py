"""Conversions and pairs of blood pressures within sentences about something else, and what only looks like them."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectResult, compute_directly
from mathrag.reason.direct.open_conversions import answer_open_conversion
from mathrag.reason.direct.pressure_pairs import answer_pressure_pair


@pytest.mark.parametrize(
    ("question", "number", "unit"),
    [
        ("The sticker on my bike says 40 psi, the pump only shows bar", 2.757903, "bar"),
        ("1 1/2 US cups of milk in ml", 354.882355, "mL"),
        ("recipe wants 250 ml milk, how many cups?", 1.056688, "cup"),
        ("my oven is in Fahrenheit, the recipe says 180 °C", 356, "degF"),
        ("my fever is 101.3 °F, what's that in Celsius?", 38.5, "degC"),
        ("I weigh 180 lb, what is that in kg", 81.646627, "kg"),
        ("3/4 inch drill bit in mm", 19.05, "mm"),
        ("The flight takes 7.5 hours, how many minutes?", 450, "min"),
    ],
)
def test_one_value_is_told_in_the_one_unit_that_is_asked_for(question: str, number: float, unit: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult)
    assert (float(found.quantity.value), found.quantity.unit.text) == (pytest.approx(number), unit)


@pytest.mark.parametrize(
    "question",
    [
        "The radius is 3 m, what is the diameter in cm",
        "a 6 ft man casts what shadow in m",
        "15 inch laptop width in cm",
        "wingspan of a 3 m long plane in ft",
        "The temperature rose by 10 °C, what is that in Fahrenheit",
        "it's 5 °C warmer than yesterday, in Fahrenheit?",
        "I run 5 km there and back, how many miles?",
        "I run 5 km every day, how many miles a week?",
        "The race is 10 km, I ran a bit, how many miles?",
        "The recipe says 250 ml of milk, but I make double, how many cups?",
        "two 5 m ropes, how many feet is that?",
        "the tank is 60 L, nearly empty, how many gallons is that?",
        "32 psi gauge, my pump shows bar absolute",
        "the perimeter of a 3 m square in feet",
        "I sleep 8 hours, how many minutes am I awake?",
        "2 cups of sugar in grams",
    ],
)
def test_what_another_quantity_is_asked_of_is_left_alone(question: str) -> None:
    assert answer_open_conversion(question) is None
    assert not isinstance(compute_directly(question), DirectResult)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("BP 130/70, MAP?", 90),
        ("blood pressure 120/80 mmHg, what is the mean arterial pressure?", 93.33333),
        ("Her BP was 150 over 90. What's the pulse pressure?", 60),
        ("BP 128/76 and then 140/90, MAP?", None),
        ("BP 128/76, CVP 5, MAP?", None),
        ("BP 76/128, MAP?", None),
        ("If the blood pressure 120/80 rises by a tenth, MAP?", None),
    ],
)
def test_a_pair_of_pressures_has_a_mean(question: str, number: float | None) -> None:
    found = answer_pressure_pair(question)
    assert (found and float(found.quantity.value)) == (number and pytest.approx(number))
