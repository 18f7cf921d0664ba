"""Marker's JSON to parts: a tree of blocks with HTML and polygons in points; `<math>` in it holds LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mathrag.documents.boxes import Box
from mathrag.documents.foreign.parts import ForeignPart, box_of, document_of, number_of, page_of
from mathrag.documents.foreign.programs import ForeignProgram, program_output, unknown_shape
from mathrag.documents.seams import Source
from mathrag.types.document import Document, Page

MARKER = ForeignProgram(
    "marker",
    "marker_single",
    "marker-pdf",
    ("{file}", "--output_format", "json", "--output_dir", "{folder}", "--disable_image_extraction"),
)
_OUTPUT = "document.json"
_DROPPED = frozenset(("PageHeader", "PageFooter", "TableOfContents"))
_REFERENCE = re.compile(r"<content-ref\s+src=(?:'([^']{1,200})'|\"([^\"]{1,200})\")\s*>\s*(?:</content-ref>)?")
# Blocks in blocks, and characters of one block's HTML, which may hold a table of a whole page.
_DEEPEST = 40
_LONGEST = 5_000_000


def read_with_marker(source: Source) -> Document:
    """Read a document with Marker. Raises `DocumentError` where it is not installed, fails, or writes nonsense."""
    return marker_document(source, program_output(MARKER, source, (_OUTPUT,))[_OUTPUT])


def marker_document(source: Source, output: Any) -> Document:
    """The document that an output of Marker (`--output_format json`) describes."""
    pages = output.get("children") if isinstance(output, dict) else output
    if not isinstance(pages, list):
        raise unknown_shape(MARKER, "there are no pages")
    sizes = tuple(size for number, page in enumerate(pages, 1) if (size := _size(number, page)) is not None)
    return document_of(source, _parts(pages), pages=sizes)


def _size(number: int, page: Any) -> Page | None:
    box = _box(page) if isinstance(page, dict) else None
    return page_of(number, box[2] - box[0], box[3] - box[1]) if box is not None else None


def _parts(pages: list[Any]) -> Iterator[ForeignPart]:
    for number, page in enumerate(pages, 1):
        if not isinstance(page, dict):
            raise unknown_shape(MARKER, f"page {number} is no block")
        children = page.get("children")
        for block in children if isinstance(children, list) else ():
            if not isinstance(block, dict) or str(block.get("block_type")) in _DROPPED:
                continue
            html = _html(block, 0)
            if html.strip():
                yield ForeignPart(html, number, _box(block), str(block.get("id", ""))[:200])


def _html(block: dict[str, Any], depth: int) -> str:
    """The HTML of a block with its children where it refers to them."""
    html = block.get("html")
    html = html if isinstance(html, str) else ""
    children = block.get("children")
    if depth > _DEEPEST:
        raise unknown_shape(MARKER, f"blocks are nested more than {_DEEPEST} deep")
    if not isinstance(children, list) or not children:
        return _REFERENCE.sub("", html)[:_LONGEST]
    inside = {str(child.get("id")): child for child in children if isinstance(child, dict)}
    if _REFERENCE.search(html) is None:
        return html or "".join(_html(child, depth + 1) for child in inside.values())

    def written(found: re.Match[str]) -> str:
        # Each child once: a block that names one child many times would grow without end.
        child = inside.pop(found.group(1) or found.group(2), None)
        return _html(child, depth + 1) if child is not None else ""

    return _REFERENCE.sub(written, html)[:_LONGEST]


def _box(block: dict[str, Any]) -> Box | None:
    box = box_of(block.get("bbox"))
    if box is not None:
        return box
    polygon = block.get("polygon")
    corners = [corner for corner in polygon if isinstance(corner, list) and len(corner) == 2] if isinstance(
        polygon, list
    ) else []  # fmt: skip
    numbers = [(number_of(across), number_of(down)) for across, down in corners]
    known = [(across, down) for across, down in numbers if across is not None and down is not None]
    if len(known) < 2:
        return None
    across, down = zip(*known, strict=True)
    return (min(across), min(down), max(across), max(down))
