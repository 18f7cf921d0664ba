"""Constants of equilibria in water at 25 °C: the steps of acids, standard potentials. Formulas are texts here, as in
`compounds`; what they come to is worked out in `compute/chemistry`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any

from mathrag.knowledge.data_files import small_tables


@dataclass(frozen=True, slots=True)
class AcidSteps:
    """An acid in all its forms, the one with most protons first; `charge` is that form's, `pka` are its steps."""

    name: str
    charge: int
    pka: tuple[float, ...]
    forms: tuple[tuple[str, ...], ...]
    also: tuple[str, ...] = ()

    def form_text(self, protons_lost: int) -> str:
        """How a form is usually written."""
        return self.forms[protons_lost][0]


@dataclass(frozen=True, slots=True)
class Couple:
    """What is reduced to what, and its standard potential in volts, with the digits of the table."""

    name: str
    oxidized: str
    reduced: str
    volts: Decimal


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    return small_tables("equilibria")


def table_source(of: str) -> str:
    """Where `acidity`, `solubility` or `potentials` are from, in words."""
    return str(_tables()["source"][of])


@cache
def acids() -> tuple[AcidSteps, ...]:
    """All acids of the table, with the bases among their forms."""
    return tuple(
        AcidSteps(
            name,
            row["charge"],
            tuple(map(float, row["pka"])),
            tuple(map(tuple, row["forms"])),
            tuple(row.get("also", ())),
        )
        for name, row in _tables()["acids"].items()
    )


def spectators(kind: str) -> Mapping[str, int]:
    """`cations` or `anions` without acidity, with the size of their charge."""
    return MappingProxyType(_tables()["spectators"][kind])


def solubility_products() -> Mapping[str, float]:
    """Of salts by their formula."""
    return MappingProxyType({name: float(value) for name, value in _tables()["solubility_products"].items()})


@cache
def couples() -> tuple[Couple, ...]:
    """Everything with a standard potential; elements under their name."""
    found = []
    for name, row in _tables()["electrodes"].items():
        ends = (row["ion"], row["metal"]) if not row["ion"].endswith("-") else (row["metal"], row["ion"])
        found.append(Couple(name, *ends, Decimal(row["volts"])))
    for name, row in _tables()["couples"].items():
        found.append(Couple(name, row["oxidized"], row["reduced"], Decimal(row["volts"])))
    return tuple(found)
