"""Parameters and cells of spreadsheets by their labels: the cell is cited; what could be another cell is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.types.answer import Refusal, Reply
from sheet_archives import workbook

INPUTS = {
    "A1": "Greenhouse heating – estimate",
    "A3": "Gardener", "B3": "T. Ilves",
    "A4": "Glass area", "B4": 140, "C4": "m²",
    "A5": "Heat loss coefficient", "B5": "U", "C5": 5.8, "D5": "W/(m² K)",
    "A6": "Night temperature [°C]", "B6": 12,
    "A7": "Price", "B7": 95, "C7": "EUR",
    "F3": "BOILER", "F4": "Rated power", "G4": 40, "H4": "kW", "F5": "Boiler age", "G5": 7, "H5": "years",
    "A10": "Standing charge", "B10": 18.5,
    "A13": "Month", "B13": "Hours", "C13": "Fuel (L)", "D13": "Price (EUR)",
    "A14": "January", "B14": 420, "C14": 610, "D14": 545,
    "A15": "February", "B15": 380, "C15": 540, "D15": 492,
    "A16": "Total", "B16": 800, "C16": 1150, "D16": 1037,
    "A19": "Bed", "B19": "Length (m)", "A20": "North", "B20": 8, "A21": "South", "B21": 9.5,
}  # fmt: skip
OTHERS = {"A1": "Glass area", "B1": 90, "C1": "m²", "A2": "Door height", "B2": 2.1, "C2": "m"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("parameters")
    (folder / "heating.xlsx").write_bytes(workbook({"House": INPUTS, "Old house": OTHERS}))
    with Library(folder / "library") as opened:
        opened.ingest([folder / "heating.xlsx"])
        yield opened


@pytest.mark.parametrize(
    ("question", "said", "cell"),
    [
        ("What is the heat loss coefficient in heating.xlsx?", "5.8 W/(m² K)", "House!C5"),
        ("What is U in heating.xlsx?", "5.8 W/(m² K)", "House!C5"),
        ("What is the night temperature in heating.xlsx?", "Night temperature [°C]: 12", "House!B6"),
        ("What is the rated power in heating.xlsx?", "40 kW", "House!G4"),
        ("What is the value of the standing charge in heating.xlsx?", "18.5", "House!B10"),
        ("What is the charge in heating.xlsx?", "Standing charge: 18.5", "House!B10"),
        ("What is the door height in heating.xlsx?", "2.1 m", "'Old house'!B2"),
        ("What is the glass area of the old house in heating.xlsx?", "90 m²", "'Old house'!B1"),
        ("What is the fuel in February in heating.xlsx?", "540", "House!C15"),
        ("What is the total fuel in heating.xlsx?", "1150", "House!C16"),
        ("What are the hours of January in heating.xlsx?", "420", "House!B14"),
    ],
)
def test_a_value_is_given_with_its_cell(library: Library, question: str, said: str, cell: str) -> None:
    found = library.ask(question, planner="rules")
    assert isinstance(found, Reply), found
    assert said in found.text
    assert [each.span.place.path for each in found.citations] == [cell]
    assert found.looked_up is not None


@pytest.mark.parametrize(
    "question",
    [
        # Two sheets have it, with two values.
        "What is the glass area in heating.xlsx?",
        # A parameter and a column are called so.
        "What is the price in heating.xlsx?",
        # A part of the words is not in the label.
        "What is the rated power loss in heating.xlsx?",
        "What is the total standing charge in heating.xlsx?",
        "What is the standing charge per month in heating.xlsx?",
        "What is the fuel rate in February in heating.xlsx?",
        "What is the standing charge after two years in heating.xlsx?",
        # A row of a table: which column is meant is not said.
        "What is north in heating.xlsx?",
        "What is January in heating.xlsx?",
        "What is the fuel in March in heating.xlsx?",
        "What is the door width in heating.xlsx?",
    ],
)
def test_what_may_be_another_value_is_refused(library: Library, question: str) -> None:
    found = library.ask(question, planner="rules")
    assert isinstance(found, Refusal) or (isinstance(found, Reply) and found.looked_up is None), found


def test_the_cells_that_could_be_meant_are_named(library: Library) -> None:
    found = library.ask("What is the glass area in heating.xlsx?", planner="rules")
    assert isinstance(found, Refusal)
    assert "Glass area: 140 m² (House!B4); Glass area: 90 m² ('Old house'!B1)" in found.reason


@pytest.mark.slow
def test_a_workbook_of_many_labels_is_looked_through_once(tmp_path: Path) -> None:
    cells: dict[str, str | int] = {}
    for row in range(1, 2001):
        cells |= {f"A{row}": f"Setting {row}", f"B{row}": row, f"C{row}": "mm"}
    (tmp_path / "many.xlsx").write_bytes(workbook({"Data": cells}))
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "many.xlsx"])
        found = library.ask("What is setting 1234 in many.xlsx?", planner="rules")
    assert isinstance(found, Reply), found
    assert [each.span.place.path for each in found.citations] == ["Data!B1234"]
