"""What snippets state as values of symbols and names, for which cases."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from extract.definitions.snippet_documents import snippet_document
from mathrag.extract.constants.stated import find_stated
from mathrag.extract.constants.statements import Stated

SNIPPETS = tomllib.loads((Path(__file__).parent / "stated.toml").read_text(encoding="utf-8"))["snippet"]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet["about"])
def test_stated_values(snippet: dict) -> None:
    found = [_line(one) for one in find_stated(snippet_document(snippet["text"]))]
    assert found == [line.strip() for line in snippet["expect"]]


def _line(one: Stated) -> str:
    subject = ", ".join(one.subject.symbols) or one.subject.words
    unit = "" if one.value.unit is None else one.value.unit.text
    return f"{subject} | {one.value.number} | {unit} | {'; '.join(one.cases)}".replace("|  |", "| |").strip()
