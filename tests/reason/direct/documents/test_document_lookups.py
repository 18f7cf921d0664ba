"""Questions about documents: what they are, what they have, the cells of their tables, what they say; or a refusal."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.library import Library
from mathrag.reason.direct.documents import answer_documents, answer_documents_late
from mathrag.reason.direct.documents.numbered import outline
from mathrag.reason.question import read_question
from mathrag.retrieve.document_parts import DocumentCard, LibraryDocumentParts, SectionPart
from mathrag.types.answer import Refusal, Reply
from mathrag.types.document import Place

FOLDER = Path(__file__).parent
QUESTIONS: list[dict[str, Any]] = tomllib.loads((FOLDER / "lookups.toml").read_text(encoding="utf-8"))["question"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as opened:
        opened.ingest([FOLDER / "tagger.md", FOLDER / "soil.html"])
        yield opened


def looked_up(library: Library, text: str) -> Reply | Refusal | None:
    parts = LibraryDocumentParts(library.database)
    givens = read_question(text).givens
    return answer_documents(text, givens, parts) or answer_documents_late(text, givens, parts)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["text"])
def test_what_documents_say(library: Library, question: dict[str, Any]) -> None:
    found = looked_up(library, question["text"])
    if "none" in question:
        assert found is None
    elif "refuses" in question:
        # What is not taken here is refused, or computed, by the formulas.
        assert found is None or isinstance(found, Refusal)
        assert all(words in found.reason for words in question["refuses"]) if found else not question["refuses"]
    else:
        assert isinstance(found, Reply), found
        shown = " ".join((found.text, *(line.text for line in found.working)))
        assert all(words in shown for words in question["has"]), shown
        assert found.citations


def test_tables_are_laid_out_once_until_the_library_changes(tmp_path: Path) -> None:
    made: list[str] = []

    def count(parts: LibraryDocumentParts, document: str) -> int:
        made.append(document)
        return len(parts.tables(document))

    note = tmp_path / "note.md"
    note.write_text("# Ropes\n\n| rope | load (kN) |\n|---|---|\n| thin | 4 |\n", encoding="utf-8")
    with Library(tmp_path / "library") as opened:
        opened.ingest([note])
        parts = LibraryDocumentParts(opened.database)
        document = parts.documents()[0].id
        assert [parts.kept(document, count), parts.kept(document, count), len(made)] == [1, 1, 1]
        note.write_text(note.read_text(encoding="utf-8") + "\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
        opened.ingest([note])
        assert [parts.kept(parts.documents()[0].id, count), len(made)] == [2, 2]
        for number in range(100):
            parts.kept(f"none-{number}", count)
        assert parts.kept(parts.documents()[0].id, count) == 2
        assert len(made) == 103  # Gone for the many that came after it, and made again.


@pytest.mark.parametrize(
    ("titles", "last"),
    [
        (["1. Aim", "2. Boats", "4. Tides", "5. End"], 5),
        (["2 BOATS", "3 TIDES", "4 HARBOURS", "5 END", "REFERENCES"], 5),
        (["1. Aim", "4. Tides", "9. End"], 0),
        (["1. Aim", "3. Boats", "2. Tides", "4. End"], 0),
        (["1. Aim", "3. End"], 0),
    ],
)
def test_sections_are_counted_by_the_last_number_where_few_were_missed(titles: list[str], last: int) -> None:
    class Parts(LibraryDocumentParts):
        def __init__(self) -> None:
            """Without a library: only the headings of a printed page are asked for."""

        def sections(self, document: str) -> tuple[SectionPart, ...]:
            assert document.startswith("d-")
            return tuple(SectionPart(1, title, Place(page=page)) for page, title in enumerate(titles, start=1))

    found = outline(DocumentCard("d-1", "ferries.pdf", media_type="application/pdf"), Parts())
    assert (found.last, found.is_complete) == (last, False)
    assert outline(DocumentCard("d-2", "ferries.md", media_type="text/markdown"), Parts()).last == 0
