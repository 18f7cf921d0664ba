"""What a document states as values is used where a question gives none, for the case that it names and no other; what
comes out is held against what the quantity can be."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

CASES = tomllib.loads(Path(__file__).with_name("values_of_documents.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("stated")
    (folder / "works.md").write_text(CASES["document"], encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "works.md"], workers=1)
        yield made


@pytest.mark.parametrize("case", CASES["answered"], ids=lambda case: case["question"][:60])
def test_a_stated_value_is_taken_and_shown_with_its_place(library: Library, case: dict[str, Any]) -> None:
    outcome = library.ask(case["question"], only_documents=True)
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(case["answer"], rel=5e-3)
    stated = [text for text in outcome.assumptions if "as the document states" in text]
    assert len(stated) == ("shown" in case) + case.get("others", 0)
    assert case.get("shown", "") in " ".join(stated)
    assert len(outcome.citations) == 1 + len(stated)


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["question"][:60])
def test_of_cases_that_are_not_named_none_is_taken(library: Library, case: dict[str, Any]) -> None:
    outcome = library.ask(case["question"])
    assert isinstance(outcome, Refusal), outcome
    assert case["said"] in outcome.reason
    assert {each.code for each in outcome.findings} >= set(case.get("found", ()))
