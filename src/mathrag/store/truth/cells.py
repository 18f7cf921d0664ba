"""The cells of the library: every text that can be searched, by table, column and key, with where people find it.

A cell keeps no text: it says where the text stands, how many words it has and by which hash it is known again. Its
words hang on it (`cell_words`), and so do its vectors, one for each embedder. Rows that are not what they were when
they were stored get no cells. Knows SQL, loads no embedder.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mathrag.store.truth.cell_columns import CELL_COLUMNS, ENTRY_TABLES, CellColumn, cell_question, cell_table
from mathrag.store.truth.seals import agreeing_rows

_WORD = re.compile(r"[^\W_]+")
# So many at a time: texts are long, and a question may name only so many keys.
_BATCH = 500


class CellText(NamedTuple):
    """A text as its row has it: what tells the row, where people find it."""

    key: str
    document: str | None
    page: int | None
    text: str


def text_hash(text: str) -> str:
    """Tells whether a text is still the one that a cell or a vector was made from."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def word_count(column: CellColumn, text: str) -> int:
    """How many words a text has; none where it names a region of a page."""
    return 0 if column.is_picture else sum(1 for _ in _WORD.finditer(text))


# ---- writing


def write_document_cells(connection: sqlite3.Connection, document: str, tables: Collection[str] = ()) -> None:
    """Cells for the rows of a document that were just stored and have none yet; of these tables, or of all."""
    for column in CELL_COLUMNS:
        if column.table not in ENTRY_TABLES and (not tables or column.table in tables):
            _insert(connection, column, _texts(connection, column, _of_document(column), (document,)))


def write_entry_cells(connection: sqlite3.Connection, table: str, ids: Iterable[str]) -> None:
    """Bring the cells of formulas or constants in line with their rows. Those that stay keep their vectors."""
    remaining = iter(ids)
    while batch := list(islice(remaining, _BATCH)):
        rest = f"AND t.id IN (?{', ?' * (len(batch) - 1)})"
        for column in CELL_COLUMNS:
            if column.table == table:
                _follow(connection, column, list(_texts(connection, column, rest, batch)))


def clear_cells(connection: sqlite3.Connection) -> None:
    """Forget all cells with their words and vectors, however they are."""
    connection.execute("DELETE FROM vectors")
    connection.execute("INSERT INTO cell_words (cell_words) VALUES ('delete-all')")
    # Nothing is left in the index that the trigger would have to take out.
    connection.execute("UPDATE cells SET word_count = 0")
    connection.execute("DELETE FROM cells")


def write_sound_cells(connection: sqlite3.Connection, *, entries: bool = False) -> None:
    """Cells for all documents, none of which has any; without the rows that were changed since they were stored.

    With `entries` those of formulas and constants too.
    """
    for column in CELL_COLUMNS:
        if entries or column.table not in ENTRY_TABLES:
            for texts in _sound_texts(connection, column):
                _insert(connection, column, texts)


def write_missing_cells(connection: sqlite3.Connection) -> None:
    """Cells for all rows that lost theirs when they were changed; the others keep them, and their vectors."""
    for column in CELL_COLUMNS:
        _follow(connection, column, list(_texts(connection, column)))


def _of_document(column: CellColumn) -> str:
    return f"AND {cell_table(column.table).document.format(row='t')} = ?"


def _texts(
    connection: sqlite3.Connection, column: CellColumn, rest: str = "", values: Sequence[object] = ()
) -> Iterator[CellText]:
    """The texts of a column that say something."""
    for key, document, page, text in connection.execute(cell_question(column, rest), values):
        if isinstance(text, str) and text:
            yield CellText(str(key), document, page if isinstance(page, int) else None, text)


def _sound_texts(connection: sqlite3.Connection, column: CellColumn) -> Iterator[Iterator[CellText]]:
    """The texts of a column, document by document, without those of rows that were changed since they were stored."""
    if column.table in ENTRY_TABLES:
        yield _texts(connection, column)
        return
    for (document,) in connection.execute("SELECT id FROM documents ORDER BY id").fetchall():
        sound = sound_keys(connection, column.table, document)
        texts = _texts(connection, column, _of_document(column), (document,))
        yield (each for each in texts if each.key in sound)


def sound_keys(connection: sqlite3.Connection, table: str, document: str) -> frozenset[str]:
    """The keys of the rows of a document that are what they were when they were stored."""
    owner = "id" if table == "documents" else "document"
    rows = agreeing_rows(connection, table, f"WHERE {owner} = ?", (document,))
    match table:
        case "pages":
            return frozenset(f"{document}/page/{row['number']}" for row in rows)
        case "summaries":
            return frozenset(f"{document}/summary/{row['position']}" for row in rows)
        case _:
            return frozenset(str(row["id"]) for row in rows)


def _insert(connection: sqlite3.Connection, column: CellColumn, texts: Iterable[CellText]) -> None:
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM cells").fetchone()
    remaining = enumerate(texts, last + 1)
    while batch := list(islice(remaining, _BATCH)):
        counts = [word_count(column, each.text) for _, each in batch]
        connection.executemany(
            "INSERT INTO cells (id, source_table, source_column, source_key, document, page, text_hash, word_count) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (number, column.table, column.column, each.key, each.document, each.page, text_hash(each.text), count)
                for (number, each), count in zip(batch, counts, strict=True)
            ),
        )
        connection.executemany(
            "INSERT INTO cell_words (rowid, text) VALUES (?, ?)",
            ((number, each.text) for (number, each), count in zip(batch, counts, strict=True) if count),
        )


def _follow(connection: sqlite3.Connection, column: CellColumn, texts: Sequence[CellText]) -> None:
    fresh: list[CellText] = []
    for each in texts:
        row = connection.execute(
            "SELECT id, document, page FROM cells WHERE source_table = ? AND source_key = ? AND source_column = ?",
            (column.table, each.key, column.column),
        ).fetchone()
        if row is None:
            fresh.append(each)
        elif row[1:] != (each.document, each.page):
            # What it says is as before, or its row would have lost it.
            connection.execute(
                "UPDATE cells SET document = ?, page = ? WHERE id = ?", (each.document, each.page, row[0])
            )
    _insert(connection, column, fresh)


# ---- checking


def cell_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """What is not as it should be among the cells, in words; nothing where each text has its cell and no other is.

    A row that was changed since it was stored is told elsewhere: whether it still has cells does not matter.
    """
    for column in CELL_COLUMNS:
        stored = {
            key: values
            for key, *values in connection.execute(
                "SELECT source_key, document, page, text_hash, word_count FROM cells "
                "WHERE source_table = ? AND source_column = ?",
                (column.table, column.column),
            )
        }
        name = f"{column.table}.{column.column}"
        for texts in _sound_texts(connection, column):
            for each in texts:
                found = stored.pop(each.key, None)
                if found is None:
                    yield f"{each.key} has no cell for {name}"
                elif found != [each.document, each.page, text_hash(each.text), word_count(column, each.text)]:
                    yield f"the cell of {each.key} for {name} differs from its text or place"
        rows = {row[0] for row in connection.execute(cell_question(column))} if stored else set()
        yield from (f"there is a cell of {key} for {name}, which is gone" for key in stored if key not in rows)
    known = {(column.table, column.column) for column in CELL_COLUMNS}
    for table, column_name in connection.execute("SELECT DISTINCT source_table, source_column FROM cells").fetchall():
        if (table, column_name) not in known:
            yield f"there are cells for {table}.{column_name}, which has none"
    yield from (
        f"there is a vector of cell {cell}, which is gone"
        for (cell,) in connection.execute("SELECT DISTINCT cell FROM vectors WHERE cell NOT IN (SELECT id FROM cells)")
    )
