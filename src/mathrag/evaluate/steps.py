"""How well false calculations are found in solutions whose wrong steps are known: ProcessBench and PRMBench.

Reads their records, has every step judged by calculation alone, and sums up: errors located, right solutions flagged,
and how many claims could be checked at all. Asks no model and writes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from mathrag.compute.claims import judge_steps
from mathrag.errors import UsageError
from mathrag.evaluate.metrics import rounded, wilson
from mathrag.types.json_value import Json
from mathrag.types.solution import StepVerdict

Format = Literal["processbench", "prmbench"]
_LARGEST_FILE = 200_000_000
_LONGEST_SOLUTION = 2_000


@dataclass(frozen=True, slots=True)
class LabelledSolution:
    """A solution with what its collection says of its steps, counted from 0. `original` is the right solution that a
    PRMBench record was made from."""

    id: str
    format: Format
    problem: str
    steps: tuple[str, ...]
    wrong_steps: frozenset[int]
    error_class: str = ""
    original_problem: str = ""
    original: tuple[str, ...] = ()

    @property
    def first_error(self) -> int | None:
        return min(self.wrong_steps, default=None)


def read_labelled_solutions(file: Path) -> tuple[LabelledSolution, ...]:
    """The records of one file: a JSON list, or one JSON object a line."""
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise UsageError(f"{file} is larger than {_LARGEST_FILE // 1_000_000} MB")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f"{file} cannot be read: {reason}") from error
    found = [_solution(record, place, file) for place, record in enumerate(_records(text, file))]
    if not found:
        raise UsageError(f"{file} holds no solutions")
    return tuple(found)


def _records(text: str, file: Path) -> Iterator[Any]:
    try:
        if text.lstrip().startswith("["):
            yield from json.loads(text)
        else:
            yield from (json.loads(line) for line in text.splitlines() if line.strip())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is neither a JSON list nor one JSON object a line") from error


def _solution(record: Any, place: int, file: Path) -> LabelledSolution:
    where = f"record {place + 1} of {file}"
    if not isinstance(record, dict):
        raise UsageError(f"{where} is no object")
    if "modified_process" in record:
        return _prmbench(record, where)
    if "label" in record:
        return _processbench(record, where)
    raise UsageError(f"{where} has neither label (ProcessBench) nor modified_process (PRMBench)")


def _processbench(record: Mapping[str, Any], where: str) -> LabelledSolution:
    steps, label = _texts(record, "steps", where), record["label"]
    if not isinstance(label, int) or isinstance(label, bool) or not -1 <= label < len(steps):
        raise UsageError(f"{where}: label must be -1 or the index of a step")
    wrong = frozenset((label,)) if label >= 0 else frozenset()
    return LabelledSolution(str(record.get("id", "")), "processbench", str(record.get("problem", "")), steps, wrong)


def _prmbench(record: Mapping[str, Any], where: str) -> LabelledSolution:
    wrong = record.get("error_steps", [])
    if not isinstance(wrong, list) or not all(isinstance(place, int) and place > 0 for place in wrong):
        raise UsageError(f"{where}: error_steps must be a list of places, counted from 1")
    return LabelledSolution(
        str(record.get("idx", "")),
        "prmbench",
        str(record.get("modified_question", "")),
        _texts(record, "modified_process", where),
        frozenset(place - 1 for place in wrong),
        str(record.get("classification", "")),
        str(record.get("original_question", "")),
        _texts(record, "original_process", where) if "original_process" in record else (),
    )


def _texts(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(step, str) for step in value):
        raise UsageError(f"{where}: {name} must be a list of texts")
    if len(value) > _LONGEST_SOLUTION:
        raise UsageError(f"{where} has more than {_LONGEST_SOLUTION:,} steps")
    return tuple(value)


@dataclass(slots=True)
class Coverage:
    """How many steps have a claim that was checked, and what became of all claims."""

    steps: int = 0
    checked_steps: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, verdicts: Iterable[StepVerdict]) -> None:
        for verdict in verdicts:
            self.steps += 1
            self.checked_steps += verdict.outcome != "unchecked"
            self.outcomes.update(each.outcome for each in verdict.claims)
            self.kinds.update(each.claim.kind for each in verdict.claims if each.outcome != "unchecked")

    def to_json(self) -> Json:
        claims = self.outcomes.total()
        checked = claims - self.outcomes["unchecked"]
        return {
            "steps": self.steps,
            "steps_with_a_checked_claim": share(self.checked_steps, self.steps),
            "claims": claims,
            "claims_checked": share(checked, claims),
            "verified": self.outcomes["verified"],
            "refuted": self.outcomes["refuted"],
            "unchecked": self.outcomes["unchecked"],
            "checked_by_kind": dict(sorted(self.kinds.items())),
        }


def share(count: int, total: int) -> Json:
    """A share as data, with its 95 % interval after Wilson."""
    interval = wilson(count, total)
    return {
        "count": count,
        "of": total,
        "share": rounded(count / total) if total else None,
        "low": rounded(interval[0]) if interval else None,
        "high": rounded(interval[1]) if interval else None,
    }


def measure_steps(solutions: Sequence[LabelledSolution]) -> Json:
    """Judge all solutions and sum up, each format by its own measure."""
    report: dict[str, Any] = {"solutions": len(solutions)}
    process = [each for each in solutions if each.format == "processbench"]
    pairs = [each for each in solutions if each.format == "prmbench"]
    if process:
        report["processbench"] = _measure_first_errors(process)
    if pairs:
        report["prmbench"] = _measure_wrong_steps(pairs)
    return report


def _refuted(verdicts: Sequence[StepVerdict]) -> list[int]:
    return [verdict.step for verdict in verdicts if verdict.outcome == "refuted"]


def _measure_first_errors(solutions: Sequence[LabelledSolution]) -> Json:
    """First errors located exactly, too early, too late; right solutions flagged; flagged ones that are wrong."""
    coverage, places = Coverage(), Counter[str]()
    for solution in solutions:
        verdicts = judge_steps(solution.steps, solution.problem)
        coverage.add(verdicts)
        found = next(iter(_refuted(verdicts)), None)
        places[_place(found, solution.first_error)] += 1
    wrong = sum(solution.first_error is not None for solution in solutions)
    flagged_wrong = places["located"] + places["too_early"] + places["too_late"]
    return {
        "wrong": wrong,
        "right": len(solutions) - wrong,
        "located": share(places["located"], wrong),
        "flagged_too_early": places["too_early"],
        "flagged_too_late": places["too_late"],
        "right_flagged": share(places["right_flagged"], len(solutions) - wrong),
        "flagged_that_are_wrong": share(flagged_wrong, flagged_wrong + places["right_flagged"]),
        "coverage": coverage.to_json(),
    }


def _place(found: int | None, first_error: int | None) -> str:
    if found is None:
        return "not_flagged"
    if first_error is None:
        return "right_flagged"
    return "located" if found == first_error else "too_early" if found < first_error else "too_late"


def _measure_wrong_steps(solutions: Sequence[LabelledSolution]) -> Json:
    """For each class of errors the solutions with a false calculation inside their wrong steps; originals flagged."""
    coverage = Coverage()
    inside, total = Counter[str](), Counter[str]()
    originals: dict[tuple[str, ...], bool] = {}
    for solution in solutions:
        verdicts = judge_steps(solution.steps, solution.problem)
        coverage.add(verdicts)
        total[solution.error_class] += 1
        inside[solution.error_class] += bool(solution.wrong_steps.intersection(_refuted(verdicts)))
        if solution.original and solution.original not in originals:
            judged = judge_steps(solution.original, solution.original_problem)
            originals[solution.original] = bool(_refuted(judged))
    return {
        "flagged_inside_wrong_steps": {name: share(inside[name], total[name]) for name in sorted(total)},
        "originals_flagged": share(sum(originals.values()), len(originals)),
        "coverage": coverage.to_json(),
    }
