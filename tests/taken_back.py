"""Libraries of today made into those of an older version, to see them upgraded."""

from __future__ import annotations

import sqlite3

from mathrag.store.truth.schema import VERSION_1

# The tables whose vectors went by a trigger before there were cells.
_ENCODED = ("formulas", "constants", "chunks", "tables", "images", "sections", "problems", "concepts")


def take_back_cells(connection: sqlite3.Connection) -> None:
    """Make an open library what it was before there were cells (and worksheets, which came later): each vector knows
    its table, column and key."""
    stored = connection.execute(
        "SELECT c.source_table, c.source_table, c.source_column, c.source_key, c.document, c.page, v.embedder, "
        "v.text_hash, v.vector FROM vectors v JOIN cells c ON c.id = v.cell"
    ).fetchall()
    made = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchall()
    for kind, name in made:
        if kind == "view" or name.endswith(("_lose_cells", "_change_cells")) or name.startswith("cells_lose_"):
            connection.execute(f"DROP {kind} {name}")
    for table in ("cell_words", "cells", "vectors", "worksheets"):
        connection.execute(f"DROP TABLE {table}")
    connection.execute("DELETE FROM meta WHERE name = 'embedder'")
    for statement in VERSION_1:
        if statement.startswith(("CREATE TABLE vectors ", "CREATE INDEX vectors_")):
            connection.execute(statement)
    connection.executemany(
        "INSERT INTO vectors (collection, source_table, source_column, source_key, document, page, embedder, "
        "text_hash, vector) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        stored,
    )
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in _ENCODED:
        if table in tables:
            connection.execute(
                f"CREATE TRIGGER {table}_lose_vectors AFTER DELETE ON {table} BEGIN "
                f"DELETE FROM vectors WHERE source_table = '{table}' AND source_key = old.id; END"
            )
