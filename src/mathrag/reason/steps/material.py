"""What a library knows of problems like this one, as texts for a model: procedures, errors, the next steps, and what
its dictionaries say of the concepts.

`graph` looks by type and then among the steps of the problems found; `flat` by resemblance alone, for comparison.
Problems that are left out, as in every measurement, are never found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Literal, TypeAlias

from mathrag.reason.concept_material import concept_material
from mathrag.retrieve.concepts import ConceptSearch
from mathrag.retrieve.problems import ErrorNote, KnownProblem, ProblemHit, ProblemSearch
from mathrag.retrieve.steps import StepSearch
from mathrag.store.index.problem_likeness import likeness_numbers
from mathrag.types.solving import Material

Search: TypeAlias = Literal["graph", "flat"]
_PROBLEMS, _STEPS, _CONCEPTS = 3, 3, 2
# So many more are looked at where some of the best are left out.
_MOST_LOOKED_AT = 200
_LONGEST_PROBLEM, _LONGEST_STEP = 300, 200
_PROCEDURE_STEPS, _ERRORS = 6, 2
# The last steps say where a solution stands.
_LAST_STEPS = 2


class LibraryRetrieval:
    """Finds material in one library. May be used from several threads. Concepts only where they are given."""

    def __init__(
        self, problems: ProblemSearch, *, search: Search = "graph", concepts: ConceptSearch | None = None
    ) -> None:
        self._problems = problems
        self._concepts = concepts
        self._steps = StepSearch(problems)
        self._search: Search = search
        self._left_out: set[str] = set()
        self._lock = Lock()

    @property
    def is_empty(self) -> bool:
        """Whether the library has no problem at all, and no concept."""
        with self._lock:
            has_concepts = self._concepts is not None and self._concepts.has_concepts()
            return not has_concepts and not self._problems.shelf().problems

    def leave_out(self, problems: Sequence[str]) -> int:
        """Leave these problems out from now on, and their near duplicates; how many of the library's those are."""
        with self._lock:
            shelf = self._problems.shelf()
            for text in problems:
                same = shelf.same_problems(text, shelf.likeness(text))
                self._left_out |= {shelf.problems[place].key for place in same}
            return len(self._left_out)

    def for_problem(self, problem: str) -> Sequence[Material]:
        """The problems that resemble this one most, each with how it is solved and what goes wrong; then concepts."""
        with self._lock:
            solved = tuple(self._material(hit) for hit in self._found(problem))
            return (*solved, *concept_material(self._concepts, problem, most=_CONCEPTS))

    def for_steps(self, problem: str, steps: Sequence[str]) -> Sequence[Material]:
        """Steps like the last ones, with what follows them and what goes wrong there."""
        last = " ".join(steps[-_LAST_STEPS:])
        with self._lock:
            if self._search == "flat":
                return tuple(self._material(hit) for hit in self._found(last))
            hits = self._steps.search_within(last, self._found(problem), limit=_STEPS)
            made = []
            for hit in hits:
                around = self._steps.context(hit.step)
                lines = (f"A step: {_cut(hit.step.text, _LONGEST_STEP)}", *_following(around.next_steps))
                text = " ".join((*lines, *_errors(around.errors)))
                made.append(Material(text, hit.problem.source, hit.similarity))
            return tuple(made)

    def _found(self, text: str) -> list[ProblemHit]:
        looked_at = min(_MOST_LOOKED_AT, _PROBLEMS + len(self._left_out))
        if self._search == "graph":
            hits = self._problems.search(text, limit=looked_at)
        else:
            hits = tuple(self._alike(text, looked_at))
        return [hit for hit in hits if hit.problem.key not in self._left_out][:_PROBLEMS]

    def _alike(self, text: str, limit: int) -> Iterator[ProblemHit]:
        shelf = self._problems.shelf()
        scores: list[float] = shelf.likeness(text).tolist()
        least = likeness_numbers("retrieval")["least"]
        best = sorted((place for place, score in enumerate(scores) if score >= least), key=lambda each: -scores[each])
        for place in best[:limit]:
            yield ProblemHit(shelf.problems[place], min(1.0, scores[place]), "any")

    def _material(self, hit: ProblemHit) -> Material:
        return Material(self._text(hit.problem), hit.problem.source, hit.similarity)

    def _text(self, problem: KnownProblem) -> str:
        known = self._problems.context(problem)
        parts = [f"A solved problem: {_cut(problem.text, _LONGEST_PROBLEM)}"]
        for procedure in known.procedures[:1]:
            steps = (_cut(step, _LONGEST_STEP) for step in procedure[:_PROCEDURE_STEPS])
            parts.append("How it is solved: " + " ".join(steps))
        return " ".join((*parts, *_errors(known.errors)))


def _following(steps: Sequence[str]) -> Iterator[str]:
    if steps:
        yield "What follows it: " + " ".join(_cut(step, _LONGEST_STEP) for step in steps)


def _errors(errors: Sequence[ErrorNote]) -> Iterator[str]:
    for error in errors[:_ERRORS]:
        pattern = f" ({error.pattern})" if error.pattern else ""
        yield f"A mistake that was made{pattern}: {_cut(error.text, _LONGEST_STEP)}"


def _cut(text: str, longest: int) -> str:
    line = " ".join(text[: 4 * longest].split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
