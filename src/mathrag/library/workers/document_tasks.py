"""What goes to the process that understands a document, and what comes back. The work itself is `document_worker.py`.

Apart from it because that module imports every rule there is, which the process that stores has no need of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mathrag.documents.input_files import Found
from mathrag.documents.isolated import READ_PAGES, file_payload
from mathrag.documents.seams import ReadingLimits
from mathrag.isolation.tasks import Task
from mathrag.library.ingest.reader_choice import lexicon_version, reader_used, software_version
from mathrag.store.truth.codec import decode
from mathrag.store.truth.records import DocumentInfo, DocumentRecord, ViewRows, document_id
from mathrag.types.document import Document
from mathrag.types.json_codec import from_json
from mathrag.types.json_value import Json
from mathrag.types.library import ConstantFinding, Extraction, Finding

UNDERSTAND = "mathrag.library.workers.document_worker:understand_file"
ASSEMBLE = "mathrag.library.workers.document_worker:understand_pages"
FUNCTIONS = (UNDERSTAND, READ_PAGES, ASSEMBLE)


def understanding_task(
    found: Found, *, known_hash: str, limits: ReadingLimits, password: str = "", reader: str = ""
) -> Task:
    """The task of reading and understanding one file. A document that still has `known_hash` is left alone.

    A document in pages is not read at once: the result says how many `pages` it has, and its `hash`.
    """
    payload = {
        **file_payload(found, limits, password=password),
        "key": found.key,
        "known_hash": known_hash,
        "reader": reader,
    }
    return Task(found.key, UNDERSTAND, payload)


def assembling_task(first: Task, pages: Sequence[str], failed: Mapping[int, str], *, file_hash: str) -> Task:
    """The task of understanding a document whose pages were read; `first` is the task that counted them."""
    missing = [[number, reason] for number, reason in sorted(failed.items())]
    return Task(first.key, ASSEMBLE, {**first.payload, "packed": list(pages), "failed": missing, "hash": file_hash})


def record_of(result: Json, found: Found, *, modified: str, reader: str = "") -> DocumentRecord:
    """What the worker gave back, as the store takes it."""
    document = from_json(result["document"])
    assert isinstance(document, Document)
    rows = result["rows"]
    extraction = Extraction(
        document_id(found.key),
        tuple(decode(row[-1], Finding) for row in rows["findings"]),
        tuple(decode(row[-1], ConstantFinding) for row in rows["constant_findings"]),
        notes=tuple(result["notes"]),
    )
    info = DocumentInfo(
        id=document_id(found.key),
        key=found.key,
        name=found.name,
        media_type=document.media_type,
        hash=document.hash,
        bytes=found.size,
        title=document.title,
        authors=document.authors,
        year=document.year,
        abstract=document.abstract,
        modified=modified,
        software=software_version(reader_used(reader, document.media_type), document.media_type),
        lexicon=lexicon_version(),
        files=document.files,
        notes=document.notes,
        extraction_notes=extraction.notes,
        venue=document.venue,
        volume=document.volume,
        identifier=document.identifier,
    )
    return DocumentRecord(info, extraction, ViewRows(result["views"]), rows)
