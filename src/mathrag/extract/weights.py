"""The weights and thresholds of extraction, read once from `data/weights.toml`. No rule lives here."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType


@cache
def weights(group: str) -> Mapping[str, float]:
    """The numbers of one group of the file by name."""
    return MappingProxyType({name: float(value) for name, value in _groups()[group].items()})


@cache
def _groups() -> Mapping[str, Mapping[str, float]]:
    return tomllib.loads(resources.files("mathrag.extract").joinpath("data/weights.toml").read_text(encoding="utf-8"))
