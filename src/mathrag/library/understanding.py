"""Read one document and understand it: the work that runs in a process of its own. Touches no library."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from mathrag.documents.gathering import Found
from mathrag.documents.isolation import Task
from mathrag.documents.reader import ReadingLimits
from mathrag.documents.registry import read_path
from mathrag.documents.views import make_views
from mathrag.extract.pipeline import extract
from mathrag.library.versions import lexicon_version, software_version
from mathrag.store.records import DocumentInfo, DocumentRecord, document_id
from mathrag.store.view_rows import rows_of_views
from mathrag.types.document import Document
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.library import Extraction

Json: TypeAlias = Any
UNDERSTAND = "mathrag.library.understanding:understand_file"


def understanding_task(found: Found, *, known_hash: str, limits: ReadingLimits) -> Task:
    """The task of reading and understanding one file. A document that still has `known_hash` is left alone."""
    payload = {
        "path": str(found.path),
        "name": found.name,
        "folder": str(found.folder),
        "key": found.key,
        "known_hash": known_hash,
        "limits": asdict(limits),
    }
    return Task(found.key, UNDERSTAND, payload)


def understand_file(payload: Json) -> Json:
    """Runs in the worker: what `understanding_task` describes."""
    document = read_path(
        payload["path"],
        name=payload["name"],
        folder=Path(payload["folder"]),
        limits=ReadingLimits(**payload["limits"]),
    )
    if document.hash == payload["known_hash"]:
        return {"unchanged": True}
    identifier = document_id(payload["key"])
    return {
        "document": to_json(_without_blocks(document)),
        "views": {table: [dict(row) for row in rows] for table, rows in _rows(document, identifier).items()},
        "extraction": to_json(extract(document, document_id=identifier)),
    }


def _rows(document: Document, identifier: str) -> Json:
    return rows_of_views(identifier, make_views(document)).rows


def _without_blocks(document: Document) -> Document:
    from dataclasses import replace

    return replace(document, blocks=())


def record_of(result: Json, found: Found, *, size: int, modified: str) -> DocumentRecord:
    """What the worker gave back, as the store takes it."""
    from mathrag.store.view_rows import ViewRows

    document = from_json(result["document"])
    extraction = from_json(result["extraction"])
    assert isinstance(document, Document)
    assert isinstance(extraction, Extraction)
    info = DocumentInfo(
        id=document_id(found.key),
        key=found.key,
        name=found.name,
        media_type=document.media_type,
        hash=document.hash,
        bytes=size,
        title=document.title,
        authors=document.authors,
        year=document.year,
        abstract=document.abstract,
        modified=modified,
        software=software_version(),
        lexicon=lexicon_version(),
        files=document.files,
        notes=document.notes,
        extraction_notes=extraction.notes,
    )
    return DocumentRecord(info, extraction, ViewRows(result["views"]))
