"""Listings that are no program: formulas set as code, drawn over several lines, with words between them.

Every format that knows listings gives them as `Code`. Where one names no language and every line of it is a formula or
prose, its formulas become displayed ones and its prose is read as plain text. A program stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.documents.math_in_text.several_lines import Stretch, displays_of, formulas_at
from mathrag.documents.plaintext import read_plain_blocks
from mathrag.documents.seams import ReadingLimits
from mathrag.types.document import Block, Code, Document, Heading, Place

_NO_LANGUAGES = frozenset(("", "text", "txt", "plain", "plaintext", "none", "example", "literal", "listing"))
# On a page that was printed, white between signs is no white that somebody typed.
_PRINTED = "application/pdf"
_LONGEST = 20_000
_MOST_LINES = 400
_COMMENT = re.compile(r"\s*(?:#|//|%)+\s*(?=[^\W\d_]{2})")
_ASSIGNS = re.compile(r"\s*[\w.\[\]]+\s*[-+*/]?=(?!=)\s*\S")
_PROGRAM = re.compile(
    r"[;{}\\`]|==|!=|:=|=>|->|\+\+|&&|\|\||://|\w\.\w+\(|\w\[|"
    r"^\s*(?:def|return|import|from|for|while|if|else|elif|print|let|var|const|function|class|end|begin|then|do|in)\b"
    r"(?!.*\b(?:is|are|the|of)\b)|^\s*[$>]|^\s*--?\w"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")


def with_listings_read(document: Document) -> Document:
    """The document with the formulas of its listings as displayed formulas."""
    if document.media_type == _PRINTED or not any(isinstance(one, Code) and "=" in one.text for one in document.blocks):
        return document
    blocks = tuple(part for block in document.blocks for part in _parts(block))
    return document if blocks == document.blocks else replace(document, blocks=blocks)


def _parts(block: Block) -> Iterator[Block]:
    stretches = _stretches(block) if isinstance(block, Code) else None
    if stretches is None or not isinstance(block, Code):
        yield block
        return
    lines = block.text.split("\n")
    shift = _line_of(block, lines)
    for stretch in stretches:
        text = "\n".join(lines[stretch.first : stretch.stop])
        place = _place(block.place, shift + stretch.first, stretch.stop - stretch.first)
        yield from displays_of(stretch, text, place)
        if not stretch.formulas and not stretch.is_drawn and text.strip():
            bare = "\n".join(_COMMENT.sub("", line) for line in text.split("\n"))
            for part in read_plain_blocks(bare, limits=ReadingLimits()):
                if not isinstance(part, Heading):
                    yield replace(part, place=place)


def _stretches(block: Code) -> list[Stretch] | None:
    """The stretches of a listing in which at least one formula stands; None for a program and for any other text."""
    lines = block.text.split("\n")
    if block.language.strip("{}.").lower() not in _NO_LANGUAGES or "=" not in block.text:
        return None
    if len(block.text) > _LONGEST or len(lines) > _MOST_LINES:
        return None
    found: list[Stretch] = []
    line = 0
    while line < len(lines):
        stretch = formulas_at(lines, line)
        if stretch is None:
            if _is_of_a_program(lines[line]):
                return None
            joins = found and not found[-1].formulas and not found[-1].is_drawn
            stretch = Stretch(found.pop().first if joins else line, line + 1)
        found.append(stretch)
        line = stretch.stop
    return found if any(stretch.formulas or stretch.is_drawn for stretch in found) else None


def _is_of_a_program(line: str) -> bool:
    """Whether a line that is no formula is one of a program, a setting or a drawing instead of prose."""
    bare = _COMMENT.sub("", line)
    if not bare.strip():
        return False
    return _PROGRAM.search(bare) is not None or _ASSIGNS.match(bare) is not None or not _WORDS.search(bare)


def _line_of(block: Code, lines: Sequence[str]) -> int:
    """How many lines below its beginning the text of a listing begins: a fence stands above it."""
    first = next((line.strip() for line in lines if line.strip()), "")
    above = next((number for number, line in enumerate(block.quote.split("\n")) if line.strip() == first), 0)
    return max(0, above - next((number for number, line in enumerate(lines) if line.strip()), 0))


def _place(place: Place, below: int, lines: int) -> Place:
    if place.line is None:
        return place
    first = place.line + below
    return replace(place, line=first, end_line=first + lines - 1)
