"""In which unit a result is shown: the one asked for, the one the question works in, or coherent SI. No printing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from mathrag.errors import UnitError
from mathrag.knowledge.units import convert, read_canonical_unit
from mathrag.reason.computing.validity import (
    PERCENT,
    TEMPERATURE,
    SymbolFacts,
    as_stated,
    unit_for_result,
    usual_unit,
)
from mathrag.reason.computing.values import StepFailure
from mathrag.types.answer import Bound
from mathrag.types.quantity import Quantity, Unit

# Outside these a number is easier to read in another unit.
_SMALLEST, _LARGEST = 1e-3, 1e5
# Constants and what words imply come in SI, which says nothing about the units of the question.
_VOTING = frozenset(("question", "pinned", "document", "derived"))
_ANGLES = frozenset(("deg", "arcmin", "arcsec", "turn", "grad", "mrad"))


def shown_result(
    value: Quantity,
    facts: SymbolFacts,
    *,
    unit: Unit | None,
    bindings: tuple[Bound, ...],
    others: Mapping[str, SymbolFacts],
) -> Quantity | StepFailure:
    """The value in the unit to show; a unit asked for that does not fit is a failure."""
    stated = as_stated(value, facts)
    if unit is None:
        return _converted(stated, _unasked_unit(stated, facts, bindings, others), facts)
    if unit.dimension != value.dimension:
        return StepFailure(
            "unit",
            f"{facts.name} is a value in {usual_unit(value.dimension, facts).text or 'plain numbers'}, "
            f"which cannot be given in {unit.text or 'plain numbers'}",
            facts.name,
        )
    return _converted(stated, unit, facts)


def _converted(value: Quantity, unit: Unit, facts: SymbolFacts) -> Quantity:
    counted = unit_for_result(unit, facts)
    found = value if value.unit == counted else convert(value, counted)
    # 25 turns a second are shown as 1500 rpm with the unit as everyone reads it: a later step divides the 2 pi out.
    return replace(found, unit=unit) if facts.counts_cycles and counted != unit else found


def _unasked_unit(
    value: Quantity, facts: SymbolFacts, bindings: tuple[Bound, ...], others: Mapping[str, SymbolFacts]
) -> Unit:
    default = value.unit if value.unit == PERCENT else usual_unit(value.dimension, facts)
    shared = _shared_unit(value, facts, bindings, others)
    if shared is not None and _is_readable(value, shared, default):
        return shared
    stated = _document_unit(value, facts)
    if stated is not None and _is_readable(value, stated, default):
        return stated
    return default


def _shared_unit(
    value: Quantity, facts: SymbolFacts, bindings: tuple[Bound, ...], others: Mapping[str, SymbolFacts]
) -> Unit | None:
    """The one unit of all inputs that measure the same thing as the result, where it is not the default."""
    found: dict[str, Unit] = {}
    for bound in bindings:
        quantity = bound.quantity
        if quantity is None or quantity.dimension != value.dimension or bound.provenance.origin not in _VOTING:
            continue
        other = others.get(bound.symbol)
        if value.dimension == TEMPERATURE and other is not None and other.is_difference != facts.is_difference:
            continue
        # Among plain numbers only those stated as angles say how angles are meant.
        if not value.dimension.is_dimensionless or quantity.unit.text in _ANGLES:
            found[quantity.unit.text] = quantity.unit
    if len(found) != 1 or (value.dimension.is_dimensionless and not _is_angle(facts)):
        return None
    return next(iter(found.values()))


def _is_angle(facts: SymbolFacts) -> bool:
    return facts.kind is not None and facts.kind.unit == "rad"


def _document_unit(value: Quantity, facts: SymbolFacts) -> Unit | None:
    """The unit that the document states for the symbol, where it is the customary one of its kind."""
    meaning = facts.meaning
    if meaning is None or not meaning.unit or meaning.origin not in ("document", "edited"):
        return None
    try:
        unit = read_canonical_unit(meaning.unit)
    except UnitError:
        return None
    if unit.dimension != value.dimension or unit.dimension.is_dimensionless:
        return None
    is_customary = facts.kind is not None and unit.text in facts.kind.units[:1]
    return unit if is_customary or not _is_plain(value.si_value) else None


def _is_readable(value: Quantity, unit: Unit, default: Unit) -> bool:
    """Whether the number in the unit is one people read, or at least no worse than in the default unit."""
    number = (value.si_value - unit.offset) / unit.scale
    if unit.is_absolute_temperature or _is_plain(number):
        return True
    usual = value.si_value / default.scale
    return not _is_plain(usual) and abs(math.log10(abs(number))) <= abs(math.log10(abs(usual)))


def _is_plain(number: float) -> bool:
    return number == 0 or _SMALLEST <= abs(number) < _LARGEST
