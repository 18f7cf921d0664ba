"""The text of sections and passages, made for libraries whose documents were read before those were kept.

Only what the chunks say for certain is made: the text of every section, the pages it stands on, and the passages of
documents without pages. Chunks run over the ends of pages, so what stands on a page is not known until the document is
read anew (`mathrag ingest --force`). Knows tables and rows, no files.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from mathrag.documents.views.chunks import BETWEEN_BLOCKS
from mathrag.documents.views.passages import cut_passages

_Chunk = tuple[int, int, str]


def fill_texts(connection: sqlite3.Connection, documents: Iterable[str]) -> None:
    """Give the sections of documents their text and pages, and documents without pages their passages."""
    for document in documents:
        chunks = [
            (first, last, text[repeated:])
            for first, last, text, repeated in connection.execute(
                "SELECT first_block, last_block, text, repeated_characters FROM chunks WHERE document = ? "
                "ORDER BY position",
                (document,),
            )
        ]
        pages = [
            (number, first)
            for number, first in connection.execute(
                "SELECT number, first_block FROM pages WHERE document = ? AND first_block IS NOT NULL ORDER BY number",
                (document,),
            )
        ]
        _fill_sections(connection, document, chunks, pages)
        if not connection.execute("SELECT 1 FROM pages WHERE document = ? LIMIT 1", (document,)).fetchone():
            _fill_passages(connection, document)


def _fill_sections(
    connection: sqlite3.Connection, document: str, chunks: Sequence[_Chunk], pages: Sequence[tuple[int, int]]
) -> None:
    sections = connection.execute(
        "SELECT id, first_block, last_block FROM sections WHERE document = ? ORDER BY position", (document,)
    ).fetchall()
    starts = [first for _, first, _ in sections]
    own: list[list[_Chunk]] = [[] for _ in sections]
    for first, last, text in chunks:
        # A chunk that opens with several headings begins in as many sections; the rest of it is of the innermost.
        outer, inner = (max(bisect_right(starts, block) - 1, 0) for block in (first, last))
        parts = text.split(BETWEEN_BLOCKS, inner - outer)
        for number, part in enumerate(parts, start=inner - len(parts) + 1):
            if number < len(own):
                own[number].append((first, last, part))
    for (identifier, first, last), found in zip(sections, own, strict=True):
        connection.execute(
            "UPDATE sections SET text = ?, page_numbers = ? WHERE id = ?",
            (_joined(found), json.dumps(_pages(pages, first, last), separators=(",", ":")), identifier),
        )


def _joined(chunks: Sequence[_Chunk]) -> str:
    """The text of chunks one after the other; a block that was cut into several is whole again."""
    parts: list[str] = []
    end = None
    for first, last, text in chunks:
        if parts:
            parts.append("" if first == end else BETWEEN_BLOCKS)
        parts.append(text)
        end = last
    return "".join(parts).strip()


def _pages(pages: Sequence[tuple[int, int]], first: int, last: int) -> list[int]:
    """The pages on which the blocks from one to another begin."""
    starts = [block for _, block in pages]
    ends = [pages[position - 1][0] for block in (first, last) if (position := bisect_right(starts, block))]
    return list(range(min(ends), max(ends) + 1)) if ends else []


def _fill_passages(connection: sqlite3.Connection, document: str) -> None:
    rows = connection.execute(
        "SELECT id, text, page, line, end_line, path, file, box FROM sections WHERE document = ? ORDER BY position",
        (document,),
    ).fetchall()
    position = 0
    for section, text, *place in rows:
        for part, tokens in cut_passages(text):
            connection.execute(
                "INSERT INTO passages (id, document, position, section, text, tokens, page, line, end_line, path, "
                "file, box) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (f"{document}/passage/{position}", document, position, section, part, tokens, *place),
            )
            position += 1
