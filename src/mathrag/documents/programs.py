"""Formulas that a program in a document computes with, as displayed formulas behind its listing.

Only Python, and only what stands at its margin: see `mathrag.compute.pythontext.programs`. The listing stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mathrag.compute.pythontext.programs import LANGUAGES, formulas
from mathrag.types.document import Block, Code, Display, Document, Math, Place

_LONGEST = 40_000


def with_program_formulas(document: Document) -> Document:
    """The document with a display for every formula of its programs."""
    if not any(map(is_program, document.blocks)):
        return document
    blocks = tuple(part for block in document.blocks for part in _parts(block))
    return document if len(blocks) == len(document.blocks) else replace(document, blocks=blocks)


def is_program(block: Block) -> bool:
    """Whether a block is a listing in a language whose assignments are read."""
    return isinstance(block, Code) and block.language.strip("{}.").lower() in LANGUAGES and len(block.text) <= _LONGEST


def _parts(block: Block) -> Iterator[Block]:
    yield block
    if not isinstance(block, Code) or not is_program(block):
        return
    lines = block.text.split("\n")
    shift = _lines_above(block, lines)
    for found, _ in formulas(block.text):
        place = _place(block.place, shift + found.line)
        quote = lines[found.line].strip()
        source = f"{found.name} = {found.right}"
        yield Display(place, quote, Math(source, "text", place, quote, is_display=True))


def _lines_above(block: Code, lines: list[str]) -> int:
    """How many lines the quote has above the text: a fence."""
    first = next((line for line in lines if line.strip()), "")
    quoted = block.quote.split("\n")
    return max(0, quoted.index(first) - lines.index(first)) if first in quoted else 0


def _place(place: Place, below: int) -> Place:
    return place if place.line is None else replace(place, line=place.line + below, end_line=place.line + below)
