"""Write and remove the rows of one document: its metadata, views and findings. Merged entries are not its business."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from mathrag.errors import LibraryError
from mathrag.store.truth.codec import encode, place_columns, plain_json, storable
from mathrag.store.truth.records import DocumentInfo, DocumentRecord
from mathrag.store.truth.schema import MODEL_TABLES, VIEW_TABLES
from mathrag.store.truth.view_rows import Row, ViewRows
from mathrag.types.json_codec import to_json
from mathrag.types.library import ConstantFinding, Extraction, Finding, SymbolDefinition, TextRelation

EXTRACTION_TABLES = ("definitions", "findings", "constant_findings", "text_relations")


def delete_document_rows(connection: sqlite3.Connection, document: str) -> None:
    """Everything the document had; the tables of its content follow by cascade."""
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def insert_document_rows(connection: sqlite3.Connection, record: DocumentRecord) -> None:
    """The document, its views and what was found in it."""
    _insert_info(connection, record.info)
    _insert_views(connection, record.info.id, record.views)
    rows = extraction_rows(record.extraction) if record.rows is None else record.rows
    _insert_extraction(connection, record.info.id, rows)


def replace_extraction_rows(
    connection: sqlite3.Connection, document: str, rows: Mapping[str, Sequence[Sequence[object]]]
) -> None:
    """Other findings for a document whose text stays as it is."""
    for table in EXTRACTION_TABLES:
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608 - our own names
    _insert_extraction(connection, document, rows)


def _insert_extraction(
    connection: sqlite3.Connection, document: str, rows: Mapping[str, Sequence[Sequence[object]]]
) -> None:
    for table in EXTRACTION_TABLES:
        if any(row[0] != document for row in rows[table]):
            raise LibraryError(f"a row for the table {table} belongs to another document than {document}")
        _many(connection, table, rows[table])


def extraction_rows(extraction: Extraction) -> dict[str, list[tuple[object, ...]]]:
    """What was found in a document as rows of `EXTRACTION_TABLES`; the last value of each is its record."""
    document = extraction.document
    return {
        "definitions": [_definition(document, *each) for each in enumerate(extraction.definitions)],
        "findings": [_finding(each) for each in extraction.findings],
        "constant_findings": [_constant(each) for each in extraction.constants],
        "text_relations": [_relation(*each) for each in enumerate(extraction.relations)],
    }


def _many(connection: sqlite3.Connection, table: str, rows: Sequence[Sequence[object]]) -> None:
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - our own names


def _insert_info(connection: sqlite3.Connection, info: DocumentInfo) -> None:
    row = (
        info.id,
        storable(info.key),
        storable(info.name),
        storable(info.title),
        plain_json(list(info.authors)),
        info.year,
        storable(info.abstract),
        info.media_type,
        info.hash,
        info.bytes,
        info.modified,
        info.ingested_at,
        info.software,
        info.lexicon,
        plain_json(list(info.files)),
        plain_json([to_json(note) for note in info.notes]),
        plain_json(list(info.extraction_notes)),
    )
    _many(connection, "documents", [row])


def _insert_views(connection: sqlite3.Connection, document: str, views: ViewRows) -> None:
    # What a model said comes along only with a library that was exported.
    for table in (*VIEW_TABLES, *MODEL_TABLES):
        rows = views.of(table)
        if rows:
            columns = _known_columns(connection, table, rows)
            _check_owner(document, table, rows)
            connection.executemany(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES (?{', ?' * (len(columns) - 1)})",  # noqa: S608
                ([_stored(row[column]) for column in columns] for row in rows),
            )


def _known_columns(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> list[str]:
    """The columns of the rows, which may come from a file of somebody else: none may be anything but a column."""
    known = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")} - {"entry"}
    columns = list(rows[0])
    if not known.issuperset(columns) or any(row.keys() != rows[0].keys() for row in rows):
        raise LibraryError(f"the rows for the table {table} have other columns than it has")
    return columns


def _check_owner(document: str, table: str, rows: Sequence[Row]) -> None:
    for row in rows:
        if table == "table_cells":
            is_own = str(row["table_id"]).startswith(f"{document}/")
        else:
            is_own = row["document"] == document and str(row.get("id", f"{document}/")).startswith(f"{document}/")
        if not is_own:
            raise LibraryError(f"a row for the table {table} belongs to another document than {document}")


def _stored(value: object) -> object:
    return storable(value) if isinstance(value, str) else value


def _definition(document: str, position: int, definition: SymbolDefinition) -> tuple[object, ...]:
    return (
        document,
        position,
        definition.name,
        storable(definition.letter),
        storable(definition.description),
        definition.unit,
        None if definition.dimension is None else str(definition.dimension),
        definition.kind,
        definition.source,
        definition.first_block,
        definition.last_block,
        definition.confidence,
        storable(definition.span.quote),
        *place_columns(definition.span.place),
        encode(definition),
    )


def _finding(finding: Finding) -> tuple[object, ...]:
    return (
        finding.document,
        finding.position,
        storable(finding.form),
        storable(finding.latex),
        storable(finding.source),
        finding.notation,
        finding.status,
        storable(finding.reason_code),
        storable(finding.reason),
        storable(finding.label),
        storable(finding.description),
        storable(finding.number),
        finding.is_display,
        storable(finding.span.quote),
        *place_columns(finding.span.place),
        encode(finding),
    )


def _constant(constant: ConstantFinding) -> tuple[object, ...]:
    return (
        constant.document,
        constant.position,
        constant.symbol,
        storable(constant.name),
        str(constant.value),
        constant.unit,
        constant.standard,
        storable(constant.span.quote),
        *place_columns(constant.span.place),
        encode(constant),
    )


def _relation(position: int, relation: TextRelation) -> tuple[object, ...]:
    return (
        relation.document,
        position,
        relation.kind,
        relation.source,
        relation.target,
        relation.confidence,
        storable(relation.evidence),
        encode(relation),
    )
