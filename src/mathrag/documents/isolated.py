"""What worker processes do with documents: read a whole file, read some pages, join pages, draw a page.

Files go in by their paths, documents come out as JSON. Nothing here starts a process; `mathrag.isolation` does.
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

from mathrag.documents.input_files import Found
from mathrag.documents.media_type import described
from mathrag.documents.png import encode_png
from mathrag.documents.registry import (
    checked_document,
    media_type_of,
    paged_reader_for,
    read_path,
    source_at,
    translated,
)
from mathrag.documents.seams import PagedReader, ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.isolation.tasks import Task
from mathrag.types.document import Document, Place, ReaderNote
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

READ = "mathrag.documents.isolated:read_file"
READ_PAGES = "mathrag.documents.isolated:read_pages"
DRAW = "mathrag.documents.isolated:draw_page"
_PDF = "application/pdf"
# Unpacked, the values of one page; a page of dense text has a twentieth of it.
_LARGEST_PAGE = 64 * 1024 * 1024
# More boxes than a page has signs help nobody who looks at it.
_MOST_BOXES = 20_000


# ---- a whole file


def reading_task(found: Found, limits: ReadingLimits | None = None) -> Task:
    """The task of reading one file that was found; its key is the document's."""
    return Task(found.key, READ, file_payload(found, limits or ReadingLimits()))


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


# ---- pages apart, and together again
#
# Pages go from process to process packed: compressed JSON as ASCII text, which whoever passes it on need not look
# into.


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


# ---- a page with boxes drawn on it: pixels and rectangles, nothing of what they mean


def draw_page(payload: Json) -> Json:
    """Runs in the worker: the page as PNG in base64. A box is left, top, right, bottom in points, then its colour.

    The payload is that of `file_payload` with `hash`, `number`, `scale` and `boxes`. With `cut`, only what lies within
    that box is drawn, and no boxes.
    """
    source, media_type = opened(payload)
    check_hash(source, payload["hash"])
    if media_type != _PDF:
        raise DocumentError("no_pages", f"this is {described(media_type)}, and only pages of a PDF can be drawn")
    from mathrag.documents.pdf.raw import open_pdf

    scale = float(payload["scale"])
    cut = payload.get("cut")
    with open_pdf(source.data, password=source.password) as document:
        width, height, pixels = document.render(int(payload["number"]), scale=scale, box=cut and tuple(cut))
    drawn = bytearray(pixels)
    for left, top, right, bottom, *colour in () if cut else payload["boxes"][:_MOST_BOXES]:
        box = tuple(round(side * scale) for side in (left, top, right, bottom))
        draw_box(drawn, (width, height), box, bytes(colour))
    return base64.b64encode(encode_png(width, height, bytes(drawn))).decode("ascii")


def draw_box(pixels: bytearray, size: tuple[int, int], box: Sequence[int], colour: bytes) -> None:
    """Draw the outline of a box, one pixel wide and just inside it, into rows of RGB; what lies outside is cut off."""
    width, height = size
    left, top, right, bottom = (
        min(max(side, 0), limit - 1) for side, limit in zip(box, (width, height, width, height), strict=True)
    )
    if left > right or top > bottom:
        return
    row = colour * (right - left + 1)
    for y in (top, bottom):
        start = 3 * (y * width + left)
        pixels[start : start + len(row)] = row
    for y in range(top, bottom + 1):
        for x in (left, right):
            start = 3 * (y * width + x)
            pixels[start : start + 3] = colour
