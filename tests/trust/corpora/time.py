"""Inputs that grow: whatever reads from outside takes no more than its share of time for each character or part.

An attempt is one reader of text with some of the families of `trust.growing`: those that have hurt somebody before, and
a part of all others, so that every family is tried with several readers; or the reader of a format with one family of
files that grow (`trust.growing_files`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from mathrag.calculator import read_formula, read_value
from mathrag.documents.registry import read_document
from mathrag.documents.seams import Source
from mathrag.documents.views import make_views
from mathrag.extract.pipeline import extract
from mathrag.knowledge.units import read_unit
from mathrag.language.quantities import find_quantities
from mathrag.reason.question import read_question
from mathrag.types.document import Document
from trust.attempts import HELD, Attempt, Result
from trust.growing import families, grown, growth_of, seconds_of
from trust.growing_files import FileFamily, file_families

TITLE = "work grows with the input"

Work = Callable[[str], object]
_DOCUMENTS = {
    "Markdown": "text/markdown",
    "plain text": "text/plain",
    "HTML": "text/html",
    "LaTeX project": "text/x-tex",
    "reStructuredText": "text/x-rst",
    "Org": "text/x-org",
    "AsciiDoc": "text/asciidoc",
    "MediaWiki": "text/x-wiki",
    "Python": "text/x-python",
    "notebook": "application/x-ipynb+json",
}
_UNDERSTOOD = ("Markdown", "plain text", "HTML", "LaTeX project")
# Openings that are never closed, formulas side by side, marks of lists, tables and headings.
_CORE = (
    "$a_{",
    "$a$",
    "a = b\n",
    "<i>a</i>\n",
    "<math>",
    "\\left(",
    "|a|b\n",
    "- a\n",
    "# a\n",
    "[",
    "1,",
    "a::b",
    "`",
)
_STRIDE = 7
# A file has much around what grows: its work is told from that only when it takes longer.
_ENOUGH_OF_FILE = 0.25
_LONGEST = {"document": 16_000, "understood": 8_000, "formula": 16_000, "words": 8_000}


def attempts() -> Iterator[Attempt]:
    """One attempt for each reader of text, and for each family of files."""
    for number, (name, work, longest) in enumerate(_readers()):
        yield Attempt(name, f"growing inputs for {name}", _attempt(work, longest, number))
    for family in file_families():
        yield Attempt(family.name, f"growing files: {family.name}", _file_attempt(family, _file_reading(family)))
        if family.is_understood:
            name = f"{family.name}, understood"
            yield Attempt(name, f"growing files: {name}", _file_attempt(family, _file_understanding(family), part=4))


def _readers() -> Iterator[tuple[str, Work, int]]:
    for name, media_type in _DOCUMENTS.items():
        yield name, _reading(media_type), _LONGEST["document"]
    for name in _UNDERSTOOD:
        yield f"{name}, understood", _understanding(_DOCUMENTS[name]), _LONGEST["understood"]
    yield "LaTeX formula", lambda text: read_formula(text, notation="latex"), _LONGEST["formula"]
    yield "MathML formula", lambda text: read_formula(f"<math>{text}</math>", notation="mathml"), _LONGEST["formula"]
    yield "typed formula", lambda text: read_formula(text, notation="text"), _LONGEST["formula"]
    yield "quantities in words", find_quantities, _LONGEST["words"]
    yield "one value", read_value, _LONGEST["words"]
    yield "unit", read_unit, _LONGEST["words"]
    yield "question", read_question, _LONGEST["words"]


def _reading(media_type: str) -> Callable[[str], Document]:
    def read(text: str) -> Document:
        if media_type.endswith("json"):
            cell = {"cell_type": "markdown", "source": text, "metadata": {}}
            text = json.dumps({"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {}})
        elif media_type == "text/x-python":
            text = f'"""{text}"""\n'
        return read_document(Source("growing", text.encode()), media_type=media_type)

    return read


def _understanding(media_type: str) -> Work:
    read = _reading(media_type)
    return lambda text: _understood(read(text))


def _understood(document: Document) -> object:
    return extract(document, document_id="0" * 64), make_views(document)


def _file_reading(family: FileFamily) -> Callable[[bytes], Document]:
    return lambda data: read_document(Source("growing", data), media_type=family.media_type)


def _file_understanding(family: FileFamily) -> Callable[[bytes], object]:
    read = _file_reading(family)
    return lambda data: _understood(read(data))


def _file_attempt(family: FileFamily, work: Callable[[bytes], object], *, part: int = 1) -> Callable[[Path], Result]:
    """`part` says of how much less than the family's usual size is tried."""

    def run(_folder: Path) -> Result:
        # What is made once, such as tables and compiled patterns, belongs to no size.
        seconds_of(work, family.make(2))
        found = growth_of(
            work, family.make, first=family.first // part, longest=family.largest // part, enough=_ENOUGH_OF_FILE
        )
        if found.is_linear:
            return HELD
        return Result("broke", f"{found.ratio:.1f} times the work for {found.size:,} parts ({found.seconds:.1f} s)")

    return run


def _attempt(work: Work, longest: int, number: int) -> Callable[[Path], Result]:
    def run(_folder: Path) -> Result:
        growth_of(work, partial(grown, "a = b "), longest=1_000)
        for name, piece in _families(number):
            found = growth_of(work, partial(grown, piece), longest=longest)
            if not found.is_linear:
                return Result("broke", f"{name}: {found.ratio:.1f} times the work for {found.size:,} characters")
        return HELD

    return run


def _families(number: int) -> Iterator[tuple[str, str]]:
    yield from ((repr(piece), piece) for piece in _CORE)
    # Another part of all families for each reader.
    yield from list(families())[number % _STRIDE :: _STRIDE * 10]
