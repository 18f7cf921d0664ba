"""The types of the problems of a library: those that records state, those that a model said, those of the neighbours.

Computed from the problems, their vectors and the labels alone, so the order in which collections came does not matter.
A problem whose text another record gives a type has that type. What a model said counts only where no record states a
type, and only for the problem itself: the neighbours are those whose type is stated. A problem between types has the
subfield or the branch alone, and one that resembles none has no type.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy

from mathrag.store.index.problem_likeness import LikenessIndex, TypePath, settled_type, type_shares
from mathrag.store.index.vectors import BYTES_OF_A_NUMBER, Matrix, unit_vectors
from mathrag.store.truth.codec import insert_rows
from mathrag.store.truth.seals import agreeing_rows
from mathrag.store.truth.solution_labels import labels_of

# Beyond so many pairs, problems have a type only where records state it: comparing would take minutes.
_MOST_PAIRS = 25_000_000
_DIGITS = 3
STATED, NEIGHBOURS = "stated", "neighbours"
# The origin of what a model said is this with the model's name behind it.
_BY_MODEL = "model:"

TypeRow = tuple[str, str, str, str, str, float]
_Typing: TypeAlias = tuple[TypePath, str, float]


def model_of_origin(origin: str) -> str:
    """The model that gave a type with this origin; empty where none did."""
    return origin.removeprefix(_BY_MODEL) if origin.startswith(_BY_MODEL) else ""


def stated_types(connection: sqlite3.Connection) -> dict[str, TypePath]:
    """The types that records state, by the content of the problem."""
    return _stated(agreeing_rows(connection, "problems", "ORDER BY content, id"))


def has_problems(connection: sqlite3.Connection, document: str) -> bool:
    """Whether a document is a collection of problems."""
    return connection.execute("SELECT 1 FROM problems WHERE document = ? LIMIT 1", (document,)).fetchone() is not None


def retype(connection: sqlite3.Connection) -> None:
    """Compute all types anew."""
    connection.execute("DELETE FROM problem_types")
    insert_rows(connection, "problem_types", _typed(connection))


def changed_types(connection: sqlite3.Connection) -> Iterator[str]:
    """The problems whose stored type is not what is computed now."""
    expected = {row[0]: row[1:5] for row in _typed(connection)}
    stored = {
        row[0]: row[1:]
        for row in connection.execute("SELECT problem, branch, subfield, type, origin FROM problem_types")
    }
    for problem in sorted(expected.keys() | stored.keys()):
        if expected.get(problem) != stored.get(problem):
            yield problem


def _typed(connection: sqlite3.Connection) -> list[TypeRow]:
    rows = agreeing_rows(connection, "problems", "ORDER BY content, id")
    stated = _stated(rows)
    texts = {row["content"]: row["text"] for row in reversed(rows)}
    found = _by_models(connection, rows) | {content: (path, STATED, 1.0) for content, path in stated.items()}
    open_ones = sorted(texts.keys() - found.keys())
    found |= _by_neighbours(open_ones, texts, stated, _vectors(connection, rows))
    made: list[TypeRow] = []
    for row in rows:
        if row["content"] in found:
            path, origin, share = found[row["content"]]
            made.append((row["id"], path.branch, path.subfield, path.type, origin, share))
    return sorted(made)


def _stated(rows: list[dict[str, Any]]) -> dict[str, TypePath]:
    return {
        row["content"]: TypePath(row["branch"], row["subfield"], row["type"])
        for row in reversed(rows)
        if row["branch"] or row["subfield"] or row["type"]
    }


def _by_models(connection: sqlite3.Connection, rows: list[dict[str, Any]]) -> dict[str, _Typing]:
    """The types that models gave; of several for one text, that of the first problem by its id."""
    contents = {row["id"]: row["content"] for row in rows}
    found: dict[str, _Typing] = {}
    for label in labels_of(connection):
        if label.source in contents and label.path != TypePath():
            found.setdefault(contents[label.source], (label.path, _BY_MODEL + label.model, 1.0))
    return found


def _by_neighbours(
    asked: list[str], texts: dict[str, str], stated: dict[str, TypePath], vectors: dict[str, bytes]
) -> dict[str, _Typing]:
    """The types of these problems, each by the problems whose type is stated."""
    known = sorted(content for content in texts if content in stated)
    if not known or not asked or len(known) * len(asked) > _MOST_PAIRS:
        return {}
    size = max((len(vector) for vector in vectors.values()), default=0)
    index = LikenessIndex([texts[content] for content in known], _matrix(known, vectors, size))
    types = [stated[content] for content in known]
    found: dict[str, _Typing] = {}
    for content, vector in zip(asked, _matrix(asked, vectors, size), strict=True):
        scores = index.likeness(texts[content], vector)
        settled = settled_type(type_shares(scores, types), float(scores.max(initial=0.0)))
        if settled is not None:
            found[content] = (settled[0], NEIGHBOURS, round(settled[1], _DIGITS))
    return found


def _embedder(connection: sqlite3.Connection) -> str:
    """The embedder that the library was last written with: of several side by side, types go by this one alone."""
    row = connection.execute(
        "SELECT value FROM meta WHERE name = 'embedder' UNION ALL SELECT min(embedder) FROM vectors LIMIT 1"
    ).fetchone()
    return str(row[0])


def _vectors(connection: sqlite3.Connection, rows: list[dict[str, object]]) -> dict[str, bytes]:
    """The stored vectors by the content of their problems."""
    stored: dict[str, bytes] = dict(
        connection.execute(
            "SELECT c.source_key, v.vector FROM cells c JOIN vectors v ON v.cell = c.id "
            "WHERE c.source_table = 'problems' AND c.source_column = 'text' AND v.embedder = ?",
            (_embedder(connection),),
        ).fetchall()
    )
    return {str(row["content"]): stored[str(row["id"])] for row in reversed(rows) if str(row["id"]) in stored}


def _matrix(contents: list[str], vectors: dict[str, bytes], size: int) -> Matrix:
    """Vectors in the order of the problems; zeros for those without one."""
    if not size:
        return numpy.zeros((len(contents), 1), dtype=numpy.float32)
    stored = [vectors.get(content, b"") for content in contents]
    filled = [vector if len(vector) == size else bytes(size) for vector in stored]
    return unit_vectors(filled, dimensions=size // BYTES_OF_A_NUMBER)
