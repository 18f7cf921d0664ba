"""Reports of evaluations for the eye: found beside a library, read with care, as plain data. Computes no grade.

A report may be old, cut off or made up. What is not as it should be is left out, never believed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError
from mathrag.library.evaluation_view_folder import RunFolder, Stamp, find_run, read_report, run_folders
from mathrag.library.evaluation_view_values import (
    Object,
    count_of,
    list_of,
    number_of,
    object_of,
    share_of,
    shares_of,
    text_of,
    texts_of,
)

_MOST_QUESTIONS = 100_000
_RECORD = (
    "id", "tier", "kind", "verdict", "tool", "tool_failure", "stage", "detail", "note", "expected", "found",
    "question", "wording", "cluster",
)  # fmt: skip
_LONGEST = {"question": 20_000, "detail": 1_000}
_MAIN = (
    ("all", "Right, of all questions"),
    ("answerable", "Right, of those with an answer"),
    ("refusals", "Refused, of those without one"),
)
_MEASURES = {
    "brier": "Brier score",
    "expected_calibration_error": "expected calibration error",
    "area_under_curve": "area under the curve",
}


@dataclass(frozen=True, slots=True)
class Report:
    """A report: `about` is all but the questions, `questions` are those, each an object of texts and numbers."""

    about: Object
    questions: tuple[Object, ...]


def list_runs(library: Path) -> list[RunFolder]:
    """The runs beside a library, newest first."""
    return run_folders(library)


def run_summary(library: Path, run: RunFolder) -> Object:
    """A line of the list of runs; `problem` says why there are no figures."""
    made: Object = {"name": run.name, "time": _time(run.time), "problem": run.problem, "is_shown": False}
    if run.stamp is None:
        return made
    found = _summary(library, run.name, run.stamp)
    return {**made, **found, "is_shown": not found["problem"]}


def load_run(library: Path, name: str) -> Report:
    """The report of a run; `LibraryError` says why there is none."""
    run = find_run(library, name)
    if run is None:
        raise LibraryError("there is no run of this name beside the library")
    if run.stamp is None:
        raise LibraryError(f"this run cannot be shown: {run.problem}")
    return _report(library, run.name, run.stamp)


def compare_runs(before: Report, after: Report) -> Object:
    """What got better and worse between two runs, question by question."""
    from mathrag.evaluate.comparing import compare_reports

    return asdict(compare_reports({"questions": before.questions}, {"questions": after.questions}))


@lru_cache(maxsize=512)
def _summary(library: Path, name: str, stamp: Stamp) -> Object:
    try:
        about = _parsed(library, name, stamp).about
    except LibraryError as error:
        return {"problem": str(error)}
    kept = ("set", "planner", "half", "asked_first", "questions", "right", "main", "model", "milliseconds")
    return {"problem": "", **{key: about[key] for key in kept}}


@lru_cache(maxsize=4)
def _report(library: Path, name: str, stamp: Stamp) -> Report:
    return _parsed(library, name, stamp)


def _parsed(library: Path, name: str, stamp: Stamp) -> Report:
    try:
        value = json.loads(read_report(library, name))
    except (ValueError, RecursionError) as error:
        raise LibraryError("report.json is no whole JSON object; run the evaluation again") from error
    if not isinstance(value, dict) or not isinstance(value.get("questions"), list):
        raise LibraryError("report.json is no report of an evaluation")
    seen: dict[str, Object] = {}
    for given in list_of(value["questions"], most=_MOST_QUESTIONS):
        record = _record(object_of(given))
        if record is not None:
            seen.setdefault(record["id"], record)
    about = _about(value, tuple(seen.values()))
    about |= {"name": name, "time": _time(stamp.time), "left_out": len(value["questions"]) - len(seen)}
    return Report(about, tuple(seen.values()))


def _record(given: Any) -> Object | None:
    """One question; None where it has no id or no verdict."""
    made: Object = {name: text_of(given.get(name), longest=_LONGEST.get(name, 400)) for name in _RECORD}
    if not made["id"] or not made["verdict"] or given.get("id") != made["id"]:
        return None
    made["right"] = made["verdict"] == "right"
    confidence = number_of(given.get("confidence"))
    made["confidence"] = confidence if confidence is not None and 0 <= confidence <= 1 else None
    taken = number_of(given.get("milliseconds"))
    made["milliseconds"] = taken if taken is not None and taken >= 0 else None
    return made


def _about(value: Any, questions: tuple[Object, ...]) -> Object:
    metrics, library = object_of(value.get("metrics")), object_of(value.get("library"))
    accuracy = object_of(metrics.get("accuracy"))
    main = [{"name": words, **share} for key, words in _MAIN if (share := share_of(accuracy.get(key)))]
    tools = object_of(object_of(metrics.get("tools")).get("answerable"))
    for words, given in (
        ("Precision when it gives a number", metrics.get("precision")),
        ("Correct formula, of those with an answer", tools.get("correct")),
        ("Right, given the correct formula", tools.get("conditional_accuracy")),
        ("Chat taken for a computation", metrics.get("chat_taken_for_computation")),
    ):
        share = share_of(given)
        if share is not None:
            main.append({"name": words, **share})
    return {
        "set": text_of(value.get("set"), longest=200),
        "planner": text_of(value.get("planner"), longest=40),
        "half": text_of(value.get("half"), longest=10),
        "asked_first": count_of(value.get("limit")) or None,
        "compared": text_of(value.get("compared")),
        "notices": texts_of(value.get("notices"), most=50),
        "documents": texts_of(library.get("documents"), most=200, longest=200),
        "formulas": count_of(library.get("formulas")),
        "executable": count_of(library.get("executable")),
        "questions": len(questions),
        "right": sum(one["right"] for one in questions),
        "main": main,
        "tiers": shares_of(metrics.get("tiers")),
        "wordings": shares_of(metrics.get("wordings")),
        "stages": [row for row in shares_of(metrics.get("stages")) if row["right"]],
        "calibration": _calibration(object_of(metrics.get("calibration"))),
        "milliseconds": _milliseconds(object_of(metrics.get("milliseconds"))),
        "model": _model(object_of(value.get("language_model"))),
    }


def _calibration(given: Any) -> Object | None:
    bins = []
    for each in list_of(given.get("bins"), most=20):
        share, confidence = share_of(each), number_of(object_of(each).get("confidence"))
        if confidence is not None and 0 <= confidence <= 1 and share is not None and share["low"] is not None:
            bins.append({"confidence": confidence, **share})
    measures = [
        {"name": words, "value": value}
        for key, words in _MEASURES.items()
        if (value := number_of(object_of(given.get(key)).get("value"))) is not None
    ]
    return {"of": count_of(given.get("of")), "measures": measures, "bins": bins} if bins or measures else None


def _milliseconds(given: Any) -> Object | None:
    found = {name: number_of(object_of(given.get(name)).get("value")) for name in ("median", "p90", "p95", "p99")}
    known = {name: value for name, value in found.items() if value is not None and value >= 0}
    return known or None


def _model(given: Any) -> Object | None:
    if not text_of(given.get("model")):
        return None
    spent = object_of(given.get("spent"))
    return {
        "model": text_of(given.get("model"), longest=200),
        "asked": count_of(given.get("questions_with_model")),
        "calls": count_of(spent.get("calls")),
        "cost": number_of(spent.get("cost")),
        "stopped": count_of(given.get("stopped_by_budget")),
    }


def _time(nanoseconds: int) -> str:
    try:
        return datetime.fromtimestamp(nanoseconds / 1e9, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""
