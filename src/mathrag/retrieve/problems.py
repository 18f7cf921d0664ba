"""Find the problems of the library that resemble one, and what is known of how they are solved.

The likely types are looked through first, three of them, because a single guess is wrong too often; then their
subfields, then their branches, then everything. What resembles too little is not taken up: nothing is found then. The
context of a problem goes depth first: its procedures step by step, the errors made in them, the formulas they use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from threading import Lock
from typing import Literal, TypeAlias

import numpy

from mathrag.retrieve.final_rank import final_rank, quality_weight
from mathrag.store.embedders import Embedder
from mathrag.store.index.problem_likeness import (
    LikenessIndex,
    Scores,
    TypePath,
    are_near_duplicates,
    likeness_numbers,
    normal_text,
    shingles,
    type_shares,
)
from mathrag.store.index.vectors import BYTES_OF_A_NUMBER, Matrix, unit_vectors
from mathrag.store.truth.cases import list_cases
from mathrag.store.truth.database import Database
from mathrag.store.truth.procedures import (
    StoredSolution,
    StoredStep,
    formulas_of_forms,
    list_problems,
    solutions_of_problems,
    steps_of_solutions,
)
from mathrag.types.library import Case
from mathrag.types.quality import Quality
from mathrag.types.solution import Problem, SimilarSolution, Solution, SolutionStep

# What a solution is ranked by beside how much its problem resembles; None where that is unknown.
QualityOf: TypeAlias = Callable[[Solution], Quality | None]
# Asked at every search, because what a library is ranked by may change; None where quality does not count.
QualitySource: TypeAlias = Callable[[], QualityOf | None]
Reach: TypeAlias = Literal["type", "subfield", "branch", "any"]

_LONGEST_QUESTION = 20_000
# Near duplicates are looked for among what is at least so alike; those of less share few runs of words.
_ALIKE = 0.3
_MOST_SOLUTIONS, _MOST_STEPS, _MOST_ERRORS, _MOST_FORMULAS = 3, 12, 6, 10
_DIGITS = 4
# So many of what is found are ranked by quality too, and so many solutions of each looked at.
_RANKED, _LOOKED_INTO = 10, 5


@dataclass(frozen=True, slots=True)
class KnownProblem:
    """A problem of the library, once for all files that have it; `ids` are its rows there, `source` where it stands.

    A worked example of a document is one, too: `case` is what was read of it.
    """

    key: str
    text: str
    ids: tuple[str, ...]
    path: TypePath | None = None
    source: str = ""
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class ProblemHit:
    """A problem with how much it resembles the question, from 0 to 1, and how far was looked for it; `quality` is that
    of its best solution, where it counts."""

    problem: KnownProblem
    similarity: float
    reach: Reach
    quality: Quality | None = None


@dataclass(frozen=True, slots=True)
class ErrorNote:
    """A wrong step with the pattern that its collection gives it, or a model that is named with it, and the step it
    stands in place of, if known."""

    text: str
    pattern: str = ""
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class ProblemContext:
    """What is known of a problem, depth first: solutions step by step, errors, ids of the formulas that are used."""

    problem: KnownProblem
    procedures: tuple[tuple[str, ...], ...] = ()
    errors: tuple[ErrorNote, ...] = ()
    formulas: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


class ProblemShelf:
    """Problems in memory with what they are compared by. Knows no database."""

    def __init__(self, problems: Sequence[KnownProblem], vectors: Matrix, embedder: Embedder) -> None:
        self.problems = tuple(problems)
        self.embedder = embedder
        self._index = LikenessIndex([one.text for one in self.problems], vectors)
        self._types = [one.path for one in self.problems]
        self._normal: dict[str, list[int]] = {}
        for place, one in enumerate(self.problems):
            self._normal.setdefault(normal_text(one.text), []).append(place)

    def likeness(self, text: str) -> Scores:
        """How much each problem resembles the text."""
        shown = text[:_LONGEST_QUESTION]
        vector = numpy.asarray(self.embedder.embed([shown]), dtype=numpy.float32)[0]
        return numpy.round(self._index.likeness(shown, vector), 6)

    def same_problems(self, text: str, scores: Scores) -> frozenset[int]:
        """The places of problems that are this one: equal but for setting, or near duplicates."""
        found = set(self._normal.get(normal_text(text), ()))
        own = shingles(text)
        for place in numpy.flatnonzero(scores >= _ALIKE).tolist():
            if place not in found and are_near_duplicates(own, shingles(self.problems[place].text)):
                found.add(place)
        return frozenset(found)

    def shares(self, scores: Scores, *, without: Collection[int] = ()) -> dict[TypePath, float]:
        """How likely each type is, most likely first."""
        types = [None if place in without else path for place, path in enumerate(self._types)]
        return type_shares(scores, types)

    def nearest(self, text: str, *, limit: int = 3, without_same: bool = False) -> tuple[ProblemHit, ...]:
        """The problems that resemble a text most, best first; none where none resembles it enough.

        `without_same` leaves out the problem itself and its near duplicates, as every measurement must.
        """
        scores = self.likeness(text)
        without = self.same_problems(text, scores) if without_same else frozenset()
        numbers = likeness_numbers("retrieval")
        enough = [place for place in _above(scores, numbers["least"]) if place not in without]
        shares = self.shares(scores, without=without)
        likely = list(shares)[: int(numbers["types"])]
        for reach, among in _reaches(likely):
            found = [place for place in enough if _is_within(self._types[place], among)]
            if found:
                moved = {place: float(scores[place]) * self._favour(place, shares) for place in found}
                best = sorted(found, key=lambda place: (-moved[place], place))[: max(0, limit)]
                return tuple(
                    ProblemHit(self.problems[place], round(min(1.0, float(scores[place])), _DIGITS), reach)
                    for place in best
                )
        return ()

    def fitting(self, words: str, *, limit: int) -> tuple[ProblemHit, ...]:
        """The problems that a few words fit best; half of the likeness that a whole problem must have is enough."""
        scores = self.likeness(words)
        enough = _above(scores, likeness_numbers("retrieval")["least"] / 2)
        best = sorted(enough, key=lambda place: (-float(scores[place]), place))[: max(0, limit)]
        return tuple(
            ProblemHit(self.problems[place], round(min(1.0, float(scores[place])), _DIGITS), "any") for place in best
        )

    def _favour(self, place: int, shares: Mapping[TypePath, float]) -> float:
        path = self._types[place]
        return 1.0 + likeness_numbers("retrieval")["favour"] * (0.0 if path is None else shares.get(path, 0.0))


def _above(scores: Scores, least: float) -> list[int]:
    found: list[int] = numpy.flatnonzero(scores >= least).tolist()
    return found


def _reaches(likely: Sequence[TypePath]) -> Iterator[tuple[Reach, frozenset[TypePath] | None]]:
    yield "type", frozenset(likely)
    yield "subfield", frozenset(TypePath(one.branch, one.subfield) for one in likely if one.subfield)
    yield "branch", frozenset(TypePath(one.branch) for one in likely if one.branch)
    yield "any", None


def _is_within(path: TypePath | None, among: frozenset[TypePath] | None) -> bool:
    """Whether a problem is of one of these types. One without a type may be of any."""
    if among is None or path is None:
        return True
    return bool(among & {path, TypePath(path.branch, path.subfield), TypePath(path.branch)})


@dataclass(frozen=True, slots=True)
class _Kept:
    generation: int
    shelf: ProblemShelf | None = None
    names: Mapping[str, str] = field(default_factory=dict)


class ProblemSearch:
    """The problems and worked examples of one library; what is kept in memory follows the library as it changes.

    Where `quality` gives something to judge by, what is found is ranked by the quality of its solutions, too, and the
    best of them come first.
    """

    def __init__(self, database: Database, embedder: Embedder, *, quality: QualitySource | None = None) -> None:
        self.database = database
        self.embedder = embedder
        self._quality = quality
        self._kept = _Kept(-1)
        self._lock = Lock()

    def search(self, text: str, *, limit: int = 3, without_same: bool = False) -> tuple[ProblemHit, ...]:
        """The problems that resemble a text most; see `ProblemShelf.nearest`."""
        judge = self._judge()
        if judge is None:
            return self.shelf().nearest(text, limit=limit, without_same=without_same)
        found = self.shelf().nearest(text, limit=max(limit, _RANKED), without_same=without_same)
        return self.ranked(found, judge)[: max(0, limit)]

    def ranked(self, hits: Sequence[ProblemHit], judge: QualityOf) -> tuple[ProblemHit, ...]:
        """What was found in its final order: by how much it resembles and how good its best solution is."""
        judged = [replace(hit, quality=self._best_quality(hit.problem, judge)) for hit in hits[:_RANKED]]
        qualities = [None if hit.quality is None else hit.quality.value for hit in judged]
        if all(one is None for one in qualities):
            return tuple(hits)
        # What was moved up for its type stays there: no hit fits better than the one before it.
        fits = list(accumulate((hit.similarity for hit in judged), min))
        order = final_rank(fits, qualities, weight=quality_weight())
        return (*(judged[one.place] for one in order), *hits[_RANKED:])

    def _best_quality(self, problem: KnownProblem, judge: QualityOf) -> Quality | None:
        best = next((one for one in self.solutions(problem) if one.is_right is not False), None)
        return None if best is None else judge(self.whole_solution(best, problem))

    def whole_solution(self, solution: StoredSolution, problem: KnownProblem) -> Solution:
        """A solution with its steps and its problem."""
        with self.database.reading() as connection:
            steps = steps_of_solutions(connection, [solution.id])
        texts = tuple(SolutionStep(step.text) for step in steps if not step.is_alternative)
        return Solution(texts, Problem(problem.text), solution.id, answer=solution.answer)

    def _judge(self) -> QualityOf | None:
        return None if self._quality is None else self._quality()

    def _best_first(self, solutions: Sequence[StoredSolution], problem: KnownProblem) -> list[StoredSolution]:
        """Solutions as far as they are known to be right; among those of which the same is known, the best first."""
        judge = self._judge()
        if judge is None or len(solutions) < 2:
            return list(solutions)
        worth: dict[str, float] = {}
        for one in solutions[:_LOOKED_INTO]:
            found = judge(self.whole_solution(one, problem))
            worth[one.id] = -1.0 if found is None else found.value
        order = {True: 0, None: 1, False: 2}
        return sorted(solutions, key=lambda one: (order[one.is_right], -worth.get(one.id, -2.0)))

    def similar_solutions(self, problem_text: str, limit: int = 3) -> tuple[SimilarSolution, ...]:
        """Solved problems that resemble this one, each with a solution that is not known to be wrong."""
        found: list[SimilarSolution] = []
        for hit in self.search(problem_text, limit=2 * limit):
            if hit.problem.case is not None:
                found.append(SimilarSolution(hit.problem.case.id, hit.problem.text, hit.similarity, hit.problem.source))
                continue
            solution = next((one for one in self.solutions(hit.problem) if one.is_right is not False), None)
            if solution is not None:
                found.append(
                    SimilarSolution(solution.id, hit.problem.text, hit.similarity, hit.problem.source, hit.quality)
                )
        return tuple(found[: max(0, limit)])

    def solutions(self, problem: KnownProblem) -> list[StoredSolution]:
        """The solutions of a problem in all files, right ones first; where quality counts, the best of them first."""
        with self.database.reading() as connection:
            found = solutions_of_problems(connection, problem.ids)
        return self._best_first(found, problem)

    def context(self, problem: KnownProblem) -> ProblemContext:
        """What is known of how a problem is solved, depth first."""
        if problem.case is not None:
            forms = [one.form for one in problem.case.formulas]
            with self.database.reading() as connection:
                used = formulas_of_forms(connection, forms)[:_MOST_FORMULAS]
            value = problem.case.value
            answer = "" if value is None else f"{value} {problem.case.unit}".strip()
            return ProblemContext(problem, formulas=tuple(used), answers=(answer,) if answer else ())
        with self.database.reading() as connection:
            solutions = self._best_first(solutions_of_problems(connection, problem.ids), problem)
            steps = steps_of_solutions(connection, [one.id for one in solutions])
            used = formulas_of_forms(connection, [form for step in steps for form in step.forms])
        return ProblemContext(
            problem,
            tuple(_procedures(solutions, steps)),
            tuple(_errors(steps)),
            tuple(used[:_MOST_FORMULAS]),
            tuple(dict.fromkeys(one.answer for one in solutions if one.answer and one.is_right)),
        )

    def shelf(self) -> ProblemShelf:
        """The problems of the library as it now is."""
        with self._lock, self.database.reading() as connection:
            generation = self.database.generation
            if self._kept.generation != generation or self._kept.shelf is None:
                names = dict(connection.execute("SELECT id, name FROM documents").fetchall())
                self._kept = _Kept(generation, _shelf(self.database, self.embedder, names), names)
            shelf = self._kept.shelf
            assert shelf is not None
            return shelf


def _procedures(solutions: Sequence[StoredSolution], steps: Sequence[StoredStep]) -> Iterator[tuple[str, ...]]:
    """The steps of solutions that are not wrong, up to the first wrong one of a solution that is."""
    for solution in solutions[:_MOST_SOLUTIONS]:
        said: list[str] = []
        for step in steps:
            if step.solution != solution.id or step.is_alternative:
                continue
            if step.label == "bad" or len(said) >= _MOST_STEPS:
                break
            said.append(step.text)
        if said:
            yield tuple(said)


def _errors(steps: Sequence[StoredStep]) -> list[ErrorNote]:
    by_id = {step.id: step.text for step in steps}
    found = [
        ErrorNote(step.text, step.pattern, by_id.get(step.alternative_to or "", ""))
        for step in steps
        if step.label == "bad"
    ]
    return list(dict.fromkeys(found))[:_MOST_ERRORS]


def _shelf(database: Database, embedder: Embedder, names: Mapping[str, str]) -> ProblemShelf:
    problems: dict[str, KnownProblem] = {}
    vectors: dict[str, bytes] = {}
    with database.reading() as connection:
        stored = dict(
            connection.execute(
                "SELECT c.source_key, v.vector FROM cells c JOIN vectors v ON v.cell = c.id "
                "WHERE c.source_table = 'problems' AND c.source_column = 'text' AND v.embedder = ? "
                "AND length(v.vector) = ?",
                (embedder.name, BYTES_OF_A_NUMBER * embedder.dimensions),
            ).fetchall()
        )
        # Of several files that have it, the first by name is cited.
        for one in sorted(list_problems(connection), key=lambda each: (names.get(each.document, ""), each.line or 0)):
            known = problems.get(one.content)
            where = f"{names.get(one.document, one.document)}, record {one.line}"
            problems[one.content] = KnownProblem(
                one.content,
                one.text if known is None else known.text,
                (*(() if known is None else known.ids), one.id),
                one.path if known is None or known.path is None else known.path,
                where if known is None else known.source,
            )
            if one.id in stored:
                vectors.setdefault(one.content, stored[one.id])
    for case in list_cases(database):
        problems[case.id] = _of_case(case, names)
    listed = [problems[key] for key in sorted(problems)]
    return ProblemShelf(listed, _matrix(listed, vectors, embedder), embedder)


def _of_case(case: Case, names: Mapping[str, str]) -> KnownProblem:
    page = case.span.place.page
    where = f"{names.get(case.document, case.document)}, {case.name}" + (f", page {page}" if page else "")
    return KnownProblem(case.id, case.problem, (), source=where, case=case)


def _matrix(problems: Sequence[KnownProblem], stored: Mapping[str, bytes], embedder: Embedder) -> Matrix:
    """The vectors of problems: kept ones, and those made now for what has none."""
    matrix = numpy.zeros((len(problems), embedder.dimensions), dtype=numpy.float32)
    kept = [place for place, one in enumerate(problems) if one.key in stored]
    made = [place for place, one in enumerate(problems) if one.key not in stored]
    if kept:
        matrix[kept] = unit_vectors([stored[problems[place].key] for place in kept], dimensions=embedder.dimensions)
    if made:
        matrix[made] = embedder.embed([problems[place].text for place in made])
    return matrix
