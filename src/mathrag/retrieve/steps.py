"""Find the steps that resemble one, within the problems that were found before, and what stands around them.

The context of a step goes breadth first: the steps that follow it, the formulas it uses, the errors made in its place
or right behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy

from mathrag.retrieve.problems import ErrorNote, KnownProblem, ProblemHit, ProblemSearch
from mathrag.store.embedders import Embedder
from mathrag.store.index.problem_likeness import LikenessIndex, Scores
from mathrag.store.truth.procedures import (
    StoredStep,
    alternatives_of_step,
    formulas_of_forms,
    solutions_of_problems,
    steps_of_solutions,
)

PROBLEMS_LOOKED_AT = 3
# Of the steps of a few problems; a collection may have hundreds of solutions of one.
_MOST_STEPS = 2_000
_NEXT_STEPS, _MOST_ERRORS, _MOST_FORMULAS = 2, 4, 6
_LONGEST_STEP = 8_000
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class StepHit:
    """A step that resembles the one asked about, from 0 to 1, with the problem it belongs to."""

    step: StoredStep
    problem: KnownProblem
    similarity: float


@dataclass(frozen=True, slots=True)
class StepContext:
    """What stands around a step, breadth first."""

    step: StoredStep
    next_steps: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    errors: tuple[ErrorNote, ...] = ()


def step_likeness(text: str, steps: Sequence[str], embedder: Embedder) -> Scores:
    """How much each of a few steps resembles this one."""
    vectors = numpy.asarray(embedder.embed([*steps, text[:_LONGEST_STEP]]), dtype=numpy.float32)
    index = LikenessIndex(steps, vectors[:-1])
    return numpy.round(index.likeness(text[:_LONGEST_STEP], vectors[-1], group="steps"), 6)


class StepSearch:
    """Searches the steps of the problems that a search finds."""

    def __init__(self, problems: ProblemSearch) -> None:
        self._problems = problems

    def search(
        self, step_text: str, problem_text: str, *, limit: int = 3, without_same: bool = False
    ) -> tuple[StepHit, ...]:
        """The steps that resemble this one within the three problems that resemble the problem most, best first.

        Nothing where no problem is found. Wrong steps are not found; they stand in the context.
        """
        hits = self._problems.search(problem_text, limit=PROBLEMS_LOOKED_AT, without_same=without_same)
        return self.search_within(step_text, hits, limit=limit)

    def search_within(self, step_text: str, hits: Sequence[ProblemHit], *, limit: int = 3) -> tuple[StepHit, ...]:
        """The same within problems that are known already."""
        owners: list[KnownProblem] = []
        steps: list[StoredStep] = []
        with self._problems.database.reading() as connection:
            for hit in hits:
                solutions = [one.id for one in solutions_of_problems(connection, hit.problem.ids)]
                found = [step for step in steps_of_solutions(connection, solutions) if step.label != "bad"]
                once = list({step.text: step for step in reversed(found)}.values())[::-1]
                steps += once[: _MOST_STEPS - len(steps)]
                owners += [hit.problem] * (len(steps) - len(owners))
        if not steps:
            return ()
        scores = step_likeness(step_text, [step.text for step in steps], self._problems.embedder)
        best = sorted(range(len(steps)), key=lambda place: (-float(scores[place]), place))[: max(0, limit)]
        return tuple(
            StepHit(steps[place], owners[place], round(min(1.0, float(scores[place])), _DIGITS)) for place in best
        )

    def context(self, step: StoredStep) -> StepContext:
        """What follows a step, what it uses, and what goes wrong in its place or behind it."""
        with self._problems.database.reading() as connection:
            own = steps_of_solutions(connection, [step.solution])
            rivals = alternatives_of_step(connection, step)
            near = (step, *(one for one in own if one.number in (step.number, step.number + 1)))
            used = formulas_of_forms(connection, [form for one in near for form in one.forms])
        chain = [one for one in own if not one.is_alternative and one.number > step.number]
        in_place = [one for one in rivals if one.label == "bad"]
        behind = [one for one in own if one.number == step.number + 1 and one.label == "bad"]
        errors = dict.fromkeys(
            (
                *(ErrorNote(one.text, one.pattern, step.text) for one in in_place),
                *(ErrorNote(one.text, one.pattern) for one in behind),
            )
        )
        return StepContext(
            step,
            tuple(one.text for one in chain[:_NEXT_STEPS] if one.label != "bad"),
            tuple(used[:_MOST_FORMULAS]),
            tuple(errors)[:_MOST_ERRORS],
        )


class StepShelf:
    """Steps in memory, each of a problem, for measuring. Knows no database."""

    def __init__(self, owners: Sequence[str], steps: Sequence[str], embedder: Embedder) -> None:
        self._owners = list(owners)
        self._steps = list(steps)
        self._embedder = embedder
        self._vectors = numpy.asarray(embedder.embed(self._steps), dtype=numpy.float32)
        self._all = LikenessIndex(self._steps, self._vectors)
        self._within: tuple[Collection[str], list[int], LikenessIndex] | None = None

    def best_owner(self, text: str, among: frozenset[str] | None) -> str | None:
        """The problem of the step that resembles this one most, within some problems or (None) all."""
        places, index = (None, self._all) if among is None else self._narrowed(among)
        vector = numpy.asarray(self._embedder.embed([text]), dtype=numpy.float32)[0]
        scores = numpy.round(index.likeness(text, vector, group="steps"), 6)
        if not len(scores):
            return None
        best = int(scores.argmax())
        return self._owners[best if places is None else places[best]]

    def _narrowed(self, among: frozenset[str]) -> tuple[list[int], LikenessIndex]:
        if self._within is None or self._within[0] != among:
            places = [place for place, owner in enumerate(self._owners) if owner in among]
            index = LikenessIndex([self._steps[place] for place in places], self._vectors[places])
            self._within = among, places, index
        return self._within[1], self._within[2]
