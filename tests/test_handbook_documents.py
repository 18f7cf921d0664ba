"""The handbook's own documents as the library reads them: each formula is understood as its document states it, and its
example agrees; the check finds errors that are planted. A sample; `tools/handbook_checks.py` takes all of them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).resolve().parent.parent / "tools" / "handbook_checks.py"


@pytest.fixture(scope="module")
def checks() -> ModuleType:
    specification = importlib.util.spec_from_file_location("handbook_checks", TOOL)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["handbook_checks"] = module
    specification.loader.exec_module(module)
    return module


def test_every_formula_is_understood_and_planted_errors_are_found(checks: ModuleType) -> None:
    known = [entry for name in ("everyday", "finance", "statistics") for entry in checks.entries(name)]
    assert [f"{entry.title}: {fault}" for entry in known for fault in checks.faults(entry)] == []
    assert len(known) >= 50
    assert len({(entry.document, entry.title) for entry in known}) == len(known)
    table = checks.plant(known, len(known), seed=1)
    planted, by_dimensions, by_both = map(sum, zip(*table.values(), strict=True))
    assert by_both >= 0.95 * planted
    assert by_both > by_dimensions


def test_values_of_an_example_are_read_with_their_units(checks: ModuleType) -> None:
    values = checks.read_example("v = 36 km/h; n = 3")
    assert values["v"].si_value == pytest.approx(10.0)
    assert values["n"].si_value == 3.0
