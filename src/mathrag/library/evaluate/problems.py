"""Measure how well problems and steps are found, on files of worked solutions. Needs no library on disk.

Leakage is excluded here and counted: no problem is its own neighbour, nor any near duplicate of it; a step that stands
word for word in the solution that is looked through is not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.problem_retrieval import (
    StepTrial,
    TypeTrial,
    same_type_by_likeness,
    step_figures,
    type_figures,
)
from mathrag.retrieve.problems import KnownProblem, ProblemShelf
from mathrag.retrieve.steps import PROBLEMS_LOOKED_AT, StepShelf
from mathrag.sources.procedures.collection import read_collection
from mathrag.sources.procedures.rows import problem_content
from mathrag.store.embedders import Embedder, load_embedder
from mathrag.store.index.problem_likeness import TypePath, normal_text
from mathrag.types.solution import Problem, Solution

_EDGES = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
# Steps of the other solutions of a problem that are asked for; a collection may have hundreds.
_MOST_STEPS = 200


@dataclass(slots=True)
class _Gathered:
    """A problem of the files with its solutions, each different one once."""

    problem: Problem
    solutions: list[tuple[str, ...]] = field(default_factory=list)


def evaluate_problems(files: Sequence[Path], *, embedder: Embedder | None = None) -> dict[str, Any]:
    """Figures for the types and the steps of the files, in halves by the place of a problem among all."""
    used = embedder or load_embedder()
    gathered = _gather(files)
    if not gathered:
        raise UsageError("the files hold no problem")
    problems = [KnownProblem(key, one.problem.text, (key,), _path(one.problem)) for key, one in gathered.items()]
    shelf = ProblemShelf(problems, used.embed([one.text for one in problems]), used)
    types = _type_trials(shelf)
    steps, repeated = _step_trials(shelf, gathered, used)
    return {
        "files": [file.name for file in files],
        "embedder": used.name,
        "problems": len(problems),
        "types": type_figures(types),
        "near_duplicates_left_out": sum(one.left_out for one in types),
        "nearest_by_likeness": same_type_by_likeness((one for one in types if one.index % 2), _EDGES),
        "steps": step_figures(steps),
        "problems_looked_at": PROBLEMS_LOOKED_AT,
        "repeated_steps_left_out": repeated,
    }


def _gather(files: Sequence[Path]) -> Mapping[str, _Gathered]:
    found: dict[str, _Gathered] = {}
    for file in files:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise LibraryError(f"{file} cannot be read: {error.strerror or error}") from error
        for record in read_collection(content).records:
            for solution in record.solutions:
                if solution.problem is not None:
                    _add(found, solution, solution.problem)
    return found


def _add(found: dict[str, _Gathered], solution: Solution, problem: Problem) -> None:
    one = found.setdefault(problem_content(problem.text), _Gathered(problem))
    if problem.type and not one.problem.type:
        one.problem = problem
    steps = tuple(step.text for step in solution.steps if step.label != "bad" and step.text)
    if steps and steps not in one.solutions:
        one.solutions.append(steps)


def _path(problem: Problem) -> TypePath | None:
    return TypePath(problem.branch, problem.subfield, problem.type) if problem.type else None


def _type_trials(shelf: ProblemShelf) -> list[TypeTrial]:
    """Every problem whose type is stated, by all others."""
    trials = []
    for index, one in enumerate(shelf.problems):
        if one.path is None:
            continue
        scores = shelf.likeness(one.text)
        same = shelf.same_problems(one.text, scores)
        ranked = tuple(path.type for path in shelf.shares(scores, without=same))
        nearest = max(
            (place for place in range(len(scores)) if place not in same), key=scores.__getitem__, default=None
        )
        likeness = 0.0 if nearest is None else float(scores[nearest])
        is_same = nearest is not None and shelf.problems[nearest].path == one.path
        # The problem itself is always there.
        trials.append(TypeTrial(index, one.path.type, ranked, len(same) - 1, likeness, is_same))
    return trials


def _step_trials(
    shelf: ProblemShelf, gathered: Mapping[str, _Gathered], embedder: Embedder
) -> tuple[list[StepTrial], int]:
    """The steps of every further solution of a problem, with the first ones of all problems to be looked through."""
    asked = [(index, one) for index, one in enumerate(shelf.problems) if len(gathered[one.key].solutions) > 1]
    if not asked:
        return [], 0
    known = [(one.key, step) for one in shelf.problems for step in gathered[one.key].solutions[0]]
    steps = StepShelf([owner for owner, _ in known], [step for _, step in known], embedder)
    trials: list[StepTrial] = []
    repeated = 0
    for index, one in asked:
        own = {normal_text(step) for step in gathered[one.key].solutions[0]}
        others = dict.fromkeys(step for solution in gathered[one.key].solutions[1:] for step in solution)
        fresh = [step for step in others if normal_text(step) not in own]
        repeated += len(others) - len(fresh)
        near = frozenset(hit.problem.key for hit in shelf.nearest(one.text, limit=PROBLEMS_LOOKED_AT))
        for step in fresh[:_MOST_STEPS]:
            within, flat = steps.best_owner(step, near), steps.best_owner(step, None)
            trials.append(StepTrial(index, within == one.key, flat == one.key))
    return trials, repeated
