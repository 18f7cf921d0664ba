"""Digests of what was read and said, so that a row changed behind the program's back is told and not computed with.

Every row that a document gave has a digest of all its columns; every document has a seal, which is a digest of its
list of digests; corrections have both, too. Whoever writes through this program keeps them right, in the same
transaction. They protect from accident, careless editing, half-copied files and faulty disks. They are no secret: who
changes a row and recomputes every digest and seal is not told here. For that there is the fingerprint of the whole
library, which a user writes down elsewhere and has compared.

Not sealed: what is computed from these rows (a check compares it with what they give), files that failed, results of
examinations, and models' remarks about pairs of formulas; no number follows from them. Knows tables and rows, no files.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias

from mathrag.store.truth.times import time_now

# How rows came to have their digests: when they were read or imported; when an older library got digests, so that what
# was changed before cannot be told; or when a person said that everything is right as it stands.
Origin: TypeAlias = Literal["read", "imported", "upgraded", "accepted"]
Change: TypeAlias = Literal["changed", "added", "removed", "digests", "unsealed", "gone"]

# The tables with rows of a document, each with what tells its rows apart there, and what a person calls such a row.
_DOCUMENT_TABLES: dict[str, tuple[str, str]] = {
    "documents": ("''", "the entry of the document itself"),
    "pages": ("number", "the size of page"),
    "sections": ("position", "the section"),
    "chunks": ("position", "the passage"),
    "passages": ("position", "the passage of a page"),
    "tables": ("position", "the table"),
    "images": ("position", "the picture"),
    "equations": ("position", "the equation"),
    "bibliography": ("position", "the reference"),
    "page_layouts": ("number", "the layout of page"),
    "pictures": ("position", "the cut-out"),
    "cases": ("position", "the worked example"),
    "problems": ("position", "the problem"),
    "solutions": ("position", "the solution"),
    "solution_steps": ("position", "the step"),
    "concepts": ("position", "the concept"),
    "concept_signatures": ("position", "the signature of"),
    "concept_properties": ("position", "the property"),
    "concept_examples": ("position", "the example"),
    "definitions": ("position", "the definition of"),
    "findings": ("position", "the formula"),
    "constant_findings": ("position", "the constant"),
    "text_relations": ("position", "the relation"),
    "model_readings": ("''", "what is known of its reading with a model"),
    "rule_extractions": ("''", "what the rules alone had found"),
    "proposals_rejected": ("position", "the rejected proposal"),
    "summaries": ("position", "the summary"),
}
# The same for what belongs to no document.
_LOOSE_TABLES: dict[str, tuple[str, str]] = {"corrections": ("id", "the correction")}
_TABLES = _DOCUMENT_TABLES | _LOOSE_TABLES
# A column of the row that says best which one it is.
_SHOWN = {
    "sections": "title", "tables": "caption", "images": "caption", "equations": "latex", "cases": "title",
    "definitions": "name", "findings": "label", "constant_findings": "name", "problems": "text",
    "solution_steps": "text", "concepts": "name", "concept_signatures": "concept", "concept_examples": "text",
}  # fmt: skip
# The owner of what belongs to no document.
LOOSE = ""
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row that is not what it was when it was stored. `key` tells it apart in its table, `shown` names it."""

    document: str
    name: str
    table: str
    key: str
    change: Change
    shown: str = ""

    def __str__(self) -> str:
        where = f" of {self.name}" if self.document else ""
        what = f"{_TABLES[self.table][1]}{_spaced(self.shown or self.key)}{where}" if self.table else ""
        match self.change:
            case "changed":
                return f"{what} was changed after it was stored, by other means than MathRAG"
            case "added":
                return f"{what} was added by other means than MathRAG"
            case "removed":
                return f"{what} was removed by other means than MathRAG"
            case "digests":
                return (
                    f"the list of what was stored{where or ' of corrections'} was changed by other means than MathRAG"
                )
            case "unsealed":
                return f"the document {self.name} was added by other means than MathRAG"
            case "gone":
                return f"the document {self.name} was removed by other means than MathRAG"


def _spaced(text: str) -> str:
    return f" {text}" if text else ""


# ---- digests


def text_digest(text: str) -> str:
    """The digest of a record."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _row_digest(names: Sequence[str], row: Sequence[Any], cells: Sequence[Sequence[Any]] = ()) -> str:
    # The number of a row in the word index is given anew when a library is copied, and says nothing.
    content = [[name, _plain(value)] for name, value in zip(names, row, strict=True) if name != "entry"]
    if cells:
        content.append(["cells", [[_plain(value) for value in cell] for cell in cells]])
    return text_digest(json.dumps(content, separators=(",", ":")))


def _plain(value: Any) -> Any:
    return f"x{value.hex()}" if isinstance(value, bytes) else value


def _seal_digest(digests: Mapping[tuple[str, str], str]) -> str:
    listed = sorted((table, key, digest) for (table, key), digest in digests.items())
    return text_digest(json.dumps(listed, separators=(",", ":")))


# ---- sealing


def seal_document(connection: sqlite3.Connection, document: str, *, origin: Origin = "read") -> None:
    """Take what a document's rows now hold for right. Only whoever has just written or checked all of them may."""
    _store(connection, document, _current(connection, document), origin=origin)


def unseal_document(connection: sqlite3.Connection, document: str) -> None:
    """Forget the digests of a document that is removed."""
    connection.execute("DELETE FROM digests WHERE document = ?", (document,))
    connection.execute("DELETE FROM seals WHERE document = ?", (document,))


def seal_loose(connection: sqlite3.Connection, table: str, key: object) -> None:
    """Take one row that belongs to no document for right, as it has just been written; or gone, as it has been removed.

    The others keep the digests they have.
    """
    found = [row for row in _keyed(connection, table, LOOSE) if row[0] == str(key)]
    connection.execute(
        "DELETE FROM digests WHERE document = ? AND source_table = ? AND source_key = ?", (LOOSE, table, str(key))
    )
    for _, names, row in found:
        connection.execute("INSERT INTO digests VALUES (?, ?, ?, ?)", (LOOSE, table, str(key), _row_digest(names, row)))
    _store_seal(connection, LOOSE, _stored(connection, LOOSE), origin="read")


def seal_all(connection: sqlite3.Connection, *, origin: Origin) -> None:
    """Take everything for right as it stands."""
    connection.execute("DELETE FROM digests")
    connection.execute("DELETE FROM seals")
    for (document,) in connection.execute("SELECT id FROM documents ORDER BY id").fetchall():
        seal_document(connection, document, origin=origin)
    _store(connection, LOOSE, _current(connection, LOOSE), origin=origin)
    for table in ("formulas", "constants"):
        records = connection.execute(f"SELECT entry, record FROM {table}").fetchall()  # noqa: S608 - our own names
        connection.executemany(
            f"UPDATE {table} SET digest = ? WHERE entry = ?",  # noqa: S608 - our own names
            ((text_digest(record), entry) for entry, record in records),
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """Which rows of an owner agree with their digests, and whether the list of digests agrees with its seal."""

    rows: frozenset[tuple[str, str]]
    is_whole: bool
    is_sealed: bool


def kept_agreements(connection: sqlite3.Connection) -> dict[str, Agreement]:
    """What agrees before a step of the schema changes rows, by owner: that alone may be sealed again after it."""
    found: dict[str, Agreement] = {}
    documents = [document for (document,) in connection.execute("SELECT id FROM documents ORDER BY id")]
    for document in documents:
        stored, current = _stored(connection, document), _current(connection, document)
        seal = connection.execute("SELECT digest FROM seals WHERE document = ?", (document,)).fetchone()
        rows = frozenset(each for each, digest in stored.items() if current.get(each) == digest)
        is_sealed = seal is not None and seal[0] == _seal_digest(stored)
        found[document] = Agreement(rows, is_sealed and stored == current, is_sealed)
    return found


def seal_again(connection: sqlite3.Connection, held: Mapping[str, Agreement]) -> None:
    """New digests for rows that agreed before a step of the schema; what disagreed then, disagrees still.

    Rows that the step added count only where the whole document agreed. When and how it was sealed stays as it was.
    """
    for document, was in held.items():
        stored, current = _stored(connection, document), _current(connection, document)
        known = current.keys() if was.is_whole else was.rows
        digests = {**stored, **{each: current[each] for each in known}}
        connection.execute("DELETE FROM digests WHERE document = ?", (document,))
        connection.executemany(
            "INSERT INTO digests VALUES (?, ?, ?, ?)",
            ((document, table, key, digest) for (table, key), digest in digests.items()),
        )
        if was.is_sealed:
            connection.execute("UPDATE seals SET digest = ? WHERE document = ?", (_seal_digest(digests), document))


def set_aside(connection: sqlite3.Connection, document: str) -> None:
    """Have nothing of a document count until it is read again: none of its rows has a digest then."""
    connection.execute("DELETE FROM digests WHERE document = ?", (document,))


def _store(
    connection: sqlite3.Connection, document: str, digests: Mapping[tuple[str, str], str], *, origin: Origin
) -> None:
    connection.execute("DELETE FROM digests WHERE document = ?", (document,))
    connection.executemany(
        "INSERT INTO digests VALUES (?, ?, ?, ?)",
        ((document, table, key, digest) for (table, key), digest in digests.items()),
    )
    _store_seal(connection, document, digests, origin=origin)


def _store_seal(
    connection: sqlite3.Connection, document: str, digests: Mapping[tuple[str, str], str], *, origin: Origin
) -> None:
    named = connection.execute("SELECT name FROM documents WHERE id = ?", (document,)).fetchone()
    now = time_now()
    connection.execute(
        "INSERT OR REPLACE INTO seals (document, name, digest, origin, time) VALUES (?, ?, ?, ?, ?)",
        (document, "" if named is None else named[0], _seal_digest(digests), origin, now),
    )


# ---- comparing


def _owner(table: str) -> str:
    return "''" if table in _LOOSE_TABLES else "id" if table == "documents" else "document"


def _keyed(connection: sqlite3.Connection, table: str, document: str) -> Iterator[tuple[str, list[str], Sequence[Any]]]:
    """The rows of a table that an owner has: the key of each, the names of the columns, the values."""
    question = f"SELECT CAST({_TABLES[table][0]} AS TEXT), * FROM {table} WHERE {_owner(table)} = ?"  # noqa: S608
    cursor = connection.execute(question, (document,))
    names = [column[0] for column in cursor.description][1:]
    for key, *row in cursor.fetchall():
        yield key, names, row


def _current(connection: sqlite3.Connection, document: str) -> dict[tuple[str, str], str]:
    """The digests of what an owner's rows hold now."""
    found: dict[tuple[str, str], str] = {}
    # A library that is just being upgraded has not all of them yet.
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in _LOOSE_TABLES if document == LOOSE else _DOCUMENT_TABLES:
        if table not in there:
            continue
        cells = _cells_of_document(connection, document) if table == "tables" else {}
        for key, names, row in _keyed(connection, table, document):
            found[table, key] = _row_digest(names, row, cells.get(row[names.index("id")], ()) if cells else ())
    return found


def _cells_of_document(connection: sqlite3.Connection, document: str) -> dict[Any, list[Sequence[Any]]]:
    rows = connection.execute(
        "SELECT * FROM table_cells WHERE table_id IN (SELECT id FROM tables WHERE document = ?) "
        "ORDER BY table_id, row_number, column_number",
        (document,),
    ).fetchall()
    return {table: list(cells) for table, cells in groupby(rows, key=lambda row: row[0])}


def _stored(connection: sqlite3.Connection, document: str) -> dict[tuple[str, str], str]:
    rows = connection.execute("SELECT source_table, source_key, digest FROM digests WHERE document = ?", (document,))
    return {(table, key): digest for table, key, digest in rows}


def document_agrees(connection: sqlite3.Connection, document: str) -> bool:
    """Whether every row of a document is what it was when it was stored."""
    seal = connection.execute("SELECT digest FROM seals WHERE document = ?", (document,)).fetchone()
    stored = _stored(connection, document)
    return seal is not None and seal[0] == _seal_digest(stored) and stored == _current(connection, document)


def agreeing_rows(
    connection: sqlite3.Connection, table: str, rest: str = "", values: Sequence[object] | Mapping[str, object] = ()
) -> list[dict[str, Any]]:
    """The rows of a table, chosen and ordered by the `rest` of the question, that are what they were when stored."""
    return [row for row, _ in _agreeing(connection, table, rest, values)]


def agreeing_tables(
    connection: sqlite3.Connection, rest: str, values: Sequence[object]
) -> Iterator[tuple[dict[str, Any], Sequence[Sequence[Any]]]]:
    """The tables of documents likewise, each with its cells, row by row: those whose digest was compared."""
    return _agreeing(connection, "tables", rest, values)


def _agreeing(
    connection: sqlite3.Connection, table: str, rest: str, values: Sequence[object] | Mapping[str, object]
) -> Iterator[tuple[dict[str, Any], Sequence[Sequence[Any]]]]:
    cursor = connection.execute(
        "SELECT (SELECT digest FROM digests d "  # noqa: S608 - our own names
        f"WHERE d.document = t.{_owner(table)} AND d.source_table = '{table}' "
        f"AND d.source_key = CAST({_TABLES[table][0]} AS TEXT)), t.* FROM {table} t {rest}".replace("t.''", "''"),
        values,
    )
    names = [column[0] for column in cursor.description][1:]
    for digest, *row in cursor.fetchall():
        found = dict(zip(names, row, strict=True))
        cells = _cells(connection, found["id"]) if table == "tables" else ()
        if digest is not None and digest == _row_digest(names, row, cells):
            yield found, cells


def _cells(connection: sqlite3.Connection, table: object) -> Sequence[Sequence[Any]]:
    question = "SELECT * FROM table_cells WHERE table_id = ? ORDER BY row_number, column_number"
    return connection.execute(question, (table,)).fetchall()


def disagreements(connection: sqlite3.Connection) -> Iterator[Disagreement]:
    """Everything that is not what it was when it was stored, document by document."""
    seals = {row[0]: row[1:] for row in connection.execute("SELECT document, name, digest FROM seals ORDER BY name")}
    names = dict(connection.execute("SELECT id, name FROM documents ORDER BY name"))
    for document in dict.fromkeys((*names, *seals, LOOSE)):
        name, seal = seals.get(document, (names.get(document, ""), None))
        if document != LOOSE and document not in names:
            yield Disagreement(document, name, "", "", "gone")
            continue
        if seal is None:
            if document != LOOSE or _current(connection, document):
                yield Disagreement(document, name, "corrections" if document == LOOSE else "", "", "unsealed")
            continue
        yield from _of_owner(connection, document, name, seal)


def _of_owner(connection: sqlite3.Connection, document: str, name: str, seal: str) -> Iterator[Disagreement]:
    stored, current = _stored(connection, document), _current(connection, document)
    if seal != _seal_digest(stored):
        yield Disagreement(document, name, "", "", "digests")
        # Rows of a document that was set aside have no digests; that is one thing to say, not a hundred.
        if not stored:
            return
    changed = [(each, "changed") for each in current.keys() & stored.keys() if current[each] != stored[each]]
    changed += [(each, "added") for each in current.keys() - stored.keys()]
    changed += [(each, "removed") for each in stored.keys() - current.keys()]
    changes: Iterable[tuple[tuple[str, str], Any]] = sorted(changed)
    for (table, key), change in changes:
        shown = "" if change == "removed" else _named(connection, document, table, key)
        yield Disagreement(document, name, table, key, change, shown)


def _named(connection: sqlite3.Connection, document: str, table: str, key: str) -> str:
    """What a person may know a row by; empty where that is its number."""
    column = _SHOWN.get(table)
    if column is None:
        return ""
    question = f"SELECT {column} FROM {table} WHERE document = ? AND CAST({_TABLES[table][0]} AS TEXT) = ?"  # noqa: S608
    text = " ".join(str(connection.execute(question, (document, key)).fetchone()[0] or "").split())
    cut = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"{cut!r}" if cut else ""


def fingerprint(connection: sqlite3.Connection) -> str:
    """One digest of everything that was read and said; equal only where all of that is equal."""
    whole = hashlib.sha256()
    documents = [document for (document,) in connection.execute("SELECT id FROM documents ORDER BY id").fetchall()]
    for document in (*documents, LOOSE):
        whole.update(f"{document} {_seal_digest(_current(connection, document))}\n".encode())
    return whole.hexdigest()


def count_origins(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """How many documents have their digests from where, each with the latest time."""
    rows = connection.execute(
        "SELECT origin, count(*), max(time) FROM seals WHERE document <> ? GROUP BY origin ORDER BY origin", (LOOSE,)
    )
    return {origin: (count, time) for origin, count, time in rows}
