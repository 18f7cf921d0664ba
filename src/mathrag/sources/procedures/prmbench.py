"""Records of PRMBench: a right solution, the same with errors of one class put in, and the numbers of the wrong steps.

A record whose class is about several solutions has no wrong step: both of its solutions are right. Where the problem
itself was changed, the changed solution belongs to the changed problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathrag.sources.procedures.fields import RecordError, list_field, step_texts, text_field
from mathrag.types.solution import Problem, Solution, SolutionStep


def is_like(record: Mapping[str, Any]) -> bool:
    """Two processes, and which steps of the second are wrong."""
    return {"original_process", "modified_process", "error_steps"} <= record.keys()


def read(record: Mapping[str, Any]) -> Sequence[Solution]:
    """The right solution, then the changed one."""
    if not is_like(record):
        raise RecordError("it has no original_process, modified_process and error_steps")
    question = text_field(record, "original_question", default="") or text_field(record, "question")
    answer = text_field(record, "ground_truth", default="")
    problem = Problem(question, answer=answer)
    changed_question = text_field(record, "modified_question", default="") or question
    changed = problem if changed_question == question else Problem(changed_question)
    wrong = _numbers(list_field(record, "error_steps"))
    texts = step_texts(record, "modified_process")
    if wrong and max(wrong) > len(texts):
        raise RecordError("its error_steps name a step that is not there")
    error = " ".join(text_field(record, "classification", default="").split())[:100]
    right = tuple(SolutionStep(text, "good") for text in step_texts(record, "original_process") if text)
    # What follows a wrong step may lean on it: nothing is said of it.
    first = min(wrong, default=len(texts) + 1)
    steps = tuple(
        SolutionStep(text, "bad", error)
        if number in wrong
        else SolutionStep(text, "good" if number < first else "unknown")
        for number, text in enumerate(texts, 1)
        if text
    )
    return (
        Solution(right, problem, answer=answer, is_right=True),
        Solution(steps, changed, answer="" if wrong else answer, is_right=not wrong),
    )


def _numbers(values: Sequence[object]) -> frozenset[int]:
    """Numbers of steps, counted from 1."""
    if not all(isinstance(value, int) and not isinstance(value, bool) and value >= 1 for value in values):
        raise RecordError("its error_steps are no numbers of steps")
    return frozenset(value for value in values if isinstance(value, int))
