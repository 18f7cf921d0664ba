"""Read and write the summaries that a model made of parts of documents. Words about words: no input to anything."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from mathrag.store.codec import storable
from mathrag.store.database import Database
from mathrag.store.model_records import SUMMARY_KINDS, Summary
from mathrag.store.word_tokens import query_words

_COLUMNS = "document, kind, source, text, model"


def write_summaries(connection: sqlite3.Connection, document: str, summaries: Sequence[Summary]) -> None:
    """Put these in place of the summaries that the document had."""
    connection.execute("DELETE FROM summaries WHERE document = ?", (document,))
    connection.executemany(
        f"INSERT INTO summaries (position, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608 - our own names
        (
            (position, document, each.kind, storable(each.source), storable(each.text), storable(each.model))
            for position, each in enumerate(summaries)
        ),
    )


def summaries_of_document(database: Database, document: str | None = None) -> list[Summary]:
    """The summaries of a document (or of all) and its parts, in its order; what is of no known kind is left out."""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM summaries WHERE :document IS NULL OR document = :document "  # noqa: S608 - our names
            "ORDER BY document, position",
            {"document": document},
        ).fetchall()
    return [Summary(*row) for row in rows if row[1] in SUMMARY_KINDS]


def search_summaries(database: Database, text: str, *, limit: int) -> list[tuple[Summary, float]]:
    """The summaries that share most of the words of a text, each with the share. All are looked at; there are few."""
    wanted = set(query_words(text))
    if not wanted:
        return []
    found = []
    for summary in summaries_of_document(database):
        shared = len(wanted & set(query_words(summary.text)))
        if shared:
            found.append((summary, shared / len(wanted)))
    found.sort(key=lambda one: (-one[1], one[0].document, one[0].source))
    return found[:limit]
