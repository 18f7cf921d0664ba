"""Which documents people trust and which they do not. Marks go by the key of a document: reading it again, or taking it
out and in again, leaves them as they are."""

from __future__ import annotations

from typing import Literal, TypeAlias

from mathrag.store.truth.codec import storable
from mathrag.store.truth.database import Database
from mathrag.store.truth.times import time_now
from mathrag.store.truth.writer import bump_generation

TrustMark: TypeAlias = Literal["trusted", "untrusted"]
MARKS: tuple[TrustMark, ...] = ("trusted", "untrusted")


def mark_document(database: Database, key: str, mark: TrustMark | None) -> None:
    """Keep how far a document is trusted; None takes the mark away."""
    with database.writing() as connection:
        connection.execute("DELETE FROM trust_marks WHERE key = ?", (storable(key),))
        if mark is not None:
            now = time_now()
            connection.execute("INSERT INTO trust_marks (key, mark, time) VALUES (?, ?, ?)", (storable(key), mark, now))
        bump_generation(connection)


def trust_levels(database: Database) -> dict[str, int]:
    """How far documents are trusted, by id: 1, or -1 for those that are not. Those without a mark are left out: 0."""
    with database.reading() as connection:
        rows = connection.execute("SELECT d.id, m.mark FROM trust_marks m JOIN documents d ON d.key = m.key").fetchall()
    return {identifier: 1 if mark == "trusted" else -1 for identifier, mark in rows}
