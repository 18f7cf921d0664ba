"""Worked examples that fit some words: solutions that were taken in, and examples of documents, with their quality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathrag.library.quality import solution_quality
from mathrag.library.records import SearchHit
from mathrag.retrieve.problems import KnownProblem, ProblemHit, ProblemSearch
from mathrag.types.quality import Quality

if TYPE_CHECKING:
    from mathrag.library.quality import QualityBook


def search_examples(problems: ProblemSearch, book: QualityBook, words: str, *, limit: int) -> list[SearchHit]:
    """The worked examples that fit best, best first. Quality is always told, and counts where the gate says so."""
    found = problems.shelf().fitting(words, limit=2 * limit)
    judge = book.for_solutions()
    ranked = found if judge is None else problems.ranked(found, judge)
    return [_hit(problems, hit, place) for place, hit in enumerate(ranked[: max(0, limit)])]


def _hit(problems: ProblemSearch, hit: ProblemHit, place: int) -> SearchHit:
    problem = hit.problem
    if problem.case is not None:
        case = problem.case
        return SearchHit("example", case.id, case.name, _score(hit, place), ("likeness",), problem.text, case.span)
    identifier, quality = _solution(problems, problem, hit.quality)
    return SearchHit(
        "example", identifier or problem.key, problem.source, _score(hit, place), ("likeness",), problem.text,
        quality=quality,
    )  # fmt: skip


def _solution(problems: ProblemSearch, problem: KnownProblem, known: Quality | None) -> tuple[str, Quality | None]:
    """The best solution that is not known to be wrong, and its quality."""
    best = next((one for one in problems.solutions(problem) if one.is_right is not False), None)
    if best is None:
        return "", None
    return best.id, known or solution_quality(problems.whole_solution(best, problem))


def _score(hit: ProblemHit, place: int) -> float:
    """The likeness; where quality moved a hit, the order is kept by a hair."""
    return hit.similarity - place * 1e-9
