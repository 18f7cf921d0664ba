"""Convert quantities between units, and name the coherent SI unit of a dimension. No text is read here."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from mathrag.errors import DimensionError
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit, base_unit_text

# Derived units people expect by name, as exponents of (m, kg, s, A). Not Hz: 1/s is also a decay or angular rate.
_NAMED = {
    "N": (1, 1, -2, 0),
    "J": (2, 1, -2, 0),
    "Pa": (-1, 1, -2, 0),
    "W": (2, 1, -3, 0),
    "C": (0, 0, 1, 1),
    "V": (2, 1, -3, -1),
    "ohm": (2, 1, -3, -2),
    "S": (-2, -1, 3, 2),
    "F": (-2, -1, 4, 2),
    "H": (2, 1, -2, -2),
    "Wb": (2, 1, -2, -1),
    "T": (0, 1, -2, -1),
}


@cache
def _named_units() -> dict[Dimension, str]:
    names = ("length", "mass", "time", "current")
    return {
        Dimension.of({name: Fraction(power) for name, power in zip(names, powers, strict=True)}): text
        for text, powers in _NAMED.items()
    }


def coherent_unit(dimension: Dimension) -> Unit:
    """The SI unit of scale 1 for a dimension: a named one where there is one (N, J, Pa), else base units."""
    if dimension.is_dimensionless:
        return NO_UNIT
    return Unit(_named_units().get(dimension) or base_unit_text(dimension), dimension)


def convert(quantity: Quantity, unit: Unit) -> Quantity:
    """The same quantity in another unit of the same dimension."""
    if quantity.unit == unit:
        return quantity
    if quantity.dimension != unit.dimension:
        raise DimensionError(
            f"{quantity.unit.text or 'a plain number'} cannot become {unit.text or 'a plain number'}: "
            f"the dimensions are {quantity.dimension} and {unit.dimension}"
        )
    value = (quantity.si_value - unit.offset) / unit.scale
    spread = quantity.si_uncertainty
    return Quantity(_dusted(value), unit, None if spread is None else spread / abs(unit.scale))


# A number that differs from one of so few digits by no more than this is that number, and the rest is dust of binary
# fractions: 0.1 + 0.2 is 0.3. Nobody states twelve digits and means the sixteenth.
_FIGURES = 12
_DUST = 1e-15


def without_dust(quantity: Quantity) -> Quantity:
    """The quantity without what binary fractions left behind: 0.25 for 0.25000000000000006."""
    value = _dusted(quantity.value)
    return quantity if value == quantity.value else Quantity(value, quantity.unit, quantity.uncertainty)


def _dusted(value: float | int) -> float | int:
    if isinstance(value, int) or not math.isfinite(value):
        return value
    short = float(f"{value:.{_FIGURES}g}")
    return short if abs(short - value) <= _DUST * abs(value) else value
