"""Make everything derived anew from the truth: merged entries, relations, words, vectors. In one transaction.

Rows that are not what they were when they were stored are left out, so that nothing is made of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice

from mathrag.store.embedders import Embedder
from mathrag.store.index.vectors import Encodable, write_vectors
from mathrag.store.index.words import WORDS_VERSION, chunk_words, concept_words, index_rows
from mathrag.store.truth.cells import clear_cells, write_sound_cells
from mathrag.store.truth.database import Database
from mathrag.store.truth.document_rows import ENCODED_VIEWS, view_encodable
from mathrag.store.truth.merge import Merger, remerge
from mathrag.store.truth.problem_types import retype
from mathrag.store.truth.relations import Shelf, relations_of, write_relations
from mathrag.store.truth.schema import WORD_TABLES
from mathrag.store.truth.seals import agreeing_rows, disagreements, set_aside
from mathrag.store.truth.writer import bump_generation, follow_changes

# Few at a time, so that a large library does not have to fit into memory.
_BATCH = 500


def rebuild_index(database: Database, *, merger: Merger, embedder: Embedder | None = None) -> None:
    """Forget all that is derived and compute it again; without an embedder the library is left without vectors.

    Vectors of other embedders go too: whether they are right, only those could tell (`encode_cells` makes them anew).
    A document whose list of digests was changed is set aside as a whole: which of its rows are right cannot be told.
    """
    with database.writing() as connection:
        for each in list(disagreements(connection)):
            if each.change == "digests" and each.document:
                set_aside(connection, each.document)
        clear_cells(connection)
        for table in ("relations", "formulas", "constants", *WORD_TABLES):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        _rebuild_entries(connection, merger, embedder)
        _rebuild_relations(connection, merger)
        _rebuild_views(connection, embedder)
        retype(connection)
        connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('words_version', ?)", (WORDS_VERSION,))
        bump_generation(connection)


def _rebuild_entries(connection: sqlite3.Connection, merger: Merger, embedder: Embedder | None) -> None:
    for forms in _batches(_column(connection, "SELECT DISTINCT form FROM findings ORDER BY form")):
        follow_changes(connection, remerge(connection, merger, forms=forms, symbols=()), embedder=embedder)
    for symbols in _batches(_column(connection, "SELECT DISTINCT symbol FROM constant_findings ORDER BY symbol")):
        follow_changes(connection, remerge(connection, merger, forms=(), symbols=symbols), embedder=embedder)


def _rebuild_relations(connection: sqlite3.Connection, merger: Merger) -> None:
    shelf = Shelf(connection)
    for identifier in _column(connection, "SELECT id FROM formulas ORDER BY id"):
        write_relations(connection, relations_of(connection, shelf.formula(identifier), merger, shelf=shelf))


def _rebuild_views(connection: sqlite3.Connection, embedder: Embedder | None) -> None:
    for document in _column(connection, "SELECT id FROM documents ORDER BY id"):
        rows = agreeing_rows(connection, "chunks", "WHERE document = ? ORDER BY id", (document,))
        index_rows(connection, "chunks", [(row["id"], chunk_words(row["headings"], row["text"])) for row in rows])
        found = agreeing_rows(connection, "concepts", "WHERE document = ? ORDER BY id", (document,))
        index_rows(
            connection, "concepts", [(row["id"], concept_words(row["symbol"], row["description"])) for row in found]
        )
    write_sound_cells(connection)
    if embedder is not None:
        entries = view_encodables(connection)
        while batch := list(islice(entries, _BATCH)):
            write_vectors(connection, batch, embedder)


def view_encodables(connection: sqlite3.Connection) -> Iterator[Encodable]:
    """The texts of all views that get a vector, as they are stored; without those that were changed since."""
    for table in ENCODED_VIEWS:
        for document in _column(connection, "SELECT id FROM documents ORDER BY id"):
            for row in agreeing_rows(connection, table, "WHERE document = ? ORDER BY id", (document,)):
                yield view_encodable(table, row)


def _column(connection: sqlite3.Connection, question: str) -> list[str]:
    return [row[0] for row in connection.execute(question)]


def _batches(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
