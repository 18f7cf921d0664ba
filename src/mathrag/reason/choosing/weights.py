"""The numbers of choosing, read from data files; no rule lives here.

`weights.toml` says how much each piece of evidence counts (fitted on question sets), `evidence.toml` what it amounts to
where it is neither all nor nothing, `thresholds.toml` from where on something counts as so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

GROUPS = ("pair", "target", "formula", "whole")


@cache
def weights() -> Mapping[str, float]:
    """Every weight by the name of its evidence."""
    return read_weights(data_text("weights"))


def read_weights(text: str) -> Mapping[str, float]:
    """Weights from the text of a file such as `data/weights.toml`."""
    groups = tomllib.loads(text)
    return {name: float(value) for group in GROUPS for name, value in groups[group].items()}


@cache
def evidence_names(*groups: str) -> frozenset[str]:
    """The names of the evidence in these groups of the weights."""
    written = _file("weights")
    return frozenset(name for group in groups for name in written[group])


def amounts(group: str) -> Mapping[str, float]:
    """What the pieces of evidence of a group amount to."""
    return _numbers("evidence", group)


def thresholds(group: str) -> Mapping[str, float]:
    """From where on the things of a group count as so."""
    return _numbers("thresholds", group)


def total_worth(evidence: Mapping[str, float], table: Mapping[str, float]) -> float:
    """What evidence is worth in all."""
    return sum([table[name] * value for name, value in evidence.items() if value])


@cache
def data_text(name: str) -> str:
    """The text of one of the data files, by its name without ending."""
    return resources.files("mathrag.reason.choosing").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")


@cache
def _numbers(file: str, group: str) -> Mapping[str, float]:
    return MappingProxyType({name: float(value) for name, value in _file(file)[group].items()})


@cache
def _file(name: str) -> Mapping[str, Any]:
    return tomllib.loads(data_text(name))
