"""Units, dimensions and constants of nature that dictionaries name, from what the house knows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache

from mathrag.compute.openmath.equality import Computing
from mathrag.compute.openmath.values import Amount, Value, WrongKindError
from mathrag.errors import MathragError
from mathrag.knowledge.constants import constant
from mathrag.knowledge.units import read_unit
from mathrag.types.quantity import Dimension

_UNITS = {
    "units_metric1": "metre=m gramme=g second=s litre=L Newton=N Pascal=Pa metre_sqrd=m^2 metres_per_second=m/s "
    "metres_per_second_sqrd=m/s^2 Newton_per_sqr_metre=N/m^2 Coulomb=coulomb degree_Kelvin=K Joule=J Watt=W",
    "units_time1": "second=s minute=min hour=h day=day week=week",
    "units_imperial1": "foot=ft yard=yd mile=mi pint=imperial_pint miles_per_hr=mi/h "
    "miles_per_hr_sqrd=mi/h^2 pound_mass=lb pound_force=lbf bar=bar",
}
# Units that have several sizes under one name, exact by their legal definitions, in metres.
_EXACT = {
    "units_imperial1:acre": (Fraction(9144, 10_000) ** 2 * 4840, 2),
    "units_us1:foot_us_survey": (Fraction(1200, 3937), 1),
    "units_us1:yard_us_survey": (Fraction(3600, 3937), 1),
    "units_us1:mile_us_survey": (Fraction(6_336_000, 3937), 1),
    "units_us1:acre_us_survey": (Fraction(1200, 3937) ** 2 * 43_560, 2),
    "units_us1:pint_us_liquid": (Fraction(231, 8) * Fraction(254, 10_000) ** 3, 3),
    "units_us1:pint_us_dry": (Fraction(215_042, 6_400_000) * 1000 * Fraction(254, 10_000) ** 3, 3),
    "units_metric1:litre_pre1964": (Fraction(1_000_028, 10**9), 3),
}
_PREFIXES = {
    "yotta": 24, "zetta": 21, "exa": 18, "peta": 15, "tera": 12, "giga": 9, "mega": 6, "kilo": 3, "hecto": 2, "deka": 1,
    "deci": -1, "centi": -2, "milli": -3, "micro": -6, "nano": -9, "pico": -12, "femto": -15, "atto": -18, "zepto": -21,
    "yocto": -24,
}  # fmt: skip
_DIMENSIONS: dict[str, Mapping[str, int]] = {
    "length": {"length": 1},
    "displacement": {"length": 1},
    "area": {"length": 2},
    "volume": {"length": 3},
    "time": {"time": 1},
    "mass": {"mass": 1},
    "temperature": {"temperature": 1},
    "current": {"current": 1},
    "speed": {"length": 1, "time": -1},
    "velocity": {"length": 1, "time": -1},
    "acceleration": {"length": 1, "time": -2},
    "momentum": {"mass": 1, "length": 1, "time": -1},
    "force": {"mass": 1, "length": 1, "time": -2},
    "pressure": {"mass": 1, "length": -1, "time": -2},
    "density": {"mass": 1, "length": -3},
    "energy": {"mass": 1, "length": 2, "time": -2},
    "power": {"mass": 1, "length": 2, "time": -3},
    "charge": {"current": 1, "time": 1},
    "voltage": {"mass": 1, "length": 2, "time": -3, "current": -1},
    "resistance": {"mass": 1, "length": 2, "time": -3, "current": -2},
}
_NATURE = {"speed_of_light": "speed_of_light", "gravitational_constant": "gravitational_constant"}
# Units that a variable for a unit is tried with.
SAMPLE_UNITS = ("m", "g", "s", "L", "N", "Pa", "K", "J", "W", "ft", "lb", "h", "bar", "A", "mol")


@cache
def amount_of_unit(text: str) -> Amount:
    """One of a unit, by its text."""
    unit = read_unit(text)
    return Amount(Fraction(str(unit.scale)), unit.dimension)


class _Named(Mapping[str, Amount]):
    """The amounts by their names; a unit is looked up when it is asked for."""

    def __init__(self) -> None:
        pairs = ((book, *entry.split("=")) for book, text in _UNITS.items() for entry in text.split())
        self.units = {f"{book}:{name}": unit for book, name, unit in pairs}
        self.dimensions = {f"dimensions1:{name}": Dimension.of(each) for name, each in _DIMENSIONS.items()}

    def __getitem__(self, name: str) -> Amount:
        if name in self.units:
            return amount_of_unit(self.units[name])
        if name in _EXACT:
            size, power = _EXACT[name]
            return Amount(size, Dimension.of({"length": power}))
        if name in self.dimensions:
            return Amount(Fraction(1), self.dimensions[name])
        return _of_nature(name)

    def __iter__(self) -> Iterator[str]:
        return iter((*self.units, *_EXACT, *self.dimensions, *(f"physical_consts1:{each}" for each in _NATURE)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _of_nature(name: str) -> Amount:
    book, _, symbol = name.partition(":")
    if book != "physical_consts1" or symbol not in {*_NATURE, "light_year"}:
        raise KeyError(name)
    if symbol == "light_year":
        return amount_of_unit("ly")
    try:
        known = constant(_NATURE[symbol])
        unit = read_unit(known.unit)
    except (MathragError, KeyError):
        raise KeyError(name) from None
    return Amount(Fraction(str(known.value)) * Fraction(str(unit.scale)), unit.dimension)


AMOUNTS: Mapping[str, Amount] = _Named()


def _prefixed(_evaluator: Computing, prefix: Value, unit: Value) -> Value:
    if not isinstance(prefix, Amount) or not isinstance(unit, Amount):
        raise WrongKindError("a prefix and a unit are expected")
    return Amount(prefix.size * unit.size, unit.dimension)


def _norm(_evaluator: Computing, value: Value) -> Value:
    if not isinstance(value, Amount):
        raise WrongKindError("an amount is expected")
    return value


OPERATIONS: dict[str, Callable[..., Value]] = {"units_ops1:prefix": _prefixed, "norm1:Euclidean_norm": _norm}
PREFIXES: dict[str, Value] = {
    f"units_siprefix1:{name}": Amount(Fraction(10) ** power, Dimension()) for name, power in _PREFIXES.items()
}
