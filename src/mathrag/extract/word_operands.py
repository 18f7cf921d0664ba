"""What the words of an equation in words say of its symbols: each run of words describes the symbol it has become.

A definition made here holds for its own formula only. What the document says elsewhere of the same name is not
overruled, unless the formula itself states a unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.abbreviations import ABBREVIATION, spelled_out
from mathrag.extract.definitions.records import Meaning, meaning_of
from mathrag.extract.formula_reader import ReadFormula
from mathrag.knowledge.kinds import kinds_for_dimension
from mathrag.language.noun_phrases import title_in_lower_case
from mathrag.types.expression import Declined, Equation, Number, Phrase, equation_symbols, walk
from mathrag.types.library import SymbolDefinition

WORDS = "words"
# Whole numbers up to here, and the hundred of a percentage, are part of the form of a law.
_LARGEST_IN_FORM = 12
_HUNDRED = 100


def word_definitions(
    reads: Sequence[ReadFormula], definitions: Sequence[SymbolDefinition], *, document_id: str
) -> Iterator[SymbolDefinition]:
    """A definition for every symbol that words of its formula name."""
    said = {definition.name for definition in definitions}
    words = {one.name: one.description for one in definitions if one.source == ABBREVIATION}
    for read in reads:
        if isinstance(read.reading, Declined) or not read.equations:
            continue
        phrases = [
            phrase for phrase in read.reading.phrases if phrase.unit or (phrase.name not in said and _is_spelt(phrase))
        ]
        meanings = {
            phrase.name: meaning_of(spelled_out(phrase.text, words), unit_text=phrase.unit or None, name=phrase.name)
            for phrase in phrases
        }
        is_general = all(_agrees(equation, meanings, said) for equation in read.equations)
        for phrase in phrases:
            yield _definition(read, phrase, meanings[phrase.name], document_id, is_general=is_general)


def _definition(
    read: ReadFormula, phrase: Phrase, meaning: Meaning, document_id: str, *, is_general: bool
) -> SymbolDefinition:
    has_dimension = bool(phrase.unit) or is_general
    return SymbolDefinition(
        name=phrase.name,
        description=title_in_lower_case(phrase.text),
        span=read.occurrence.span(document_id),
        first_block=read.occurrence.block,
        last_block=read.occurrence.block,
        source=WORDS,
        unit=meaning.unit.text if meaning.unit is not None and phrase.unit else None,
        dimension=meaning.dimension if has_dimension else None,
        kind=meaning.kind.id if meaning.kind is not None and has_dimension else None,
    )


def _is_spelt(phrase: Phrase) -> bool:
    """Whether words of a language say what it is; an abbreviation says nothing."""
    return any(len(word) > 2 and word[1:].islower() for word in phrase.text.replace("-", " ").split())


def _agrees(equation: Equation, meanings: dict[str, Meaning], said: set[str]) -> bool:
    """Whether the quantities that the words name can stand in the equation as they are.

    Numbers that only certain units explain (66.5 + 13.75 × weight) make it an equation of numbers: the names then say
    what is meant, not in which dimension.
    """
    if any(_is_fitted(node) for side in (equation.left, equation.right) for node in walk(side)):
        return False
    if not said.isdisjoint(equation_symbols(equation)):
        return True
    known = {name: meaning.dimension for name, meaning in meanings.items() if meaning.dimension is not None}
    if len(known) < 2 or 2 * len(known) < len(meanings):
        # One word alone (the gap of an anion gap is no length) must not give its dimension to all the others.
        return False
    report = check_dimensions(equation, known)
    worked_out = (found for name, found in report.dimensions.items() if name not in known and found is not None)
    # A word with two senses (availability as energy) shows in a dimension that nothing has.
    return report.status != "inconsistent" and all(
        found.is_dimensionless or kinds_for_dimension(found) for found in worked_out
    )


def _is_fitted(node: object) -> bool:
    if not isinstance(node, Number):
        return False
    is_in_form = not isinstance(node.value, Decimal) and (abs(node.value) <= _LARGEST_IN_FORM or node.value == _HUNDRED)
    return not is_in_form
