"""From names with exponents to units: every reading, ranked by use. Chooses nothing; see `reader` for that."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from mathrag.compute.units.data import units_data
from mathrag.compute.units.grammar import Term, UnitParser
from mathrag.compute.units.lexicon import Atom, NameReading, readings_of
from mathrag.compute.units.registry import factor_of
from mathrag.compute.units.tokens import tokenize
from mathrag.errors import UnitError
from mathrag.types.quantity import DIMENSIONLESS, Dimension, Unit

MAXIMAL_COMBINATIONS = 96

# The difference unit that an absolute temperature becomes inside a product (J/°C).
_DIFFERENCES = {"degC": "delta_degree_Celsius", "degF": "delta_degree_Fahrenheit"}
_DIFFERENCE_TEXTS = {"degC": "delta_degC", "degF": "delta_degF"}

Parts = list[tuple[Atom, Fraction]]


@dataclass(frozen=True, slots=True)
class RankedUnit:
    """A reading. Rank 0 is what texts usually mean, 1 a rarer meaning, 2 and 3 products no known quantity has."""

    unit: Unit
    rank: int


@cache
def known_dimensions() -> frozenset[Dimension]:
    """The dimensions that quantities of real texts have."""
    found = {DIMENSIONLESS}
    for text in units_data().known:
        terms = UnitParser(text, tokenize(text), canonical=True).parse_all()
        found.add(canonical_unit(terms).dimension)
    return frozenset(found)


def canonical_unit(terms: Sequence[Term]) -> Unit:
    """The one unit meant when every name is our canonical text, from left to right as pint reads it."""
    parts: Parts = []
    for term in terms:
        parts += [(atom, power * term.strict) for atom, power in _canonical(term).parts]
    return unit_of(parts)


def _canonical(term: Term) -> NameReading:
    for reading in term.readings:
        if len(reading.parts) == 1 and reading.parts[0][0].text == term.spelling:
            return reading
    return term.readings[0]


def ranked_units(terms: Sequence[Term], source: str = "") -> tuple[RankedUnit, ...]:
    """All readings, best rank first; readings of the same worth are one."""
    return _ranked_by_key(tuple((term.spelling, term.joint, term.strict) for term in terms), source)


@lru_cache(maxsize=4096)
def _ranked_by_key(terms: tuple[tuple[str, Fraction, Fraction], ...], source: str) -> tuple[RankedUnit, ...]:
    alone = len(terms) == 1 and terms[0][1] == 1
    choices = {spelling: _readings_in(spelling, alone=alone) for spelling, _, _ in terms}
    if math.prod(len(readings) for readings in choices.values()) > MAXIMAL_COMBINATIONS:
        raise UnitError("too many ambiguous names in one unit; write out the unit you mean", source=source, position=0)
    layouts = [False, True] if any(joint != strict for _, joint, strict in terms) else [False]
    readings: list[tuple[Unit, bool]] = []
    for chosen in itertools.product(*choices.values()):
        meaning = dict(zip(choices, chosen, strict=True))
        rare = any(reading.rare for reading in chosen) or _is_odd_temperature(terms, meaning)
        for strict in layouts:
            parts: Parts = []
            for spelling, joint_power, strict_power in terms:
                power = strict_power if strict else joint_power
                parts += [(atom, exponent * power) for atom, exponent in meaning[spelling].parts]
            readings.append((unit_of(parts, source=source), rare))
    if len(readings) == 1:
        return (RankedUnit(readings[0][0], 0),)
    return _ranked(readings, single=len(terms) == 1 and layouts == [False])


def _readings_in(spelling: str, *, alone: bool) -> tuple[NameReading, ...]:
    """Meanings that a spelling can have here: some occur only on their own."""
    readings = readings_of(spelling)
    if alone:
        return readings
    return tuple(reading for reading in readings if not reading.alone) or readings


def _is_odd_temperature(terms: tuple[tuple[str, Fraction, Fraction], ...], meaning: dict[str, NameReading]) -> bool:
    """A bare C or F beside other units above the line (`C·m`) is hardly ever a temperature."""
    above = [spelling for spelling, joint, _ in terms if joint > 0]
    return len(above) > 1 and any(
        len(spelling) == 1 and meaning[spelling].parts[0][0].text in _DIFFERENCES
        for spelling in above
        if meaning[spelling].parts
    )


def _ranked(readings: list[tuple[Unit, bool]], *, single: bool) -> tuple[RankedUnit, ...]:
    """Known dimensions first, then usual meanings; the best rank there is becomes 0."""
    known = known_dimensions()
    ranks = [(0 if single or unit.dimension in known else 2) + int(rare) for unit, rare in readings]
    best = min(ranks)
    ranked: list[RankedUnit] = []
    for rank, (unit, _) in sorted(zip(ranks, readings, strict=True), key=lambda pair: pair[0]):
        if all(not _same(unit, other.unit) for other in ranked):
            ranked.append(RankedUnit(unit, rank - best))
    return tuple(ranked)


def _same(one: Unit, other: Unit) -> bool:
    return one.dimension == other.dimension and one.scale == other.scale and one.offset == other.offset


def unit_of(parts: Parts, *, source: str = "") -> Unit:
    """Multiply the parts out: text, dimension, scale. An offset survives only in a temperature on its own."""
    if len(parts) == 1 and parts[0][1] == 1:
        atom = parts[0][0]
        return Unit(atom.text, atom.factor.dimension, float(atom.factor.scale), float(atom.factor.offset))
    merged: dict[str, tuple[Atom, Fraction]] = {}
    for atom, power in parts:
        if atom.factor.offset:
            atom = Atom(_DIFFERENCE_TEXTS[atom.text], factor_of(_DIFFERENCES[atom.text]))
        before = merged[atom.text][1] if atom.text in merged else Fraction(0)
        merged[atom.text] = (atom, before + power)
    exact, inexact = Fraction(1), 1.0
    dimension = DIMENSIONLESS
    try:
        for atom, power in merged.values():
            dimension = dimension * atom.factor.dimension**power
            if power.denominator == 1:
                exact *= atom.factor.scale**power.numerator
            else:
                inexact *= float(atom.factor.scale) ** float(power)
        scale = float(exact) * inexact
    except OverflowError:
        scale = math.inf
    if not math.isfinite(scale) or scale == 0.0:
        raise UnitError("the unit is larger or smaller than any number can hold", source=source, position=0)
    return Unit(_text_of(list(merged.values())), dimension, scale)


def _text_of(parts: Parts) -> str:
    above = [_power_text(atom.text, power) for atom, power in parts if power > 0]
    below = [_power_text(atom.text, -power) for atom, power in parts if power < 0]
    text = "*".join(above)
    if below:
        text = (text or "1") + "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")
    return text


def _power_text(text: str, power: Fraction) -> str:
    if power == 1:
        return text
    return f"{text}^{power}" if power.denominator == 1 else f"{text}^({power})"


def difference_of(unit: Unit) -> Unit:
    """The unit for a difference between two values in this one; only absolute temperatures change."""
    if unit.text not in _DIFFERENCES:
        return unit
    factor = factor_of(_DIFFERENCES[unit.text])
    return Unit(_DIFFERENCE_TEXTS[unit.text], factor.dimension, float(factor.scale))
