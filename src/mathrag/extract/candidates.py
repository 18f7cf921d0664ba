"""One equation on its way through the pipeline, and what the document states of its symbols. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from mathrag.extract.choice_search import DimensionRows
from mathrag.extract.definitions.lookup import said_of
from mathrag.extract.definitions.records import is_plain_number, with_unit
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.known_relations import KnownMatch
from mathrag.extract.labels import Label
from mathrag.extract.meanings import kind_or_none
from mathrag.extract.number_equations import (
    counted_unit,
    exponents_of,
    has_whole_factor,
    is_counted,
    is_percentage,
    shown_text,
)
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.surroundings import Context, in_scope
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.unit_text import unit_of_text
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import Purpose, SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Dimension, Unit

_EITHER = re.compile(r"[(\[]([^()\[\]]{1,20} or [^()\[\]]{1,20})[)\]]")
_TURNS = ("rpm", "rps", "turn/s", "turn/min")
_COUNTS_TURNS = "rotational_frequency"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One equation to be understood, with its name and where it stands. `written` is before units were divided out.

    `numerical` is the known relation between numbers that it is, where the units are those that are usual for it;
    `told` are units that its coefficient told.
    """

    read: ReadFormula
    written: Equation
    equation: Equation
    label: Label
    rows: DimensionRows
    numerical: KnownMatch | None = None
    purpose: Purpose = "general"
    told: Mapping[str, Unit] = field(default_factory=dict)


def said_units(
    equation: Equation, occurrence: Occurrence, context: Context
) -> tuple[dict[str, Unit], dict[str, Dimension], set[str]]:
    """The units and dimensions that the document states for the symbols of an equation, and those of plain numbers."""
    units: dict[str, Unit] = {}
    known: dict[str, Dimension] = {}
    plain: set[str] = set()
    names = equation_symbols(equation)
    for name in names:
        definitions = in_scope(said_of(context.definitions, name, names), occurrence)
        if not definitions:
            continue
        one = with_unit(definitions)
        if one.unit is not None and not _names_another_unit(one):
            units[name] = counted_unit(read_canonical_unit(one.unit), kind_or_none(one.kind))
        elif is_plain_number(one.description):
            plain.add(name)
        if one.dimension is not None:
            known[name] = one.dimension
    return units, known, plain


@lru_cache(maxsize=2048)
def _names_another_unit(definition: SymbolDefinition) -> bool:
    """ "Diameter (mm or inches)": either may be meant, each where the formula is written for it."""
    for inside in _EITHER.findall(definition.span.quote):
        first, _, second = inside.partition(" or ")
        units = [unit_of_text(text.strip()) for text in (first, second)]
        if units[0] is not None and units[1] is not None and definition.unit in (units[0].text, units[1].text):
            return units[0].dimension == units[1].dimension and units[0].scale != units[1].scale
    return False


def said_kinds(equation: Equation, occurrence: Occurrence, context: Context) -> dict[str, QuantityKind]:
    """The kinds that the document's words give the symbols of an equation."""
    names = equation_symbols(equation)
    said = {name: in_scope(said_of(context.definitions, name, names), occurrence) for name in names}
    kinds = {name: kind_or_none(definitions[0].kind) for name, definitions in said.items() if definitions}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def in_told_units(symbols: Sequence[SymbolMeaning], candidate: Candidate) -> tuple[SymbolMeaning, ...]:
    """Symbols in the units that the coefficient told, which are those the formula is used with."""

    def with_told(one: SymbolMeaning) -> SymbolMeaning:
        unit = candidate.told.get(one.name)
        is_said = one.name == candidate.equation.target and unit is not None and is_counted(unit)
        if unit is None or is_said or one.dimension not in (None, unit.dimension):
            return one
        return replace(one, unit=shown_text(unit), dimension=unit.dimension)

    return tuple(map(with_told, symbols))


def as_plain_numbers(symbols: Sequence[SymbolMeaning], candidate: Candidate) -> tuple[SymbolMeaning, ...]:
    """Symbols of which nothing is known, beside a whole number that may convert: it holds for plain numbers only."""
    equation = candidate.equation
    is_open = equation is candidate.written and all(one.dimension is None and one.role != "index" for one in symbols)
    if not symbols or not is_open or not has_whole_factor(equation) or _is_ratio(equation):
        return tuple(symbols)
    return tuple(replace(one, unit="", dimension=Dimension()) for one in symbols)


def _is_ratio(equation: Equation) -> bool:
    """Whether the number is the hundred of two quantities over each other, which may have any one unit."""
    exponents = exponents_of(equation) or {}
    others = [exponent for name, exponent in exponents.items() if name != equation.target]
    return is_percentage(equation) and sorted(others) == [-1.0, 1.0]


def with_counted_turns(
    candidate: Candidate, symbols: Sequence[SymbolMeaning], context: Context
) -> tuple[SymbolMeaning, ...]:
    """Symbols whose numbers of turns were divided out, as kinds that count turns, whatever their letter usually is."""
    if candidate.equation is candidate.written or not any(one.unit in _TURNS for one in symbols):
        return tuple(symbols)
    stated, _, _ = said_units(candidate.written, candidate.read.occurrence, context)
    units = {**stated, **candidate.told}
    return tuple(
        replace(one, kind=_COUNTS_TURNS) if _is_miscounted(one, units.get(one.name)) else one for one in symbols
    )


def _is_miscounted(symbol: SymbolMeaning, unit: Unit | None) -> bool:
    kind = kind_or_none(symbol.kind)
    return unit is not None and is_counted(unit) and symbol.unit in _TURNS and not (kind and kind.counts_cycles)
