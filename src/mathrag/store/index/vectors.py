"""Which texts of the library get a vector, and the vectors kept in step with them. Searches nothing."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy

from mathrag.store.embedders import Embedder
from mathrag.store.truth.codec import insert_rows, storable
from mathrag.types.library import Constant, Formula

# A formula's text is what people would say about it: no numbers, no LaTeX, because an embedder knows words.

Collection: TypeAlias = Literal["formulas", "constants", "chunks", "tables", "images", "sections"]
COLLECTIONS: tuple[Collection, ...] = ("formulas", "constants", "chunks", "tables", "images", "sections")
# The column of each table that is encoded; a composite has no column of its own and is called `text`.
ENCODED_COLUMN: dict[Collection, str] = {
    "formulas": "text",
    "constants": "text",
    "chunks": "text",
    "tables": "caption",
    "images": "caption",
    "sections": "title",
}

_MATH = re.compile(r"\$[^$]{0,2000}\$|\\\([^\n]{0,2000}?\\\)|\\\[[^\n]{0,2000}?\\\]")
_LATEX = re.compile(r"\\[A-Za-z]+|[\\{}_^$]")
_NUMBERS = re.compile(r"(?<![A-Za-z])[0-9][0-9.,]*(?:[eE][+\-]?[0-9]+)?")
_SPACES = re.compile(r"\s+")
_LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class Encodable:
    """One text to be encoded: the row it stands for, the document and page where people find it."""

    collection: Collection
    key: str
    text: str
    document: str | None
    page: int | None

    @property
    def column(self) -> str:
        """The column it comes from."""
        return ENCODED_COLUMN[self.collection]


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


def text_hash(text: str) -> str:
    """Tells whether a stored vector still belongs to its text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def embed_texts(embedder: Embedder, texts: Iterable[str]) -> dict[str, bytes]:
    """The stored form of the vector of each different text, embedded in few large batches."""
    wanted = [text for text in dict.fromkeys(texts) if text]
    found: dict[str, bytes] = {}
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        matrix = numpy.asarray(embedder.embed([storable(text) for text in batch]), dtype=numpy.float32)
        if matrix.shape != (len(batch), embedder.dimensions):
            raise ValueError(f"the embedder {embedder.name} gave a matrix of shape {matrix.shape}")
        stored = numpy.nan_to_num(matrix).astype(_STORED)
        found.update((text, stored[row].tobytes()) for row, text in enumerate(batch))
    return found


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
) -> None:
    """Encode entries whose text changed; those already encoded keep their vector. `ready` saves embedding again.

    An entry without words has no vector. Entries that are removed lose theirs by a trigger.
    """
    fresh: list[Encodable] = []
    stale: list[Encodable] = []
    for entry in entries:
        stored = _stored(connection, entry)
        if stored is None or stored != (text_hash(entry.text), embedder.name, entry.document, entry.page):
            fresh.append(entry)
            if stored is not None:
                stale.append(entry)
    known = dict(ready or {})
    known.update(embed_texts(embedder, (entry.text for entry in fresh if entry.text not in known)))
    for entry in stale:
        connection.execute(
            "DELETE FROM vectors WHERE source_table = ? AND source_key = ? AND source_column = ?",
            (entry.collection, entry.key, entry.column),
        )
    insert_rows(
        connection,
        "vectors",
        (
            (
                entry.collection,
                entry.collection,
                entry.column,
                entry.key,
                entry.document,
                entry.page,
                embedder.name,
                text_hash(entry.text),
                known[entry.text],
            )
            for entry in fresh
            if entry.text
        ),
    )


def _stored(connection: sqlite3.Connection, entry: Encodable) -> tuple[str, str, str | None, int | None] | None:
    """The hash of the text, the embedder and the place of the vector that an entry has."""
    row: tuple[str, str, str | None, int | None] | None = connection.execute(
        "SELECT text_hash, embedder, document, page FROM vectors "
        "WHERE source_table = ? AND source_key = ? AND source_column = ?",
        (entry.collection, entry.key, entry.column),
    ).fetchone()
    return row
