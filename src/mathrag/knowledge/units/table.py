"""The unit table as it stands in `units.toml`, checked against its schema. No spelling rules here: see `lexicon`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from mathrag.errors import DataFileError
from mathrag.types.quantity import BASE_DIMENSIONS, Dimension


@dataclass(frozen=True, slots=True)
class Prefix:
    """A decimal prefix by symbol and word."""

    symbol: str
    word: str
    power: int


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """One line of the table; `product` replaces `text` for units that are products of others."""

    name: str
    text: str
    product: str
    plain: bool
    symbols: tuple[str, ...]
    words: tuple[str, ...]
    fixed: tuple[str, ...]
    rare: tuple[str, ...]
    also: tuple[str, ...]
    strict: bool
    prefixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EverydayReading:
    """One thing that an everyday name can mean; `where` are words around the name that ask for it."""

    unit: str
    name: str
    measured_in: str
    where: frozenset[str]


@dataclass(frozen=True, slots=True)
class EverydayName:
    """A name that leaves its unit open, with its readings, the usual one first; `is_stated`: what is taken is said."""

    spoken: str
    spellings: tuple[str, ...]
    readings: tuple[EverydayReading, ...]
    is_exact: bool
    is_stated: bool


@dataclass(frozen=True, slots=True)
class UnitsData:
    """The whole file."""

    prefixes: Mapping[str, Prefix]
    entries: Mapping[str, UnitEntry]
    definitions: tuple[str, ...]
    ambiguous: Mapping[str, tuple[str, ...]]
    declined: Mapping[str, str]
    everyday: Mapping[str, EverydayName]
    known: tuple[str, ...]


_FIELDS = frozenset({"text", "product", "plain", "symbols", "words", "fixed", "rare", "also", "strict", "prefixes"})


@cache
def units_data() -> UnitsData:
    """Read and check the file once."""
    source = resources.files("mathrag.knowledge").joinpath("data/units.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(source)
    prefixes = {symbol: Prefix(symbol, row["word"], row["power"]) for symbol, row in raw["prefixes"].items()}
    sets = {name: tuple(symbols.split()) for name, symbols in raw["prefix_sets"].items()}
    entries = {name: _entry(name, row, sets, prefixes) for name, row in raw["units"].items()}
    ambiguous = {spelling: tuple(names) for spelling, names in raw["ambiguous"].items()}
    for spelling, names in ambiguous.items():
        unknown = [name for name in names if name not in entries]
        if unknown:
            raise DataFileError(f"units.toml: {spelling!r} refers to {unknown[0]!r}, which is not in the table")
    return UnitsData(
        prefixes=prefixes,
        entries=entries,
        definitions=tuple(raw["definitions"]["lines"]),
        ambiguous=ambiguous,
        declined=dict(raw["declined"]),
        everyday={name: _everyday(name, row, entries) for name, row in raw["everyday"].items()},
        known=tuple(raw["known"]["units"]),
    )


def _entry(
    name: str, row: Mapping[str, Any], sets: Mapping[str, tuple[str, ...]], prefixes: Mapping[str, Prefix]
) -> UnitEntry:
    extra = set(row) - _FIELDS
    if extra:
        raise DataFileError(f"units.toml: {name} has the unknown field {sorted(extra)[0]!r}")
    chosen: list[str] = []
    for word in row.get("prefixes", "").split():
        chosen.extend(sets.get(word, (word,)))
    for symbol in chosen:
        if symbol not in prefixes:
            raise DataFileError(f"units.toml: {name} allows the unknown prefix {symbol!r}")
    if "text" not in row and "product" not in row:
        raise DataFileError(f"units.toml: {name} has neither a text nor a product")
    return UnitEntry(
        name=name,
        text=row.get("text", ""),
        product=row.get("product", ""),
        plain=row.get("plain", False),
        symbols=tuple(row.get("symbols", ())),
        words=tuple(row.get("words", ())),
        fixed=tuple(row.get("fixed", ())),
        rare=tuple(row.get("rare", ())),
        also=tuple(row.get("also", ())),
        strict=row.get("strict", False),
        prefixes=tuple(chosen),
    )


_EVERYDAY_FIELDS = frozenset({"spoken", "spellings", "exact", "quiet", "readings"})
_READING_FIELDS = frozenset({"unit", "name", "in", "where"})


def _everyday(name: str, row: Mapping[str, Any], entries: Mapping[str, UnitEntry]) -> EverydayName:
    known = {text for entry in entries.values() for text in (entry.text, entry.product)}
    known |= {prefix + entry.text for entry in entries.values() for prefix in entry.prefixes}
    extra = set(row) - _EVERYDAY_FIELDS
    readings = []
    for each in row["readings"]:
        extra |= set(each) - _READING_FIELDS
        if each["unit"] not in known:
            raise DataFileError(f"units.toml: {name!r} may mean {each['unit']!r}, which is not in the table")
        readings.append(
            EverydayReading(each["unit"], each["name"], each.get("in", ""), frozenset(each.get("where", ())))
        )
    if extra or not readings:
        raise DataFileError(f"units.toml: everyday {name} has no readings or the unknown field {sorted(extra)[:1]}")
    return EverydayName(
        row["spoken"], tuple(row["spellings"]), tuple(readings), row.get("exact", False), not row.get("quiet", False)
    )


# The only door to pint: one registry, made on first use, asked for single vetted names, never for expressions.
#
# Loading pint takes longer than most commands may, so what it says about the names of our data file is kept in a
# table (`unit_factors.json`, written by `make data`); a test holds the table to pint.

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
def _kept_factors() -> dict[str, Any]:
    text = resources.files("mathrag.knowledge").joinpath("data", "unit_factors.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


@cache
def factor_of(name: str) -> Factor:
    """Scale, offset and dimension of one unit name of our data file: from the table, or from pint for one not in it."""
    kept = _kept_factors().get(name)
    if kept is None:
        return pint_factor_of(name)
    scale, offset, exponents = kept
    dimension = Dimension.of({base: Fraction(power) for base, power in exponents.items()})
    return Factor(dimension, Fraction(scale), Fraction(offset))


def needed_names() -> list[str]:
    """The pint names our data file can ask for."""
    entries = units_data().entries.values()
    names = {entry.name for entry in entries if entry.name and not entry.plain and not entry.product}
    return sorted(names | {"delta_degree_Celsius", "delta_degree_Fahrenheit"})


def factors_table() -> str:
    """The table as JSON, one name a line, asked from pint."""
    lines = []
    for name in needed_names():
        factor = pint_factor_of(name)
        exponents = {
            base: str(power) for base, power in zip(BASE_DIMENSIONS, factor.dimension.exponents, strict=True) if power
        }
        lines.append(f"{json.dumps(name)}: {json.dumps([str(factor.scale), str(factor.offset), exponents])}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pint_factor_of(name: str) -> Factor:
    """Scale, offset and dimension of one unit name, as pint has them."""
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
