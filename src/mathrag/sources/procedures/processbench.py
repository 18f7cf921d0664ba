"""Records of ProcessBench: a solution in steps and the number of its first wrong step, from 0; -1 where none is wrong.

Of what follows the first wrong step nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathrag.sources.procedures.fields import RecordError, step_texts, text_field
from mathrag.types.solution import Problem, Solution, SolutionStep


def is_like(record: Mapping[str, Any]) -> bool:
    """A problem, its steps and a number."""
    return {"problem", "steps", "label"} <= record.keys() and isinstance(record["label"], int)


def read(record: Mapping[str, Any]) -> Sequence[Solution]:
    """The one solution."""
    if not is_like(record) or isinstance(record["label"], bool):
        raise RecordError("it has no problem, steps and label")
    texts, first = step_texts(record, "steps"), int(record["label"])
    if not -1 <= first < len(texts):
        raise RecordError("its label names a step that is not there")
    steps = tuple(
        SolutionStep(text, "good" if first < 0 or number < first else "bad" if number == first else "unknown")
        for number, text in enumerate(texts)
        if text
    )
    return (Solution(steps, Problem(text_field(record, "problem")), is_right=first < 0),)
