"""Reading a document as a task for a worker process: the file goes in by its path, the document comes out as JSON."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from mathrag.documents.gathering import Found
from mathrag.documents.isolation.tasks import Json, Task
from mathrag.documents.reader import ReadingLimits
from mathrag.documents.registry import read_path
from mathrag.types.document import Document
from mathrag.types.json_codec import from_json, to_json

READ = "mathrag.documents.isolation.reading:read_file"


def reading_task(found: Found, limits: ReadingLimits | None = None) -> Task:
    """The task of reading one file that was found; its key is the document's."""
    payload = {
        "path": str(found.path),
        "name": found.name,
        "folder": str(found.folder),
        "limits": asdict(limits or ReadingLimits()),
    }
    return Task(found.key, READ, payload)


def read_file(payload: Json) -> Json:
    """Runs in the worker: what `reading_task` describes."""
    document = read_path(
        payload["path"],
        name=payload["name"],
        folder=Path(payload["folder"]),
        limits=ReadingLimits(**payload["limits"]),
    )
    return to_json(document)


def document_of(result: Json) -> Document:
    """The document that a reading task gave back."""
    document = from_json(result)
    if not isinstance(document, Document):
        raise TypeError("the result of a reading task is a document")
    return document
