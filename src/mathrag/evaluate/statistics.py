"""Shares with intervals, paired tests, calibration, percentiles. Plain numbers in and out; seeded, so repeatable."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = Any
Interval: TypeAlias = tuple[float, float]
# The two-sided 95 % point of the normal distribution.
_Z = 1.959963984540054
_RESAMPLINGS = 1000
_RESAMPLINGS_OF_SCORES = 300
_SEED = "evaluation"
BINS = 10


def wilson(right: int, total: int) -> Interval | None:
    """The 95 % interval of a share after Wilson; None for no trials."""
    if total <= 0:
        return None
    share, square = right / total, _Z * _Z
    centre = share + square / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    # Rounding must not put the share itself outside.
    return max(0.0, min(share, (centre - spread) / scale)), min(1.0, max(share, (centre + spread) / scale))


def share_of(outcomes: Iterable[tuple[str, bool]]) -> Json:
    """A share as data, from pairs of cluster and success: counts, Wilson interval, interval with clusters resampled."""
    counts: dict[str, list[int]] = {}
    for cluster, is_right in outcomes:
        entry = counts.setdefault(cluster, [0, 0])
        entry[0] += is_right
        entry[1] += 1
    right, total = sum(entry[0] for entry in counts.values()), sum(entry[1] for entry in counts.values())
    interval, clustered = wilson(right, total), _clustered(list(counts.values()))
    return {
        "right": right,
        "of": total,
        "share": rounded(right / total) if total else None,
        "low": rounded(interval[0]) if interval else None,
        "high": rounded(interval[1]) if interval else None,
        "clusters": len(counts),
        "clustered_low": rounded(clustered[0]) if clustered else None,
        "clustered_high": rounded(clustered[1]) if clustered else None,
    }


def rounded(value: float) -> float:
    """Six digits: enough for any reader, and the same on any machine."""
    return round(value, 6)


def _clustered(entries: Sequence[Sequence[int]]) -> Interval | None:
    if len(entries) < 2:
        return None
    chance = random.Random(_SEED)  # noqa: S311 - resampling, not a secret
    shares = []
    for _ in range(_RESAMPLINGS):
        drawn = chance.choices(entries, k=len(entries))
        shares.append(sum(entry[0] for entry in drawn) / sum(entry[1] for entry in drawn))
    return quantile(shares, 0.025), quantile(shares, 0.975)


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile of a non-empty sample, linear between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def percentile(values: Sequence[float], share: float) -> Json:
    """A percentile with the 95 % interval that the order of the sample gives, whatever its distribution."""
    ordered, count = sorted(values), len(values)
    spread = _Z * math.sqrt(count * share * (1 - share))
    low = max(0, math.floor(count * share - spread) - 1)
    high = min(count - 1, math.ceil(count * share + spread))
    return {
        "value": round(quantile(ordered, share), 3),
        "low": round(ordered[low], 3),
        "high": round(ordered[high], 3),
    }


def mcnemar(better: int, worse: int) -> float:
    """The exact two-sided p-value that as many, or more lopsided, changes happen by chance."""
    total = better + worse
    if not total:
        return 1.0
    tail = sum(math.comb(total, count) for count in range(min(better, worse) + 1))
    # Whole numbers to the end: 2 to the power of thousands is no float.
    return min(1.0, 2 * tail / 2**total if total < 1000 else math.exp(math.log(2 * tail) - total * math.log(2)))


Scored: TypeAlias = tuple[str, float, bool]
Measure: TypeAlias = Callable[[Sequence[tuple[float, bool]]], float | None]


def calibration(scored: Sequence[Scored]) -> Json:
    """What confidence is worth, from triples of cluster, confidence and success; null where nothing can be told."""
    pairs = [(confidence, is_right) for _, confidence, is_right in scored]
    measures: dict[str, Measure] = {
        "brier": brier,
        "expected_calibration_error": calibration_error,
        "area_under_curve": area_under_curve,
    }
    found: Json = {"of": len(pairs)}
    for name, measure in measures.items():
        value, interval = measure(pairs), _resampled(scored, measure)
        found[name] = {
            "value": None if value is None else rounded(value),
            "low": rounded(interval[0]) if interval else None,
            "high": rounded(interval[1]) if interval else None,
        }
    found["bins"] = reliability_bins(pairs)
    found["thresholds"] = [_threshold(pairs, step / 20) for step in range(10, 20)]
    return found


def _resampled(scored: Sequence[Scored], measure: Measure) -> Interval | None:
    clusters: dict[str, list[tuple[float, bool]]] = {}
    for cluster, confidence, is_right in scored:
        clusters.setdefault(cluster, []).append((confidence, is_right))
    if len(clusters) < 2:
        return None
    chance, groups = random.Random(_SEED), list(clusters.values())  # noqa: S311 - resampling, not a secret
    values = []
    for _ in range(_RESAMPLINGS_OF_SCORES):
        value = measure([pair for group in chance.choices(groups, k=len(groups)) for pair in group])
        if value is not None:
            values.append(value)
    return (quantile(values, 0.025), quantile(values, 0.975)) if len(values) > 20 else None


def brier(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """The mean square between confidence and outcome: 0 is perfect, 0.25 is a coin."""
    return sum((confidence - is_right) ** 2 for confidence, is_right in pairs) / len(pairs) if pairs else None


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """The mean distance, over ten bins by confidence, between confidence and accuracy."""
    if not pairs:
        return None
    bins: dict[int, list[float]] = {}
    for confidence, is_right in pairs:
        bins.setdefault(_bin(confidence), []).append(is_right - confidence)
    return sum(abs(sum(gaps)) for gaps in bins.values()) / len(pairs)


def area_under_curve(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """The probability that a right answer has more confidence than a wrong one; None unless there are both."""
    ordered = sorted(pairs)
    positives = sum(is_right for _, is_right in ordered)
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return None
    ranks, start = 0.0, 0
    while start < len(ordered):
        stop = start
        while stop < len(ordered) and ordered[stop][0] == ordered[start][0]:
            stop += 1
        ranks += (start + 1 + stop) / 2 * sum(is_right for _, is_right in ordered[start:stop])
        start = stop
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def reliability_bins(pairs: Sequence[tuple[float, bool]]) -> list[Json]:
    """For each of ten bins by confidence: how many, their mean confidence, how many right, with the interval."""
    found = []
    for number in range(BINS):
        inside = [pair for pair in pairs if _bin(pair[0]) == number]
        right = sum(is_right for _, is_right in inside)
        interval = wilson(right, len(inside))
        found.append(
            {
                "from": number / BINS,
                "to": (number + 1) / BINS,
                "of": len(inside),
                "right": right,
                "confidence": rounded(sum(pair[0] for pair in inside) / len(inside)) if inside else None,
                "share": rounded(right / len(inside)) if inside else None,
                "low": rounded(interval[0]) if interval else None,
                "high": rounded(interval[1]) if interval else None,
            }
        )
    return found


def _bin(confidence: float) -> int:
    return min(BINS - 1, max(0, int(confidence * BINS)))


def _threshold(pairs: Sequence[tuple[float, bool]], least: float) -> Json:
    kept = [is_right for confidence, is_right in pairs if confidence >= least]
    return {
        "confidence": least,
        "answered": len(kept),
        "coverage": rounded(len(kept) / len(pairs)) if pairs else None,
        "precision": rounded(sum(kept) / len(kept)) if kept else None,
    }
