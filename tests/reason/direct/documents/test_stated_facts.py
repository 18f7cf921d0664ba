"""Facts that a sentence of a document states: given as they are written with the sentence, or refused."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.library import Library
from mathrag.reason.direct.documents import answer_documents, answer_documents_late
from mathrag.reason.question import read_question
from mathrag.retrieve.document_parts import LibraryDocumentParts
from mathrag.types.answer import Refusal, Reply

FACTS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "stated_facts.toml").read_text(encoding="utf-8")
)["fact"]  # fmt: skip


def note(number: int) -> str:
    return f"note_{number:03}.md"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("notes")
    for number, fact in enumerate(FACTS):
        heading = fact.get("heading", "Methods")
        (folder / note(number)).write_text(f"# Notes\n\n## {heading}\n\n{fact['text']}\n", encoding="utf-8")
    with Library(tmp_path_factory.mktemp("library")) as opened:
        opened.ingest(sorted(folder.glob("*.md")))
        yield opened


def asked(library: Library, question: str) -> Reply | Refusal | None:
    parts = LibraryDocumentParts(library.database)
    givens = read_question(question).givens
    return answer_documents(question, givens, parts) or answer_documents_late(question, givens, parts)


@pytest.mark.parametrize("number", range(len(FACTS)), ids=lambda number: FACTS[number]["asked"])
def test_stated_facts(library: Library, number: int) -> None:
    fact = FACTS[number]
    found = asked(library, f"{fact['asked'].rstrip('?')} in {note(number)}?")
    if "says" in fact:
        assert isinstance(found, Reply), found
        assert found.text.startswith(f"{fact['says']}: "), found.text
        assert found.citations[0].span.quote in " ".join(fact["text"].split())
    elif "differ" in fact:
        assert isinstance(found, Refusal), found
        assert all(value in found.reason for value in fact["differ"]), found.reason
        assert len(found.citations) == len(fact["differ"])
    else:
        # Sentences with all the words may be shown; no value is given.
        assert not isinstance(found, Reply) or "says: “" in found.text, found
        assert not isinstance(found, Reply) or found.looked_up is None


def library_of(folder: Path, **texts: str) -> Library:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(f"# {name.title()} survey\n\n## Methods\n\n{text}\n", encoding="utf-8")
    opened = Library(folder / "library")
    opened.ingest(sorted(folder.glob("*.md")))
    return opened


def test_the_one_paper_of_a_library_need_not_be_named(tmp_path: Path) -> None:
    with library_of(tmp_path, barn="EEG was recorded at a sampling rate of 250 Hz.") as library:
        found = asked(library, "What was the sampling rate of the EEG?")
        assert isinstance(found, Reply)
        assert found.looked_up is not None
        assert (found.looked_up.value, found.looked_up.unit) == (250, "Hz")


@pytest.mark.slow
def test_papers_that_differ_are_named(tmp_path: Path) -> None:
    texts = {"barn": "We recruited 48 farmers.", "mill": "We recruited 31 farmers."}
    with library_of(tmp_path, **texts) as library:
        found = asked(library, "How many farmers were recruited?")
        assert isinstance(found, Refusal)
        assert "Barn survey" in found.reason
        assert "Mill survey" in found.reason
        named = asked(library, "How many farmers were recruited in mill.md?")
        assert isinstance(named, Reply)
        assert named.text.startswith("31 farmers: ")
