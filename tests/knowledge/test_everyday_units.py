"""Names that leave their unit open: found in a text, and what was taken is said."""

from __future__ import annotations

import pytest

from mathrag.calculator import convert_text
from mathrag.calculator import reading_notes as conversion_notes
from mathrag.errors import MathragError
from mathrag.knowledge.units import (
    names_left_open,
    read_canonical_unit,
    reading_notes,
    readings_in_words,
    unit_in_context,
)
from mathrag.knowledge.units.table import units_data


@pytest.mark.parametrize(
    ("text", "taken", "said"),
    [
        ("7 gallons", "gal", "the US gallon (3.78541 L)"),
        ("28 mpg", "mi/gal", "the US gallon"),
        ("12 oz", "fluid_ounce", "the US fluid ounce"),
        ("12 oz", "oz", "the avoirdupois ounce"),
        ("80 pounds", "lbf", "the pound of force"),
        ("80 lbs", "lb", "the pound of mass"),
        ("4 tons", "ton", "the short ton of 2000 lb"),
        ("90 Calories", "kcal", "the food Calorie"),
        ("90 calories", "cal", "the small (gram) calorie"),
        ("0.2 M", "M", "moles per litre"),
        ("18 degrees", "degC", "the degree Celsius"),
        ("9 stone", "stone", "the British stone of 14 lb"),
    ],
)
def test_what_is_taken_is_said(text: str, taken: str, said: str) -> None:
    notes = reading_notes(text, taken)
    assert len(notes) == 1
    assert f"is taken as {said}" in notes[0]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("7 imperial gallons", "imperial_gallon"),
        ("4 metric tons", "tonne"),
        ("4 long tons", "long_ton"),
        ("3 foot-pounds", "ft*lbf"),
        ("80 pounds force", "lbf"),
        ("90 kcal", "kcal"),
        ("18 degrees Celsius", "degC"),
        ("40 degrees", "deg"),
        ("6 light years", "ly"),
        ("6 miles", "mi"),
        ("6 nautical miles", "nmi"),
        ("250 mL", "mL"),
        ("a gallant knight", "gal"),
    ],
)
def test_nothing_is_said_of_a_clear_name(text: str, taken: str) -> None:
    assert reading_notes(text, taken) == ()


def test_a_name_among_clear_ones_is_the_one_that_is_left_open() -> None:
    (note,) = reading_notes("2 imperial gallons in gallons", "2 imperial_gallon in gal")
    assert "is taken as the US gallon" in note


def test_words_around_a_name_ask_for_a_reading() -> None:
    ounce, mile = read_canonical_unit("oz"), read_canonical_unit("mi/h")
    assert unit_in_context("3 ounces", ounce, {"silver"}) == read_canonical_unit("troy_ounce")
    assert unit_in_context("3 ounces", ounce, {"flour"}) is None
    assert unit_in_context("9 miles per hour", mile, {"ferry"}) == read_canonical_unit("nmi/h")
    assert "the statute mile" in reading_notes("9 miles", "mi", {"ferry"})[0]


def test_every_reading_of_the_table_can_be_read_and_told() -> None:
    for name in units_data().everyday.values():
        for reading in name.readings:
            unit = read_canonical_unit(reading.unit)
            if reading.measured_in:
                assert read_canonical_unit(reading.measured_in).dimension == unit.dimension
        assert readings_in_words(name)
        assert name in names_left_open(f"5 {name.spellings[0]}")


def test_a_long_text_is_looked_at_in_time() -> None:
    assert names_left_open("gallo " * 50_000) == ()


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("3 sr", "rad"),
        ("8 %", "deg"),
        ("4 W/sr", "W"),
        ("-20 K", "degC"),
        ("-290 °C", "K"),
        ("40 dB", "Np"),
        ("90 degrees", "K"),
    ],
)
def test_the_calculator_refuses_what_only_shares_a_dimension(text: str, unit: str) -> None:
    with pytest.raises(MathragError):
        convert_text(text, unit)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("600 rpm", "Hz", 10.0),
        ("10 Hz", "rpm", 600.0),
        ("2 sr", "sr", 2.0),
        ("50 %", "ppm", 500_000.0),
        ("-40 °C", "°F", -40.0),
    ],
)
def test_the_calculator_converts_what_is_of_one_kind(text: str, unit: str, value: float) -> None:
    assert convert_text(text, unit).value == pytest.approx(value)


def test_the_calculator_says_what_it_took() -> None:
    converted = convert_text("2 gallons", "L")
    assert "is taken as the US gallon" in conversion_notes("2 gallons", "L", converted)[0]
    assert conversion_notes("2 m", "ft", convert_text("2 m", "ft")) == ()
