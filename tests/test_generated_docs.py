"""The reference pages under docs/reference are what the data files give today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[1]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", PROJECT / "tools" / "generate_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def fresh() -> dict[str, str]:
    pages: dict[Path, str] = generator().pages()
    return {path.name: text for path, text in pages.items()}


@pytest.mark.parametrize(
    "name", ["quantities.md", "constants.md", "roles.md", "units.md", "commands.md", "ontology.md"]
)
def test_the_committed_page_is_fresh(name: str, fresh: dict[str, str]) -> None:
    committed = (PROJECT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert committed == fresh[name], f"docs/reference/{name} is out of date: run `make docs`"


def test_every_table_row_has_as_many_cells_as_its_head(fresh: dict[str, str]) -> None:
    for name, text in fresh.items():
        cells = 0
        for line in text.splitlines():
            if not line.startswith("|"):
                cells = 0
            elif cells == 0:
                cells = line.count("|")
            else:
                assert line.count("|") == cells, f"{name}: {line}"


def test_kinds_link_to_qudt(fresh: dict[str, str]) -> None:
    assert "[KineticEnergy](http://qudt.org/vocab/quantitykind/KineticEnergy)" in fresh["quantities.md"]
    assert "[PlanckConstant](http://qudt.org/vocab/constant/PlanckConstant)" in fresh["constants.md"]
