"""Read the library: formulas, constants, relations, documents, by whatever a person or a program knows of them.

Records are decoded when asked for, one by one: opening a library of any size costs nothing.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

from mathrag.errors import LibraryError
from mathrag.store.truth.codec import decode, decode_again, place_of_columns, select_rows, storable
from mathrag.store.truth.database import Database
from mathrag.store.truth.records import DocumentCounts, DocumentInfo, FailedDocument
from mathrag.store.truth.schema import table_columns
from mathrag.store.truth.seals import text_digest
from mathrag.types.document import Place, ReaderNote
from mathrag.types.json_codec import from_json
from mathrag.types.json_value import Json
from mathrag.types.library import (
    Constant,
    ConstantFinding,
    Correction,
    Finding,
    Formula,
    Relation,
    RelationKind,
    Status,
    SymbolDefinition,
    SymbolMeaning,
    TextRelation,
)

Noun = TypeVar("Noun")
# Three digits of an id name one of thousands by accident; four rarely do.
_SHORTEST_PREFIX = 4
_DIGITS = re.compile(r"[0-9a-f]+")
_BY_NAME = {
    "formulas": "SELECT DISTINCT formula FROM formula_labels WHERE label = ? COLLATE NOCASE ORDER BY formula",
    "constants": "SELECT id FROM constants WHERE name = ? COLLATE NOCASE ORDER BY id",
    "documents": "SELECT id FROM documents WHERE name = ? COLLATE NOCASE ORDER BY id",
}


def formula_by_id(database: Database, identifier: str) -> Formula:
    """One formula; `LibraryError` where there is none of this id."""
    found = formulas_by_ids(database, [identifier])
    if not found:
        raise LibraryError(f"the library has no formula {identifier!r}")
    return found[0]


def formulas_by_ids(database: Database, identifiers: Sequence[str]) -> list[Formula]:
    """The formulas of these ids, in their order; those that are gone are left out."""
    return _by_ids(database, identifiers, table="formulas", kind=Formula)


def constants_by_ids(database: Database, identifiers: Sequence[str]) -> list[Constant]:
    """The constants of these ids, in their order; those that are gone are left out."""
    return _by_ids(database, identifiers, table="constants", kind=Constant)


def stated_constant(
    database: Database, formula: Formula, symbol: SymbolMeaning, *, untrusted: Collection[str] = ()
) -> Constant | None:
    """The value that a document of a formula states for one of its symbols; in its own section, or the most stated.

    One that is no standard constant holds for the section that states it. Documents that are `untrusted` (ids) are not
    asked where the formula has others.
    """
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT id, record, digest FROM constants "
            "WHERE symbol = ? OR (standard IS NOT NULL AND standard = ?) ORDER BY id",
            (storable(symbol.name), symbol.constant),
        ).fetchall()
    documents = formula.documents.difference(untrusted) or formula.documents
    sections = {(span.document, span.headings) for span in formula.spans}
    found: list[tuple[bool, int, Constant]] = []
    for row in rows:
        constant = _unchanged(row, Constant)
        own = tuple(span for span in constant.spans if span.document in documents)
        is_near = any((span.document, span.headings) in sections for span in own)
        is_usual = constant.standard is not None and constant.standard == symbol.constant
        if own and constant.dimension == symbol.dimension and (is_near or is_usual):
            found.append((is_near, len(own), replace(constant, spans=own)))
    nearest = [one for one in found if one[0] == any(near for near, *_ in found)]
    if len(nearest) > 1 and symbol.constant is None:
        # A table of materials states a value for each: none of them is the formula's own.
        return None
    return max(nearest, key=lambda one: one[1])[2] if nearest else None


def _by_ids(database: Database, identifiers: Sequence[str], *, table: str, kind: type[Noun]) -> list[Noun]:
    question = f"SELECT id, record, digest FROM {table} WHERE id = ?"  # noqa: S608 - our own names
    with database.reading() as connection:
        rows = [connection.execute(question, (storable(each),)).fetchone() for each in identifiers]
    return [_unchanged(row, kind) for row in rows if row is not None]


def _unchanged(row: tuple[str, str, str], kind: type[Noun]) -> Noun:
    """The noun of a record that is as this program wrote it; no number is computed from any other."""
    identifier, record, digest = row
    if text_digest(record) != digest:
        raise LibraryError(
            f"the entry {identifier} was changed by other means than MathRAG and is not used; "
            "mathrag check says what else was, and mathrag check --rebuild makes the entry anew"
        )
    return decode_again(record, kind)


def find_formulas(database: Database, text: str) -> list[Formula]:
    """The formulas a person means: by id, by the beginning of an id (with or without its prefix), or by any label."""
    with database.reading() as connection:
        ids = _matching_ids(connection, text, table="formulas", prefix="f")
    return formulas_by_ids(database, ids)


def find_constants(database: Database, text: str) -> list[Constant]:
    """The constants a person means: by id, by the beginning of an id, by name, or by symbol."""
    with database.reading() as connection:
        ids = _matching_ids(connection, text, table="constants", prefix="c")
        if not ids:
            rows = connection.execute("SELECT id FROM constants WHERE symbol = ? ORDER BY id", (storable(text),))
            ids = [row[0] for row in rows]
    return constants_by_ids(database, ids)


def find_documents(database: Database, text: str) -> list[DocumentInfo]:
    """The documents a person means: by id, by the beginning of an id, by key, by name, or by title."""
    with database.reading() as connection:
        ids = _matching_ids(connection, text, table="documents", prefix="d")
        if not ids:
            rows = connection.execute(
                "SELECT id FROM documents WHERE key = :text OR title = :text COLLATE NOCASE ORDER BY id",
                {"text": storable(text)},
            )
            ids = [row[0] for row in rows]
        return [info for each in ids for info in _documents(connection, "WHERE id = ?", (each,))]


def _matching_ids(connection: sqlite3.Connection, text: str, *, table: str, prefix: str) -> list[str]:
    text = storable(text.strip())
    beginning = text.lower().removeprefix(f"{prefix}-")
    if _DIGITS.fullmatch(beginning) and len(beginning) >= _SHORTEST_PREFIX:
        rows = connection.execute(
            f"SELECT id FROM {table} WHERE id >= ? AND id < ? ORDER BY id",  # noqa: S608 - our own names
            (f"{prefix}-{beginning}", f"{prefix}-{beginning}g"),
        )
        if ids := [row[0] for row in rows]:
            return ids
    for question in (f"SELECT id FROM {table} WHERE id = ?", _BY_NAME[table]):  # noqa: S608 - our own names
        if ids := [row[0] for row in connection.execute(question, (text,))]:
            return ids
    return []


def list_formula_ids(database: Database, *, document: str | None = None, status: Status | None = None) -> list[str]:
    """Ids of formulas, in the order of the document where one is given, else by id."""
    values = {"document": document, "status": status}
    if document is None:
        question = "SELECT id FROM formulas WHERE (:status IS NULL OR status = :status) ORDER BY id"
    else:
        question = (
            "SELECT f.id FROM formula_findings l JOIN formulas f ON f.id = l.formula "
            "WHERE l.document = :document AND (:status IS NULL OR f.status = :status) "
            "GROUP BY f.id ORDER BY min(l.position)"
        )
    with database.reading() as connection:
        return [row[0] for row in connection.execute(question, values)]


def iterate_formulas(database: Database) -> Iterator[Formula]:
    """Every formula, by id, decoded one at a time."""
    for identifier in list_formula_ids(database):
        yield from formulas_by_ids(database, [identifier])


def iterate_constants(database: Database) -> Iterator[Constant]:
    """Every constant, by id, decoded one at a time."""
    for identifier in list_constant_ids(database):
        yield from constants_by_ids(database, [identifier])


def list_constant_ids(database: Database, *, document: str | None = None) -> list[str]:
    """Ids of constants, of one document or of all."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT id FROM constants WHERE :document IS NULL "
            "OR id IN (SELECT constant FROM constant_places WHERE document = :document) ORDER BY id",
            {"document": document},
        )
        return [row[0] for row in rows]


def relations_of_entry(
    database: Database,
    identifier: str,
    *,
    direction: Literal["from", "to", "both"] = "both",
    kind: RelationKind | None = None,
) -> list[Relation]:
    """The relations of a formula or constant, strongest first."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT record FROM relations WHERE ((source = :id AND :direction <> 'to') "
            "OR (target = :id AND :direction <> 'from')) AND (:kind IS NULL OR kind = :kind) "
            "ORDER BY confidence DESC, kind, source, target",
            {"id": identifier, "direction": direction, "kind": kind},
        ).fetchall()
    return [decode(record, Relation) for (record,) in rows]


def iterate_relations(database: Database) -> Iterator[Relation]:
    """Every relation, by source, kind and target."""
    with database.reading() as connection:
        rows = connection.execute("SELECT record FROM relations ORDER BY source, kind, target").fetchall()
    for (record,) in rows:
        yield decode(record, Relation)


def list_documents(database: Database) -> list[DocumentInfo]:
    """Every document, by name."""
    with database.reading() as connection:
        return _documents(connection, "ORDER BY name, id", ())


def document_by_key(database: Database, key: str) -> DocumentInfo | None:
    """The document known under a key."""
    with database.reading() as connection:
        found = _documents(connection, "WHERE key = ?", (storable(key),))
    return found[0] if found else None


def document_by_id(database: Database, identifier: str) -> DocumentInfo | None:
    """The document of an id."""
    with database.reading() as connection:
        found = _documents(connection, "WHERE id = ?", (storable(identifier),))
    return found[0] if found else None


def _documents(connection: sqlite3.Connection, rest: str, values: Sequence[object]) -> list[DocumentInfo]:
    marks = dict(connection.execute("SELECT key, mark FROM trust_marks"))
    return [
        _document({**row, "trust": marks.get(row["key"], "")})
        for row in select_rows(connection, "documents", rest, values)
    ]


def _document(columns: dict[str, Any]) -> DocumentInfo:
    for name in ("authors", "files", "extraction_notes"):
        columns[name] = tuple(json.loads(columns[name]))
    notes = tuple(from_json(each) for each in json.loads(columns["notes"]))
    columns["notes"] = tuple(note for note in notes if isinstance(note, ReaderNote))
    return DocumentInfo(**columns)


def findings_of_document(database: Database, document: str) -> list[Finding]:
    """What a document says about formulas, in its order."""
    return _of_document(database, document, table="findings", kind=Finding)


def constant_findings_of_document(database: Database, document: str) -> list[ConstantFinding]:
    """What a document says about constants, in its order."""
    return _of_document(database, document, table="constant_findings", kind=ConstantFinding)


def definitions_of_document(database: Database, document: str) -> list[SymbolDefinition]:
    """What a document says about symbols, in its order."""
    return _of_document(database, document, table="definitions", kind=SymbolDefinition)


def text_relations_of_document(database: Database, document: str) -> list[TextRelation]:
    """The relations that a document's text states."""
    return _of_document(database, document, table="text_relations", kind=TextRelation)


def _of_document(database: Database, document: str, *, table: str, kind: type[Noun]) -> list[Noun]:
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT record FROM {table} WHERE document = ? ORDER BY position",  # noqa: S608 - our own names
            (document,),
        ).fetchall()
    return [decode(record, kind) for (record,) in rows]


def list_failures(database: Database) -> list[FailedDocument]:
    """Documents that could not be read, by name."""
    with database.reading() as connection:
        return [FailedDocument(**row) for row in select_rows(connection, "failures", "ORDER BY name, key")]


def list_corrections(database: Database, *, formula: str | None = None) -> list[tuple[int, Correction]]:
    """Corrections with their numbers, oldest first."""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT id, {', '.join(table_columns()['corrections'])} FROM corrections "  # noqa: S608 - our own names
            "WHERE :formula IS NULL OR formula = :formula ORDER BY time, id",
            {"formula": formula},
        ).fetchall()
    return [(number, Correction(*rest)) for number, *rest in rows]


def count_documents(database: Database, *, document: str | None = None) -> dict[str, DocumentCounts]:
    """What each document, or one of them, gave the library."""
    counts: dict[str, dict[str, int]] = {}
    one = {"document": document}
    with database.reading() as connection:
        for (identifier,) in connection.execute(
            "SELECT id FROM documents WHERE :document IS NULL OR id = :document ORDER BY name, id", one
        ):
            counts[identifier] = {}
        for name, (table, condition) in _COUNTED.items():
            # Written out for either case, because a condition with `OR` would not use the index.
            within = "1" if document is None else "document = :document"
            question = f"SELECT document, count(*) FROM {table} WHERE {condition} AND {within} GROUP BY document"  # noqa: S608
            for identifier, number in connection.execute(question, one):
                counts[identifier][name] = number
    return {identifier: DocumentCounts(identifier, **numbers) for identifier, numbers in counts.items()}


_COUNTED = {
    "formulas": ("findings", "1"),
    "executable": ("findings", "status = 'executable'"),
    "declined": ("findings", "status = 'declined'"),
    "quarantined": ("findings", "status = 'quarantined'"),
    "constants": ("constant_findings", "1"),
    "relations": (
        "relations JOIN (SELECT DISTINCT document, formula FROM formula_findings) ON formula = source",
        "1",
    ),
    "definitions": ("definitions", "1"),
    "instances": ("instances", "1"),
    "pages": ("pages", "1"),
    "sections": ("sections", "1"),
    "chunks": ("chunks", "1"),
    "tables": ("tables", "1"),
    "images": ("images", "1"),
    "equations": ("equations", "1"),
    "references": ("bibliography", "1"),
    "problems": ("problems", "1"),
    "solutions": ("solutions", "1"),
    "concepts": ("concepts", "1"),
    "signatures": ("concept_signatures", "1"),
}


def count_entries(database: Database) -> dict[str, int]:
    """How many rows the main tables have."""
    tables = (
        "documents", "formulas", "constants", "relations", "chunks", "problems", "solutions", "solution_steps",
        "concepts", "failures", "corrections",
    )  # fmt: skip
    with database.reading() as connection:
        return {
            table: int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - our names
            for table in tables
        }


# What a library keeps of the pages of a document: sizes, layouts, pictures, what became of the formulas there.

_BEST_FIRST = ("executable", "quarantined", "declined")


def page_size(database: Database, document: str, number: int) -> tuple[float, float] | None:
    """Width and height of a page in points; None where the document has no such page."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT width, height FROM pages WHERE document = ? AND number = ?", (document, number)
        ).fetchone()
    return None if row is None else (float(row[0]), float(row[1]))


def page_layout(database: Database, document: str, number: int) -> list[dict[str, Json]]:
    """What stands on a page, in reading order, as it was stored."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT parts FROM page_layouts WHERE document = ? AND number = ?", (document, number)
        ).fetchone()
    try:
        parts = [] if row is None else json.loads(row[0])
    except (ValueError, RecursionError):
        return []
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def statuses_on_page(database: Database, document: str, number: int) -> dict[str, tuple[str, str, str]]:
    """Status, formula and reason of the findings on a page, by their box; the best one where a box has several."""
    found: dict[str, tuple[str, str, str]] = {}
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT n.box, n.status, coalesce(l.formula, ''), n.reason FROM findings n "
            "LEFT JOIN formula_findings l ON l.document = n.document AND l.position = n.position "
            "WHERE n.document = ? AND n.page = ? AND n.box IS NOT NULL ORDER BY n.position",
            (document, number),
        ).fetchall()
    for box, status, formula, reason in rows:
        known = found.get(box)
        if known is None or _BEST_FIRST.index(status) < _BEST_FIRST.index(known[0]):
            found[box] = (status, formula, reason)
    return found


def kept_pictures(database: Database, document: str) -> Iterator[tuple[Place, str]]:
    """The pictures kept of a document, each with its place, as PNG in base64."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT page, line, end_line, path, file, box, png FROM pictures WHERE document = ? ORDER BY position",
            (storable(document),),
        ).fetchall()
    for *place, png in rows:
        yield place_of_columns(*place), png


def count_reasons(database: Database) -> dict[str, int]:
    """How many formulas cannot be computed with, by the code of the reason, most first."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT reason_code, count(*) FROM formulas WHERE status <> 'executable' "
            "GROUP BY reason_code ORDER BY count(*) DESC, reason_code"
        ).fetchall()
    return {str(code): int(count) for code, count in rows}
