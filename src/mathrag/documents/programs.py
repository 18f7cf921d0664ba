"""Formulas that a notebook computes with, as displayed formulas behind the cell.

Only Python, and only what stands at its margin: see `mathrag.compute.pythontext.programs`. The cell stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mathrag.compute.pythontext.programs import LANGUAGES, formulas
from mathrag.types.document import Block, Code, Display, Document, Math, Place

_LONGEST = 40_000
# Elsewhere a listing may be of anything; the cells of a notebook are one program that computes.
_NOTEBOOK = "application/x-ipynb+json"


def with_program_formulas(document: Document) -> Document:
    """The document with a display for every formula of its programs."""
    programs = dict(programs_of(document))
    if not programs:
        return document
    blocks = tuple(
        part
        for index, block in enumerate(document.blocks)
        for part in (block, *(_displays(programs[index]) if index in programs else ()))
    )
    return document if len(blocks) == len(document.blocks) else replace(document, blocks=blocks)


def programs_of(document: Document) -> Iterator[tuple[int, Code]]:
    """The cells of a notebook in a language whose assignments are read, each with its index among the blocks."""
    for index, block in enumerate(document.blocks if document.media_type == _NOTEBOOK else ()):
        if isinstance(block, Code) and block.language.lower() in LANGUAGES and len(block.text) <= _LONGEST:
            yield index, block


def _displays(block: Code) -> Iterator[Block]:
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
