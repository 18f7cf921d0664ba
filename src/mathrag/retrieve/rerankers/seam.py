"""What a reranker is, and what is done with its scores: the order, what is selected, what is good and what is poor.

Thresholds belong to one reranker, for the scores of two are never of one scale; they stand in `data/rerankers.toml`.
An unknown score is none: it moves nothing, and nothing is left out because of it.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

Found = TypeVar("Found")
Relevance: TypeAlias = Literal["high", "middle", "poor", "unknown"]

# Which thresholds hold for a reranker that the data file does not know.
_USUAL = "usual"


class Reranker(Protocol):
    """Says how relevant texts are to a question."""

    @property
    def name(self) -> str:
        """What its thresholds are kept under."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """A number from 0 to 1 for each text, None where it is unknown. Never raises: what fails is unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From `selected` on a text is taken whatever its rank; from `high` on it is called relevant, below `poor` not.
    What scores below `least` is never added. `first` is how many are taken by rank."""

    selected: float
    high: float
    poor: float
    least: float
    first: int


@dataclass(frozen=True, slots=True)
class Scored(Generic[Found]):
    """What was found with its score by a reranker and its place before that, from 0."""

    found: Found
    score: float | None
    place: int


@cache
def thresholds_of(name: str) -> Thresholds:
    """The thresholds of a reranker; the usual ones where it has none of its own."""
    source = resources.files("mathrag.retrieve").joinpath("data", "rerankers.toml").read_text("utf-8")
    groups = tomllib.loads(source)
    own = groups.get(name, groups[_USUAL])
    return Thresholds(
        float(own["selected"]), float(own["high"]), float(own["poor"]), float(own["least"]), int(own["first"])
    )


def rerank(query: str, found: Sequence[Found], texts: Sequence[str], reranker: Reranker) -> tuple[Scored[Found], ...]:
    """What was found, best first. Those of known score are ordered by it among the places that they have; who has none
    keeps its place."""
    scores = checked_scores(reranker.scores(query, texts), count=len(texts))
    scored = [Scored(one, score, place) for place, (one, score) in enumerate(zip(found, scores, strict=True))]
    known = sorted((one for one in scored if one.score is not None), key=lambda one: (-(one.score or 0.0), one.place))
    following = iter(known)
    return tuple(one if one.score is None else next(following) for one in scored)


def checked_scores(scores: Sequence[float | None], *, count: int) -> list[float | None]:
    """Scores as they may be used: as many as texts, finite; all unknown where there are more or fewer."""
    if len(scores) != count:
        return [None] * count
    return [None if score is None or not math.isfinite(score) else float(score) for score in scores]


def select(
    scored: Sequence[Scored[Found]], thresholds: Thresholds, *, least: float | None = None
) -> list[Scored[Found]]:
    """The larger of the first few by the ranking before and all that score well; then without what scores too low.

    `least` is another threshold for that, as measurements try several.
    """
    first = [one for one in scored if one.place < thresholds.first]
    well = [one for one in scored if one.score is not None and one.score >= thresholds.selected]
    chosen = well if len(well) > len(first) else first
    lowest = thresholds.least if least is None else least
    return [one for one in chosen if one.score is None or one.score >= lowest]


def relevance(scores: Sequence[float | None], thresholds: Thresholds) -> Relevance:
    """What the best of several scores says; unknown where none is known."""
    known = [score for score in scores if score is not None]
    if not known:
        return "unknown"
    best = max(known)
    return "high" if best >= thresholds.high else "poor" if best < thresholds.poor else "middle"
