"""Join the rankings of several searches into one. Knows ranks only: no scores, no text, no store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fused:
    """An entry with the sum of its reciprocal ranks and the searches that found it."""

    id: str
    score: float
    found_by: tuple[str, ...]


def fuse(
    rankings: Mapping[str, Sequence[str]], *, k: int = 60, weights: Mapping[str, float] | None = None
) -> list[Fused]:
    """Order ids by the sum of weight / (k + rank) over the named rankings they appear in; ties by id.

    A ranking without a weight counts with 1.
    """
    weighed = weights or {}
    scores: dict[str, float] = {}
    finders: dict[str, list[str]] = {}
    for name, ranking in rankings.items():
        weight = weighed.get(name, 1.0)
        for rank, identifier in enumerate(dict.fromkeys(ranking), start=1):
            scores[identifier] = scores.get(identifier, 0.0) + weight / (k + rank)
            finders.setdefault(identifier, []).append(name)
    ordered = sorted(scores, key=lambda identifier: (-scores[identifier], identifier))
    return [Fused(identifier, scores[identifier], tuple(finders[identifier])) for identifier in ordered]
