"""Take a library that was exported as Turtle into this one: each document as if it had just been read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from mathrag.errors import LibraryError
from mathrag.extract.merger import RuleMerger
from mathrag.store.database import Database
from mathrag.store.embedders import Embedder
from mathrag.store.graph.contents import TEXT_TABLES, LibraryContents, Value
from mathrag.store.graph.importing import read_turtle
from mathrag.store.reading import list_corrections
from mathrag.store.records import DocumentInfo, DocumentRecord, FailedDocument
from mathrag.store.view_rows import ViewRows
from mathrag.store.writing import add_correction, record_failure, replace_document
from mathrag.types.json_codec import from_json
from mathrag.types.library import Extraction


def import_turtle(database: Database, file: Path, *, embedder: Embedder) -> dict[str, int]:
    """Store every document, correction and failure of the file; says how many of each, and what was not needed."""
    try:
        with file.open("rb") as stream:
            imported = read_turtle(stream)
    except OSError as error:
        raise LibraryError(f"{file} cannot be read: {error.strerror or error}") from error
    contents = imported.contents
    records = _records(contents)
    changed = sum(replace_document(database, one, merger=RuleMerger(), embedder=embedder) for one in records)
    known = {correction for _, correction in list_corrections(database)}
    added = 0
    for correction in contents.corrections:
        if correction not in known:
            add_correction(database, correction, merger=RuleMerger(), embedder=embedder)
            added += 1
    for row in contents.of_table("failures"):
        record_failure(database, FailedDocument(**row))  # type: ignore[arg-type]
    return {
        "documents": len(records),
        "documents_changed": changed,
        "corrections_added": added,
        "foreign_statements_ignored": imported.foreign,
    }


def _records(contents: LibraryContents) -> list[DocumentRecord]:
    extractions = {extraction.document: extraction for extraction in contents.extractions}
    views: dict[str, dict[str, list[Mapping[str, Value]]]] = {}
    owners: dict[str, str] = {}
    for table in TEXT_TABLES:
        for row in contents.of_table(table):
            owner = owners[str(row["table_id"])] if table == "table_cells" else str(row["document"])
            if table == "tables":
                owners[str(row["id"])] = owner
            views.setdefault(owner, {}).setdefault(table, []).append(row)
    records = []
    for row in contents.of_table("documents"):
        info = _info(row)
        extraction = extractions.get(info.id, Extraction(info.id))
        records.append(DocumentRecord(info, extraction, ViewRows(views.get(info.id, {}))))
    return records


def _info(row: Mapping[str, Value]) -> DocumentInfo:
    values = dict(row)
    listed = {name: tuple(json.loads(str(values[name]))) for name in ("authors", "files", "extraction_notes")}
    notes = from_json(json.loads(str(values["notes"])))
    return DocumentInfo(**{**values, **listed, "notes": notes})
