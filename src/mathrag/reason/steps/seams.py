"""What solving in steps needs of others, each as one or two methods: texts of the library, a judge of calculations, a
comparison of answers, a vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mathrag.types.solution import StepVerdict
from mathrag.types.solving import Attempt, Material, VoteRule


class Retrieval(Protocol):
    """Finds solved problems that may help."""

    def for_problem(self, problem: str) -> Sequence[Material]:
        """What resembles the problem as a whole."""
        ...

    def for_steps(self, problem: str, steps: Sequence[str]) -> Sequence[Material]:
        """What resembles the steps so far, within the problems already found."""
        ...


class NoRetrieval:
    """Finds nothing: solving without a library."""

    def for_problem(self, problem: str) -> Sequence[Material]:  # noqa: ARG002
        """Nothing."""
        return ()

    def for_steps(self, problem: str, steps: Sequence[str]) -> Sequence[Material]:  # noqa: ARG002
        """Nothing."""
        return ()


class StepJudge(Protocol):
    """Judges the calculations of steps; no model is asked."""

    def __call__(self, steps: Sequence[str], problem: str = "") -> tuple[StepVerdict, ...]:
        """A verdict for each step in turn."""
        ...


class SameAnswer(Protocol):
    """Compares two answers."""

    def __call__(self, first: str, second: str, /) -> bool | None:
        """Whether they are the same; None where that cannot be told."""
        ...


@dataclass(frozen=True, slots=True)
class Elected:
    """The attempt that a vote chose, counted from 0 (None where none has an answer), and how the vote went."""

    chosen: int | None
    note: str = ""


class Vote(Protocol):
    """Chooses among attempts."""

    def __call__(self, attempts: Sequence[Attempt], rule: VoteRule) -> Elected:
        """The attempt whose answer is given."""
        ...
