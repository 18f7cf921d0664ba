"""Units that nobody states and the coefficient of an equation tells: `P = V I / 1000` beside a result in kW.

A product whose number is exactly what turns usual units of its quantities into the stated ones is an equation between
the numbers of those units. Where no usual units do that, or where next to nothing is stated, nobody can know, and
nothing is told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.number_equations import counted_unit, divided_by_units, exponents_of, shown_text, telling_number
from mathrag.extract.weights import weights
from mathrag.knowledge.kinds import broader_kinds, kinds_for_dimension
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import UNITS_TAKEN, Equation, Flag, equation_symbols
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Dimension, Unit

_EXACT = weights("number_equations")["exact"]
_MOST_MISSING = 4
_MOST_UNITS = 24
_MOST_CHOICES = 20_000
_TURN = 2.0 * math.pi
_RATE = Dimension.of({"time": -1})
_IMPERIAL = frozenset(
    ("inch", "ft", "yd", "mi", "knot", "lb", "lbf", "oz", "gal", "acre", "hp", "psi", "Btu", "inHg", "delta_degF")
)


@dataclass(frozen=True, slots=True)
class Told:
    """The equation of quantities, and the units of all its symbols, of which `found` were told by the coefficient."""

    equation: Equation
    found: Mapping[str, Unit]

    @property
    def flag(self) -> Flag:
        """What has to be said: which units were taken for the symbols that have none."""
        named = ", ".join(f"{name} in {shown_text(unit)}" for name, unit in self.found.items())
        return Flag(UNITS_TAKEN, f"the formula is taken to hold for numbers of {named}, which its coefficient tells")


def told_units(
    equation: Equation,
    units: Mapping[str, Unit],
    known: Mapping[str, Dimension],
    kinds: Mapping[str, QuantityKind],
    plain: frozenset[str],
) -> Told | None:
    """The equation in quantities, where its coefficient tells the units that the document does not state.

    `units` are stated, `known` the dimensions of all symbols of which the document says what they are, `kinds` what
    they are.
    """
    number = telling_number(equation)
    exponents = exponents_of(equation)
    if number is None or exponents is None:
        return None
    dimensions = _dimensions(equation, known, plain)
    if dimensions is None:
        return None
    missing = [name for name in exponents if name not in units and not dimensions[name].is_dimensionless]
    stated = {name: unit for name, unit in units.items() if not dimensions[name].is_dimensionless}
    if not 0 < len(missing) <= _MOST_MISSING or not _is_supported(equation, stated, missing):
        return None
    target = equation.target
    if target is None or dimensions[target].is_dimensionless or _is_rule_of_thumb(exponents, dimensions):
        return None
    offered = [list(_usual(kinds.get(name), dimensions[name]))[:_MOST_UNITS] for name in missing]
    if math.prod(map(len, offered)) > _MOST_CHOICES:
        return None
    found = _fitting(number, exponents, stated, dict(zip(missing, offered, strict=True)), dimensions)
    if found is None:
        return None
    return Told(divided_by_units(equation, {**units, **found}), found)


def _dimensions(
    equation: Equation, known: Mapping[str, Dimension], plain: frozenset[str]
) -> dict[str, Dimension] | None:
    """The dimensions of all symbols: those said, and one more that follows from them; None where that is not so."""
    names = equation_symbols(equation)
    said = {**{name: Dimension() for name in plain if name in names}, **known}
    if sum(name not in said for name in names) > 1:
        return None
    report = check_dimensions(equation, said)
    if report.status == "inconsistent":
        return None
    found = {name: said.get(name, report.dimensions.get(name)) for name in names}
    kept = {name: dimension for name, dimension in found.items() if dimension is not None}
    return kept if len(kept) == len(found) else None


def _is_supported(equation: Equation, stated: Mapping[str, Unit], missing: list[str]) -> bool:
    """Whether units are spoken of at all: that of the result, or those of most symbols."""
    return equation.target in stated or len(stated) >= max(2, len(missing))


def _is_rule_of_thumb(exponents: Mapping[str, float], dimensions: Mapping[str, Dimension]) -> bool:
    """Whether one quantity is a part or a multiple of another of its kind: a tenth of the span converts nothing."""
    return sum(not dimensions[name].is_dimensionless for name in exponents) < 3


def _usual(kind: QuantityKind | None, dimension: Dimension) -> Iterator[Unit]:
    """The units that people give such a quantity in, those of its own kind first."""
    own = () if kind is None or kind.dimension != dimension else (kind, *broader_kinds(kind))
    seen: set[str] = set()
    for item in own or kinds_for_dimension(dimension):
        for text in (*item.units, item.unit):
            if text and text not in seen:
                seen.add(text)
                # Turns are counted, whatever the kind: an angular speed in rpm differs by the 2 pi that is allowed for.
                yield counted_unit(read_canonical_unit(text), None)
    if dimension == _RATE and "rpm" not in seen:
        yield counted_unit(read_canonical_unit("rpm"), None)


def _fitting(
    number: float,
    exponents: Mapping[str, float],
    stated: Mapping[str, Unit],
    offered: Mapping[str, list[Unit]],
    dimensions: Mapping[str, Dimension],
) -> dict[str, Unit] | None:
    """The one choice of units, of one system and the same for quantities of one dimension, that explains the number."""
    given = math.prod(unit.scale ** exponents[name] for name, unit in stated.items() if name in exponents)
    counts = any(dimension == _RATE for dimension in dimensions.values())
    factors = (1.0, _TURN, 1.0 / _TURN) if counts else (1.0,)
    is_imperial = {_is_imperial(unit) for unit in stated.values() if _has_system(unit)}
    fits: list[dict[str, Unit]] = []
    for choice in product(*offered.values()):
        chosen = dict(zip(offered, choice, strict=True))
        scale = given * math.prod(unit.scale ** exponents[name] for name, unit in chosen.items())
        if any(abs(number / (scale * factor) - 1.0) <= _EXACT for factor in factors):
            systems = is_imperial | {_is_imperial(unit) for unit in choice if _has_system(unit)}
            if len(systems) < 2 and _are_alike({**stated, **chosen}, dimensions):
                fits.append(chosen)
    # Turns a minute are one unit, whatever they are called.
    distinct = {tuple(unit.scale for unit in chosen.values()): chosen for chosen in reversed(fits)}
    return next(iter(distinct.values())) if len(distinct) == 1 else None


def _are_alike(units: Mapping[str, Unit], dimensions: Mapping[str, Dimension]) -> bool:
    """Whether quantities of one dimension have one unit, as in one trade they have."""
    first: dict[Dimension, float] = {}
    return all(first.setdefault(dimensions[name], unit.scale) == unit.scale for name, unit in units.items())


def _has_system(unit: Unit) -> bool:
    return not unit.dimension.is_dimensionless and unit.dimension != _RATE and unit.text not in ("s", "min", "h", "day")


def _is_imperial(unit: Unit) -> bool:
    atoms = unit.text.replace("*", " ").replace("/", " ").replace("(", " ").replace(")", " ").replace("^", " ").split()
    return not _IMPERIAL.isdisjoint(atoms)
