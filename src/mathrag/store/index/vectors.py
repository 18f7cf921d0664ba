"""Which texts of the library get a vector, and the vectors kept in step with them. Searches nothing."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy

from mathrag.store.embedders import Embedder
from mathrag.store.truth.cells import text_hash
from mathrag.store.truth.codec import storable
from mathrag.types.library import Constant, Formula

# A formula's text is what people would say about it: no numbers, no LaTeX, because an embedder knows words.

Collection: TypeAlias = Literal[
    "formulas", "constants", "chunks", "tables", "images", "sections", "problems", "concepts"
]
COLLECTIONS: tuple[Collection, ...] = get_args(Collection)
# The column of each table that is encoded; a composite has no column of its own and is called `text`.
ENCODED_COLUMN: dict[str, str] = {
    "formulas": "text",
    "constants": "text",
    "chunks": "text",
    "tables": "caption",
    "images": "caption",
    "sections": "title",
    "problems": "text",
    "concepts": "text",
}

_MATH = re.compile(r"\$[^$]{0,2000}\$|\\\([^\n]{0,2000}?\\\)|\\\[[^\n]{0,2000}?\\\]")
_LATEX = re.compile(r"\\[A-Za-z]+|[\\{}_^$]")
_NUMBERS = re.compile(r"(?<![A-Za-z])[0-9][0-9.,]*(?:[eE][+\-]?[0-9]+)?")
_SPACES = re.compile(r"\s+")
_LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class Encodable:
    """One text to be encoded: the row it stands for, the document and page where people find it."""

    collection: str
    key: str
    text: str
    document: str | None
    page: int | None
    of_column: str = ""

    @property
    def column(self) -> str:
        """The column it comes from."""
        return self.of_column or ENCODED_COLUMN[self.collection]


def formula_text(formula: Formula) -> str:
    """What a formula is about, in words."""
    parts = [
        *dict.fromkeys((formula.label, *formula.labels)),
        formula.description,
        formula.intent,
        ", ".join(formula.keywords),
        ", ".join(dict.fromkeys(symbol.description for symbol in formula.symbols if symbol.description)),
        "; ".join(condition.text for condition in formula.conditions),
    ]
    return spoken(parts)


def constant_text(constant: Constant) -> str:
    """What a constant is, in words."""
    return spoken([constant.name, constant.description, ", ".join(constant.keywords)])


def spoken(parts: Iterable[str]) -> str:
    """The parts as sentences without numbers and LaTeX."""
    said = (_said(part[:_LONGEST_TEXT]) for part in parts)
    return ". ".join(part for part in said if part)[:_LONGEST_TEXT]


def _said(part: str) -> str:
    words = _NUMBERS.sub(" ", _LATEX.sub(" ", _MATH.sub(" ", part)))
    return _SPACES.sub(" ", words).strip().rstrip(".")


def formula_encodable(formula: Formula) -> Encodable:
    """The text of a formula, found where it stands first."""
    first = formula.spans[0] if formula.spans else None
    return Encodable(
        "formulas",
        formula.id,
        formula_text(formula),
        None if first is None else first.document,
        None if first is None else first.place.page,
    )


def constant_encodable(constant: Constant) -> Encodable:
    """The text of a constant, found where it stands first."""
    first = constant.spans[0] if constant.spans else None
    return Encodable(
        "constants",
        constant.id,
        constant_text(constant),
        None if first is None else first.document,
        None if first is None else first.place.page,
    )


Matrix: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]
# Half precision changes a cosine by less than a thousandth and halves the file.
_STORED = "<f2"
BYTES_OF_A_NUMBER = 2
# Far above what half precision and another order of summing change in a number of a vector of length one.
_ALIKE = 0.01
_BATCH = 1_024


def embed_texts(embedder: Embedder, texts: Iterable[str]) -> dict[str, bytes]:
    """The stored form of the vector of each different text, embedded in few large batches."""
    wanted = [text for text in dict.fromkeys(texts) if text]
    found: dict[str, bytes] = {}
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        matrix = numpy.asarray(embedder.embed([storable(text) for text in batch]), dtype=numpy.float32)
        found.update(zip(batch, stored_vectors(matrix, embedder, len(batch)), strict=True))
    return found


def stored_vectors(matrix: Matrix, embedder: Embedder, count: int) -> list[bytes]:
    """The stored form of each of so many vectors; `ValueError` where an embedder gave others than were asked for."""
    if matrix.shape != (count, embedder.dimensions):
        raise ValueError(f"the embedder {embedder.name} gave a matrix of shape {matrix.shape}")
    return [row.tobytes() for row in numpy.nan_to_num(matrix).astype(_STORED)]


def unit_vectors(stored: Sequence[bytes], *, dimensions: int) -> Matrix:
    """Stored vectors as rows of length one, which makes their products cosines."""
    numbers = numpy.frombuffer(b"".join(stored), dtype=_STORED)
    matrix = numpy.asarray(numbers.reshape(len(stored), dimensions), dtype=numpy.float32)
    lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
    return numpy.asarray(matrix / numpy.where(lengths == 0, 1, lengths), dtype=numpy.float32)


def are_alike(first: bytes, second: bytes, *, dimensions: int) -> bool:
    """Whether two stored vectors are of one text, but for what the last digits of a machine make of it."""
    if not len(first) == len(second) == dimensions * BYTES_OF_A_NUMBER:
        return False
    one, other = (numpy.frombuffer(each, dtype=_STORED).astype(numpy.float32) for each in (first, second))
    return bool(numpy.abs(one - other).max(initial=0.0) < _ALIKE)


def write_vectors(
    connection: sqlite3.Connection,
    entries: Sequence[Encodable],
    embedder: Embedder,
    *,
    ready: Mapping[str, bytes] | None = None,
    is_beside: bool = False,
) -> None:
    """Encode entries whose text changed; those already encoded keep their vector. `ready` saves embedding again.

    An entry without words has no vector, and none without a cell, which its vectors hang on; vectors of other embedders
    stay as they are. Removed entries lose theirs by a trigger. The embedder of the library is the last that was
    not `is_beside` another.
    """
    fresh: list[tuple[int, Encodable]] = []
    stale: list[tuple[int, str]] = []
    for entry in entries:
        found = _cell_of(connection, entry, embedder.name)
        if found is None or found[1] == text_hash(entry.text):
            continue
        cell = found[0]
        stale.append((cell, text_hash(entry.text)))
        if entry.text:
            fresh.append((cell, entry))
    if entries and not is_beside:
        connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES ('embedder', ?)", (embedder.name,))
    known = dict(ready or {})
    known.update(embed_texts(embedder, (entry.text for _, entry in fresh if entry.text not in known)))
    connection.executemany(
        # What others made of a text that is no more says nothing of this one.
        "DELETE FROM vectors WHERE cell = ? AND (embedder = ? OR text_hash <> ?)",
        ((cell, embedder.name, digest) for cell, digest in stale),
    )
    connection.executemany(
        "INSERT INTO vectors (cell, embedder, text_hash, vector) VALUES (?, ?, ?, ?)",
        ((cell, embedder.name, text_hash(entry.text), known[entry.text]) for cell, entry in fresh),
    )


def _cell_of(connection: sqlite3.Connection, entry: Encodable, embedder: str) -> tuple[int, str | None] | None:
    """The cell of an entry, and the hash of the text that its vector was made from, if it has one."""
    row: tuple[int, str | None] | None = connection.execute(
        "SELECT c.id, v.text_hash FROM cells c LEFT JOIN vectors v ON v.cell = c.id AND v.embedder = ? "
        "WHERE c.source_table = ? AND c.source_key = ? AND c.source_column = ?",
        (embedder, entry.collection, entry.key, entry.column),
    ).fetchone()
    return row
