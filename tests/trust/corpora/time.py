"""Inputs that grow: whatever reads text from outside takes no more than its share of time for each character.

An attempt is one reader with some of the families of `trust.growing`: those that have hurt somebody before, and a part
of all others, so that every family is tried with several readers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
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
from trust.growing import families, growth_of

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
_LONGEST = {"document": 16_000, "understood": 8_000, "formula": 16_000, "words": 8_000}


def attempts() -> Iterator[Attempt]:
    """One attempt for each reader."""
    for number, (name, work, longest) in enumerate(_readers()):
        yield Attempt(name, f"growing inputs for {name}", _attempt(work, longest, number))


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

    def understand(text: str) -> object:
        document = read(text)
        return extract(document, document_id="0" * 64), make_views(document)

    return understand


def _attempt(work: Work, longest: int, number: int) -> Callable[[Path], Result]:
    def run(_folder: Path) -> Result:
        growth_of(work, "a = b ", longest=1_000)
        for name, piece in _families(number):
            found = growth_of(work, piece, longest=longest)
            if not found.is_linear:
                return Result("broke", f"{name}: {found.ratio:.1f} times the work for {found.size:,} characters")
        return HELD

    return run


def _families(number: int) -> Iterator[tuple[str, str]]:
    yield from ((repr(piece), piece) for piece in _CORE)
    # Another part of all families for each reader.
    yield from list(families())[number % _STRIDE :: _STRIDE * 10]
