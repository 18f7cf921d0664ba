"""Search the cells of the library: any text of any table, by words or by the vectors of one embedder, with a filter.

A collection is `bm25` (words, the default) or the name of an embedder. Words are scored over the cells of the columns
that are searched: a title is measured by other titles, not by pages. Knows texts and numbers; answers nothing.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, assert_never

from mathrag.errors import LibraryError, QueryError
from mathrag.retrieve.cell_filters import CellFilter, Field, Look, Value, read_filter
from mathrag.store.index.words import letter_of, query_words
from mathrag.store.truth.cell_columns import CELL_COLUMNS, CELL_TOKENIZER
from mathrag.store.truth.cells import text_hash
from mathrag.store.truth.codec import listed
from mathrag.store.truth.database import Database
from mathrag.types.document_actions import WORDS, Cell, FoundCell

if TYPE_CHECKING:
    from mathrag.store.embedders import Embedder
    from mathrag.store.index.vectors import Matrix

# The usual numbers: how soon repeating a word stops to count, and how much long texts are held back.
_SATURATION, _LENGTH = 1.5, 0.75
_MOST_HITS = 100
# So many cells are looked up at a time, from the best on, until enough pass the filter.
_BATCH = 200
# Scores that differ by less are one.
_DIGITS = 9
_COLUMN_OF: dict[Field, str] = {
    "document": "c.document", "page": "c.page", "table": "c.source_table", "column": "c.source_column",
    "key": "c.source_key",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scope:
    """The columns that are searched, and the conditions of the filter that the database can judge."""

    table: str
    column: str
    wanted: str
    values: tuple[object, ...]

    @property
    def within(self) -> tuple[str, tuple[str, ...]]:
        """SQL for the cells of these columns, with its values."""
        named = [("c.source_table", self.table), ("c.source_column", self.column)]
        conditions = [f"{name} = ?" for name, value in named if value]
        return " AND ".join(conditions) or "1", tuple(value for _, value in named if value)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The vectors of an embedder in one state of the library, with the cells that they are of."""

    generation: int
    matrix: Matrix
    cells: tuple[int, ...]


class CellSearch:
    """Searches one library. `load` gives the encoder of a collection by its name. For any number of threads."""

    def __init__(self, database: Database, load: Callable[[str], Embedder] | None = None) -> None:
        self._database = database
        self._load = load
        self._loaded: dict[tuple[str, str, str], _Loaded] = {}
        self._sizes: dict[tuple[str, str], tuple[int, int, float]] = {}
        self._lock = Lock()

    def search(
        self,
        query: str,
        *,
        collection: str = WORDS,
        table: str = "",
        column: str = "",
        filter: str = "",  # noqa: A002 - the name of the published action
        limit: int = 5,
    ) -> list[FoundCell]:
        """The cells that fit a query best, best first; `QueryError` where a name or the filter cannot be understood."""
        check_column(table, column)
        condition = read_filter(filter)
        limit = min(limit, _MOST_HITS)
        if limit < 1:
            return []
        scope = _scope(table, column, condition)
        encoder = None if collection == WORDS else self._encoder(collection)
        _prepare(self._database.connection)
        with self._database.reading() as connection:
            if encoder is None:
                scored = self._by_words(connection, query, scope)
            else:
                scored = self._by_vectors(connection, query, scope, encoder)
            return _best(connection, scored, condition, limit, collection)

    def collections(self) -> dict[str, int]:
        """The collections that the library has, each with the number of its cells."""
        with self._database.reading() as connection:
            words = connection.execute("SELECT count(*) FROM cells WHERE word_count > 0").fetchone()
            vectors = connection.execute("SELECT embedder, count(*) FROM vectors GROUP BY embedder ORDER BY embedder")
            return {WORDS: int(words[0]), **dict(vectors.fetchall())}

    def _encoder(self, name: str) -> Embedder:
        if self._load is None:
            raise QueryError(f"there is no collection {name!r} here; there is {WORDS}")
        try:
            return self._load(name)
        except LibraryError as error:
            raise QueryError(f"{error}; the library has the collections: {', '.join(self.collections())}") from error

    # ---- words

    def _by_words(self, connection: sqlite3.Connection, query: str, scope: _Scope) -> dict[int, float]:
        """What each cell scores (BM25), for those that have a word of the query and that the filter may accept."""
        size, mean = self._size(connection, scope)
        scores: dict[int, float] = {}
        for term in query_terms(query):
            rows = _places(connection, term, scope)
            rarity = math.log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5))
            for cell, often, length, is_wanted in rows:
                if is_wanted:
                    dampening = _SATURATION * (1 - _LENGTH + _LENGTH * length / mean)
                    score = rarity * often * (_SATURATION + 1) / (often + dampening)
                    scores[cell] = scores.get(cell, 0.0) + score
        return scores

    def _size(self, connection: sqlite3.Connection, scope: _Scope) -> tuple[int, float]:
        """How many cells with words are searched, and how many words they have on average."""
        generation = self._database.generation
        with self._lock:
            known = self._sizes.get((scope.table, scope.column))
        if known is None or known[0] != generation:
            within, values = scope.within
            count, words = connection.execute(
                f"SELECT count(*), sum(word_count) FROM cells c WHERE word_count > 0 AND {within}",  # noqa: S608
                values,
            ).fetchone()
            known = (generation, int(count), (words or 1) / (count or 1))
            with self._lock:
                self._sizes[scope.table, scope.column] = known
        return known[1], known[2]

    # ---- vectors

    def _by_vectors(
        self, connection: sqlite3.Connection, query: str, scope: _Scope, encoder: Embedder
    ) -> dict[int, float]:
        """The cosine of each cell with the query, for those that the filter may accept."""
        import numpy

        from mathrag.retrieve.vector_search import products

        vector = numpy.asarray(encoder.embed([query]), dtype=numpy.float32)[0]
        loaded = self._matrix(connection, scope, encoder)
        if not vector.any() or not loaded.cells:
            return {}
        scores = products(loaded.matrix, vector).tolist()
        if not scope.values:
            return dict(zip(loaded.cells, scores, strict=True))
        question = f"SELECT c.id FROM cells c WHERE {scope.wanted}"  # noqa: S608 - our own names
        wanted = {cell for (cell,) in connection.execute(question, scope.values)}
        return {cell: score for cell, score in zip(loaded.cells, scores, strict=True) if cell in wanted}

    def _matrix(self, connection: sqlite3.Connection, scope: _Scope, encoder: Embedder) -> _Loaded:
        from mathrag.store.index.vectors import BYTES_OF_A_NUMBER, unit_vectors

        generation = self._database.generation
        key = (encoder.name, scope.table, scope.column)
        with self._lock:
            loaded = self._loaded.get(key)
        if loaded is None or loaded.generation != generation:
            within, values = scope.within
            rows = connection.execute(
                "SELECT c.id, v.vector FROM cells c JOIN vectors v ON v.cell = c.id "  # noqa: S608 - our own names
                f"WHERE v.embedder = ? AND length(v.vector) = ? AND {within}",
                (encoder.name, BYTES_OF_A_NUMBER * encoder.dimensions, *values),
            ).fetchall()
            matrix = unit_vectors([row[1] for row in rows], dimensions=encoder.dimensions)
            loaded = _Loaded(generation, matrix, tuple(row[0] for row in rows))
            with self._lock:
                # What an older state of the library had is of no use to anybody.
                self._loaded = {one: each for one, each in self._loaded.items() if each.generation == generation}
                self._loaded[key] = loaded
        return loaded


def search_cells(
    database: Database,
    query: str,
    *,
    collection: str = WORDS,
    table: str = "",
    column: str = "",
    filter: str = "",  # noqa: A002 - the name of the published action
    limit: int = 5,
    load: Callable[[str], Embedder] | None = None,
) -> list[FoundCell]:
    """Search once. Who searches again and again keeps a `CellSearch`."""
    search = CellSearch(database, load)
    return search.search(query, collection=collection, table=table, column=column, filter=filter, limit=limit)


def check_column(table: str, column: str) -> None:
    """`QueryError` where no cells have this table or column, with those that there are."""
    tables = list(dict.fromkeys(each.table for each in CELL_COLUMNS))
    if table and table not in tables:
        raise QueryError(f"no cells are of a table {table!r}; tables with cells: {', '.join(tables)}")
    columns = list(dict.fromkeys(each.column for each in CELL_COLUMNS if table in ("", each.table)))
    if column and column not in columns:
        where = f"the table {table} has" if table else "there are"
        raise QueryError(f"no cells are of a column {column!r}; {where}: {', '.join(columns)}")


# ---- words of a query


def query_terms(query: str) -> tuple[str, ...]:
    """The different words of a query as the index has them; Greek letters by name and as letters."""
    words = query_words(query)
    return _indexed((*words, *(letter for word in words if (letter := letter_of(word)))))


@lru_cache(maxsize=256)
def _indexed(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words as an index like that of the cells keeps them: only SQLite knows how it cuts them to stems."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(f"CREATE VIRTUAL TABLE words USING fts5(text, {CELL_TOKENIZER})")
        connection.execute("CREATE VIRTUAL TABLE places USING fts5vocab(words, instance)")
        text = " ".join(words).encode("utf-8", "replace").decode("utf-8")
        connection.execute("INSERT INTO words (text) VALUES (?)", (text,))
        terms = connection.execute('SELECT term FROM places ORDER BY "offset"').fetchall()
    finally:
        connection.close()
    return tuple(dict.fromkeys(term for (term,) in terms))


def _prepare(connection: sqlite3.Connection) -> None:
    """Let this connection see where each word of the index stands; nothing is written to the library for that."""
    try:
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.cell_word_places USING fts5vocab(main, cell_words, instance)"
        )
    except sqlite3.Error as error:
        raise LibraryError(f"the words of the library cannot be searched: {error}") from error


def _places(connection: sqlite3.Connection, term: str, scope: _Scope) -> list[tuple[int, int, int, int]]:
    """The cells that have a word: how often, how many words they have, and whether the filter may accept them."""
    within, values = scope.within
    return connection.execute(
        f"SELECT c.id, count(*), c.word_count, coalesce({scope.wanted}, 0) "  # noqa: S608 - our own names
        "FROM temp.cell_word_places p CROSS JOIN cells c ON c.id = p.doc "
        f"WHERE p.term = ? AND {within} GROUP BY c.id",
        (*scope.values, term, *values),
    ).fetchall()


def _scope(table: str, column: str, condition: CellFilter) -> _Scope:
    conditions: list[str] = []
    values: list[object] = []
    for name, demanded in condition.demands.items():
        if name in _COLUMN_OF:
            # One value for all of them: how many a question may have is limited.
            conditions.append(f"{_COLUMN_OF[name]} IN (SELECT value FROM json_each(?))")  # noqa: S608 - our names
            values.append(json.dumps(demanded))
    return _Scope(table, column, " AND ".join(conditions) or "1", tuple(values))


# ---- the best


def _best(
    connection: sqlite3.Connection, scored: dict[int, float], condition: CellFilter, limit: int, collection: str
) -> list[FoundCell]:
    """The best cells that the filter accepts and whose text is the one that was encoded; equal ones by their place."""
    order = sorted(((round(score, _DIGITS), cell) for cell, score in scored.items()), reverse=True)
    found: list[FoundCell] = []
    for start in range(0, len(order), _BATCH):
        batch = {cell: score for score, cell in order[start : start + _BATCH]}
        # As long as the next ones may be as good as the last one wanted.
        if len(found) >= limit and max(batch.values()) < found[limit - 1].score:
            break
        found.extend(
            FoundCell(cell, batch[number], collection) for number, cell in _cells(connection, list(batch), condition)
        )
        found.sort(key=_place)
    return found[:limit]


def _place(hit: FoundCell) -> tuple[float, str, str, str, int, str]:
    cell = hit.cell
    return (-hit.score, cell.table, cell.column, cell.document or "", cell.page or 0, cell.key)


def _cells(connection: sqlite3.Connection, numbers: Sequence[int], condition: CellFilter) -> Iterator[tuple[int, Cell]]:
    rows = connection.execute(
        "SELECT id, source_table, source_column, source_key, document, page, text_hash FROM cells "  # noqa: S608
        f"WHERE id IN (?{', ?' * (len(numbers) - 1)})",
        numbers,
    ).fetchall()
    for number, table, column, key, document, page, digest in rows:
        place = Cell(table, column, key, "", document, page)
        if condition.accepts(_look(connection, number, place)):
            text = _text(connection, number)
            if text_hash(text) == digest:
                yield number, replace(place, text=text)


def _look(connection: sqlite3.Connection, number: int, cell: Cell) -> Look:
    def look(name: Field) -> Value:
        match name:
            case "text":
                return _text(connection, number)
            case "page_numbers":
                return _pages(connection, cell)
            case "page":
                return cell.page
            case "document":
                return cell.document
            case "table":
                return cell.table
            case "column":
                return cell.column
            case "key":
                return cell.key
        assert_never(name)

    return look


def _text(connection: sqlite3.Connection, number: int) -> str:
    row = connection.execute("SELECT text FROM cell_texts WHERE id = ?", (number,)).fetchone()
    return row[0] if row is not None and isinstance(row[0], str) else ""


def _pages(connection: sqlite3.Connection, cell: Cell) -> tuple[int, ...]:
    """The pages on which a cell stands; a section may run over several."""
    pages: tuple[int, ...] = ()
    if cell.table == "sections":
        row = connection.execute("SELECT page_numbers FROM sections WHERE id = ?", (cell.key,)).fetchone()
        pages = tuple(each for each in listed(str(row[0])) if isinstance(each, int)) if row is not None else ()
    return pages or (() if cell.page is None else (cell.page,))


def encodable_columns() -> Sequence[tuple[str, str]]:
    """The pairs of table and column that can be searched, in the order of the data."""
    return [(each.table, each.column) for each in CELL_COLUMNS]
