"""Reading some pages of a document as a task for a worker process, and joining pages that other processes read.

Pages go from process to process packed: compressed JSON as ASCII text, which whoever passes it on need not look into.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from mathrag.documents.gathering import Found
from mathrag.documents.isolation.tasks import Json, Task
from mathrag.documents.paged import PagedReader
from mathrag.documents.reader import ReadingLimits, Source
from mathrag.documents.registry import checked_document, media_type_of, paged_reader_for, source_at, translated
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Place, ReaderNote

READ_PAGES = "mathrag.documents.isolation.paging:read_pages"
# Unpacked, the values of one page; a page of dense text has a twentieth of it.
_LARGEST_PAGE = 64 * 1024 * 1024


def file_payload(found: Found, limits: ReadingLimits, *, password: str = "") -> dict[str, Json]:
    """What a worker needs to open a file that was found."""
    return {
        "path": str(found.path),
        "name": found.name,
        "folder": str(found.folder),
        "limits": asdict(limits),
        "password": password,
    }


def pages_task(key: str, file: Mapping[str, Json], numbers: Sequence[int], *, file_hash: str) -> Task:
    """The task of reading some pages of the file that `file_payload` describes, as long as it has this hash."""
    payload = {**file, "hash": file_hash, "numbers": list(numbers)}
    return Task(key, READ_PAGES, payload, seconds=float(file["limits"]["page_seconds"]))


def read_pages(payload: Json) -> Json:
    """Runs in the worker: the pages of `pages_task`, each packed."""
    source, media_type = opened(payload)
    check_hash(source, payload["hash"])
    reader = _paged(media_type)
    numbers = [int(number) for number in payload["numbers"]]
    with translated(media_type):
        pages = list(reader.read_pages(source, numbers))
    if len(pages) != len(numbers):
        reason = f"the reader for {media_type} gave {len(pages)} pages instead of {len(numbers)}"
        raise DocumentError("reader_broken", f"{reason}; report this to its authors")
    return [packed(page.to_json()) for page in pages]


def count_pages(source: Source, media_type: str) -> int | None:
    """How many pages a document has; None where it has no pages or its reader does not read them apart."""
    reader = paged_reader_for(media_type)
    if reader is None:
        return None
    with translated(media_type):
        count = reader.count_pages(source)
    if count > source.limits.pages:
        raise DocumentError(
            "too_large",
            f"the file has {count:,} pages and at most {source.limits.pages:,} are read; split it, or raise the limit "
            "with the setting MATHRAG_READING_PAGES",
        )
    return count


def assembled(source: Source, media_type: str, pages: Iterable[str], *, failed: Mapping[int, str]) -> Document:
    """The document of packed pages, with a note for every page that is missing and why."""
    reader = _paged(media_type)
    with translated(media_type):
        document = reader.assemble(source, [reader.PageReading.from_json(unpacked(page)) for page in pages])
    document = checked_document(document, source, media_type)
    notes = tuple(
        ReaderNote("page_failed", f"page {number} is left out: {reason}", Place(page=number))
        for number, reason in sorted(failed.items())
    )
    return replace(document, notes=(*notes, *document.notes)) if notes else document


def opened(payload: Mapping[str, Json]) -> tuple[Source, str]:
    """The file of a payload and its media type. The last one is kept: many tasks in a row are about the same file."""
    path = Path(payload["path"])
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
    except (OSError, ValueError):
        stamp = (0, 0, 0)
    limits = tuple(sorted(payload["limits"].items()))
    return _opened(str(path), payload["name"], payload["folder"], payload["password"], limits, stamp)


@lru_cache(maxsize=1)
def _opened(
    path: str,
    name: str,
    folder: str,
    password: str,
    limits: tuple[tuple[str, Any], ...],
    stamp: tuple[int, ...],  # noqa: ARG001
) -> tuple[Source, str]:
    allowed = ReadingLimits(**dict(limits))
    source = source_at(path, name=name, folder=Path(folder), limits=allowed, password=password)
    return source, media_type_of(source)


def check_hash(source: Source, wanted: str) -> None:
    """`DocumentError` where the file is no longer the one whose pages were counted."""
    if _hash(source.data) != wanted:
        raise DocumentError("changed", "the file was changed while it was read; read it again")


@lru_cache(maxsize=1)
def _hash(data: bytes) -> str:
    return Source("", data).hash


def packed(page: Json) -> str:
    """A page as text to pass on."""
    data = json.dumps(page, separators=(",", ":"), allow_nan=False).encode("ascii")
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii")


def unpacked(text: str) -> Json:
    """The page that was packed."""
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(base64.b64decode(text, validate=True), _LARGEST_PAGE)
    if not unpacker.eof:
        raise DocumentError("too_large", f"a page holds more than {_LARGEST_PAGE:,} bytes; split the file")
    return json.loads(data)


def _paged(media_type: str) -> PagedReader:
    reader = paged_reader_for(media_type)
    if reader is None:
        raise DocumentError("reader_broken", f"nothing reads {media_type} page by page; reinstall mathrag")
    return reader
