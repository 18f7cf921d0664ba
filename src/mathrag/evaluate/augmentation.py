"""Texts that may be put before a problem, each with how relevant it is: which of them are, at a threshold, and how many
problems of one fixed set that concerns; and whether those were found that labels call relevant.

Searches and scores nothing. A score that is not known is None: it is counted, never taken for zero, and its text is
never put before a problem, because nobody knows that it is relevant.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from mathrag.errors import UsageError
from mathrag.evaluate.metrics import rounded, wilson
from mathrag.types.json_value import Json

# The thresholds for which coverage is reported.
THRESHOLDS = tuple(step / 10 for step in range(10))
# So many texts reach a prompt.
MOST_SHOWN = 3
RECALLED = (1, 3, 5, 10)
_LARGEST_LABELS = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Offered:
    """A text that may help, where it stands, and how relevant it is (0 to 1; None where that is not known)."""

    text: str
    score: float | None = None
    source: str = ""


# Finds texts for a problem, the likeliest first: worked solutions, cards of concepts. Knows no answer.
MaterialSource: TypeAlias = Callable[[str], Sequence[Offered]]


class Scorer(Protocol):
    """Says how relevant texts are to a problem."""

    @property
    def name(self) -> str:
        """Who scores; a threshold holds for one scorer alone."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        """A score for each text, None where there is none."""
        ...


def material_of(pairs: Callable[[str], Iterable[tuple[str, float | None]]]) -> MaterialSource:
    """A source made of a function that gives pairs of text and score."""
    return lambda problem: [Offered(text, score) for text, score in pairs(problem)]


def shown_at(offers: Sequence[Offered], threshold: float, *, most: int = MOST_SHOWN) -> tuple[int, ...]:
    """The places of the texts that reach the threshold, best first, of equal ones the earlier; at most so many."""
    reaching = [
        (-score, place) for place, one in enumerate(offers) if (score := one.score) is not None and score >= threshold
    ]
    return tuple(place for _, place in sorted(reaching)[:most])


def coverage(offers: Sequence[Sequence[Offered]], thresholds: Iterable[float] = THRESHOLDS) -> list[Json]:
    """For each threshold: of all problems, those with a text that reaches it. The problems are always the same.

    `unknown` are those that do not reach it by what is known, but have texts without a score: they might.
    """
    return [_covered(offers, threshold) for threshold in sorted(set(thresholds))]


def _covered(offers: Sequence[Sequence[Offered]], threshold: float) -> Json:
    shown = [shown_at(each, threshold) for each in offers]
    reached = sum(map(bool, shown))
    interval = wilson(reached, len(offers))
    unknown = sum(
        not places and any(one.score is None for one in each) for places, each in zip(shown, offers, strict=True)
    )
    return {
        "threshold": threshold,
        "problems": reached,
        "of": len(offers),
        "share": rounded(reached / len(offers)) if offers else None,
        "low": rounded(interval[0]) if interval else None,
        "high": rounded(interval[1]) if interval else None,
        "unknown": unknown,
        "texts": rounded(sum(map(len, shown)) / len(offers)) if offers else None,
    }


def score_figures(offers: Sequence[Sequence[Offered]]) -> Json:
    """How many texts there are, how many have a score, and what the known scores are on the whole.

    `best` is the mean over problems of the best score that is known; problems without any are left out of it.
    """
    known = [one.score for each in offers for one in each if one.score is not None]
    scored = [[one.score for one in each if one.score is not None] for each in offers]
    best = [max(each) for each in scored if each]
    total = sum(map(len, offers))
    return {
        "texts": total,
        "known": len(known),
        "unknown": total - len(known),
        "mean": rounded(math.fsum(known) / len(known)) if known else None,
        "best": rounded(math.fsum(best) / len(best)) if best else None,
    }


# ---- labels


def load_labels(file: Path) -> dict[str, frozenset[str]]:
    """The sources that are relevant to each problem, from JSON lines `{"id": …, "relevant": […]}`."""
    try:
        if file.stat().st_size > _LARGEST_LABELS:
            raise UsageError(f"{file} is larger than {_LARGEST_LABELS // 1024 // 1024} MB")
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror or error}") from error
    found: dict[str, frozenset[str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            name, relevant = row["id"], row["relevant"]
        except (ValueError, RecursionError, TypeError, KeyError):
            name, relevant = None, None
        if not isinstance(name, str) or not isinstance(relevant, list) or not all(isinstance(s, str) for s in relevant):
            raise UsageError(f'{file.name}, line {number}: a label is {{"id": "…", "relevant": ["…"]}}')
        found[name] = frozenset(relevant)
    return found


def recall_figures(offers: Mapping[str, Sequence[Offered]], labels: Mapping[str, frozenset[str]]) -> Json | None:
    """Recall of labelled sources among the first texts, by score; None where no problem is labelled.

    Texts without a score come after those with one, in the order in which they were found.
    """
    labelled = [(offers[name], relevant) for name, relevant in labels.items() if name in offers and relevant]
    if not labelled:
        return None
    ranked = [([one.source for one in _by_score(each)], relevant) for each, relevant in labelled]
    return {
        "problems": len(ranked),
        "relevant": sum(len(relevant) for _, relevant in ranked),
        "recall": {
            str(most): rounded(sum(_recalled(found[:most], relevant) for found, relevant in ranked) / len(ranked))
            for most in RECALLED
        },
        "reciprocal_rank": rounded(sum(_reciprocal(found, relevant) for found, relevant in ranked) / len(ranked)),
    }


def _by_score(offers: Sequence[Offered]) -> list[Offered]:
    return sorted(offers, key=lambda one: math.inf if one.score is None else -one.score)


def _recalled(found: Sequence[str], relevant: frozenset[str]) -> float:
    return len(relevant & set(found)) / len(relevant)


def _reciprocal(found: Sequence[str], relevant: frozenset[str]) -> float:
    return next((1 / rank for rank, source in enumerate(found, 1) if source in relevant), 0.0)
