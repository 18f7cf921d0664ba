"""How often each vote chooses a right answer, on problems with several solutions each whose right answer is known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathrag.compute.answers import same_answer
from mathrag.errors import LibraryError
from mathrag.evaluate.questions import parse_object, read_limited
from mathrag.reason.steps.votes import METHODS, Candidate
from mathrag.types.json_value import Json

# An oracle that looks at the right answer: what the best possible choice would reach. Never a way to answer.
ORACLE = "any"
_LABELS, _ANSWERS, _SCORES = ("score", "labels", "correct"), ("pred", "answers"), ("pred_score", "scores")
_GOLD, _NAMES = ("gt", "gold", "answer"), ("idx", "id", "unique_id")
_MOST_SOLUTIONS = 1_000
_MOST_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class SampledProblem:
    """A problem with its solutions and, for each, whether it is right.

    `contradicted` are the answers whose label in the file is not what comparing with the right answer says.
    """

    id: str
    gold: str
    candidates: tuple[Candidate, ...]
    is_right: tuple[bool, ...]
    contradicted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VoteScore:
    """One way of choosing: how many problems it got right, how many were ties, how many the majority had to decide."""

    method: str
    right: int
    ties: int = 0
    by_majority: int = 0


def load_sampled(file: Path) -> tuple[SampledProblem, ...]:
    """The problems of a file with one JSON object a line."""
    lines = read_limited(file).decode("utf-8", errors="replace").splitlines()
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise LibraryError(f"{file.name} holds no problem; it has one JSON object a line")
    return tuple(
        _problem(parse_object(line, f"{file.name}, line {number}"), f"{file.name}, line {number}")
        for number, line in rows
    )


def _problem(row: Mapping[str, Any], place: str) -> SampledProblem:
    answers = _field(row, _ANSWERS)
    gold = _field(row, _GOLD)
    if not isinstance(answers, list) or not answers or len(answers) > _MOST_SOLUTIONS:
        raise LibraryError(f"{place}: pred (or answers) must be a list of 1 to {_MOST_SOLUTIONS} answers")
    if not all(each is None or isinstance(each, str) for each in answers):
        raise LibraryError(f"{place}: every answer must be a text or null")
    labels = _field(row, _LABELS)
    if not isinstance(gold, str) and not _is_list_of(labels, bool, len(answers)):
        raise LibraryError(f"{place}: give the right answer (gt) as a text, or a label (score) for each answer")
    scores = _field(row, _SCORES)
    if scores is None:
        scores = [None] * len(answers)
    if not isinstance(scores, list) or len(scores) != len(answers):
        raise LibraryError(f"{place}: pred_score (or scores) must be a list with an entry for each answer")
    candidates = tuple(Candidate(answer, _steps(score, place)) for answer, score in zip(answers, scores, strict=True))
    judged = tuple(_judged(answer, gold) for answer in answers)
    if not _is_list_of(labels, bool, len(answers)):
        return SampledProblem(_name(row, place), str(gold), candidates, tuple(bool(each) for each in judged))
    pairs = zip(answers, labels, judged, strict=True)
    against = dict.fromkeys(answer for answer, label, own in pairs if own is not None and own != label)
    return SampledProblem(_name(row, place), str(gold or ""), candidates, tuple(labels), tuple(against))


def _field(row: Mapping[str, Any], names: Sequence[str]) -> Json:
    return next((row[name] for name in names if name in row), None)


def _name(row: Mapping[str, Any], place: str) -> str:
    found = _field(row, _NAMES)
    return str(found) if isinstance(found, str | int) else place


def _is_list_of(value: Json, kind: type, length: int) -> bool:
    return isinstance(value, list) and len(value) == length and all(isinstance(each, kind) for each in value)


def _steps(score: Json, place: str) -> tuple[float | None, ...]:
    """The scores of the steps; a lone number is the score of the only step, null an unknown one."""
    entries = score if isinstance(score, list) else [score]
    found: list[float | None] = []
    for entry in entries:
        is_number = isinstance(entry, int | float) and not isinstance(entry, bool)
        if entry is not None and not (is_number and math.isfinite(entry)):
            raise LibraryError(f"{place}: a score must be a number or null")
        found.append(None if entry is None else float(entry))
    return tuple(found)


def _judged(answer: str | None, gold: Json) -> bool | None:
    return same_answer(answer, gold) if answer and isinstance(gold, str) else None


def measure_votes(problems: Sequence[SampledProblem]) -> Json:
    """The report: for each way of choosing the problems it got right, ties, and labels that comparing contradicts."""
    scores = [_score(method, problems) for method in METHODS]
    oracle = VoteScore(ORACLE, sum(any(problem.is_right) for problem in problems))
    shares = [sum(problem.is_right) / len(problem.is_right) for problem in problems]
    return {
        "problems": len(problems),
        "solutions": sum(len(problem.candidates) for problem in problems),
        "attempts": round(sum(map(_attempts, problems)) / len(problems), 2) if problems else None,
        "mean": round(100 * sum(shares) / len(shares), 2) if shares else None,
        "votes": [
            {"vote": each.method, "right": each.right, "ties": each.ties, "by_majority": each.by_majority}
            for each in (*scores, oracle)
        ],
        "contradicted_labels": [
            {"id": problem.id, "gold": problem.gold, "answer": answer}
            for problem in problems
            for answer in problem.contradicted
        ],
    }


def _attempts(problem: SampledProblem) -> int:
    """How many solutions, in order and at most five, somebody looks at who stops at the first right one."""
    return next((place for place, right in enumerate(problem.is_right[:_MOST_ATTEMPTS], 1) if right), _MOST_ATTEMPTS)


def _score(method: str, problems: Sequence[SampledProblem]) -> VoteScore:
    votes = [(problem, METHODS[method](problem.candidates)) for problem in problems]
    return VoteScore(
        method,
        sum(vote.place is not None and problem.is_right[vote.place] for problem, vote in votes),
        sum(bool(vote.tied) for _, vote in votes),
        sum(vote.by_majority for _, vote in votes),
    )
