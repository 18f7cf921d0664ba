"""Read one document and understand it: the work that runs in a process of its own. Touches no library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from mathrag.documents.reader import ReadingLimits
from mathrag.documents.registry import read_path
from mathrag.documents.views import make_views
from mathrag.extract.pipeline import extract
from mathrag.store.document_rows import extraction_rows
from mathrag.store.records import document_id
from mathrag.store.view_rows import rows_of_views
from mathrag.types.document import Document
from mathrag.types.json_codec import to_json

Json: TypeAlias = Any


def understand_file(payload: Json) -> Json:
    """Runs in the worker: what `worker_tasks.understanding_task` describes."""
    document = read_path(
        payload["path"],
        name=payload["name"],
        folder=Path(payload["folder"]),
        limits=ReadingLimits(**payload["limits"]),
    )
    if document.hash == payload["known_hash"]:
        return {"unchanged": True}
    identifier = document_id(payload["key"])
    extraction = extract(document, document_id=identifier)
    return {
        "document": to_json(replace(document, blocks=())),
        "views": {table: [dict(row) for row in rows] for table, rows in _rows(document, identifier).items()},
        "rows": extraction_rows(extraction),
        "notes": list(extraction.notes),
    }


def _rows(document: Document, identifier: str) -> Json:
    return rows_of_views(identifier, make_views(document)).rows
