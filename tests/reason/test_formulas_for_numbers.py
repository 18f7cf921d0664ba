"""Formulas for numbers in certain units, asked in words. Cases in `formulas_for_numbers.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.knowledge.units import read_unit
from mathrag.library import Library
from mathrag.types.answer import Answer

DOCUMENTS = tomllib.loads(Path(__file__).with_name("formulas_for_numbers.toml").read_text("utf-8"))["document"]
QUESTIONS = [
    pytest.param(question, id=f"{document['name']}: {question['ask'][:60]}")
    for document in DOCUMENTS
    for question in document["question"]
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("trades")
    for document in DOCUMENTS:
        (folder / f"{document['name']}.md").write_text(document["text"], encoding="utf-8")
    with Library(folder / "lib") as made:
        made.ingest(sorted(folder.glob("*.md")), workers=1)
        yield made


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_formula_for_numbers_gives_the_right_one_or_none(library: Library, question: dict[str, Any]) -> None:
    outcome = library.ask(question["ask"])
    if "answer" not in question:
        assert not isinstance(outcome, Answer), outcome.text
        return
    assert isinstance(outcome, Answer), outcome
    wanted = read_unit(question["unit"])
    assert outcome.quantity.dimension == wanted.dimension, outcome.text
    assert outcome.quantity.si_value == pytest.approx(question["answer"] * wanted.scale, rel=2e-3), outcome.text


def test_units_that_the_coefficient_told_are_said(library: Library) -> None:
    outcome = library.ask("What is the volume flow for a duct area of 0.05 m^2 and an air speed of 4 m/s?")
    assert isinstance(outcome, Answer)
    assert any("A in m^2, v in m/s" in said for said in outcome.assumptions)
