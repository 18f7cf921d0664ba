"""Graders of answers to questions about papers: pure functions that say right, wrong or unknown."""

from mathrag.evaluate.graders.catalogue import (
    GRADERS,
    Evaluator,
    MisfitError,
    evaluator_of,
    grade,
    grader_name,
    needs_judge,
    oddities,
)
from mathrag.evaluate.graders.judged import Judge, ModelJudge
from mathrag.evaluate.graders.verdicts import VERDICTS, Graded, Verdict

__all__ = [
    "GRADERS",
    "VERDICTS",
    "Evaluator",
    "Graded",
    "Judge",
    "MisfitError",
    "ModelJudge",
    "Verdict",
    "evaluator_of",
    "grade",
    "grader_name",
    "needs_judge",
    "oddities",
]
