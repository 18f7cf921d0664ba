"""Solving step by step with a language model: how it is to be done, what was written, and how far the end is checked.

Nothing here computes. All texts of steps, advice and answers are a model's own words; only verdicts are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.answer import ModelUsage
from mathrag.types.solution import StepVerdict

# Who stands beside the one that solves: responsible guides and scores, socratic asks, critical diagnoses and scores.
Teacher: TypeAlias = Literal["responsible", "socratic", "critical"]
TEACHERS: tuple[Teacher, ...] = ("responsible", "socratic", "critical")
# What is done with retrieved texts: rewritten by the teacher for this problem, shown as they are, or left out.
MaterialUse: TypeAlias = Literal["refined", "raw", "none"]
MATERIAL_USES: tuple[MaterialUse, ...] = ("refined", "raw", "none")
# How several attempts are made one answer; `last` and `min` add scores up, `last-max` and `min-max` take the best one.
VoteRule: TypeAlias = Literal["majority", "last", "min", "min-max", "last-max"]
VOTE_RULES: tuple[VoteRule, ...] = ("majority", "last", "min", "min-max", "last-max")
# answered: it says so; depth: no more steps are allowed; silent: nothing usable came; stopped: budget or failure.
Ending: TypeAlias = Literal["answered", "depth", "silent", "stopped"]
# checked: the calculation that gives the answer was checked; unverified: it is the model's word; none: there is none.
Standing: TypeAlias = Literal["checked", "unverified", "none"]

MOST_ATTEMPTS, MOST_STEPS = 64, 40


@dataclass(frozen=True, slots=True)
class SolvingOptions:
    """How to solve: `attempts` (n) with seeds from `seed` on, at most `depth` steps, `padding` of them at a time."""

    teacher: Teacher = "responsible"
    attempts: int = 1
    depth: int = 8
    padding: int = 4
    vote: VoteRule = "majority"
    material: MaterialUse = "refined"
    tokens: int = 2_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.attempts <= MOST_ATTEMPTS:
            raise ValueError(f"between 1 and {MOST_ATTEMPTS} attempts are made, not {self.attempts}")
        if not 1 <= self.depth <= MOST_STEPS or not 1 <= self.padding <= MOST_STEPS:
            raise ValueError(
                f"a solution has 1 to {MOST_STEPS} steps, of which 1 to {MOST_STEPS} are written at a time"
            )
        if self.tokens < 1:
            raise ValueError("a reply has at least one token")


@dataclass(frozen=True, slots=True)
class Material:
    """A text of the library that may help: part of a solved problem, with where it stands and how much it resembles."""

    text: str
    source: str = ""
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class TakenStep:
    """A step that a model wrote, and what calculation says of it.

    `score` is how likely the teacher takes it to be correct (0 to 1), None where that is not known. `replaced` is what
    stood there before a false calculation forced it to be written again, `advice` what the teacher said before it,
    `diagnosis` what the teacher found in it.
    """

    text: str
    verdict: StepVerdict
    score: float | None = None
    replaced: str = ""
    advice: str = ""
    diagnosis: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to the end. `answer` is what the model states; `value` the part of it that a checked calculation gives.

    `standing_reason` says in plain words why the answer is checked or not. `end_chance` is how likely the teacher takes
    the end to be reached; None where that is not known.
    """

    seed: int
    steps: tuple[TakenStep, ...]
    ending: Ending
    answer: str = ""
    value: str = ""
    standing: Standing = "none"
    standing_reason: str = ""
    end_chance: float | None = None
    note: str = ""

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores that are known, in the order of the steps."""
        return tuple(step.score for step in self.steps if step.score is not None)

    @property
    def false_steps(self) -> tuple[int, ...]:
        """The steps with a false calculation that stayed, counted from 1."""
        return tuple(place for place, step in enumerate(self.steps, 1) if step.verdict.outcome == "refuted")


@dataclass(frozen=True, slots=True)
class SteppedSolution:
    """All attempts at one problem and the one that the vote chose (`chosen` counts from 0; None where none ended).

    `vote_note` says how the vote went. `material` is what was found in the library for the problem.
    """

    problem: str
    options: SolvingOptions
    attempts: tuple[Attempt, ...]
    chosen: int | None = None
    vote_note: str = ""
    material: tuple[Material, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: ModelUsage | None = None

    @property
    def best(self) -> Attempt | None:
        """The attempt whose answer is given."""
        return None if self.chosen is None else self.attempts[self.chosen]

    @property
    def standing(self) -> Standing:
        """How far the answer is checked."""
        return "none" if self.best is None else self.best.standing
