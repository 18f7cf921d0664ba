"""Units as authors write them in cells and brackets."""

from __future__ import annotations

import pytest

from mathrag.knowledge.kinds import kind
from mathrag.language.unit_text import reads_as_unit, unit_of_text

READ = {
    "kg": "kg",
    "(kg)": "kg",
    "[K]": "K",
    "in kg": "kg",
    "in units of m/s": "m/s",
    "measured in joules": "J",
    "SI unit: N/m": "N/m",
    "Joules (J)": "J",
    "N/C or V/m": "N/C",
    "J = N·m": "J",
    r"\mathrm{kg\cdot m/s}": "kg*m/s",
    r"$\mathrm{N/C} \newline \mathrm{(V/m)}$": "N/C",
    r"\mathrm{N\,m}": "N*m",
    "W/(m²·K)": "W/(m^2*K)",
    "-": "",
    "—": "",
    "dimensionless": "",
    "unitless": "",
    "$": "USD",
    "$/kg": "USD/kg",
    "($ per kg)": "USD/kg",
    "$/ m3": "USD/m^3",
    "%": "percent",
}


@pytest.mark.parametrize(("text", "unit"), READ.items())
def test_unit_text(text: str, unit: str) -> None:
    found = unit_of_text(text)
    assert found is not None
    assert found.text == unit


@pytest.mark.parametrize("text", ["", "of the object", "see below", "C", "x" * 500])
def test_no_unit(text: str) -> None:
    assert unit_of_text(text) is None


def test_the_kind_decides() -> None:
    temperature, charge = kind("temperature"), kind("electric_charge")
    difference = kind("temperature_difference")
    assert [str(unit_of_text("C", kinds=[one])) for one in (temperature, charge, difference)] == [
        "degC",
        "C",
        "delta_degC",
    ]


@pytest.mark.parametrize("text", ["constant T, V", "a", "the force", "also called weight", "at constant pressure"])
def test_a_remark_is_no_unit(text: str) -> None:
    assert not reads_as_unit(text) or text == "a"
