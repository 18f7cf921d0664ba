"""What people mean in more than one way: computed with the reading stated, or refused with all of them."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectFailure, DirectResult, compute_directly


@pytest.mark.parametrize(
    ("text", "value", "unit", "note"),
    [
        ("55 dB + 55 dB", 58.0103, "dB", "powers"),
        ("What is the average of 40 dB and 60 dB?", 57.0329, "dB", "powers"),
        ("the mean of 40, 50 and 60 dB", 55.682, "dB", "powers"),
        ("the average of pH 2 and pH 4", 2.2967, "", "concentrations"),
        ("cos 60", 0.5, "", "degrees"),
        ("4 * sin(-30)", -2.0, "", "degrees"),
        ("sin(20)^2 + cos(20)^2", 1.0, "", "degrees"),
        ("tan 0.3", 0.309336, "", "radians"),
        ("8 % of 50 plus 25 %", 5.0, "", "before the sign"),
        ("12 % minus 3 percentage points", 9.0, "percent", "percentage points"),
        ("raise 4 % by 1.5 percentage points", 5.5, "percent", "percentage points"),
        ("percentage change from 8 % to 10 %", 25.0, "percent", "2 percentage points"),
        ("change in percentage points from 8 % to 10 %", 2.0, "percent", "percentage points"),
        ("half again as much as 18", 27.0, "", "one and a half"),
        ("a rise of 9 °F in K", 5.0, "K", "difference"),
        ("a temperature drop of 25 °C in °F", 45.0, "delta_degF", "difference"),
        ("a slope of 100 % in degrees", 45.0, "deg", "rise over run"),
        ("slope of 45 degrees in percent", 100.0, "percent", "rise over run"),
        ("212 degrees to Celsius", 100.0, "degC", "degree Fahrenheit"),
        ("how many joules in 3 Calories", 12552.0, "J", "food Calorie"),
        ("how many joules in 3 calories", 12.552, "J", "small"),
        ("6 billion / 2", 3e9, "", "10^9"),
    ],
)
def test_a_reading_is_stated(text: str, value: float, unit: str, note: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult), found
    assert float(found.quantity.value) == pytest.approx(value, rel=1e-5)
    assert found.quantity.unit.text == unit
    assert any(note in each for each in found.notes), found.notes


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("80 dB - 70 dB", "ambiguous", "79.54 dB is left"),
        ("the difference between 80 dB and 70 dB", "ambiguous", "10 dB apart"),
        ("pH 2 + pH 4", "ambiguous", "logarithms"),
        ("5 * 40 dB", "ambiguous", "logarithms"),
        ("40 dB + 3", "ambiguous", "logarithms"),
        ("increase 40 dB by 10 %", "ambiguous", "logarithm"),
        ("percentage change from 10 °C to 20 °C", "temperature", "arbitrary zero"),
        ("60 + 10 % + 20 %", "ambiguous", "of which value"),
        ("20 % + 60", "ambiguous", "of which value"),
        ("2 * (60 + 10 %)", "ambiguous", "of which value"),
        ("5 times more than 20", "ambiguous", "100 by most"),
        ("sin(1.5 * 8)", "ambiguous", "no unit"),
        ("tan 90", "undefined", "quarter turn"),
        ("-4 K in °C", "domain", "below absolute zero"),
        ("-300 °C in K", "domain", "below absolute zero"),
        ("80 degrees to kelvin", "ambiguous", "which scale"),
        ("3 sr in degrees", "dimension", "different things"),
        ("3 W/sr in W", "dimension", "different things"),
        ("4 ounces of silver in grams", "ambiguous", "troy ounce"),
    ],
)
def test_what_nothing_decides_is_refused(text: str, code: str, says: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectFailure), found
    assert found.code == code
    assert says in found.message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("15 % of 60", 9.0),
        ("5 % + 10 %", 0.15),
        ("100 - 20 % of 50", 90.0),
        ("10 % of 30 + 20 % of 40", 11.0),
        ("20 % of (50 + 10)", 12.0),
        ("0.5 dB/km * 20 km", 10.0),
        ("30 degrees + 20 degrees", 50.0),
        ("sin(30 rad)", -0.988031624),
        ("sin(pi/6)", 0.5),
        ("a drop of 3 m in cm", 300.0),
        ("-40 °C in °F", -40.0),
    ],
)
def test_clear_ones_go_on_being_answered(text: str, value: float) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult), found
    assert float(found.quantity.value) == pytest.approx(value, rel=1e-8)
    assert not any("taken" in note for note in found.notes), found.notes
