"""Grades of a whole set as figures: shares with intervals, stages, calibration, latency. Writes and draws nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from mathrag.evaluate.grading import STAGES, TOOL_FAILURES, Grade
from mathrag.evaluate.questions import WORDINGS
from mathrag.evaluate.statistics import calibration, percentile, share_of

Json: TypeAlias = Any
TIERS = ("direct", "rearranged", "chained", "unanswerable", "missing", "chat")


def measure(grades: Sequence[Grade]) -> Json:
    """Every figure of a run, by name."""
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
        "calibration": calibration(
            [
                (grade.cluster, grade.confidence, grade.is_right)
                for grade in grades
                if grade.has_number and grade.confidence is not None
            ]
        ),
        "milliseconds": latency([grade.milliseconds for grade in grades if grade.milliseconds is not None]),
        "halves": {half: _half([grade for grade in grades if grade.half == half]) for half in ("odd", "even")},
    }


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
    return {"id": grade.id, "right": grade.is_right, **{k: v for k, v in asdict(grade).items() if k != "id"}}


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
