"""Keep guesses apart: a formula whose reading is uncertain is shown to people and never computed with. Reads nothing.

Rules that look around a formula must not build on a guess beside it either, so they get a document in which every
uncertain formula is a sign that no reader understands.
"""

from __future__ import annotations

from dataclasses import replace

from mathrag.types.document import (
    Block,
    Cell,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    contents_of,
)
from mathrag.types.expression import Declined

UNCERTAIN = "uncertain_reading"
_SIGN = "\N{WHITE SQUARE}"
_UNSAID = "it could not be read from the page with certainty"
_MOST_DOUBTS = 4


def has_guesses(document: Document) -> bool:
    """Whether any formula of the document is uncertain."""
    return any(
        isinstance(piece, Math) and not piece.is_certain
        for block in document.blocks
        for content in contents_of(block)
        for piece in content
    )


def uncertainty(math: Math) -> Declined:
    """Why a formula is not computed with: what was uncertain in reading it, in words."""
    doubts = "; ".join(dict.fromkeys(doubt for doubt in math.doubts[:_MOST_DOUBTS] if doubt)) or _UNSAID
    return Declined(math.source, UNCERTAIN, f"the reading is uncertain, so its LaTeX is a guess: {doubts}")


def without_guesses(document: Document) -> Document:
    """The document with a sign in place of every uncertain formula."""
    return replace(document, blocks=tuple(_masked(block) for block in document.blocks))


def _masked(block: Block) -> Block:
    match block:
        case Heading() | Paragraph():
            return replace(block, content=_content(block.content))
        case ListItem():
            return replace(block, content=_content(block.content), term=_content(block.term))
        case Table():
            header, rows = (
                tuple(tuple(_cell(cell) for cell in row) for row in part) for part in (block.header, block.rows)
            )
            return replace(block, header=header, rows=rows, caption=_content(block.caption))
        case Display():
            return replace(block, math=_math(block.math))
        case Image():
            return replace(block, caption=_content(block.caption))
        case Code() | Reference():
            return block


def _cell(cell: Cell) -> Cell:
    return replace(cell, content=_content(cell.content))


def _content(content: Content) -> Content:
    if all(not isinstance(piece, Math) or piece.is_certain for piece in content):
        return content
    return tuple(_math(piece) if isinstance(piece, Math) else piece for piece in content)


def _math(math: Math) -> Math:
    return math if math.is_certain else replace(math, source=_SIGN, notation="latex", quote=_SIGN)
