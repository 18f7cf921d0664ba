"""Which texts of the library get a vector, and what each of them is. Makes text only; `vectors.py` encodes it.

A formula's text is what people would say about it: no numbers, no LaTeX, because an embedder knows words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.library import Constant, Formula

Collection: TypeAlias = Literal["formulas", "constants", "chunks", "tables", "images", "sections"]
COLLECTIONS: tuple[Collection, ...] = ("formulas", "constants", "chunks", "tables", "images", "sections")
# The column of each table that is encoded; a composite has no column of its own and is called `text`.
ENCODED_COLUMN: dict[Collection, str] = {
    "formulas": "text",
    "constants": "text",
    "chunks": "text",
    "tables": "caption",
    "images": "caption",
    "sections": "title",
}

_MATH = re.compile(r"\$[^$]{0,2000}\$|\\\([^\n]{0,2000}?\\\)|\\\[[^\n]{0,2000}?\\\]")
_LATEX = re.compile(r"\\[A-Za-z]+|[\\{}_^$]")
_NUMBERS = re.compile(r"(?<![A-Za-z])[0-9][0-9.,]*(?:[eE][+\-]?[0-9]+)?")
_SPACES = re.compile(r"\s+")
_LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class Encodable:
    """One text to be encoded: the row it stands for, the document and page where people find it."""

    collection: Collection
    key: str
    text: str
    document: str | None
    page: int | None

    @property
    def column(self) -> str:
        """The column it comes from."""
        return ENCODED_COLUMN[self.collection]


def formula_text(formula: Formula) -> str:
    """What a formula is about, in words."""
    parts = [
        *dict.fromkeys((formula.label, *formula.labels)),
        formula.description,
        formula.intent,
        ", ".join(formula.keywords),
        ", ".join(dict.fromkeys(symbol.description for symbol in formula.symbols if symbol.description)),
        "; ".join(condition.text for condition in formula.conditions),
    ]
    return spoken(parts)


def constant_text(constant: Constant) -> str:
    """What a constant is, in words."""
    return spoken([constant.name, constant.description, ", ".join(constant.keywords)])


def spoken(parts: Iterable[str]) -> str:
    """The parts as sentences without numbers and LaTeX."""
    said = (_said(part[:_LONGEST_TEXT]) for part in parts)
    return ". ".join(part for part in said if part)[:_LONGEST_TEXT]


def _said(part: str) -> str:
    words = _NUMBERS.sub(" ", _LATEX.sub(" ", _MATH.sub(" ", part)))
    return _SPACES.sub(" ", words).strip().rstrip(".")


def formula_encodable(formula: Formula) -> Encodable:
    """The text of a formula, found where it stands first."""
    first = formula.spans[0] if formula.spans else None
    return Encodable(
        "formulas",
        formula.id,
        formula_text(formula),
        None if first is None else first.document,
        None if first is None else first.place.page,
    )


def constant_encodable(constant: Constant) -> Encodable:
    """The text of a constant, found where it stands first."""
    first = constant.spans[0] if constant.spans else None
    return Encodable(
        "constants",
        constant.id,
        constant_text(constant),
        None if first is None else first.document,
        None if first is None else first.place.page,
    )
