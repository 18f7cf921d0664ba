"""Give cells the vectors of a further embedder, beside those that the library has. Changes no text and no cell.

Reading a document encodes it with the embedder of the library alone; what others have encoded before stays, and what
is new waits for the next call.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

import numpy

from mathrag.store.embedders import Embedder, ImageEmbedder
from mathrag.store.index.vectors import (
    Encodable,
    constant_encodable,
    embed_texts,
    formula_encodable,
    stored_vectors,
    write_vectors,
)
from mathrag.store.truth.cell_columns import CellColumn
from mathrag.store.truth.cells import text_hash
from mathrag.store.truth.codec import box_of_text, decode
from mathrag.store.truth.database import Database
from mathrag.store.truth.rebuild import view_encodables
from mathrag.store.truth.writer import bump_generation
from mathrag.types.library import Constant, Formula

Box: TypeAlias = tuple[float, float, float, float]
# Draws what lies within a box of a page, as PNG; None where it cannot be drawn.
Draw: TypeAlias = Callable[[str, int, Box], bytes | None]
# Few at a time, so that other writers need not wait long, and pictures do not fill the memory.
_BATCH, _PICTURES = 500, 16


def library_encodables(connection: sqlite3.Connection) -> Iterator[Encodable]:
    """The texts that the embedder of a library encodes by itself, those of merged entries first."""
    for (record,) in connection.execute("SELECT record FROM formulas"):
        yield formula_encodable(decode(record, Formula))
    for (record,) in connection.execute("SELECT record FROM constants"):
        yield constant_encodable(decode(record, Constant))
    yield from view_encodables(connection)


def encode_cells(
    database: Database, embedder: Embedder, columns: Sequence[CellColumn], *, is_beside: bool = True
) -> int:
    """Encode the cells of these columns that have no vector of this embedder yet; gives how many vectors were made."""
    wanted = {(each.table, each.column): each for each in columns if not each.is_picture}
    with database.reading() as connection:
        before = _count(connection, embedder.name)
        entries = [each for each in library_encodables(connection) if (each.collection, each.column) in wanted]
        for column in wanted.values():
            if not column.has_vectors:
                entries.extend(_own_texts(connection, column))
    remaining = iter(entries)
    while batch := list(islice(remaining, _BATCH)):
        with database.reading() as connection:
            missing = [each for each in batch if not _has_vector(connection, each, embedder.name)]
        ready = embed_texts(embedder, (each.text for each in missing))
        with database.writing() as connection:
            write_vectors(connection, missing, embedder, ready=ready, is_beside=is_beside)
            bump_generation(connection)
    with database.reading() as connection:
        return _count(connection, embedder.name) - before


def encode_pictures(database: Database, embedder: ImageEmbedder, columns: Sequence[CellColumn], draw: Draw) -> int:
    """Encode the regions of pages that these columns name and that have no vector of this embedder yet."""
    names = [each for each in columns if each.is_picture]
    with database.reading() as connection:
        rows = [
            row
            for column in names
            for row in connection.execute(
                "SELECT c.id, c.document, c.page, c.text_hash, t.text FROM cells c JOIN cell_texts t ON t.id = c.id "
                "WHERE c.source_table = ? AND c.source_column = ? "
                "AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.cell = c.id AND v.embedder = ?) ORDER BY c.id",
                (column.table, column.column, embedder.name),
            )
        ]
    made = 0
    remaining = iter(rows)
    while batch := list(islice(remaining, _PICTURES)):
        drawn = [
            (cell, digest, picture)
            for cell, document, page, digest, text in batch
            if (box := box_of_text(text)) is not None
            and isinstance(page, int)
            and (picture := draw(document, page, box)) is not None
        ]
        if not drawn:
            continue
        matrix = numpy.asarray(embedder.embed_images([picture for _, _, picture in drawn]), dtype=numpy.float32)
        vectors = stored_vectors(matrix, embedder, len(drawn))
        with database.writing() as connection:
            # A document may have been replaced in the meantime: only cells that are still what they were.
            connection.executemany(
                "INSERT OR IGNORE INTO vectors (cell, embedder, text_hash, vector) "
                "SELECT id, ?, text_hash, ? FROM cells WHERE id = ? AND text_hash = ?",
                (
                    (embedder.name, vector, cell, digest)
                    for (cell, digest, _), vector in zip(drawn, vectors, strict=True)
                ),
            )
            bump_generation(connection)
        made += len(drawn)
    return made


def _own_texts(connection: sqlite3.Connection, column: CellColumn) -> Iterator[Encodable]:
    rows = connection.execute(
        "SELECT c.source_key, t.text, c.document, c.page FROM cells c JOIN cell_texts t ON t.id = c.id "
        "WHERE c.source_table = ? AND c.source_column = ? ORDER BY c.id",
        (column.table, column.column),
    )
    for key, text, document, page in rows:
        yield Encodable(column.table, key, text or "", document, page, column.column)


def _has_vector(connection: sqlite3.Connection, entry: Encodable, embedder: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM cells c JOIN vectors v ON v.cell = c.id AND v.embedder = ? AND v.text_hash = ? "
        "WHERE c.source_table = ? AND c.source_key = ? AND c.source_column = ?",
        (embedder, text_hash(entry.text), entry.collection, entry.key, entry.column),
    ).fetchone()
    return row is not None


def _count(connection: sqlite3.Connection, embedder: str) -> int:
    return int(connection.execute("SELECT count(*) FROM vectors WHERE embedder = ?", (embedder,)).fetchone()[0])
