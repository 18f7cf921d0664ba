"""How much each piece of evidence counts. The numbers are data (`data/weights.toml`), fitted on question sets."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

GROUPS = ("pair", "target", "formula", "whole")


@cache
def weights() -> Mapping[str, float]:
    """Every weight by the name of its evidence."""
    text = resources.files("mathrag.reason.choosing").joinpath("data/weights.toml").read_text(encoding="utf-8")
    return read_weights(text)


def read_weights(text: str) -> Mapping[str, float]:
    """Weights from the text of a file such as `data/weights.toml`."""
    groups = tomllib.loads(text)
    return {name: float(value) for group in GROUPS for name, value in groups[group].items()}


def worth(evidence: Mapping[str, float], table: Mapping[str, float]) -> float:
    """What evidence is worth in all."""
    return sum(table[name] * value for name, value in evidence.items() if value)
