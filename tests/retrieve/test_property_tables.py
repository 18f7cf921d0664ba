"""Tables of properties as documents print them, and those that must be left alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import pytest

from mathrag.retrieve.property_tables import properties_in_tables
from mathrag.store.truth.schema import migrate
from mathrag.store.truth.seals import seal_document


def _insert(connection: sqlite3.Connection, table: str, **values: object) -> None:
    """A row with these values; what must be there beside them is zero or empty."""
    for _, name, kind, needed, default, _ in connection.execute(f"PRAGMA table_info({table})").fetchall():
        if needed and default is None:
            values.setdefault(name, "" if kind == "TEXT" else 0)
    names, marks = ", ".join(values), ", ".join("?" for _ in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def _found(caption: str, rows: Sequence[Sequence[str]]) -> dict[tuple[str, str], float]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    _insert(connection, "documents", id="d", key="k")
    _insert(connection, "tables", id="t", document="d", caption=caption, row_count=len(rows), column_count=len(rows[0]))
    for row, line in enumerate(rows):
        for column, text in enumerate(line):
            _insert(connection, "table_cells", table_id="t", row_number=row, column_number=column, text=text)
    seal_document(connection, "d")
    return {
        (entry.label, entry.kinds[0].id): float(entry.value) * entry.unit.scale
        for entry in properties_in_tables(connection)
    }


def test_lists_side_by_side_with_a_power_of_ten_in_the_header() -> None:
    rows = [
        ["Substance", "ρ (10^3 kg/m^3)", "Substance", "ρ (× 10^3 kg/m^3 or g/mL)"],
        ["Solids", "", "Liquids", ""],
        ["Teak", "0.65", "Brine", "1.10"],
        ["Slate", "2.7", "Ether", "7.1 × 10^(− 1)"],
    ]
    assert _found("Densities of Some Substances", rows) == {
        ("Teak", "density"): pytest.approx(650),
        ("Brine", "density"): pytest.approx(1100),
        ("Slate", "density"): pytest.approx(2700),
        ("Ether", "density"): pytest.approx(710),
    }


def test_the_unit_may_stand_in_the_header_and_the_quantity_in_the_caption() -> None:
    rows = [["Medium", "n"], ["Amber", "1.55"], ["Brine", "1.38"], ["Resin", "1.50"]]
    assert _found("Index of Refraction in Various Media", rows)["Amber", "refractive_index"] == 1.55


def test_a_substance_under_several_conditions_has_no_single_value() -> None:
    rows = [
        ["Fluid", "Temperature (°C)", "Viscosity η (mPa·s)"],
        ["Brine", "0", "2.0"],
        ["20", "1.2", ""],
        ["Syrup", "20", "2000"],
        ["Resin", "20", "900"],
    ]
    found = _found("Coefficients of Viscosity", rows)
    assert ("Brine", "dynamic_viscosity") not in found
    assert found["Syrup", "dynamic_viscosity"] == pytest.approx(2.0)


@pytest.mark.parametrize(
    "rows",
    [
        [["Planet", "Moons"], ["Alpha", "2"], ["Beta", "3"], ["Gamma", "7"]],  # no kind of quantity
        [["Material", "Density (m/s)"], ["Teak", "1"], ["Slate", "2"], ["Cork", "3"]],  # the unit is of another
        [["Material", "Density"], ["Teak", "650"], ["Slate", "2700"], ["Cork", "240"]],  # no unit at all
        [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]],  # numbers alone
    ],
)
def test_what_is_no_table_of_properties(rows: list[list[str]]) -> None:
    assert _found("", rows) == {}
