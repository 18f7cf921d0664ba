"""Written solutions checked: read from a text or a file, judged by calculation, shown. Needs no library on disk.

Files are read in a process of their own, as those are that go into a library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mathrag.answer.solution_cards import (
    FINAL_WORDS,
    LEGEND,
    MARKS,
    NOT_KNOWN,
    REST_NOT_KNOWN,
    WORDS,
    check_lines,
    check_object,
    claim_pieces,
    shown_pieces,
    statement,
)
from mathrag.documents.input_files import Found, gather
from mathrag.documents.isolated import READ, document_of, reading_task
from mathrag.errors import DocumentError
from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.tasks import Failed
from mathrag.library.ingest.reader_choice import reading_settings
from mathrag.reason.steps.checking import FindSimilar, check_read_solution
from mathrag.sources.procedures.solution_files import (
    MOST_CHARACTERS,
    MOST_PAGES,
    SolutionText,
    solution_of,
    solution_of_text,
)
from mathrag.types.solution import Problem, Solution, SolutionCheck, SolutionStep

__all__ = [
    "FINAL_WORDS",
    "LEGEND",
    "MARKS",
    "MOST_CHARACTERS",
    "NOT_KNOWN",
    "REST_NOT_KNOWN",
    "WORDS",
    "check_file",
    "check_lines",
    "check_object",
    "check_read_solution",
    "check_text",
    "claim_pieces",
    "plain_solution",
    "read_solution_file",
    "shown_pieces",
    "solution_from",
    "statement",
]
# Checking is something one waits for; reading a book is not.
_SECONDS = 60.0


def check_text(text: str, *, problem: str = "", similar: FindSimilar | None = None) -> SolutionCheck:
    """Check the solution in a text: plain, Markdown or LaTeX."""
    return check_read_solution(solution_of_text(text, problem=problem), similar=similar)


def check_file(
    path: str | Path, *, problem: str = "", page: int | None = None, similar: FindSimilar | None = None
) -> SolutionCheck:
    """Check the solution in a file of any kind that can be read."""
    return check_read_solution(read_solution_file(path, problem=problem, page=page), similar=similar)


def read_solution_file(
    path: str | Path, *, name: str | None = None, problem: str = "", page: int | None = None
) -> SolutionText:
    """The solution in a file, read in a process that is ended when it takes too long or too much."""
    found = _found(Path(path), name)
    limits, _ = reading_settings()
    pages = limits.pages if page is not None else min(limits.pages, MOST_PAGES)
    limits = replace(limits, seconds=min(limits.seconds, _SECONDS), pages=pages)
    with WorkerPool([READ], workers=1, limits=limits.worker_limits(), keeps_spares=True) as pool:
        outcome = pool.run_one(reading_task(found, limits))
    if isinstance(outcome, Failed):
        raise DocumentError(outcome.code, outcome.reason)
    return solution_of(document_of(outcome.result), problem=problem, page=page)


def _found(path: Path, name: str | None) -> Found:
    if name is not None:
        # Sent by a stranger: it may take no other files, so its folder is one that holds nothing else.
        return Found(path, name, name, path.parent)
    files = gather([str(path)])
    if len(files) != 1:
        raise DocumentError("not_a_file", f"{path.name} is not one file; give one file")
    if not files[0].is_ready:
        raise DocumentError(files[0].code or "unreadable", files[0].reason)
    return files[0]


# ---- as data, from one process to another


def plain_solution(read: SolutionText) -> dict[str, Any]:
    """A solution that was read, as plain data."""
    solution = read.solution
    return {
        "steps": [[step.text, step.line] for step in solution.steps],
        "problem": solution.problem.text if solution.problem is not None else "",
        "answer": solution.answer,
        "source": solution.source,
        "notes": list(read.notes),
    }


def solution_from(data: dict[str, Any]) -> SolutionText:
    """The solution of plain data."""
    steps: Sequence[tuple[str, int | None]] = data["steps"]
    problem = str(data["problem"])
    solution = Solution(
        tuple(SolutionStep(str(text), line=line) for text, line in steps),
        Problem(problem) if problem else None,
        source=str(data["source"]),
        answer=str(data["answer"]),
    )
    return SolutionText(solution, tuple(map(str, data["notes"])))
