"""Dimensions, units and quantities as plain values. Unit text is read by `mathrag.knowledge.units`, not here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

# Order fixes the exponent vector. Currency is ours: finance formulas are checked like any other.
BASE_DIMENSIONS = ("length", "mass", "time", "current", "temperature", "amount", "luminosity", "currency")
BASE_UNITS = ("m", "kg", "s", "A", "K", "mol", "cd", "USD")


@dataclass(frozen=True, slots=True)
class Dimension:
    """Exponents of the base dimensions, in the order of `BASE_DIMENSIONS`. Angles are dimensionless."""

    exponents: tuple[Fraction, ...] = (Fraction(0),) * len(BASE_DIMENSIONS)

    def __post_init__(self) -> None:
        if len(self.exponents) != len(BASE_DIMENSIONS):
            raise ValueError(f"a dimension has {len(BASE_DIMENSIONS)} exponents, not {len(self.exponents)}")

    def __hash__(self) -> int:
        # Dimensions are looked up all the time, and a fraction is slow to hash: hardly any two differ only below.
        return hash(tuple([exponent.numerator for exponent in self.exponents]))

    @classmethod
    def of(cls, exponents: Mapping[str, Fraction | int]) -> Dimension:
        """From names: `Dimension.of({"length": 1, "time": -2})`."""
        unknown = set(exponents) - set(BASE_DIMENSIONS)
        if unknown:
            raise ValueError(f"unknown base dimension: {', '.join(sorted(unknown))}")
        return cls(tuple(Fraction(exponents.get(name, 0)) for name in BASE_DIMENSIONS))

    @property
    def is_dimensionless(self) -> bool:
        """Whether it is a plain number."""
        return not any(self.exponents)

    def __mul__(self, other: Dimension) -> Dimension:
        # Most exponents are zero, and fractions are slow to add.
        pairs = zip(self.exponents, other.exponents, strict=True)
        return Dimension(tuple([a + b if a and b else a or b for a, b in pairs]))

    def __truediv__(self, other: Dimension) -> Dimension:
        return Dimension(tuple([a - b if b else a for a, b in zip(self.exponents, other.exponents, strict=True)]))

    def __pow__(self, exponent: Fraction | int) -> Dimension:
        return Dimension(tuple([a * exponent if a else a for a in self.exponents]))

    def __str__(self) -> str:
        """In base units, such as `kg*m/s^2`; `1` for a plain number."""
        return base_unit_text(self) or "1"


DIMENSIONLESS = Dimension()


# The same few dozen dimensions are written again and again.
@lru_cache(maxsize=1_024)
def base_unit_text(dimension: Dimension) -> str:
    """The coherent SI unit of a dimension written in base units (`kg*m/s^2`); empty for a plain number."""
    above: list[str] = []
    below: list[str] = []
    for exponent, unit in zip(dimension.exponents, BASE_UNITS, strict=True):
        if exponent:
            size = abs(exponent)
            power = "" if size == 1 else f"^{size}" if size.denominator == 1 else f"^({size})"
            (above if exponent > 0 else below).append(unit + power)
    if not above and not below:
        return ""
    text = "*".join(above) or "1"
    if below:
        text += "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")
    return text


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its canonical text (which pint parses), its dimension, and how it converts to coherent SI.

    SI value = value * scale + offset. Only absolute temperatures have an offset. A level such as dB counts as a
    plain number whose unit is a reminder, because formulas for levels already give the number of decibels.
    """

    text: str
    dimension: Dimension
    scale: float = 1.0
    offset: float = 0.0

    @property
    def is_absolute_temperature(self) -> bool:
        """Whether zero of this unit is not zero kelvin (°C, °F)."""
        return self.offset != 0.0

    def __str__(self) -> str:
        return self.text


NO_UNIT = Unit("", DIMENSIONLESS)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit and, where known, its standard uncertainty in the same unit."""

    value: float | int
    unit: Unit = NO_UNIT
    uncertainty: float | None = None

    def __post_init__(self) -> None:
        if self.uncertainty is not None and self.uncertainty < 0:
            raise ValueError("an uncertainty is not negative")

    @property
    def si_value(self) -> float:
        """The number in the coherent SI unit of its dimension."""
        return self.value * self.unit.scale + self.unit.offset

    @property
    def si_uncertainty(self) -> float | None:
        """The uncertainty in the coherent SI unit; an offset does not change it."""
        return None if self.uncertainty is None else self.uncertainty * abs(self.unit.scale)

    @property
    def dimension(self) -> Dimension:
        """The dimension of its unit."""
        return self.unit.dimension
