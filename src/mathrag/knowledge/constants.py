"""The constants of nature and convention, found by symbol or words. Which one applies is for the caller to choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache

from mathrag.knowledge.data_files import CONSTANTS, Entry, load_dimensions, load_entries, make_entries
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.knowledge import Constant
from mathrag.types.quantity import Dimension, Quantity

Index = Mapping[str, tuple[Constant, ...]]


@cache
def all_constants() -> tuple[Constant, ...]:
    """Every constant, in the order of the file."""
    return make_constants(load_entries(CONSTANTS), load_dimensions(CONSTANTS))


def make_constants(entries: list[Entry], dimensions: Mapping[str, Dimension]) -> tuple[Constant, ...]:
    """Constants from entries of the data file and the dimensions of their units."""

    def make(entry: Entry) -> Constant:
        uncertainty = entry.get("uncertainty")
        default = entry.get("default")
        return Constant(
            id=entry["id"],
            names=tuple(entry["names"]),
            symbols=tuple(entry["symbols"]),
            value=Decimal(entry["value"]),
            unit=entry["unit"],
            dimension=dimensions[entry["unit"]],
            source=entry["source"],
            field=entry["field"],
            uncertainty=None if uncertainty is None else Decimal(uncertainty),
            is_exact=entry["exact"],
            is_nominal=bool(entry.get("nominal")),
            is_default=True if default is None else default,
            qudt=entry.get("qudt"),
        )

    return make_entries(CONSTANTS, entries, make)


@cache
def _by_id() -> Mapping[str, Constant]:
    return {item.id: item for item in all_constants()}


def constant(constant_id: str) -> Constant:
    """The constant with this id; `KeyError` if there is none."""
    return _by_id()[constant_id]


def standard_of(constant_id: str | None) -> Constant | None:
    """The constant with this id; None where there is no such id."""
    return None if constant_id is None else _by_id().get(constant_id)


def _group(pairs: Iterable[tuple[str, Constant]]) -> Index:
    found: dict[str, list[Constant]] = {}
    for key, item in pairs:
        items = found.setdefault(key, [])
        if item not in items:
            items.append(item)
    return {key: tuple(items) for key, items in found.items()}


@cache
def _by_symbol() -> Index:
    # Those that may stand in unasked come first; the sort keeps file order otherwise.
    ordered = sorted(all_constants(), key=lambda item: not item.is_default)
    return _group((name, item) for item in ordered for name in item.symbols)


def constants_for_symbol(name: str) -> tuple[Constant, ...]:
    """The constants written with this symbol, defaults first."""
    return _by_symbol().get(name, ())


@cache
def _by_words() -> Index:
    return _group((normal_words(name), item) for item in all_constants() for name in item.names)


def constants_for_words(text: str) -> tuple[Constant, ...]:
    """The constants with exactly this name (case, hyphens and plural aside)."""
    return _by_words().get(normal_words(text), ())


def constant_quantity(item: Constant) -> Quantity:
    """The constant as a number with unit and uncertainty; a whole number stays exact."""
    unit = read_canonical_unit(item.unit)
    whole = item.value == item.value.to_integral_value()
    uncertainty = None if item.uncertainty is None or item.is_exact else float(item.uncertainty)
    return Quantity(int(item.value) if whole else float(item.value), unit, uncertainty)
