"""Every value and every symbol of a question is read whole and goes to the symbol of the document that it names: counts
by their nouns, units of trades, symbols however they are spelled, numbers in the unit that the document states."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.knowledge.units import read_canonical_unit
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

CASES = tomllib.loads(Path(__file__).with_name("values_and_symbols.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("trades")
    for name, text in CASES["documents"].items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest(sorted(folder.glob("*.md")), workers=1)
        yield made


@pytest.mark.parametrize("case", CASES["answered"], ids=lambda case: case["question"][:50])
def test_a_value_goes_where_its_name_says(library: Library, case: dict[str, Any]) -> None:
    outcome = library.ask(case["question"])
    assert isinstance(outcome, Answer), outcome
    unit = read_canonical_unit(case["unit"])
    assert outcome.quantity.dimension == unit.dimension
    assert outcome.quantity.si_value / unit.scale == pytest.approx(case["value"], rel=5e-3)


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["question"])
def test_a_value_goes_nowhere_else(library: Library, case: dict[str, Any]) -> None:
    assert isinstance(library.ask(case["question"]), Refusal)


def test_the_answer_says_whose_unit_a_bare_number_was_taken_in(library: Library) -> None:
    outcome = library.ask("take-up speed, n_p = 240, d_p = 16")
    assert isinstance(outcome, Answer), outcome
    assert all("unit" in bound.provenance.words for step in outcome.steps for bound in step.bindings)
