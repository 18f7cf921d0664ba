"""The final order of what was found: how well it fits and how good it is, both from 0 to 1, mixed by one weight.

Fusion sums are at most a few hundredths, so mixed as they are they would only break ties: they are stretched over what
was found first. Nothing here finds or judges anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.retrieve.quality import fitted_numbers


@dataclass(frozen=True, slots=True)
class Ranked:
    """The place of an entry before, and what it was ranked by; `quality` is None where it is unknown."""

    place: int
    worth: float
    fit: float
    quality: float | None


def normalised(scores: Sequence[float]) -> list[float]:
    """Scores stretched so that the worst is 0 and the best 1; all 1 where they are equal."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    width = high - low
    return [1.0 if width <= 0 else (one - low) / width for one in scores]


def quality_weight() -> float:
    """How much quality counts beside the fit, from 0 to 1: tuned on data apart from those it was measured on."""
    return float(fitted_numbers("rank")["quality_weight"])


def final_rank(
    fits: Sequence[float], qualities: Sequence[float | None], *, weight: float, are_normal: bool = False
) -> list[Ranked]:
    """Order entries by (1 - weight) times their fit plus weight times their quality; ties keep their order.

    Where a quality is unknown the mean of the known ones stands for it, so that an entry neither gains nor loses by a
    call that failed; where none is known, the order of the fits stays. `are_normal` fits go from 0 to 1 already.
    """
    if not 0.0 <= weight <= 1.0:
        raise ValueError(f"a weight is between 0 and 1, not {weight}")
    if len(fits) != len(qualities):
        raise ValueError("every entry needs a fit and a quality, known or not")
    stretched = list(fits) if are_normal else normalised(fits)
    known = [one for one in qualities if one is not None]
    usual = sum(known) / len(known) if known else 0.0
    used = weight if known else 0.0
    ranked = [
        Ranked(place, (1 - used) * fit + used * (usual if quality is None else quality), fit, quality)
        for place, (fit, quality) in enumerate(zip(stretched, qualities, strict=True))
    ]
    return sorted(ranked, key=lambda one: (-one.worth, one.place))
