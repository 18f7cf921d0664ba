"""The chemical elements: symbols, names, atomic numbers. Reads no formulas; its readers decide what a species is."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any

from mathrag.knowledge.data_files import small_tables

# Pascal, neper, petametre, terametre: who writes these after a number means the unit, not a rare element.
_UNITS_FIRST = frozenset(("Pa", "Np", "Pm", "Tm"))


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    return small_tables("elements")


@cache
def element_names() -> Mapping[str, str]:
    """The name of every element by its symbol, in the order of atomic numbers: the first is hydrogen."""
    return MappingProxyType(dict(_tables()["names"]))


@cache
def atomic_weights() -> Mapping[str, Decimal]:
    """Standard atomic weights in g/mol, with their digits, of the elements that have one."""
    return {symbol: Decimal(weight) for symbol, weight in _tables()["weights"].items()}


@cache
def highest_states() -> Mapping[str, int]:
    """The highest oxidation state of the elements that have several."""
    return MappingProxyType({symbol: int(state) for symbol, state in _tables()["highest_states"].items()})


@cache
def element_symbols() -> frozenset[str]:
    """The symbols of all elements."""
    return frozenset(element_names())


@cache
def unmistakable_symbols() -> frozenset[str]:
    """The symbols that are not units first: `Pa` is the pascal far more often than protactinium."""
    return element_symbols() - _UNITS_FIRST


def atomic_number(symbol: str) -> int:
    """The place of an element in the periodic table; `ValueError` for what is no symbol."""
    return list(element_names()).index(symbol) + 1
