"""One equation on its way through the pipeline, and what the document states of its symbols. Judges nothing."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.extract.choice_search import DimensionRows
from mathrag.extract.definitions.lookup import said_of
from mathrag.extract.definitions.records import is_plain_number, with_unit
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.known_relations import KnownMatch
from mathrag.extract.labels import Label
from mathrag.extract.meanings import kind_or_none
from mathrag.extract.number_equations import counted_unit
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.surroundings import Context, in_scope
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.library import Purpose
from mathrag.types.quantity import Dimension, Unit


@dataclass(frozen=True, slots=True)
class Candidate:
    """One equation to be understood, with its name and where it stands. `written` is before units were divided out.

    `numerical` is the known relation between numbers that it is, where the units are those that are usual for it.
    """

    read: ReadFormula
    written: Equation
    equation: Equation
    label: Label
    rows: DimensionRows
    numerical: KnownMatch | None = None
    purpose: Purpose = "general"


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
        if one.unit is not None:
            units[name] = counted_unit(read_canonical_unit(one.unit), kind_or_none(one.kind))
        elif is_plain_number(one.description):
            plain.add(name)
        if one.dimension is not None:
            known[name] = one.dimension
    return units, known, plain
