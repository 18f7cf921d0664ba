"""Give the symbols of formulas the values that their document states for them: by symbol or name, by unit, and by what
stands nearest. What contradicts itself is given to none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mathrag.extract.constants.statements import OF_RESULT, Stated
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of
from mathrag.types.library import Finding, Span, StatedValue, SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import NO_UNIT, Unit

_TITLES = any_of("constants.parameter_titles")
_PARAMETERS = re.compile(
    rf"[\d.\s]{{0,10}}(?:[^\W\d]+ ){{0,2}}(?:{_TITLES})(?: (?:and|of|for) [^\W\d]+(?: [^\W\d]+)?)?\W*", re.IGNORECASE
)
_LONGEST_QUOTE, _LONGEST_TITLE = 300, 60
_MOST_VALUES = 120
# How near a statement stands: right at the formula, in its section, over the whole document.
_BESIDE, _IN_SECTION, _EVERYWHERE = 0, 1, 2
# How many blocks behind a formula it may be said what its result is multiplied by.
_FACTOR_REACH = 3
# How sure a unit is that only a value tells.
_SAID = 0.6


class StatedValues:
    """What one document states, ready to be looked up for its formulas."""

    def __init__(self, stated: Sequence[Stated], document_id: str) -> None:
        self._document = document_id
        self._by_symbol: dict[str, list[Stated]] = {}
        self._by_words: dict[str, list[Stated]] = {}
        self._factors = [one for one in stated if one.subject == OF_RESULT]
        for one in stated:
            for name in one.subject.symbols:
                self._by_symbol.setdefault(name, []).append(one)
            if words := normal_words(one.subject.words):
                self._by_words.setdefault(words, []).append(one)

    def __bool__(self) -> bool:
        return bool(self._by_symbol or self._by_words or self._factors)

    def given_to(self, finding: Finding, block: int) -> Finding:
        """A formula that stands in a block, with the values stated for its symbols."""
        if finding.equation is None:
            return finding
        names = {symbol.name for symbol in finding.symbols}
        symbols = tuple(
            replace(symbol, stated=self._factors_at(block))
            if symbol.name == finding.equation.target
            else symbol
            if symbol.constant is not None
            else replace(symbol, stated=self._values(symbol, names, block))
            for symbol in finding.symbols
        )
        return replace(finding, symbols=symbols) if symbols != finding.symbols else finding

    def _values(self, symbol: SymbolMeaning, names: set[str], block: int) -> tuple[StatedValue, ...]:
        words = normal_words(symbol.description)
        by_symbol = [one for one in self._by_symbol.get(symbol.name, ()) if _means(one, symbol.name, names)]
        by_words = self._by_words.get(words, ()) if words else ()
        fitting = []
        for one in (*by_symbol, *(one for one in by_words if one not in by_symbol)):
            reach, unit = _reach(one, block), _unit(one, symbol)
            is_far = reach == _EVERYWHERE
            if reach is not None and unit is not None and not (is_far and not _is_alike(one, symbol)):
                fitting.append((reach, one, unit))
        if not fitting:
            return ()
        nearest = min(reach for reach, _, _ in fitting)
        kept = [(one, unit) for reach, one, unit in fitting if reach == nearest]
        return _without_contradictions(self._made(one, unit) for one, unit in kept)

    def _factors_at(self, block: int) -> tuple[StatedValue, ...]:
        """What the result of a formula in a block is multiplied by in some cases."""
        near = [
            one for one in self._factors if 0 <= one.block - block <= _FACTOR_REACH and _reach(one, block) is not None
        ]
        return tuple(self._made(one, one.value.unit or NO_UNIT) for one in near)

    def _made(self, one: Stated, unit: Unit) -> StatedValue:
        span = Span(self._document, one.place, one.quote[:_LONGEST_QUOTE], one.section.headings)
        return StatedValue(one.value.number, unit.text, span, one.cases)


def _means(one: Stated, name: str, names: set[str]) -> bool:
    """Whether a statement is of this symbol: of several that its words hold, the last that the formula has."""
    return [each for each in one.subject.symbols if each in names][-1:] == [name]


def _is_alike(one: Stated, symbol: SymbolMeaning) -> bool:
    """Whether a value from another part of the document is of the same thing: its unit says so, or its name does.
    Letters mean several things in one document."""
    if symbol.dimension is not None and not symbol.dimension.is_dimensionless:
        return True
    return not set(stems(one.subject.words)).isdisjoint(stems(symbol.description))


def _reach(one: Stated, block: int) -> int | None:
    """How near a statement stands to a formula; None where it is of another section."""
    if 0 <= one.block - block <= 1:
        return _BESIDE
    if one.section.first <= block <= one.section.last:
        return _IN_SECTION
    return _EVERYWHERE if _PARAMETERS.fullmatch(one.section.title[:_LONGEST_TITLE].strip()) else None


def _unit(one: Stated, symbol: SymbolMeaning) -> Unit | None:
    """The unit of a stated value in the place of a symbol; None where the one cannot be the other."""
    unit = one.value.unit
    if unit is not None:
        return unit if symbol.dimension is None or symbol.dimension == unit.dimension else None
    if symbol.origin == "document" and symbol.unit:
        # "v the settling speed in m/s (usually 0.002)": what the document counts the symbol in.
        return read_canonical_unit(symbol.unit)
    return NO_UNIT if symbol.dimension is None or symbol.dimension.is_dimensionless else None


def _without_contradictions(values: Iterable[StatedValue]) -> tuple[StatedValue, ...]:
    """The values, each once; none where one case has two."""
    found: dict[tuple[str, ...], StatedValue] = {}
    for one in values:
        known = found.setdefault(tuple(case.casefold() for case in one.cases), one)
        if (known.value, known.unit) != (one.value, one.unit):
            return ()
    return tuple(found.values())[:_MOST_VALUES]


def united(stated: Iterable[tuple[StatedValue, ...]]) -> tuple[StatedValue, ...]:
    """What several places of one formula state for one of its symbols. Where they contradict each other, whoever asks
    decides whom to trust."""
    return tuple(dict.fromkeys(one for values in stated for one in values))[:_MOST_VALUES]


def with_stated_units(
    definitions: Sequence[SymbolDefinition], stated: Sequence[Stated], document_id: str
) -> tuple[SymbolDefinition, ...]:
    """What a document says of its symbols, with the units of the values that it states for those whose unit it says
    nowhere: k is in newtons where it is 450 N."""
    units = {
        key: unit for key, ones in _by_symbol_and_section(stated).items() if (unit := _common_unit(ones)) is not None
    }
    known = {one.name for one in definitions if one.dimension is not None}
    found, described = [], set()
    for one in definitions:
        fitting = [unit for (name, first, last), unit in units.items() if name == one.name and _meet(one, first, last)]
        described.add(one.name)
        is_open = one.unit is None and len({unit.dimension for unit in fitting}) == 1
        found.append(_in_unit(one, fitting[0]) if is_open else one)
    for (name, first, last), ones in _by_symbol_and_section(stated).items():
        unit = units.get((name, first, last))
        if unit is not None and name not in known and name not in described:
            span = Span(document_id, ones[0].place, ones[0].quote[:_LONGEST_QUOTE], ones[0].section.headings)
            found.append(
                SymbolDefinition(
                    name, ones[0].subject.words, span, first, last, "unit", unit.text, unit.dimension, confidence=_SAID
                )
            )
    return tuple(found)


def _in_unit(one: SymbolDefinition, unit: Unit) -> SymbolDefinition:
    """A definition with a unit; the unit says better than the words which kind it can be: a snow weight in kN/m² is no
    weight."""
    kind = one.kind if one.dimension == unit.dimension else None
    return replace(one, unit=unit.text, dimension=unit.dimension, kind=kind)


def _by_symbol_and_section(stated: Sequence[Stated]) -> dict[tuple[str, int, int], list[Stated]]:
    found: dict[tuple[str, int, int], list[Stated]] = {}
    for one in stated:
        if len(one.subject.symbols) == 1:
            key = (one.subject.symbols[0], one.section.first, one.section.last)
            found.setdefault(key, []).append(one)
    return found


def _common_unit(ones: Sequence[Stated]) -> Unit | None:
    """The unit of some values, where all have one of the same dimension. Shares and numbers tell of no dimension."""
    units = [one.value.unit for one in ones]
    first = units[0]
    if (
        first is None
        or first.dimension.is_dimensionless
        or any(unit is None or unit.dimension != first.dimension for unit in units)
    ):
        return None
    return first


def _meet(one: SymbolDefinition, first: int, last: int) -> bool:
    return one.first_block <= last and first <= one.last_block
