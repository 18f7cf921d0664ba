"""What an evaluation gives back when there is no number to give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from mathrag.compute.printers.pythontext import python_text
from mathrag.errors import MathragError
from mathrag.types.expression import MAXIMUM_DEPTH, Expression

# Solving can deepen a tree beyond what a reader accepts; each level costs a few frames of Python's stack.
MAXIMUM_EVALUATED_DEPTH = MAXIMUM_DEPTH + 40


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no value: a code for programs and a sentence for people.

    Codes: division_by_zero, domain, overflow, underflow, complex, undefined, too_large, missing_value, bad_value,
    dimension, not_whole, uncertainty, unit, digits_lost; the solver adds no_solution, unsolved, timeout and worker,
    systems of equations underdetermined, calculus not_differentiable, no_closed_form and pole.
    """

    code: str
    message: str

    def __str__(self) -> str:
        return self.message


class EvaluationStoppedError(MathragError):
    """Carries a failure out of a deep tree walk; caught at the top of every public function here."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def fail(code: str, message: str) -> NoReturn:
    """Leave a tree walk with a failure."""
    raise EvaluationStoppedError(Failure(code, message))


def shown(expression: Expression, *, width: int = 80) -> str:
    """An expression short enough for a message."""
    try:
        text = python_text(expression)
    except MathragError:
        return "the formula"
    return text if len(text) <= width else f"{text[: width - 1]}…"
