"""Questions to begin with: numbers that a reader may believe."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.library.ask.example_questions import candidate_questions

DOCUMENT = r"""# Notes

## Partial pressure

$$p_i = x_i p$$

where $p_i$ is the partial pressure in Pa, $x_i$ is the mole fraction and $p$ is the pressure in Pa.

## Useful energy

$$W = \eta E$$

where $W$ is the useful energy in J, $\eta$ is the efficiency and $E$ is the supplied energy in J.
"""


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder: Path = tmp_path_factory.mktemp("examples")
    (folder / "notes.md").write_text(DOCUMENT, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "notes.md"], workers=1)
        return candidate_questions(library)


def test_no_share_is_above_one_and_no_pressure_is_that_of_a_vacuum(questions: list[str]) -> None:
    assert "What is the partial pressure if the mole fraction is 0.2 and the pressure is 300000 Pa?" in questions
    assert "What is the useful energy if the efficiency is 0.2 and the supplied energy is 3 J?" in questions
