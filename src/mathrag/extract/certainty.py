"""Keep guesses apart: a formula whose reading is uncertain is shown to people and never computed with. Reads nothing.

Rules that look around a formula must not build on a guess beside it either, so they get a document in which every
uncertain formula is a sign that no reader understands.
"""

from __future__ import annotations

from dataclasses import replace

from mathrag.types.document import Document, Math, contents_of, with_formulas
from mathrag.types.expression import Declined

UNCERTAIN = "uncertain_reading"
_SIGN = "\N{WHITE SQUARE}"
_UNSAID = "it could not be read from the page with certainty"
_MOST_DOUBTS = 4
_BEGINNING = "the reading is uncertain, so its LaTeX is a guess: "


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
    return Declined(math.source, UNCERTAIN, f"{_BEGINNING}{doubts}")


def doubts_in(reason: str) -> tuple[str, ...] | None:
    """The doubts that a reason of ours names; None where it may not name all of them."""
    if not reason.startswith(_BEGINNING) or reason == f"{_BEGINNING}{_UNSAID}":
        return None
    doubts = tuple(reason.removeprefix(_BEGINNING).split("; "))
    return doubts if len(doubts) < _MOST_DOUBTS else None


def without_guesses(document: Document) -> Document:
    """The document with a sign in place of every uncertain formula."""
    return replace(document, blocks=tuple(with_formulas(block, _masked) for block in document.blocks))


def _masked(math: Math) -> Math:
    return math if math.is_certain else replace(math, source=_SIGN, notation="latex", quote=_SIGN)
