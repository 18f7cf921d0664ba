"""Records like those of MATH: a problem with its subject and level, a solution as running text, and the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathrag.sources.procedures.fields import RecordError, level_of, problem_of_subject, steps_of_text, text_field
from mathrag.types.solution import Solution, SolutionStep


def is_like(record: Mapping[str, Any]) -> bool:
    """A problem and a solution in words."""
    return isinstance(record.get("problem"), str) and isinstance(record.get("solution"), str)


def read(record: Mapping[str, Any]) -> Sequence[Solution]:
    """The one solution. Its subject stands under `subject`, or under `type` as in the files of the whole set."""
    if not is_like(record):
        raise RecordError("it has no problem and no solution")
    subject = text_field(record, "subject", default="") or text_field(record, "type", default="")
    answer = text_field(record, "answer", default="")
    level = level_of(record.get("level"))
    problem = problem_of_subject(text_field(record, "problem"), subject[:100], level=level, answer=answer)
    steps = tuple(SolutionStep(text, "good") for text in steps_of_text(text_field(record, "solution")))
    if not steps:
        raise RecordError("its solution is empty")
    return (Solution(steps, problem, answer=answer, is_right=True),)
