"""Grades of a whole set as figures: shares with intervals, stages, calibration, latency; and the statistics for that,
seeded, so that they can be repeated. Writes and draws nothing."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TypeAlias

from mathrag.evaluate.grades import STAGES, TOOL_FAILURES, Grade
from mathrag.evaluate.questions import WORDINGS
from mathrag.types.json_value import Json

# Shares with intervals, paired tests, calibration, percentiles. Plain numbers in and out; seeded, so repeatable.

Interval: TypeAlias = tuple[float, float]
# The two-sided 95 % point of the normal distribution.
_Z = 1.959963984540054
# More of them hardly move the ends of an interval.
_RESAMPLINGS = 1000
# Fewer: each of them goes through all scores again.
_RESAMPLINGS_OF_SCORES = 300
_SEED = "evaluation"
# Ten, as is usual where calibration is reported.
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


# Places of a risk-coverage curve; more cannot be told apart on a page.
_MOST_PLACES = 60
# The precisions for which a reader wants to know how much is answered.
PRECISIONS = (0.9, 0.95, 0.97, 0.99)


def risk_coverage(pairs: Sequence[tuple[float, bool]], asked: int) -> Json:
    """How much is right, and how often a given number is, if only the surest answers were given.

    `pairs` are the confidence of each number given and whether it is right, `asked` how many questions have an answer.
    Answers of one confidence stand or fall together.
    """
    ordered = sorted(pairs, key=lambda pair: -pair[0])
    places: list[Json] = []
    right = 0
    for number, (confidence, is_right) in enumerate(ordered, start=1):
        right += is_right
        if number == len(ordered) or ordered[number][0] < confidence:
            places.append(
                {
                    "confidence": rounded(confidence),
                    "answered": number,
                    "right": right,
                    "precision": rounded(right / number),
                    "share": rounded(right / asked) if asked else None,
                }
            )
    return {
        "asked": asked,
        "curve": _thinned(places),
        "at_precision": [
            {"precision": least, **_most_answered(places, least)} for least in (PRECISIONS if places else ())
        ],
    }


def _most_answered(places: Sequence[Json], least: float) -> Json:
    """The last place of the curve at which the precision still is so high; nothing answered where there is none."""
    kept = [place for place in places if place["precision"] >= least]
    if kept:
        return {name: kept[-1][name] for name in ("confidence", "answered", "right", "share")}
    return {"confidence": None, "answered": 0, "right": 0, "share": 0.0}


def _thinned(places: Sequence[Json]) -> list[Json]:
    every = max(1, math.ceil(len(places) / _MOST_PLACES))
    return [place for number, place in enumerate(places, start=1) if number % every == 0 or number == len(places)]


TIERS = ("direct", "rearranged", "chained", "unanswerable", "missing", "chat")


def measure(grades: Sequence[Grade]) -> Json:
    """Every figure of a run, by name."""
    given = [
        (grade.cluster, grade.confidence, grade.is_right)
        for grade in grades
        if grade.has_number and grade.confidence is not None
    ]
    return {
        "accuracy": {
            "all": _share(grades, _is_right),
            "answerable": _share(_computed(grades), _is_right),
            "refusals": _share([grade for grade in grades if grade.kind == "refuse"], _is_right),
        },
        "tiers": {tier: _share(_of_tier(grades, tier), _is_right) for tier in tiers_of(grades)},
        "wordings": {
            name: _share([grade for grade in grades if grade.wording == name], _is_right)
            for name in WORDINGS.values()
            if any(grade.wording == name for grade in grades)
        },
        "tools": {
            "answerable": tool_figures(_computed(grades)),
            **{tier: tool_figures(_of_tier(_computed(grades), tier)) for tier in tiers_of(_computed(grades))},
        },
        "precision": _share([grade for grade in grades if grade.has_number], _is_right),
        "answered": _share(_computed(grades), lambda grade: grade.has_number),
        "refused_without_number": {
            tier: _share(_of_tier(grades, tier), lambda grade: not grade.has_number)
            for tier in tiers_of(grades)
            if tier in ("unanswerable", "missing")
        },
        "chat_taken_for_computation": _share(
            [grade for grade in grades if grade.kind == "chat"], lambda grade: grade.verdict == "taken"
        ),
        "stages": stage_figures(grades),
        "findings": finding_figures(grades),
        "origins": origin_figures(grades),
        "calibration": calibration(given),
        "risk_coverage": risk_coverage([(sure, is_right) for _, sure, is_right in given], len(_computed(grades))),
        "milliseconds": latency([grade.milliseconds for grade in grades if grade.milliseconds is not None]),
        "halves": {half: _half([grade for grade in grades if grade.half == half]) for half in ("odd", "even")},
    }


def origin_figures(grades: Sequence[Grade]) -> Json:
    """Numbers that rest on the documents, on the handbook, on what a language model assumed, or on neither, and how
    many of each were right."""
    given: dict[str, list[Grade]] = {}
    for grade in grades:
        if grade.has_number:
            given.setdefault(grade.origin or "neither", []).append(grade)
    return {name: {"numbers": len(found), "right": sum(map(_is_right, found))} for name, found in given.items()}


def tiers_of(grades: Iterable[Grade]) -> list[str]:
    """The tiers that occur: the usual ones in their usual order, then the others by name."""
    found = {grade.tier for grade in grades}
    return [tier for tier in TIERS if tier in found] + sorted(found - set(TIERS))


def tool_figures(grades: Sequence[Grade]) -> Json | None:
    """Formula recognition and what it is worth; None where the set does not tell the formulas."""
    known = [grade for grade in grades if grade.tool != "unknown"]
    if not known or all(grade.tool_failure == "" and grade.tool != "correct" for grade in known):
        return None
    correct = [grade for grade in known if grade.tool == "correct"]
    failed = Counter(grade.tool_failure for grade in known if grade.tool != "correct")
    return {
        "correct": _share(known, lambda grade: grade.tool == "correct"),
        "wrong": _share(known, lambda grade: grade.tool == "wrong"),
        "none": _share(known, lambda grade: grade.tool == "none"),
        "correct_or_right_by_another_route": _share(known, lambda grade: grade.tool == "correct" or grade.is_right),
        "correct_by_an_equivalent_formula": sum("equivalent" in grade.note for grade in correct),
        "failures": {name: failed[name] for name in TOOL_FAILURES},
        "accuracy": _share(known, _is_right),
        "conditional_accuracy": _share(correct, _is_right),
    }


def stage_figures(grades: Sequence[Grade]) -> Json:
    """How many misses each stage has, over all and by tier, each as a share of the questions."""
    found: Json = {}
    for stage in STAGES:
        missed = [grade for grade in grades if grade.stage == stage]
        by_tier = Counter(grade.tier for grade in missed)
        found[stage] = {
            **_share(grades, lambda grade, stage=stage: grade.stage == stage),  # type: ignore[misc]
            "tiers": {tier: by_tier[tier] for tier in tiers_of(missed)},
        }
    return found


def finding_figures(grades: Sequence[Grade]) -> Json:
    """How many refusals each finding speaks in: of questions that have an answer, and of those that have none."""
    found: dict[str, Counter[str]] = {}
    for grade in grades:
        for code in grade.findings:
            found.setdefault(code, Counter())["answerable" if grade.kind == "compute" else "unanswerable"] += 1
    return {
        code: {name: counts[name] for name in ("answerable", "unanswerable")}
        for code, counts in sorted(found.items(), key=lambda item: (-item[1].total(), item[0]))
    }


def latency(values: Sequence[float]) -> Json | None:
    """Percentiles of the time to an answer; None where none was told."""
    if not values:
        return None
    named = {"median": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
    return {
        "of": len(values),
        **{name: percentile(values, share) for name, share in named.items()},
        "mean": round(sum(values) / len(values), 3),
        "largest": round(max(values), 3),
    }


def grade_record(grade: Grade) -> Json:
    """One question of the report, as data."""
    shown = {k: v for k, v in asdict(grade).items() if k != "id"}
    return {"id": grade.id, "right": grade.is_right, **shown, "findings": list(grade.findings)}


def _half(grades: Sequence[Grade]) -> Json:
    return {
        "tiers": {tier: _share(_of_tier(grades, tier), _is_right) for tier in tiers_of(grades)},
        "precision": _share([grade for grade in grades if grade.has_number], _is_right),
        "tools": tool_figures(_computed(grades)),
    }


def _share(grades: Iterable[Grade], test: Callable[[Grade], bool]) -> Json:
    return share_of((grade.cluster, test(grade)) for grade in grades)


def _is_right(grade: Grade) -> bool:
    return grade.is_right


def _computed(grades: Iterable[Grade]) -> list[Grade]:
    return [grade for grade in grades if grade.kind == "compute"]


def _of_tier(grades: Iterable[Grade], tier: str) -> list[Grade]:
    return [grade for grade in grades if grade.tier == tier]
