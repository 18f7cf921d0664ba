"""Exact search by meaning, over vectors in memory: what is nearest to a text, and which formulas are alike.

Knows numbers and keys, not what they mean. The vectors are made and kept in `store/index/vectors.py`.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Collection as AnyOf
from dataclasses import dataclass
from threading import Lock
from typing import TypeAlias

import numpy

from mathrag.store.embedders import Embedder
from mathrag.store.index.vectors import BYTES_OF_A_NUMBER, ENCODED_COLUMN, Collection, Matrix, unit_vectors
from mathrag.store.truth.database import Database

Vector: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float32]]
# Few enough that a numeric library multiplies them in this thread, enough that the loop costs nothing beside it.
_ROWS_AT_ONCE = 64
# Rows that are compared with all others at once: 256 times a hundred thousand products take a hundred megabytes.
_PAIRS_AT_ONCE = 256
# A library of equal texts would have pairs without number; nobody asks about so many.
_MOST_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class VectorHit:
    """An entry found by meaning: its table, column and key, where it stands, and the cosine."""

    table: Collection
    column: str
    key: str
    document: str | None
    page: int | None
    score: float


@dataclass(frozen=True, slots=True)
class _Loaded:
    generation: int
    matrix: Matrix
    rows: list[tuple[str, str, str | None, int | None]]


class VectorSearch:
    """Searches by meaning with one embedder, keeping each collection's matrix until the library changes."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self.database = database
        self.embedder = embedder
        self._loaded: dict[Collection, _Loaded] = {}
        self._lock = Lock()

    def search(
        self, text: str, *, collection: Collection = "formulas", limit: int = 20, documents: AnyOf[str] = ()
    ) -> list[VectorHit]:
        """The entries whose text is nearest to this one, best first. A text without words finds nothing."""
        vector = numpy.asarray(self.embedder.embed([text]), dtype=numpy.float32)[0]
        if not vector.any() or limit < 1:
            return []
        loaded = self._matrix(collection)
        scores = products(loaded.matrix, vector)
        if documents:
            within = numpy.fromiter((row[2] in documents for row in loaded.rows), dtype=bool, count=len(loaded.rows))
            scores = numpy.where(within, scores, -numpy.inf)
        best = _best(scores, limit)
        return [
            VectorHit(collection, *loaded.rows[place], score)
            for place, score in zip(best, scores[best].tolist(), strict=True)
            if math.isfinite(score)
        ]

    def _matrix(self, collection: Collection) -> _Loaded:
        with self.database.reading() as connection:
            generation = self.database.generation
            with self._lock:
                loaded = self._loaded.get(collection)
            if loaded is None or loaded.generation != generation:
                loaded = _load(connection, collection, self.embedder, generation=generation)
                with self._lock:
                    self._loaded[collection] = loaded
        return loaded


def _load(connection: sqlite3.Connection, collection: Collection, embedder: Embedder, *, generation: int) -> _Loaded:
    stored = connection.execute(
        "SELECT c.source_column, c.source_key, c.document, c.page, v.vector FROM cells c "
        "JOIN vectors v ON v.cell = c.id WHERE c.source_table = ? AND c.source_column = ? AND v.embedder = ? "
        "AND length(v.vector) = ? ORDER BY c.source_key",
        (collection, ENCODED_COLUMN[collection], embedder.name, BYTES_OF_A_NUMBER * embedder.dimensions),
    ).fetchall()
    unit = unit_vectors([row[4] for row in stored], dimensions=embedder.dimensions)
    return _Loaded(generation, unit, [(row[0], row[1], row[2], row[3]) for row in stored])


def products(matrix: Matrix, vector: Vector) -> Vector:
    """The product, a few rows at a time: over all of them a numeric library would start threads, which cost more than
    they save and take the other cores away from others who ask."""
    scores = numpy.empty(len(matrix), dtype=numpy.float32)
    for start in range(0, len(matrix), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        numpy.dot(matrix[part], vector, out=scores[part])
    # A row alone in its block is multiplied in another order: equal entries must stay equal wherever they stand.
    return numpy.round(scores, 6)


def _best(scores: Vector, limit: int) -> list[int]:
    """The places of the highest scores; equal ones in the order of their keys."""
    if limit < len(scores):
        # Everything as good as the last one wanted, so that ties are not cut at random.
        floor = numpy.partition(scores, len(scores) - limit)[len(scores) - limit]
        places = numpy.flatnonzero(scores >= floor)
    else:
        places = numpy.arange(len(scores))
    order = numpy.argsort(-scores[places], kind="stable")
    found: list[int] = places[order][:limit].tolist()
    return found


def similar_pairs(
    database: Database, *, embedder: str, formulas: frozenset[str], lowest: float
) -> list[tuple[str, str, float]]:
    """Pairs of formulas with a cosine of at least `lowest`, one of them at least among `formulas`; most alike first.

    Ids of a pair are in order, and pairs of equal likeness in the order of their ids.
    """
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT c.source_key, v.vector FROM cells c JOIN vectors v ON v.cell = c.id "
            "WHERE c.source_table = 'formulas' AND c.source_column = 'text' AND v.embedder = ? ORDER BY c.source_key",
            (embedder,),
        ).fetchall()
    sizes = {len(vector) for _, vector in rows}
    if len(rows) < 2 or len(sizes) != 1:
        return []
    keys = [str(key) for key, _ in rows]
    matrix = unit_vectors([vector for _, vector in rows], dimensions=sizes.pop() // BYTES_OF_A_NUMBER)
    wanted = [place for place, key in enumerate(keys) if key in formulas]
    found: dict[tuple[str, str], float] = {}
    for start in range(0, len(wanted), _PAIRS_AT_ONCE):
        places = wanted[start : start + _PAIRS_AT_ONCE]
        scores = matrix[places] @ matrix.T
        for row, column in zip(*numpy.nonzero(scores >= lowest), strict=True):
            first, second = sorted((keys[places[int(row)]], keys[int(column)]))
            if first != second:
                found[first, second] = round(float(scores[row, column]), 4)
        if len(found) > _MOST_PAIRS:
            break
    return sorted(((*pair, score) for pair, score in found.items()), key=lambda one: (-one[2], one[0], one[1]))
