"""What compounds are called: ions with their charges, roots and numbers in names, and names that follow no rule.
Formulas are texts here; they are read, and names are put together, in `compute/chemistry`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from mathrag.knowledge.data_files import small_tables


@dataclass(frozen=True, slots=True)
class Ion:
    """An ion by its formula without the charge, the size of its charge, and the first word of the acid it is of."""

    formula: str
    charge: int
    acid: str = ""


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    return small_tables("compounds")


@cache
def cations() -> Mapping[str, Ion]:
    """Cations whose name tells their charge."""
    return MappingProxyType({name: Ion(**entry) for name, entry in _tables()["cations"].items()})


@cache
def anions() -> Mapping[str, Ion]:
    """Anions by their name."""
    return MappingProxyType({name: Ion(**entry) for name, entry in _tables()["anions"].items()})


@cache
def open_charges() -> Mapping[str, tuple[int, ...]]:
    """Metals whose name leaves their charge open, with the charges they have."""
    return MappingProxyType({name: tuple(charges) for name, charges in _tables()["open_charges"].items()})


def naming_table(name: str) -> Mapping[str, Any]:
    """One of the plain tables of the file, such as `numbers`, `chains`, `molecules`, `compounds`, `gases`."""
    return MappingProxyType(_tables()[name])
