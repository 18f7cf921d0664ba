"""What an equation says of its own symbols: each run of words describes the symbol it has become, and a unit in
brackets behind a symbol, or behind the whole, is that of the symbol or of the result.

A definition made here holds for its own formula only. What the document says elsewhere of the same name is not
overruled, unless the formula itself states a unit. Words without a unit have the one that the document states for the
same words elsewhere, where it states one only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeAlias

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.abbreviations import ABBREVIATION, spelled_out
from mathrag.extract.definitions.records import Meaning, meaning_of
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.number_equations import is_turns
from mathrag.extract.result_units import unit_of_result
from mathrag.knowledge.kinds import kinds_for_dimension, known_kind
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import is_unit_text
from mathrag.language.noun_phrases import title_in_lower_case
from mathrag.language.unit_text import unit_of_text
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.expression import Declined, Equation, Number, Phrase, equation_symbols, walk
from mathrag.types.library import SymbolDefinition
from mathrag.types.quantity import Dimension, Unit
from mathrag.types.symbol_names import GREEK_NAMES, split_name

WORDS = "words"
# The units that a document states for something, each with the headings above.
_Places: TypeAlias = "dict[str, set[tuple[tuple[str, ...], str]]]"
# The source of a definition of a symbol in letters that has its unit behind it.
ANNOTATION = "annotation"
_UNIT_BELOW = re.compile(
    r"_\{?\s*(?:\\[a-z]{2,8}\s*\{\s*)?[\[(]\s*(?:\\[a-z]{2,8}\s*\{\s*)?([A-Za-z]{1,6})\s*\}?\s*[\])]"
)
_MASS = Dimension.of({"mass": 1})
_TURNS = "rotational_frequency"
_PERCENT = re.compile(rf"\b(?:{any_of('answers.percent_words')})\b|%", re.IGNORECASE)
# Whole numbers up to here, and the hundred of a percentage, are part of the form of a law.
_LARGEST_IN_FORM = 12
_HUNDRED = 100


def word_definitions(
    reads: Sequence[ReadFormula], definitions: Sequence[SymbolDefinition], *, document_id: str
) -> Iterator[SymbolDefinition]:
    """A definition for every symbol that words of its formula name, or that has its unit behind it there."""
    said = {definition.name for definition in definitions}
    stated = _stated_units(reads, definitions)
    behind: _Places = {}
    for read in reads:
        for phrase in _with_units(read):
            unit = unit_of_text(phrase.unit)
            if unit is not None:
                behind.setdefault(phrase.name, set()).add((read.occurrence.headings, unit.text))
    words = {one.name: one.description for one in definitions if one.source == ABBREVIATION}
    for read in reads:
        if isinstance(read.reading, Declined) or not read.equations:
            continue
        yield from _annotated(read, definitions, behind, document_id)
        phrases = [
            phrase if phrase.unit else replace(phrase, unit=_unit_elsewhere(phrase, read, stated))
            for phrase in read.reading.phrases
            if phrase.text and (phrase.unit or (phrase.name not in said and _is_spelt(phrase)))
        ]
        meanings = {phrase.name: _meaning(phrase, spelled_out(phrase.text, words)) for phrase in phrases}
        is_general = all(_agrees(equation, meanings, said) for equation in read.equations)
        for phrase in phrases:
            yield _definition(read, phrase, meanings[phrase.name], document_id, is_general=is_general)


def units_beside(read: ReadFormula) -> frozenset[str]:
    """The symbols that have their unit behind them in the formula itself, or all of it where that gives them."""
    return frozenset(phrase.name for phrase in _with_units(read))


def _meaning(phrase: Phrase, words: str) -> Meaning:
    """What words come to. The reader of the formula has told already that what is in brackets is a unit."""
    meaning = meaning_of(words, unit_text=phrase.unit or None, name=phrase.name)
    unit = unit_of_text(phrase.unit) if phrase.unit else None
    # A weight in pounds is weighed on a scale: nobody means the force.
    is_weighed = (
        unit is not None and unit.dimension == _MASS and meaning.kind is not None and meaning.kind.id == "weight"
    )
    if is_weighed:
        return Meaning(unit, known_kind("mass"))
    if unit is None or meaning.unit is not None:
        return meaning
    kind = meaning.kind if meaning.kind is not None and meaning.kind.dimension == unit.dimension else None
    return Meaning(unit, kind)


def _annotated(
    read: ReadFormula, definitions: Sequence[SymbolDefinition], behind: _Places, document_id: str
) -> Iterator[SymbolDefinition]:
    """Symbols in letters with their unit behind them, here or in another formula of the section: called what the
    document calls them near, where it does."""
    place = read.occurrence
    for name, text in sorted(_units_of_letters(read, definitions, behind).items()):
        unit = unit_of_text(text)
        if unit is None:
            continue
        words = _called(name, unit, read, definitions)
        meaning = meaning_of(words, unit_text=text, name=name)
        counted = _TURNS if is_turns(unit) else None
        yield SymbolDefinition(
            name=name,
            description=words or (counted or "").replace("_", " "),
            span=place.span(document_id),
            first_block=place.block,
            last_block=place.block,
            source=ANNOTATION,
            unit=unit.text,
            dimension=unit.dimension,
            kind=meaning.kind.id if meaning.kind is not None else counted,
        )


def _units_of_letters(read: ReadFormula, definitions: Sequence[SymbolDefinition], behind: _Places) -> dict[str, str]:
    """The units of the symbols of a formula by what stands behind them, here or in another formula of the section."""
    assert not isinstance(read.reading, Declined)
    headings = read.occurrence.headings
    units = {phrase.name: phrase.unit for phrase in _with_units(read) if not phrase.text}
    said = {one.name for one in definitions if one.unit is not None and one.span.headings == headings}
    said.update(phrase.name for phrase in read.reading.phrases if phrase.unit)
    names = {name for equation in read.equations for name in equation_symbols(equation)}
    for name in names - units.keys() - said:
        near = {unit for above, unit in behind.get(name, ()) if above == headings}
        if len(near) == 1:
            units[name] = next(iter(near))
    return units


def _called(name: str, unit: Unit, read: ReadFormula, definitions: Sequence[SymbolDefinition]) -> str:
    """What the document calls a symbol in this unit nearest to the formula; empty where it does not."""
    place = read.occurrence
    found = [
        one for one in definitions if one.name == name and one.description and one.dimension in (None, unit.dimension)
    ]
    found.sort(key=lambda one: (one.span.headings != place.headings, abs(one.first_block - place.block)))
    return found[0].description if found else ""


def _with_units(read: ReadFormula) -> Iterator[Phrase]:
    """What has its unit in the formula itself: behind it, in its subscript, or as its name; and what it gives, where
    that stands beside the formula."""
    phrases = () if isinstance(read.reading, Declined) else read.reading.phrases
    inside = [phrase for phrase in (*phrases, *_in_subscripts(read), *_named_as_units(read)) if phrase.unit]
    yield from inside
    target = read.equations[0].target if len(read.equations) == 1 else None
    if target is not None and all(phrase.name != target for phrase in inside):
        unit = unit_of_result(read.equations[0], read.occurrence)
        if unit is not None:
            yield Phrase(target, "", unit.text)


def _in_subscripts(read: ReadFormula) -> Iterator[Phrase]:
    """Units that stand in brackets in the subscript of a symbol: `P_{[kW]}`, `d_{\\text{(km)}}`."""
    found = {unit.strip() for unit in _UNIT_BELOW.findall(read.occurrence.math.source)}
    for name in sorted({name for equation in read.equations for name in equation_symbols(equation)} if found else ()):
        last = split_name(name).subscripts[-1:]
        yield from (Phrase(name, "", unit) for unit in found if (unit,) == last and is_unit_text(unit))


def _named_as_units(read: ReadFormula) -> Iterator[Phrase]:
    """Symbols that have the name of their unit: RPM, GPM, PSI."""
    names = {name for equation in read.equations for name in equation_symbols(equation)}
    for name in sorted(names):
        is_letter = name in GREEK_NAMES
        if not is_letter and name.casefold() in word_class("definitions.unit_acronyms") and is_unit_text(name):
            yield Phrase(name, "", name)


def _stated_units(reads: Sequence[ReadFormula], definitions: Sequence[SymbolDefinition]) -> _Places:
    """The units that a document states for words anywhere."""
    found: _Places = {}
    for one in definitions:
        if one.unit is not None and one.description:
            found.setdefault(normal_words(one.description), set()).add((one.span.headings, one.unit))
    for read in reads:
        for phrase in () if isinstance(read.reading, Declined) else read.reading.phrases:
            unit = unit_of_text(phrase.unit) if phrase.text and phrase.unit else None
            if unit is not None:
                found.setdefault(normal_words(phrase.text), set()).add((read.occurrence.headings, unit.text))
    return found


def _unit_elsewhere(phrase: Phrase, read: ReadFormula, stated: _Places) -> str:
    """The one unit that the section, or else the document, states for the same words; empty where there are several.

    What is called a percentage has its unit in its name.
    """
    if _PERCENT.search(phrase.text):
        return "%"
    places = stated.get(normal_words(phrase.text), set())
    near = {unit for headings, unit in places if headings == read.occurrence.headings}
    units = near or {unit for _, unit in places}
    return next(iter(units)) if len(units) == 1 else ""


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
