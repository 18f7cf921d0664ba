"""Problems of mathematics with known answers, solved in several attempts: what each vote gets right, by level.

Grades attempts that others made; asks nobody. An answer that cannot be compared counts as wrong and is counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mathrag.compute.answers import same_answer
from mathrag.evaluate.metrics import latency, share_of
from mathrag.evaluate.samples import over_runs
from mathrag.reason.steps.election import elect
from mathrag.types.solution import Problem
from mathrag.types.solving import VOTE_RULES, SteppedSolution


@dataclass(frozen=True, slots=True)
class SolvedProblem:
    """A problem with what came of it; `solution` is None where a model could not be asked. `run` is the sample it
    belongs to, `milliseconds` what solving took, kept replies included."""

    problem: Problem
    solution: SteppedSolution | None
    run: int = 0
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class ProblemGrade:
    """Whether each attempt is right (None where its answer cannot be compared), and what each vote chose."""

    attempts: tuple[bool | None, ...]
    votes: Mapping[str, bool]

    @property
    def first(self) -> bool:
        """Whether the first attempt is right."""
        return bool(self.attempts) and self.attempts[0] is True


def grade(solved: SolvedProblem) -> ProblemGrade:
    """Compare the answers of all attempts with the known one, and let every vote choose among them."""
    attempts = () if solved.solution is None else solved.solution.attempts
    right = tuple(
        same_answer(attempt.answer, solved.problem.answer) if attempt.answer else False for attempt in attempts
    )
    chosen = {rule: elect(attempts, rule).chosen for rule in VOTE_RULES}
    return ProblemGrade(right, {rule: place is not None and right[place] is True for rule, place in chosen.items()})


def math_figures(solved: Sequence[SolvedProblem]) -> dict[str, Any]:
    """Shares with intervals: the first attempt, every vote and any attempt; by level; and what the checks are worth."""
    done = [one for one in solved if one.solution is not None]
    grades = [grade(one) for one in done]
    levels = sorted({one.problem.level for one in done if one.problem.level is not None})
    by_level = {
        str(level): _shares([mark for one, mark in zip(done, grades, strict=True) if one.problem.level == level])
        for level in levels
    }
    types = sorted({one.problem.type or "unknown" for one in done})
    by_type = {
        name: _shares([mark for one, mark in zip(done, grades, strict=True) if (one.problem.type or "unknown") == name])
        for name in types
    }
    return {
        "problems": len(solved),
        "solved": len(done),
        "shares": _shares(grades),
        "levels": by_level,
        "types": by_type,
        "cells": _cells(done, grades),
        "runs": _runs(done, grades),
        "milliseconds": latency([one.milliseconds for one in done if one.milliseconds is not None]),
        "checked": _checked(done, grades),
        "steps": _steps(done),
        "not_compared": sum(mark is None for one in grades for mark in one.attempts),
        "ties": sum(bool(one.solution and "tie" in one.solution.vote_note) for one in done),
    }


def _shares(grades: Sequence[ProblemGrade]) -> dict[str, Any]:
    found = {"first": share_of((str(place), one.first) for place, one in enumerate(grades))}
    for rule in VOTE_RULES:
        found[rule] = share_of((str(place), one.votes[rule]) for place, one in enumerate(grades))
    found["any"] = share_of((str(place), True in one.attempts) for place, one in enumerate(grades))
    return found


def _cells(done: Sequence[SolvedProblem], grades: Sequence[ProblemGrade]) -> list[dict[str, Any]]:
    """Every level with every type that occurs: problems, and how many of them each vote gets right."""
    found: dict[tuple[str, str], list[ProblemGrade]] = {}
    for one, mark in zip(done, grades, strict=True):
        level = "unknown" if one.problem.level is None else str(one.problem.level)
        found.setdefault((level, one.problem.type or "unknown"), []).append(mark)
    return [
        {
            "level": level,
            "type": kind,
            "of": len(inside),
            "right": {rule: sum(mark.votes[rule] for mark in inside) for rule in VOTE_RULES},
        }
        for (level, kind), inside in sorted(found.items())
    ]


def _runs(done: Sequence[SolvedProblem], grades: Sequence[ProblemGrade]) -> dict[str, Any]:
    """The share of each vote over the runs, whose samples share no problem."""
    runs = sorted({one.run for one in done})
    inside = [[mark for one, mark in zip(done, grades, strict=True) if one.run == run] for run in runs]
    return {
        "problems": [len(run) for run in inside],
        "votes": {
            rule: over_runs([sum(mark.votes[rule] for mark in run) / len(run) for run in inside]) for rule in VOTE_RULES
        },
    }


def _checked(done: Sequence[SolvedProblem], grades: Sequence[ProblemGrade]) -> dict[str, Any]:
    """Of the answers that are shown: how many are checked, and how many of these, and of the others, are right."""
    marks: dict[str, list[tuple[str, bool]]] = {"checked": [], "unverified": []}
    for place, (one, mark) in enumerate(zip(done, grades, strict=True)):
        solution = one.solution
        if solution is None or solution.chosen is None or solution.standing == "none":
            continue
        marks[solution.standing].append((str(place), mark.attempts[solution.chosen] is True))
    return {standing: share_of(pairs) for standing, pairs in marks.items()}


def _steps(done: Sequence[SolvedProblem]) -> dict[str, int]:
    """What calculation found in the steps of all attempts."""
    steps = [
        step for one in done if one.solution is not None for attempt in one.solution.attempts for step in attempt.steps
    ]
    outcomes = [step.verdict.outcome for step in steps]
    return {
        "written": len(steps),
        "verified": outcomes.count("verified"),
        "refuted": outcomes.count("refuted"),
        "unchecked": outcomes.count("unchecked"),
        "rewritten": sum(bool(step.replaced) for step in steps),
        "scored": sum(step.score is not None for step in steps),
    }
