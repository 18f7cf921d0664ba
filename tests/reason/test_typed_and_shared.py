"""Queries as people type them into a search box, quotients and shares that are stated and asked for as one number, and
names that belong to another formula than the one whose values are given."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.knowledge.units import read_canonical_unit
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

CASES = tomllib.loads(Path(__file__).with_name("typed_and_shared.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("typed")
    for name, text in CASES["documents"].items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest(sorted(folder.glob("*.md")), workers=1)
        yield made


@pytest.mark.parametrize("case", CASES["answered"], ids=lambda case: case["question"][:50])
def test_what_is_typed_is_computed(library: Library, case: dict[str, Any]) -> None:
    outcome = library.ask(case["question"])
    assert isinstance(outcome, Answer), outcome
    unit = read_canonical_unit(case["unit"])
    assert outcome.quantity.dimension == unit.dimension
    assert outcome.quantity.si_value / unit.scale == pytest.approx(case["value"], rel=2e-3)


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["question"])
def test_what_is_left_open_is_refused(library: Library, case: dict[str, Any]) -> None:
    outcome = library.ask(case["question"])
    assert isinstance(outcome, Refusal), outcome
    assert "code" not in case or case["code"] in {each.code for each in outcome.findings}
