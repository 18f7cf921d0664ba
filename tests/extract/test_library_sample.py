"""What is understood of the real documents, against a hand-checked sample of them.

Slow: the physics book alone takes half a minute to read and understand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools"))

from sample_rates import DOCUMENTS, Rates, load_sample, measure_sample, report

from mathrag.calculator import read_formula
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Declined, equation_symbols

needs_documents = pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the documents of ../shared are not here")
FLOORS = {"formula": 96, "label": 90, "description": 90, "unit": 90, "declined": 100}


@pytest.fixture(scope="module")
def rates() -> Rates:
    return measure_sample(load_sample())


@pytest.mark.corpora
@needs_documents
@pytest.mark.parametrize("measure", FLOORS)
def test_the_sample_is_understood(rates: Rates, measure: str) -> None:
    assert rates.percent(measure) >= FLOORS[measure], report(rates, with_misses=True, only=measure)


@pytest.mark.corpora
@needs_documents
def test_the_documents_of_the_sample_are_here() -> None:
    sample = load_sample()
    for entry in (*sample["formula"], *sample["declined"]):
        path = DOCUMENTS / entry["document"]
        assert path.is_file()
        assert entry["line"] <= len((path.parent / entry.get("file", path.name)).read_text("utf-8").splitlines())


@pytest.mark.parametrize("entry", load_sample()["formula"], ids=lambda entry: entry["formula"])
def test_every_entry_describes_all_symbols_of_its_formula(entry: dict[str, object]) -> None:
    symbols = entry["symbols"]
    assert isinstance(symbols, dict)
    reading = read_formula(str(entry["formula"]), notation="latex", symbols=tuple(symbols))
    assert not isinstance(reading, Declined)
    assert {name for one in reading.equations for name in equation_symbols(one)} == set(symbols)
    for wanted in symbols.values():
        assert wanted["unit"] == "any" or read_canonical_unit(wanted["unit"])
