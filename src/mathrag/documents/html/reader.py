"""HTML and XHTML pages to documents: decode, parse, walk, and say what was left out. The seam to the other readers."""

from __future__ import annotations

import re

from mathrag.documents.html.blocks import BlockReader
from mathrag.documents.html.delimiters import count_dollar_formulas
from mathrag.documents.html.encoding import decode_page
from mathrag.documents.html.metadata import read_metadata
from mathrag.documents.html.nodes import Node
from mathrag.documents.html.parsing import parse_page
from mathrag.documents.html.walk import LeftOut
from mathrag.documents.reader import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, ReaderNote

_RENDERERS = re.compile(r"mathjax|katex|auto-render|jsmath|inlineMath|renderMathInElement", re.IGNORECASE)
_ENOUGH_DOLLARS = 3
_LEFT_OUT = {
    "hidden": "what a browser would not show",
    "navigation": "what only leads around the site",
}


def read_html(source: Source) -> Document:
    """Read a page. Raises `DocumentError` for what is no text, is empty, or goes beyond the limits."""
    decoded = decode_page(source)
    if not decoded.text.strip():
        raise DocumentError("empty", f"{source.name} is empty")
    root, notes = parse_page(decoded.text, limits=source.limits)
    reader = BlockReader(source.limits, with_dollars=_dollars_are_formulas(root, decoded.text))
    blocks = reader.read(root)
    metadata = read_metadata(root, blocks)
    return Document(
        source=source.name,
        media_type="text/html",
        hash=source.hash,
        blocks=tuple(blocks),
        title=metadata.title,
        authors=metadata.authors,
        year=metadata.year,
        abstract=metadata.abstract,
        notes=(*decoded.notes, *notes, *_notes_on(reader.left_out)),
    )


def _dollars_are_formulas(root: Node, text: str) -> bool:
    """Whether `$…$` means TeX here: the page loads a renderer, or enough pairs hold what can only be TeX."""
    if "$" not in text:
        return False
    for node in root.descendants():
        if node.name in ("script", "link"):
            address = node.attribute("src") or node.attribute("href")
            inside = node.text()[:20_000] if node.name == "script" else ""
            if _RENDERERS.search(address[:500]) or _RENDERERS.search(inside):
                return True
    return count_dollar_formulas(text) >= _ENOUGH_DOLLARS


def _notes_on(left_out: LeftOut) -> list[ReaderNote]:
    return [
        ReaderNote(
            kind,
            f"left out {_LEFT_OUT[kind]} ({count:,} {'place' if count == 1 else 'places'})",
            left_out.first[kind].place,
        )
        for kind, count in sorted(left_out.counts.items())
    ]
