"""Plain numbers are told apart by their letters alone: one given under a letter of its own fills no other slot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer

SHEET = """# Scales of dye

The paleness of a dye is $w = 12 - q$, where $w$ is the paleness and $q$ is the darkness.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("dyes")
    (folder / "dyes.md").write_text(SHEET, encoding="utf-8")
    with Library(folder / "library") as opened:
        opened.ingest([folder / "dyes.md"])
        yield opened


@pytest.mark.parametrize(
    "question", ["What is the paleness of the dye? q is 5.", "What is the paleness if the darkness is 5?"]
)
def test_the_letter_or_the_name_of_a_slot_fills_it(library: Library, question: str) -> None:
    outcome = library.ask(question)
    assert isinstance(outcome, Answer)
    assert outcome.quantity.value == 7


@pytest.mark.parametrize(
    "question", ["What is the paleness of the dye? Kz is 5.", "Find the paleness w when Rm = 0.002."]
)
def test_another_letter_does_not(library: Library, question: str) -> None:
    assert not isinstance(library.ask(question), Answer)
