"""What a document does not say of a symbol's dimension neither forbids a value nor names a result; what the values are
decides. Cases in `guessed_dimensions.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.knowledge.units import read_canonical_unit
from mathrag.library import Library
from mathrag.types.answer import Answer

CASES = tomllib.loads(Path(__file__).with_name("guessed_dimensions.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("guessed")
    for name, text in CASES["documents"].items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest(sorted(folder.glob("*.md")), workers=1)
        yield made


@pytest.mark.parametrize("question", CASES["question"], ids=lambda question: question["ask"][:50])
def test_the_values_decide_what_nobody_states(library: Library, question: dict[str, Any]) -> None:
    outcome = library.ask(question["ask"])
    if "value" not in question:
        assert not isinstance(outcome, Answer), outcome.text
        return
    assert isinstance(outcome, Answer), outcome
    unit = read_canonical_unit(question["unit"])
    assert outcome.quantity.dimension == unit.dimension, outcome.text
    assert outcome.quantity.si_value / unit.scale == pytest.approx(question["value"], rel=5e-3), outcome.text
    assert question.get("name", "") in outcome.text
