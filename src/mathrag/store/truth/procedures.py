"""Problems, solutions and steps of the library, read. Rows that were changed since they were stored are passed over.

What is stored is believed only as far as its types: a library may come from any file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mathrag.store.index.problem_likeness import TypePath
from mathrag.store.truth.seals import agreeing_rows
from mathrag.store.truth.solution_labels import error_labels
from mathrag.types.solution import StepLabel

# Far beyond what a person looks at; SQLite takes no more names in a question.
_MOST_NAMES = 500
_LABELS: tuple[StepLabel, ...] = ("good", "bad", "neutral", "unknown")


@dataclass(frozen=True, slots=True)
class StoredProblem:
    """A problem as one file gives it. `content` is that of the same problem in any file."""

    id: str
    document: str
    content: str
    text: str
    path: TypePath | None
    answer: str
    line: int | None


@dataclass(frozen=True, slots=True)
class StoredSolution:
    """A solution without its steps."""

    id: str
    document: str
    problem: str
    content: str
    answer: str
    is_right: bool | None
    line: int | None


@dataclass(frozen=True, slots=True)
class StoredStep:
    """A step, or another way to go on (`is_alternative`); `alternative_to` is the step it stands in place of.

    `error` is the pattern that its collection gives it. Where it gives none, `said` may be what a model said, with the
    name of the model: `pattern` is either, as it may be shown.
    """

    id: str
    solution: str
    number: int
    text: str
    label: StepLabel
    error: str
    forms: tuple[str, ...]
    is_alternative: bool
    alternative_to: str | None
    said: str = ""

    @property
    def pattern(self) -> str:
        """The pattern of the error, with the model's name where only a model gives it; empty where nobody does."""
        return self.error or self.said


def list_problems(connection: sqlite3.Connection) -> list[StoredProblem]:
    """Every problem, with its type where one is known; in the order of their contents."""
    types = {
        row[0]: TypePath(*row[1:])
        for row in connection.execute("SELECT problem, branch, subfield, type FROM problem_types")
    }
    return [
        StoredProblem(
            row["id"], row["document"], row["content"], row["text"], types.get(row["id"]), row["answer"], row["line"]
        )
        for row in agreeing_rows(connection, "problems", "ORDER BY content, id")
    ]


def solutions_of_problems(connection: sqlite3.Connection, problems: Sequence[str]) -> list[StoredSolution]:
    """The solutions of some problems, right ones first, each content once."""
    found: dict[str, StoredSolution] = {}
    for row in _among(connection, "solutions", "problem", problems):
        is_right = None if row["is_right"] is None else bool(row["is_right"])
        one = StoredSolution(
            row["id"], row["document"], row["problem"], row["content"], row["answer"], is_right, row["line"]
        )
        found.setdefault(one.content, one)
    return sorted(found.values(), key=lambda one: (one.is_right is not True, one.is_right is False, one.id))


def steps_of_solutions(connection: sqlite3.Connection, solutions: Sequence[str]) -> list[StoredStep]:
    """The steps of some solutions in their order, other ways to go on behind the step they belong to."""
    made = _steps(connection, _among(connection, "solution_steps", "solution", solutions))
    place = {solution: number for number, solution in enumerate(solutions)}
    return sorted(made, key=lambda step: (place[step.solution], step.number, step.is_alternative, step.id))


def alternatives_of_step(connection: sqlite3.Connection, step: StoredStep) -> list[StoredStep]:
    """The steps that stand in place of this one, or of the same step of the same solution in another file."""
    same = connection.execute(
        "SELECT id FROM solutions WHERE content = (SELECT content FROM solutions WHERE id = ?) ORDER BY id LIMIT ?",
        (step.solution, _MOST_NAMES),
    ).fetchall()
    places = [f"{solution}{step.id.removeprefix(step.solution)}" for (solution,) in same]
    return _steps(connection, _among(connection, "solution_steps", "alternative_to", places))


def formulas_of_forms(connection: sqlite3.Connection, forms: Sequence[str]) -> list[str]:
    """The formulas of the library with these canonical forms, in the order of the forms."""
    found: dict[str, None] = {}
    for form in dict.fromkeys(forms):
        rows = connection.execute("SELECT id FROM formulas WHERE form = ? ORDER BY id LIMIT 20", (form,))
        found.update(dict.fromkeys(row[0] for row in rows))
    return list(found)


def _among(connection: sqlite3.Connection, table: str, column: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for start in range(0, len(names), _MOST_NAMES):
        part = list(names[start : start + _MOST_NAMES])
        marks = ", ".join("?" * len(part))
        yield from agreeing_rows(connection, table, f"WHERE {column} IN ({marks}) ORDER BY id", part)


def _steps(connection: sqlite3.Connection, rows: Iterable[Mapping[str, Any]]) -> list[StoredStep]:
    made = [_step(row) for row in rows]
    open_ones = [step.id for step in made if step.label == "bad" and not step.error]
    labels = {
        step: label
        for start in range(0, len(open_ones), _MOST_NAMES)
        for step, label in error_labels(connection, open_ones[start : start + _MOST_NAMES]).items()
    }
    return [
        replace(step, said=f"{labels[step.id].pattern}, says the model {labels[step.id].model}")
        if step.id in labels
        else step
        for step in made
    ]


def _step(row: Mapping[str, Any]) -> StoredStep:
    return StoredStep(
        row["id"],
        row["solution"],
        int(row["number"]),
        row["text"],
        next((one for one in _LABELS if one == row["label"]), "unknown"),
        row["error"],
        _texts(row["forms"]),
        bool(row["is_alternative"]),
        row["alternative_to"],
    )


def _texts(listed: str) -> tuple[str, ...]:
    try:
        found = json.loads(listed)
    except (ValueError, RecursionError):
        return ()
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else ()
