"""What stands around a formula about its symbols is found, in whatever manner it is said (`legends.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from mathrag.documents.registry import read_path
from mathrag.extract.pipeline import extract

CASES = tomllib.loads((Path(__file__).parent / "legends.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_symbols_are_called_what_the_text_calls_them(case: dict[str, Any], tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Notes\n\n{case['text'].strip()}\n", encoding="utf-8")
    found = extract(read_path(notes), document_id="d-1").findings
    symbols = {one.name: one for finding in found for one in finding.symbols}
    for name, wanted in case["symbols"].items():
        words, _, unit = wanted.partition("; ")
        symbol = symbols[name]
        if not words:
            assert symbol.origin != "document", symbol
            continue
        assert symbol.description == words
        assert not unit or symbol.unit == unit


def test_a_letter_of_an_everyday_field_names_nothing(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# Growth of moulds\n\nThe area is $A(t) = A(0) e^{r t}$.\n", encoding="utf-8")
    (found,) = extract(read_path(notes), document_id="d-1").findings
    assert "tax rate" not in {one.description for one in found.symbols}


def test_what_a_formula_is_written_for_is_no_constant(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    text = "Cloth mass:\n\n    G = 0.5 * n_w * T_w\n\nwhere n_w is the warp mass (kg) and T_w the warp share.\n"
    notes.write_text(f"# Looms\n\n{text}", encoding="utf-8")
    (found,) = extract(read_path(notes), document_id="d-1").findings
    target = next(one for one in found.symbols if one.name == "G")
    assert (target.constant, target.role) == (None, "variable")


def test_names_in_one_word_beside_descriptions_are_symbols(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    rows = "| Variable | Description | Unit |\n|---|---|---|\n| tare | mass of the empty drum | kg |\n"
    code = (
        "| Variable name | Symbol | Description | Unit |\n|---|---|---|---|\n| vel | $u$ | speed of the drum | m/s |\n"
    )
    rest = "| gross | mass of the full drum | kg |\n| net | mass of the goods | kg |\n"
    more = "| len | $s$ | way of the drum | m |\n| dur | $q$ | duration of the way | $\\text{s}$ |\n"
    text = f"# Drums\n\nnet = gross - tare\n\n{rows}{rest}\n# Ways\n\n$$q = s / u$$\n\n{code}{more}"
    notes.write_text(text, encoding="utf-8")
    found = extract(read_path(notes), document_id="d-1").findings
    said = {one.name: (one.description, one.unit) for finding in found for one in finding.symbols}
    assert said["tare"] == ("mass of the empty drum", "kg")
    assert said["q"] == ("duration of the way", "s")


def test_names_in_a_program_beside_symbols_are_no_symbols(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    head = "| Description | Symbol | Variable Name | Units |\n|---|---|---|---|\n"
    rows = "| first drum factor | $b_0$ | b0 | $\\text{dimensionless}$ |\n| drum way | $s_1$ | s1 | m |\n"
    notes.write_text(f"# Drums\n\n$$w = b_0 s_1$$\n\n{head}{rows}", encoding="utf-8")
    (found,) = extract(read_path(notes), document_id="d-1").findings
    said = {one.name: (one.description, one.unit) for one in found.symbols}
    assert said["b_0"] == ("first drum factor", "")
    assert said["s_1"] == ("drum way", "m")
