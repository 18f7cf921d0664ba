"""Cells of tables by words: the row says of what, header and caption say what."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.retrieve.table_cells import FoundCell, cells_called
from mathrag.store.truth.database import Database

TABLES = """# Workshop notes

Table: Creep coefficients of sealants

| Sealant | Creep coefficient (1/°C) | Rest (%) |
| --- | --- | --- |
| Butyl rubber | 0.0042 | 12 |
| Silicone (soft) | 3.1 × 10^(-3) | 7 |

Table: Densities of liquids and gases

| Liquid | Density (10^3 kg/m^3) | Gas | Density (kg/m^3) |
| --- | --- | --- | --- |
| Brine | 1.2 | Neon | 0.90 |
| Glycol | 1.1 | Argon | 1.78 |

Table: Shelf life of samples

| Sample | Number | Shelf life | Mass (u) |
| --- | --- | --- | --- |
| Redox | 60 | 5.3 y | 59.93 |
|  | 57 | 272 d | 56.94 |

Table: What machines of the workshop take

| Machine | Power in watts | Change in temper |
| --- | --- | --- |
| Band saw | 750 | 3 |
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("cells")
    (folder / "notes.md").write_text(TABLES, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "notes.md"], workers=1)
        yield library._asker._database


def shown(found: list[FoundCell]) -> list[tuple[str, float, str]]:
    return [(each.row, pytest.approx(each.quantity.value), each.quantity.unit.text) for each in found]


@pytest.mark.parametrize(
    ("words", "row", "value", "unit"),
    [
        ("creep coefficient of butyl rubber", "Butyl rubber", 0.0042, "1/delta_degC"),
        ("creep coefficient of soft silicone", "Silicone (soft)", 0.0031, "1/delta_degC"),
        ("density of glycol", "Glycol", 1100.0, "kg/m^3"),
        ("density of argon", "Argon", 1.78, "kg/m^3"),
        ("shelf life of redox 57", "Redox 57", 272.0, "day"),
        ("mass of redox 60", "Redox 60", 59.93, "u"),
        ("power of a band saw", "Band saw", 750.0, "W"),
        ("change in temper of a band saw", "Band saw", 3.0, ""),
    ],
)
def test_a_cell_is_found_with_its_unit(database: Database, words: str, row: str, value: float, unit: str) -> None:
    first = cells_called(database, words)[0]
    assert first.row.startswith(row.split()[0])
    assert first.quantity.value == pytest.approx(value)
    assert first.quantity.unit.text == unit
    assert first.span.quote


@pytest.mark.parametrize("words", ["", "colour of butyl rubber", "creep coefficient of granite", "the of and"])
def test_what_no_table_says_is_not_found(database: Database, words: str) -> None:
    assert cells_called(database, words) == []
