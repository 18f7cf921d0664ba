"""Pairs of formulas whose describing texts are alike, by the vectors the library has. Knows numbers and ids only."""

from __future__ import annotations

import numpy

from mathrag.store.truth.database import Database

_STORED = "<f2"
_BATCH = 256
# A library of equal texts would have pairs without number; nobody asks about so many.
_MOST_PAIRS = 20_000


def similar_pairs(
    database: Database, *, embedder: str, formulas: frozenset[str], lowest: float
) -> list[tuple[str, str, float]]:
    """Pairs of formulas with a cosine of at least `lowest`, one of them at least among `formulas`; most alike first.

    Ids of a pair are in order, and pairs of equal likeness in the order of their ids.
    """
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT source_key, vector FROM vectors WHERE collection = 'formulas' AND embedder = ? ORDER BY source_key",
            (embedder,),
        ).fetchall()
    sizes = {len(vector) for _, vector in rows}
    if len(rows) < 2 or len(sizes) != 1:
        return []
    keys = [str(key) for key, _ in rows]
    numbers = numpy.frombuffer(b"".join(vector for _, vector in rows), dtype=_STORED)
    matrix = numpy.asarray(numbers.reshape(len(rows), -1), dtype=numpy.float32)
    lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
    matrix = numpy.asarray(matrix / numpy.where(lengths == 0, 1, lengths), dtype=numpy.float32)
    wanted = [place for place, key in enumerate(keys) if key in formulas]
    found: dict[tuple[str, str], float] = {}
    for start in range(0, len(wanted), _BATCH):
        places = wanted[start : start + _BATCH]
        scores = matrix[places] @ matrix.T
        for row, column in zip(*numpy.nonzero(scores >= lowest), strict=True):
            first, second = sorted((keys[places[int(row)]], keys[int(column)]))
            if first != second:
                found[first, second] = round(float(scores[row, column]), 4)
        if len(found) > _MOST_PAIRS:
            break
    return sorted(((*pair, score) for pair, score in found.items()), key=lambda one: (-one[2], one[0], one[1]))
