"""Parts of a page as foreign readers give them, words in HTML with a page and a box, made into blocks.

Everything goes through the reader of pages, so that formulas, tables and lists become what they become elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from mathrag.documents.arrangement import arrange, find_abstract
from mathrag.documents.boxes import Box
from mathrag.documents.html.blocks import BlockReader
from mathrag.documents.html.tree import Node, parse_page
from mathrag.documents.media_type import detect_media_type
from mathrag.documents.office.document_parts import Rewriting
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Document, Heading, Page, Place, ReaderNote, Reference

# As many as a document may have blocks.
_MOST_PARTS = 500_000


@dataclass(frozen=True, slots=True)
class ForeignPart:
    """A piece of a page in HTML. `box` is in points from the top left; `path` names it in the foreign output."""

    html: str
    page: int | None = None
    box: Box | None = None
    path: str = ""
    is_reference: bool = False


def document_of(
    source: Source, parts: Iterable[ForeignPart], *, pages: tuple[Page, ...] = (), notes: tuple[ReaderNote, ...] = ()
) -> Document:
    """The document of these parts."""
    blocks: list[Block] = []
    for count, part in enumerate(parts):
        if count > _MOST_PARTS:
            raise DocumentError("too_large", f"the document has more than {_MOST_PARTS:,} parts; split it")
        limits = replace(source.limits, blocks=source.limits.blocks - len(blocks))
        place = Place(page=part.page, box=part.box, path=part.path)
        root, _ = parse_page(part.html, limits=limits)
        _name_formulas(root)
        found = BlockReader(limits, with_dollars=True).read(root)
        placed = Rewriting(lambda _, place=place: place).blocks(found)  # type: ignore[misc]
        blocks.extend(map(_as_reference, placed) if part.is_reference else placed)
    blocks = arrange(blocks)
    if not blocks:
        raise DocumentError("empty", f"{source.name}: no text was found in it")
    title = next((block.quote for block in blocks if isinstance(block, Heading) and block.level == 1), "")
    return Document(
        source=source.name,
        media_type=detect_media_type(source.data, source.name),
        hash=source.hash,
        blocks=tuple(blocks),
        title=title,
        abstract=find_abstract(blocks),
        pages=pages,
        notes=notes,
    )


def _name_formulas(root: Node) -> None:
    """`<math>` with nothing but characters inside holds LaTeX, not MathML."""
    for node in root.descendants():
        if node.name == "math" and not node.elements:
            is_display = node.attribute("display") == "block"
            node.name = "tex-math"
            node.attributes = {"block": ""} if is_display else {}


def _as_reference(block: Block) -> Block:
    return Reference(block.place, block.quote, block.quote) if block.quote else block


def number_of(value: Any) -> float | None:
    """A finite number; None for anything else, also for what only looks like one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    return number if math.isfinite(number) and abs(number) < 1e7 else None


def box_of(values: Any, *, across: float = 1.0, down: float = 1.0) -> Box | None:
    """Four numbers as a box, each scaled; None where they are no box."""
    if not isinstance(values, list | tuple) or len(values) != 4:
        return None
    numbers = [number_of(value) for value in values]
    if any(number is None for number in numbers):
        return None
    left, top, right, bottom = (number or 0.0 for number in numbers)
    left, right = sorted((left * across, right * across))
    top, bottom = sorted((top * down, bottom * down))
    return (left, top, right, bottom)


def page_of(number: int, width: Any, height: Any) -> Page | None:
    """A page, where its size is one."""
    across, down = number_of(width), number_of(height)
    return Page(number, across, down) if across and down and across > 0 and down > 0 else None
