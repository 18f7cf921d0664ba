"""The units a standalone function accepts for a symbol, each with factor and offset to what the formula counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from mathrag.compute.kinds import kinds_for_dimension
from mathrag.compute.units import coherent_unit, read_canonical_unit
from mathrag.errors import UnitError
from mathrag.reason.computing.symbol_facts import PERCENT, TEMPERATURE, SymbolFacts, as_counted, usual_unit
from mathrag.reason.computing.unit_texts import plain_unit
from mathrag.types.quantity import Dimension, Quantity, Unit, base_unit_text

_MOST_UNITS = 40
_ANGLES = ("rad", "deg", "arcmin", "arcsec", "mrad")
_SHARES = ("percent", "ppm")
_TEMPERATURES = ("K", "degC", "degF")
_ROTATIONS = ("rpm", "1/min", "turn/s")


@dataclass(frozen=True, slots=True)
class UnitTable:
    """Units by spelling; `default` is that of a bare number."""

    default: str
    units: tuple[tuple[str, float, float], ...]


def unit_table(facts: SymbolFacts, dimension: Dimension | None) -> UnitTable:
    """The units of a symbol. Where nobody knows its dimension, numbers in coherent SI units are all it takes."""
    if dimension is None:
        return UnitTable("", (("", 1.0, 0.0),))
    default = PERCENT if facts.counts_percent else usual_unit(dimension, facts)
    texts = [default.text, *_stated(facts), *_customary(facts, dimension)]
    found: dict[str, tuple[str, float, float]] = {}
    for text in dict.fromkeys(texts):
        unit = default if text == default.text else _unit(text)
        if unit is None or unit.dimension != dimension:
            continue
        scale, offset = _worth(unit, facts)
        for spelling in (text, plain_unit(text)):
            found.setdefault(spelling, (spelling, scale, offset))
    return UnitTable(default.text, tuple(found.values())[:_MOST_UNITS])


def _stated(facts: SymbolFacts) -> tuple[str, ...]:
    meaning, kind = facts.meaning, facts.kind
    stated = (meaning.unit,) if meaning is not None and meaning.unit else ()
    return (*stated, *(kind.units if kind is not None else ()))


def _customary(facts: SymbolFacts, dimension: Dimension) -> tuple[str, ...]:
    """Units in use for the dimension; among plain numbers only those of the symbol's own sort."""
    if dimension.is_dimensionless:
        if facts.kind is not None and facts.kind.unit == "rad":
            return _ANGLES
        return ("", *_SHARES)
    if dimension == TEMPERATURE:
        return _TEMPERATURES
    named = (coherent_unit(dimension).text, base_unit_text(dimension))
    return (*named, *(_ROTATIONS if facts.counts_cycles else ()), *_units_in_use(dimension, facts.counts_cycles))


@lru_cache(maxsize=512)
def _units_in_use(dimension: Dimension, counts_cycles: bool) -> tuple[str, ...]:
    # A rate of turns and a frequency share a dimension but not their units.
    kinds = [kind for kind in kinds_for_dimension(dimension) if kind.counts_cycles == counts_cycles]
    return tuple(dict.fromkeys(text for kind in kinds for text in (kind.unit, *kind.units)))


def _unit(text: str) -> Unit | None:
    try:
        return read_canonical_unit(text)
    except UnitError:
        return None


def _worth(unit: Unit, facts: SymbolFacts) -> tuple[float, float]:
    """Factor and offset to the number that the formula takes, whatever the symbol counts."""
    if facts.counts_percent:
        return (100.0 * unit.scale, 0.0)
    zero = as_counted(Quantity(0.0, unit), facts)
    return zero.unit.scale, zero.unit.offset
