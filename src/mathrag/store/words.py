"""The word index: keep it in step with formulas, constants and chunks, and search it. How text becomes words is in
`word_tokens.py`; what to do with the hits is decided elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.store.codec import storable
from mathrag.store.database import Database
from mathrag.store.schema import CHUNK_WORDS, CONSTANT_WORDS, FORMULA_WORDS
from mathrag.store.word_tokens import index_text, query_words
from mathrag.types.library import Constant, Formula

# Bump it when `word_tokens` changes what it gives: a library indexed otherwise is then reported by the check.
WORDS_VERSION = "1"

Searchable: TypeAlias = Literal["formulas", "constants", "chunks"]

_COLUMNS: dict[Searchable, tuple[str, ...]] = {
    "formulas": FORMULA_WORDS,
    "constants": CONSTANT_WORDS,
    "chunks": CHUNK_WORDS,
}
INDEX_OF: dict[Searchable, str] = {
    "formulas": "formula_words",
    "constants": "constant_words",
    "chunks": "chunk_words",
}
# How much a word counts in each column, in the order of the columns.
_WEIGHTS: dict[Searchable, tuple[float, ...]] = {
    "formulas": (8.0, 3.0, 5.0, 3.0, 1.5, 1.0),
    "constants": (8.0, 3.0, 5.0, 4.0, 1.0),
    "chunks": (2.0, 1.0),
}
_PLACES_OF: dict[Searchable, str] = {
    "formulas": "entry_table.id IN (SELECT formula FROM formula_places WHERE document IN ({}))",
    "constants": "entry_table.id IN (SELECT constant FROM constant_places WHERE document IN ({}))",
    "chunks": "entry_table.document IN ({})",
}


@dataclass(frozen=True, slots=True)
class WordHit:
    """An entry that a search by words found; a higher score is better."""

    table: Searchable
    id: str
    score: float


def search_words(
    database: Database, text: str, *, table: Searchable = "formulas", limit: int = 20, documents: Sequence[str] = ()
) -> list[WordHit]:
    """The entries of a table that share the most telling words with any text. No text is a syntax error."""
    query = match_query(text)
    if not query:
        return []
    index = INDEX_OF[table]
    within = f"AND {_PLACES_OF[table].format(', '.join('?' * len(documents)))}" if documents else ""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT entry_table.id, {word_ranking(table)} AS score FROM {index} "  # noqa: S608 - our own names
            f"JOIN {table} AS entry_table ON entry_table.entry = {index}.rowid "
            f"WHERE {index} MATCH ? {within} ORDER BY score, entry_table.id LIMIT ?",
            (query, *documents, limit),
        ).fetchall()
    return [WordHit(table, identifier, -score) for identifier, score in rows]


def word_ranking(table: Searchable) -> str:
    """How SQL ranks the entries that match in the index of a table: the lower, the better."""
    return f"bm25({INDEX_OF[table]}, {', '.join(str(weight) for weight in _WEIGHTS[table])})"


def match_query(text: str) -> str:
    """An FTS5 query for any of the words of a text; empty where it has none."""
    return " OR ".join(match_word(word) for word in query_words(text))


def match_word(word: str) -> str:
    """An FTS5 query for one word. It is quoted: nothing in it is syntax."""
    return '"' + storable(word).replace('"', '""') + '"'


def formula_words(formula: Formula) -> tuple[str, ...]:
    """The row of a formula in the index."""
    symbols = (
        part
        for symbol in formula.symbols
        for part in (symbol.name, symbol.letter, symbol.description, (symbol.kind or "").replace("_", " "))
    )
    conditions = (condition.text for condition in formula.conditions)
    return _row(
        [*dict.fromkeys((formula.label, *formula.labels))],
        [formula.description, formula.intent],
        formula.keywords,
        symbols,
        conditions,
        _headings(formula),
    )


def constant_words(constant: Constant) -> tuple[str, ...]:
    """The row of a constant in the index."""
    return _row(
        [constant.name],
        [constant.description, (constant.standard or "").replace("_", " ")],
        constant.keywords,
        [constant.symbol, constant.letter],
        _headings(constant),
    )


def chunk_words(headings: str, text: str) -> tuple[str, ...]:
    """The row of a chunk in the index."""
    return _row([headings], [text])


def _row(*columns: Iterable[str]) -> tuple[str, ...]:
    # Joined by a mark that ends words, so that no word runs over from one piece into the next.
    return tuple(storable(index_text(" ; ".join(piece for piece in column if piece))) for column in columns)


def _headings(entry: Formula | Constant) -> list[str]:
    return [*dict.fromkeys(heading for span in entry.spans for heading in span.headings)]


def index_rows(connection: sqlite3.Connection, table: Searchable, rows: Iterable[tuple[str, tuple[str, ...]]]) -> None:
    """Put entries, by id, into the index of their table; those it already holds are replaced.

    Removing an entry takes its words along by a trigger.
    """
    index, columns = INDEX_OF[table], _COLUMNS[table]
    insert = f"INSERT INTO {index} (rowid, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})"  # noqa: S608 - our names
    for identifier, words in rows:
        (entry,) = connection.execute(f"SELECT entry FROM {table} WHERE id = ?", (identifier,)).fetchone()  # noqa: S608
        connection.execute(f"DELETE FROM {index} WHERE rowid = ?", (entry,))  # noqa: S608 - our own names
        connection.execute(insert, (entry, *words))


def word_columns(table: Searchable) -> tuple[str, ...]:
    """The columns of the index of a table."""
    return _COLUMNS[table]
