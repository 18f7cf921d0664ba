"""Records of GSM8K: a word problem of everyday life and its solution line by line, with the answer behind `####`.

The notes for a calculator inside the lines (`<<6*7=42>>`) are no part of what a person reads and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mathrag.sources.procedures.fields import MOST_STEPS, RecordError, problem_of_subject, text_field
from mathrag.types.solution import Solution, SolutionStep

_SUBJECT = "Arithmetic Word Problem"
_NOTE = re.compile(r"<<[^<>\n]{0,200}>>")
_ANSWER = "####"


def is_like(record: Mapping[str, Any]) -> bool:
    """A question, and an answer with its mark."""
    answer = record.get("answer")
    return isinstance(record.get("question"), str) and isinstance(answer, str) and _ANSWER in answer


def read(record: Mapping[str, Any]) -> Sequence[Solution]:
    """The one solution."""
    if not is_like(record):
        raise RecordError(f"it has no question and no answer with {_ANSWER}")
    working, _, answer = text_field(record, "answer").rpartition(_ANSWER)
    lines = [_NOTE.sub("", line).strip() for line in working.split("\n")]
    steps = tuple(SolutionStep(line, "good") for line in lines if line)
    if not steps or len(steps) > MOST_STEPS:
        raise RecordError("its answer has no working, or too much of it")
    problem = problem_of_subject(text_field(record, "question"), _SUBJECT, answer=answer.strip())
    return (Solution(steps, problem, answer=answer.strip(), is_right=True),)
