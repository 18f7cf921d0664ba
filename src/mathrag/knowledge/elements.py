"""The chemical elements: symbols, names, atomic numbers. Reads no formulas; its readers decide what a species is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

# Pascal, neper, petametre, terametre: who writes these after a number means the unit, not a rare element.
_UNITS_FIRST = frozenset(("Pa", "Np", "Pm", "Tm"))


@cache
def element_names() -> Mapping[str, str]:
    """The name of every element by its symbol, in the order of atomic numbers: the first is hydrogen."""
    text = resources.files("mathrag.knowledge").joinpath("data", "elements.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text)["names"])


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
