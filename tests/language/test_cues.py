"""Cues: all of them can be read, are used, and say what they are called; a broken one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mathrag.errors import DataFileError
from mathrag.language.cues import cue, cue_names

SOURCE = Path(__file__).parents[2] / "src" / "mathrag"


@pytest.mark.parametrize("name", cue_names())
def test_a_cue_can_be_read(name: str) -> None:
    assert cue(name).flags & re.IGNORECASE
    assert not re.search(r"<[a-z_]+\.[a-z_]+>", cue(name).pattern)


def test_every_cue_is_used() -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in (SOURCE / "reason").rglob("*.py"))
    assert [name for name in cue_names() if f'"{name}"' not in code] == []


@pytest.mark.parametrize(
    ("name", "said", "not_said"),
    [
        ("size_asked", "How wide is the disc then?", "How much wider does it get?"),
        ("by_how_much", "By how much does it grow?", "How much is it?"),
        ("each_behind", " each", " of each"),
        ("outside_behind", " above the ground", " above the centre"),
        ("added_to", "5 g of salt are added to water", "5 g of salt dissolve"),
        ("multiple", "twice the weight", "the half-life"),
        ("not_done", "has not yet decayed", "is not heavy"),
        ("plural_before", "rate constants: ", "the mass of "),
        ("kept_constant", "at constant volume", "the volume changes"),
    ],
)
def test_cues_say_what_they_are_called(name: str, said: str, not_said: str) -> None:
    find = cue(name).match if name.endswith("_behind") else cue(name).search
    assert find(said)
    assert not find(not_said)


def test_an_unknown_cue_is_told() -> None:
    with pytest.raises(DataFileError, match="no cue nobody"):
        cue("nobody")
