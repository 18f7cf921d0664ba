"""Two runs over the same questions: what got better, what worse, and whether chance explains it. Reads reports only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError
from mathrag.evaluate.metrics import TIERS, mcnemar, rounded
from mathrag.evaluate.questions import parse_object, read_limited
from mathrag.types.json_value import Json

REPORT_FILE = "report.json"


@dataclass(frozen=True, slots=True)
class Change:
    """A question that one run got right and the other did not."""

    id: str
    tier: str
    is_better: bool
    before: str
    after: str
    question: str


@dataclass(frozen=True, slots=True)
class TierChange:
    """The same tier in both runs. `chance` is the exact two-sided p-value of McNemar's test."""

    tier: str
    total: int
    before: int
    after: int
    better: int
    worse: int
    chance: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from the first run to the second; `only_…` count the questions that one of them alone has."""

    tiers: tuple[TierChange, ...]
    changes: tuple[Change, ...]
    only_first: int = 0
    only_second: int = 0


def load_report(folder: Path) -> Json:
    """The report of a run, from its folder."""
    file = folder / REPORT_FILE
    if not file.is_file():
        raise LibraryError(f"{folder} holds no {REPORT_FILE}; name a folder that `mathrag evaluate ... --out` wrote")
    report = parse_object(read_limited(file).decode("utf-8", "replace"), str(file))
    questions = report.get("questions")
    if not isinstance(questions, list) or not all(_is_record(one) for one in questions):
        raise LibraryError(f"{file} is no report of an evaluation")
    return report


def _is_record(one: object) -> bool:
    return (
        isinstance(one, dict)
        and all(isinstance(one.get(name), str) for name in ("id", "tier", "stage", "found", "question"))
        and isinstance(one.get("right"), bool)
    )


def compare_reports(first: Json, second: Json) -> Comparison:
    """What changed, question by question and tier by tier."""
    before = {one["id"]: one for one in first["questions"]}
    after = {one["id"]: one for one in second["questions"]}
    both = [name for name in before if name in after]
    changes = [
        Change(
            name,
            after[name]["tier"],
            after[name]["right"],
            _told(before[name]),
            _told(after[name]),
            after[name]["question"],
        )
        for name in both
        if before[name]["right"] != after[name]["right"]
    ]
    found = {after[name]["tier"] for name in both}
    tiers = [tier for tier in TIERS if tier in found] + sorted(found - set(TIERS))
    rows = [_tier(tier, [(before[n], after[n]) for n in both if after[n]["tier"] == tier]) for tier in tiers]
    total = _tier("all", [(before[name], after[name]) for name in both])
    ordered = sorted(changes, key=lambda change: (change.is_better, change.id))
    return Comparison((*rows, total), tuple(ordered), len(before) - len(both), len(after) - len(both))


def _tier(tier: str, pairs: list[tuple[Json, Json]]) -> TierChange:
    better = sum(new["right"] and not old["right"] for old, new in pairs)
    worse = sum(old["right"] and not new["right"] for old, new in pairs)
    return TierChange(
        tier,
        len(pairs),
        sum(old["right"] for old, _ in pairs),
        sum(new["right"] for _, new in pairs),
        better,
        worse,
        rounded(mcnemar(better, worse)),
    )


def _told(record: Mapping[str, Any]) -> str:
    found = str(record["found"])
    return f"right: {found}" if record["right"] else f"{record['stage'] or 'wrong'}: {found}"
