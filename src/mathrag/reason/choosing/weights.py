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
    return read_weights(_text())


def read_weights(text: str) -> Mapping[str, float]:
    """Weights from the text of a file such as `data/weights.toml`."""
    groups = tomllib.loads(text)
    return {name: float(value) for group in GROUPS for name, value in groups[group].items()}


@cache
def _text() -> str:
    return resources.files("mathrag.reason.choosing").joinpath("data/weights.toml").read_text(encoding="utf-8")


@cache
def evidence_names(*groups: str) -> frozenset[str]:
    """The names of the evidence in these groups of the file."""
    written = tomllib.loads(_text())
    return frozenset(name for group in groups for name in written[group])


def worth(evidence: Mapping[str, float], table: Mapping[str, float]) -> float:
    """What evidence is worth in all."""
    return sum([table[name] * value for name, value in evidence.items() if value])
