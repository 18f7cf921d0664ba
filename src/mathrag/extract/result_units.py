"""The unit of what a formula gives, where the document states it beside the formula: in brackets or words behind it, in
the words right before it, in the unit column of its row, in a heading that names what it gives.

What the formula itself holds is read with the formula; what is said of its symbols is for the definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.extract.occurrences import Occurrence, Row
from mathrag.extract.phrases import words_of
from mathrag.knowledge.spelling import normal_words
from mathrag.language.unit_text import unit_of_text
from mathrag.types.document import Cell, Math, Text
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.quantity import Dimension, Unit
from mathrag.types.symbol_names import split_name

_AT_THE_END = re.compile(r"[\[(]([^()\[\]=]{1,24})[\])]\s*[:.]?\s*$")
_BEHIND = re.compile(r"^\s*(?:[\[(]([^()\[\]=]{1,24})[\])]|in ([^\s,.;:()]{1,24})(?=[\s,.;]|$))")
# How much the unit column of a table counts for what a formula gives.
UNIT_COLUMN = 4.0
# More words than these are a sentence, whose bracket may be about anything.
_MOST_WORDS = 8


def unit_of_result(equation: Equation, occurrence: Occurrence) -> Unit | None:
    """The one unit that is stated for the left side of a formula beside it; None where there is none or several."""
    if equation.target is None:
        return None
    found = {unit.text: unit for text in _texts(equation.target, occurrence) if (unit := _unit(text, equation))}
    if not found and occurrence.row is not None:
        found = {text: unit for text, _, _ in unit_column(occurrence.row) if (unit := unit_of_text(text))}
    return next(iter(found.values())) if len(found) == 1 else None


def _texts(target: str, occurrence: Occurrence) -> Iterator[str]:
    """What stands in brackets where a unit of the result would."""
    before, after = words_of(occurrence.before), words_of(occurrence.after)
    if behind := _BEHIND.match(after):
        yield behind[1] or behind[2]
    if len(before.split()) <= _MOST_WORDS and (ahead := _AT_THE_END.search(before)):
        yield ahead[1]
    for title in occurrence.headings[-1:]:
        named = _AT_THE_END.search(title)
        if named and _names(title[: named.start()], target):
            yield named[1]


def _names(title: str, target: str) -> bool:
    """Whether a title is what the symbol is called: `Field capacity` of `Field_capacity`."""
    words = set(normal_words(title).split())
    return bool(words) and words <= set(normal_words(target.replace("_", " ")).split())


def _unit(text: str, equation: Equation) -> Unit | None:
    """The unit of a bracket; not a letter of the formula, nor the number or the letter of the equation."""
    text = text.strip()
    letters = {split_name(name).letter for name in equation_symbols(equation)}
    if not any(character.isalpha() or character == "%" for character in text) or text in letters:
        return None
    if len(text) == 1 and text.islower():
        return None
    return unit_of_text(text)


def unit_column(row: Row) -> list[tuple[str, Dimension, float]]:
    """What the column of units of a table states in a row, with its dimension and weight."""
    column = 0
    for cell in row.cells:
        title = row.titles[column].casefold() if column < len(row.titles) else ""
        if "unit" in title and column != row.column:
            units = [unit_of_text(text) for text in _unit_texts(cell)]
            return [(unit.text, unit.dimension, UNIT_COLUMN) for unit in units if unit is not None]
        column += cell.columns
    return []


def _unit_texts(cell: Cell) -> Iterator[str]:
    """The units of a cell, one by one: formulas, words, lines of a formula."""
    for piece in cell.content:
        match piece:
            case Math():
                yield from re.split(r"\\newline\b|\\\\", piece.source)
            case Text() if piece.text.strip():
                yield piece.text.strip()
