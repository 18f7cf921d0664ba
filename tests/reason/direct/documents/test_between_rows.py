"""Values between the rows of a table: interpolated with the neighbours cited, refused outside and where unclear."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.types.answer import Refusal, Reply
from sheet_archives import workbook

WATER = """# Water

| Temperature (°C) | Specific heat (kJ/(kg K)) | Density (kg/m³) |
|---|---|---|
| 0 | 4.20 | 1000 |
| 20 | 4.10 | 990 |
| 40 | 4.30 | 970 |

# Oils

| Oil | Temperature (°C) | Viscosity (Pa s) |
|---|---|---|
| Olive | 10 | 0.14 |
| Olive | 30 | 0.06 |
| Linseed | 10 | 0.09 |
| Linseed | 30 | 0.03 |

# Steam

Table 1: Specific volume (m³/kg)

| Temperature (°C) \\ pressure (bar) | 1 | 2 |
|---|---|---|
| 150 | 2.0 | 1.0 |
| 250 | 2.4 | 1.2 |

# Noise

| Distance (m) | Sound level of the fan (dB) |
|---|---|
| 1 | 60 |
| 4 | 51 |
| 2 | 57 |
"""
SHEET = {
    "A1": "Angle (deg)", "B1": "Depth (m)", "C1": "Salinity (g/kg)",
    "A2": 1, "B2": 10, "C2": 30.0, "A3": 2, "B3": 20, "C3": 34.0, "A4": 3, "B4": 40, "C4": 36.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("between")
    (folder / "water.md").write_text(WATER, encoding="utf-8")
    with Library(folder / "library") as opened:
        opened.ingest([folder / "water.md"])
        yield opened


@pytest.mark.parametrize(
    ("question", "said", "cited"),
    [
        ("What is the specific heat of water at 30 °C?", "4.200 kJ/(kg K), interpolated", 2),
        ("What is the specific heat of water at 20 °C?", "4.10 kJ/(kg K)", 1),
        ("What is the density of water at 50 °F?", "995.0 kg/m³, interpolated", 2),
        ("What is the viscosity of olive oil at 20 °C?", "0.100 Pa s, interpolated", 2),
        ("What is the specific volume of steam at 200 °C and 1.5 bar?", "1.65 m³/kg, interpolated", 4),
    ],
)
def test_a_value_between_rows_is_interpolated_and_says_so(
    library: Library, question: str, said: str, cited: int
) -> None:
    outcome = library.ask(question)
    assert isinstance(outcome, Reply), outcome
    assert said in outcome.text
    assert len(outcome.citations) == cited
    assert bool(outcome.warnings) == ("interpolated" in said)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What is the specific heat of water at 50 °C?", "nothing is extrapolated"),
        ("What is the specific volume of steam at 200 °C and 3 bar?", "nothing is extrapolated"),
        ("What is the specific heat of mercury at 30 °C?", ""),
        ("What is the viscosity of sunflower oil at 20 °C?", ""),
        ("What is the specific heat of water at 30 bar?", ""),
        ("What is the sound level of the fan at 3 m?", ""),
    ],
)
def test_outside_the_table_or_without_its_words_there_is_no_number(
    library: Library, question: str, reason: str
) -> None:
    outcome = library.ask(question)
    assert isinstance(outcome, Refusal), outcome
    assert reason in outcome.reason


@pytest.mark.slow
def test_a_workbook_answers_with_its_sheet_and_cells(tmp_path: Path) -> None:
    (tmp_path / "sea.xlsx").write_bytes(workbook({"Sea": SHEET}))
    with Library(tmp_path / "library") as opened:
        opened.ingest([tmp_path / "sea.xlsx"])
        outcome = opened.ask("What is the salinity of the sea at a depth of 30 m?")
    assert isinstance(outcome, Reply)
    assert "35.0" in outcome.text
    assert [citation.span.place.path for citation in outcome.citations] == ["Sea!C3", "Sea!C4"]
