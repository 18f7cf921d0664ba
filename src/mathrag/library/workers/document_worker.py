"""Read one document and understand it: the work that runs in a process of its own. Touches no library."""

from __future__ import annotations

from dataclasses import replace

from mathrag.documents.isolated import assembled, check_hash, count_pages, opened
from mathrag.documents.media_type import DICTIONARY_TYPES
from mathrag.documents.registry import read_document
from mathrag.documents.seams import Source
from mathrag.documents.views import make_views
from mathrag.extract.pipeline import extract
from mathrag.library.ingest.reader_choice import reader_named
from mathrag.sources.dictionaries.rows import dictionary_rows
from mathrag.store.truth.cases import case_rows
from mathrag.store.truth.document_rows import (
    extraction_rows,
    page_layout_rows,
    picture_rows,
    rows_of_views,
)
from mathrag.store.truth.records import document_id
from mathrag.types.document import Document
from mathrag.types.json_codec import to_json
from mathrag.types.json_value import Json
from mathrag.types.library import Extraction

# Any note will do: one with a formula, a meaning and a unit loads what understanding needs.
_WARMING = b"# Motion\n\nThe speed is $v = s / t$, where $s$ is the distance in m and $t$ the time in s.\n"


def preload() -> None:
    """Load what every document needs, before there is one."""
    document = read_document(Source("note.md", _WARMING), media_type="text/markdown")
    _rows(document, extract(document, document_id=document_id("note.md")))


def understand_file(payload: Json) -> Json:
    """Runs in the worker: what `document_tasks.understanding_task` describes."""
    source, media_type = opened(payload)
    reader = reader_named(payload["reader"], media_type)
    pages = count_pages(source, media_type) if reader is None else None
    if pages is not None and source.hash == payload["known_hash"]:
        return {"unchanged": True}
    if pages:
        # Even a single one: a page has less time than a document, and what it breaks is told as a page's.
        return {"pages": pages, "hash": source.hash}
    document = read_document(source, media_type=media_type, reader=reader)
    if document.media_type in DICTIONARY_TYPES:
        return _dictionary(document, source, payload)
    return _understood(document, payload)


def understand_pages(payload: Json) -> Json:
    """Runs in the worker: what `document_tasks.assembling_task` describes."""
    source, media_type = opened(payload)
    check_hash(source, payload["hash"])
    # Taken out of the payload, so that the packed pages do not stay in memory beside what they hold.
    packed: list[str] = payload.pop("packed")
    failed = {int(number): str(reason) for number, reason in payload["failed"]}
    return _understood(assembled(source, media_type, packed, failed=failed), payload)


def _understood(document: Document, payload: Json) -> Json:
    if document.hash == payload["known_hash"]:
        return {"unchanged": True}
    identifier = document_id(payload["key"])
    extraction = extract(document, document_id=identifier)
    return _result(document, extraction, _rows(document, extraction))


def _result(document: Document, extraction: Extraction, views: Json) -> Json:
    return {
        "document": to_json(replace(document, blocks=(), pictures=(), pages=())),
        "views": {table: [dict(row) for row in rows] for table, rows in views.items()},
        "rows": extraction_rows(extraction),
        "notes": list(extraction.notes),
    }


def _dictionary(document: Document, source: Source, payload: Json) -> Json:
    """A dictionary defines concepts; the formulas in it state their properties and are no formulas to answer with."""
    if document.hash == payload["known_hash"]:
        return {"unchanged": True}
    identifier = document_id(payload["key"])
    extraction = Extraction(identifier)
    rows = {**_rows(document, extraction), **dictionary_rows(identifier, source, document.media_type)}
    return _result(document, extraction, rows)


def _rows(document: Document, extraction: Extraction) -> Json:
    identifier = extraction.document
    views = rows_of_views(identifier, make_views(document)).rows
    layouts = page_layout_rows(identifier, document)
    return {
        **views,
        "page_layouts": layouts,
        "pictures": picture_rows(identifier, document),
        "cases": case_rows(extraction.cases),
    }
