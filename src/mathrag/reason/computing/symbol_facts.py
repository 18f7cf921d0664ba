"""What a symbol's meaning says about the numbers it takes: from absolute zero or a difference, turns, hundredths.

Values are changed here from the way people state them to the way the formula counts, and results back again.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.compute.kinds import kind as kind_with_id
from mathrag.compute.symbol_names import split_name
from mathrag.compute.units import coherent_unit, difference_of
from mathrag.types.expression import Divide, Equation, Expression, Multiply, Number, Symbol
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Dimension, Quantity, Unit

TEMPERATURE = Dimension.of({"temperature": 1})
PERCENT = Unit("percent", Dimension(), 0.01)
_TURNS = re.compile(r"(?<![A-Za-z])(?:rpm|rps|turn)(?![A-Za-z])")
_PERCENT_WORDS = re.compile(r"(?i)percent|(?<![a-z])pct(?![a-z])|%")


@dataclass(frozen=True, slots=True)
class SymbolFacts:
    """A symbol of a formula with what decides how its values are taken."""

    name: str
    meaning: SymbolMeaning | None
    kind: QuantityKind | None
    is_difference: bool
    counts_cycles: bool
    counts_percent: bool


def facts_of(name: str, *, formula: Formula, equation: Equation) -> SymbolFacts:
    """What is known of a symbol of this equation of a formula."""
    meaning = next((each for each in formula.symbols if each.name == name), None)
    kind = known_kind(None if meaning is None else meaning.kind)
    is_difference = split_name(name).prefix == "Delta" or (kind is not None and kind.is_difference)
    return SymbolFacts(
        name,
        meaning,
        kind,
        is_difference,
        kind is not None and kind.counts_cycles,
        _counts_percent(name, equation, meaning, kind),
    )


def known_kind(kind_id: str | None) -> QuantityKind | None:
    """The kind of this id; None where a library names one that this version does not know."""
    if kind_id is None:
        return None
    try:
        return kind_with_id(kind_id)
    except KeyError:
        return None


def _counts_percent(name: str, equation: Equation, meaning: SymbolMeaning | None, kind: QuantityKind | None) -> bool:
    """Whether the equation gives a number of percent: a share written for its symbol with a bare factor of 100."""
    if equation.target != name or not _multiplies_by_hundred(equation, name):
        return False
    described = "" if meaning is None else f"{name} {meaning.description} {meaning.unit or ''}"
    is_share = kind is not None and kind.dimension.is_dimensionless and ("percent" in kind.units or kind.maximum == 1)
    return is_share or _PERCENT_WORDS.search(described.replace("_", " ")) is not None


@lru_cache(maxsize=2048)
def _multiplies_by_hundred(equation: Equation, name: str) -> bool:
    side = equation.right if isinstance(equation.left, Symbol) and equation.left.name == name else equation.left
    return any(factor == Number(100) for factor in _factors(side))


def _factors(side: Expression) -> tuple[Expression, ...]:
    if isinstance(side, Divide):
        return _factors(side.numerator)
    return side.factors if isinstance(side, Multiply) else (side,)


def as_counted(quantity: Quantity, facts: SymbolFacts) -> Quantity:
    """A stated value as the formula counts it: 20 °C of a difference is 20 K, 1500 rpm of a frequency 1500 a minute."""
    unit = quantity.unit
    if unit.is_absolute_temperature:
        return replace(quantity, unit=difference_of(unit)) if facts.is_difference else quantity
    if facts.counts_cycles and _TURNS.search(unit.text):
        return replace(quantity, unit=_in_turns(unit))
    if facts.counts_percent and unit.dimension.is_dimensionless and unit.text:
        return Quantity(
            quantity.si_value * 100.0,
            uncertainty=None if quantity.si_uncertainty is None else quantity.si_uncertainty * 100.0,
        )
    return quantity


def _in_turns(unit: Unit) -> Unit:
    """The unit with the 2 pi of each turn divided out; its text still says what was written."""
    turns = 1 if unit.dimension.is_dimensionless else _power_of_turns(unit)
    return replace(unit, scale=unit.scale / (2.0 * math.pi) ** turns)


def _power_of_turns(unit: Unit) -> int:
    """1 for turns a time (rpm, turn/s), -1 where turns stand below the line."""
    above, _, below = unit.text.partition("/")
    return -1 if _TURNS.search(below) and not _TURNS.search(above) else 1


def unit_for_result(unit: Unit, facts: SymbolFacts) -> Unit:
    """The unit in which a result of this symbol is stated: turns and differences counted the symbol's way."""
    if unit.is_absolute_temperature and facts.is_difference:
        return difference_of(unit)
    if facts.counts_cycles and _TURNS.search(unit.text):
        return _in_turns(unit)
    return unit


def as_stated(quantity: Quantity, facts: SymbolFacts) -> Quantity:
    """A computed value as people state it: a number of percent gets its unit."""
    if facts.counts_percent and quantity.dimension.is_dimensionless:
        return replace(quantity, unit=PERCENT)
    return quantity


def usual_unit(dimension: Dimension, facts: SymbolFacts) -> Unit:
    """The coherent unit by the name that the kind gives it (Hz, rad, N*m), or the named SI unit of the dimension."""
    kind = facts.kind
    if kind is None or kind.dimension != dimension or kind.takes_any_unit or not kind.unit:
        return coherent_unit(dimension)
    return Unit(kind.unit, dimension)
