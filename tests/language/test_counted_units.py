"""Counts with their nouns and units of trades: in questions, and as documents call their symbols."""

from __future__ import annotations

import pytest

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import find_quantities
from mathrag.language.unit_text import rate_in_words, reads_as_unit, unit_of_text
from mathrag.reason.question.reader import read_question


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("24 threads per cm", "1/cm"),
        ("20 picks/cm", "1/cm"),
        ("3 vehicles/min", "1/min"),
        ("35 veh/h", "1/h"),
        ("45 CFU/mL", "1/mL"),
        ("0.6 kg per machine-hour", "kg/h"),
        ("500 machine-hours", "h"),
        ("40 machine hours", "h"),
        ("5 L/person/day", "L/day"),
        ("5 L of water per person per day", "L/day"),
        ("12 per 100,000 person-years", "pcm/year"),
        ("35 per 1000", "permille"),
        ("8 deaths per 1000 people per year", "permille/year"),
        ("0.9 bar s/L", "bar*s/L"),
        ("5 Pa s m-3", "Pa*s/m^3"),
        ("2 lb ft-3", "lb/ft^3"),
        ("12 mg N/L", "mg/L"),
        ("7 g sugar/L", "g/L"),
        ("90 mL/min/1.73 m2", "mL/min"),
        ("50 kWh/m2a", "kWh/(m^2*year)"),
        ("50 kWh/m² a", "kWh/(m^2*year)"),
        ("3 dBm", "dBm"),
        ("2.5 pp", "percent"),
        ("300 gsm", "g/m^2"),
        ("a 24-hour day", "h"),
        ("2 us", "us"),
        ("2us", "us"),
        ("5 V/us", "V/us"),
        ("40 uS/cm", "uS/cm"),
        ("900 fpm", "ft/min"),
        ("1.6 MRayl", "MPa*s/m"),
        ("350 cpm", "1/min"),
        ("40 parcels a week", "1/week"),
        ("2 L per person and day", "L/day"),
        ("120 kWh per m2 and year", "kWh/(m^2*year)"),
        ("$0.40 per box and month", "USD/month"),
    ],
)
def test_a_value_is_read_with_all_of_its_unit(typed: str, unit: str) -> None:
    (found,) = find_quantities(f"The X is {typed}.")
    expected = read_canonical_unit(unit)
    assert found.units[0].dimension == expected.dimension
    assert found.units[0].scale == pytest.approx(expected.scale)


@pytest.mark.parametrize(
    ("typed", "units"),
    [
        ("5 apples/pears", [""]),
        ("the 5 klbf/ft load", [""]),
        ("2 kg v 3 m/s", ["kg", "m/s"]),
        ("5 kg C-14", ["kg", ""]),
        ("24 m/s N", ["m/s"]),
        ("5 kWh per loaf for 40 loaves", ["kWh", ""]),
        ("5 dollars per 1000 units", ["USD", ""]),
        ("give 2 us citizens", [""]),
        ("30 km per hour and day trips", ["km/h"]),
        ("3 pupils a class", [""]),
        ("5 kg per hour and day", ["kg/h"]),
    ],
)
def test_words_of_a_sentence_are_no_units(typed: str, units: list[str]) -> None:
    found = find_quantities(f"The X is {typed}.")
    assert [each.units[0].text if each.units else "" for each in found] == units


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("warp threads per cm", "1/cm"),
        ("picks per cm of cloth", "1/cm"),
        ("breaks per hour", "1/h"),
        ("vehicles per hour per lane", "1/h"),
        ("machine-hours", "h"),
        ("person-years of observation", "year"),
        ("cost per hour", None),
        ("energy per loaf", None),
        ("emissions per km", None),
        ("charge per unit length", None),
    ],
)
def test_a_name_says_its_unit_only_where_it_counts(name: str, unit: str | None) -> None:
    found = rate_in_words(name)
    assert (None if found is None else found.text) == unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("requests/s", "1/s"),
        ("kg per machine-hour", "kg/h"),
        ("kWh/loaf", "kWh"),
        ("per 1000 people per year", "permille/year"),
        ("mg N/L", "mg/L"),
    ],
)
def test_a_document_states_such_units_too(text: str, unit: str) -> None:
    found = unit_of_text(text)
    assert found is not None
    assert found.text == unit


@pytest.mark.parametrize("text", ["rad/s describe", "mid-day", "cross-bar", "costs per hour", "and/or"])
def test_other_words_are_no_units(text: str) -> None:
    assert not reads_as_unit(text)


@pytest.mark.parametrize(
    ("typed", "symbol"),
    [
        ("K_b = 0.9", "K_b"),
        ("beta = 0.02", "beta"),
        ("G' = 4", "G_prime"),
        ("Q_{95} = 3 s", "Q_95"),
        ("aβ = 2.5", "a_beta"),
        ("T-max 30 °C", "T_max"),
        ("T-in = 30 °C", "T_in"),
        ("V_in,max = 3 V", "V_in_max"),
        ("R² = 0.8", "R_squared"),
        ("lambda 4/h", "lambda_"),
        ("p/p0 = 0.4", "pOverp0"),
    ],
)
def test_a_symbol_is_read_however_it_is_typed(typed: str, symbol: str) -> None:
    assert [each.symbol for each in read_question(f"find X with {typed}").givens] == [symbol]
