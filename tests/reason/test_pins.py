"""What the user sets counts in every step of a chain, or there is no number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""# Circuits

## Ohm's law

$$V = I R$$

where $V$ is the voltage in V, $I$ is the current in A and $R$ is the resistance in ohm.

## Electric power

$$P = V I$$

where $P$ is the electric power in W, $V$ is the voltage in V and $I$ is the current in A.
"""
QUESTION = "What is the electric power of a current of 2 A through a resistance of 5 ohm?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("pins")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


def test_a_value_set_against_the_question_gives_no_mixture_of_both(library: Library) -> None:
    outcome = library.ask(QUESTION, pinned={"I": "3 A"})
    if isinstance(outcome, Answer):
        assert outcome.quantity.si_value == pytest.approx(45)
    else:
        assert isinstance(outcome, Refusal)
        assert outcome.code == "contradiction"
        assert "I was set" in outcome.reason


def test_a_value_set_to_what_the_question_says_changes_nothing(library: Library) -> None:
    outcome = library.ask(QUESTION, pinned={"I": "2 A"})
    assert isinstance(outcome, Answer)
    assert outcome.quantity.si_value == pytest.approx(20)
