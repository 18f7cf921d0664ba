"""The only door to pint: one registry, made on first use, asked for single vetted names, never for expressions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from mathrag.compute.units.data import units_data
from mathrag.errors import DataFileError
from mathrag.types.quantity import Dimension

if TYPE_CHECKING:
    import pint

# pint's base is the gram, ours the kilogram; everything else agrees.
_DIMENSIONS = {
    "[length]": "length",
    "[mass]": "mass",
    "[time]": "time",
    "[current]": "current",
    "[temperature]": "temperature",
    "[substance]": "amount",
    "[luminosity]": "luminosity",
    "[currency]": "currency",
}


@dataclass(frozen=True, slots=True)
class Factor:
    """What one unit name is worth: exact scale and offset to coherent SI, and the dimension."""

    dimension: Dimension
    scale: Fraction
    offset: Fraction


@cache
def pint_registry() -> pint.UnitRegistry[Any]:
    """The registry: exact (fractions), nothing cached on disk.

    Loading pint's definitions by hand leaves its table of all units unbuilt, which halves the time to the first answer
    and lets our definitions replace its Gaussian ones.
    """
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(
        None, non_int_type=Fraction, on_redefinition="ignore", cache_folder=None
    )
    registry.load_definitions(str(resources.files("pint").joinpath("default_en.txt")))
    for line in units_data().definitions:
        registry.define(line)
    return registry


@cache
def factor_of(name: str) -> Factor:
    """Scale, offset and dimension of one pint unit name from our data file."""
    registry = pint_registry()
    scale, _ = registry.get_root_units(name, check_nonmult=False)
    exponents: dict[str, Fraction] = {}
    for dimension, power in registry.get_dimensionality(name).items():
        if dimension not in _DIMENSIONS:
            raise DataFileError(f"the unit {name!r} rests on {dimension}, which is none of our base dimensions")
        exponents[_DIMENSIONS[dimension]] = _exact(power)
    exact = _exact(scale) / Fraction(1000) ** exponents.get("mass", Fraction(0)).numerator
    offset = Fraction(0)
    if exponents == {"temperature": 1} and not name.startswith("delta_"):
        offset = _exact(registry.Quantity(Fraction(0), name).to("kelvin").magnitude)
    return Factor(Dimension.of(exponents), exact, offset)


def _exact(number: object) -> Fraction:
    """pint computes with fractions here; only roots come as floats."""
    if not isinstance(number, int | float | Fraction):
        raise DataFileError(f"pint answered with {type(number).__name__} where a number was expected")
    return Fraction(number)
