"""Solutions written in steps: problems, steps, the claims that stand in them, and what calculation says of each.

Nothing here computes. `unchecked` is the normal verdict of a claim: it says that calculation cannot tell, and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.quality import Quality

# value: both sides are numbers; identity: holds for all values or not; consequence: follows from equations before it;
# unit: two amounts of units.
ClaimKind: TypeAlias = Literal["value", "identity", "consequence", "unit"]
CheckOutcome: TypeAlias = Literal["verified", "refuted", "unchecked"]
# What a labelled collection says of a step: good and bad by its labels, neutral where it says so, unknown without any.
StepLabel: TypeAlias = Literal["good", "bad", "neutral", "unknown"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A task as it is set. `branch`, `subfield` and `type` go from wide to narrow; empty where they are not known."""

    text: str
    id: str = ""
    branch: str = ""
    subfield: str = ""
    type: str = ""
    level: int | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class SolutionStep:
    """One step as it is written, with what its collection says of it; `line` is where it begins in its source.

    `alternatives` are other ways to go on from the same place, where the collection gives any.
    """

    text: str
    label: StepLabel = "unknown"
    error: str = ""
    line: int | None = None
    alternatives: tuple[SolutionStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """The steps of one solution in their order. `answer` is what it ends with; `is_right` what its collection says."""

    steps: tuple[SolutionStep, ...]
    problem: Problem | None = None
    id: str = ""
    source: str = ""
    answer: str = ""
    is_right: bool | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that a step states and that may be judged alone: its text, and where it stands in the step's text."""

    text: str
    kind: ClaimKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What calculation says of a claim. `right` is the right value of what was refuted, as text; `reason` says in plain
    words why it is refuted or could not be checked."""

    claim: Claim
    outcome: CheckOutcome
    reason: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """What calculation says of one step, counted from 0: refuted by one false claim, verified by true ones alone."""

    step: int
    claims: tuple[ClaimVerdict, ...] = ()

    @property
    def outcome(self) -> CheckOutcome:
        outcomes = {verdict.outcome for verdict in self.claims}
        if "refuted" in outcomes:
            return "refuted"
        return "verified" if "verified" in outcomes else "unchecked"

    @property
    def refuted(self) -> tuple[ClaimVerdict, ...]:
        return tuple(verdict for verdict in self.claims if verdict.outcome == "refuted")


@dataclass(frozen=True, slots=True)
class LooseNumber:
    """A number of a step that neither the problem nor an earlier line gives and that no claim of the step computes."""

    text: str
    step: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SimilarSolution:
    """A solved problem of the library that resembles this one, with how much (0 to 1) and where it stands; `quality` is
    what its solution was ranked by, where that counted."""

    id: str
    problem: str
    similarity: float
    source: str
    quality: Quality | None = None


@dataclass(frozen=True, slots=True)
class SolutionCheck:
    """All that was found in a solution. No false calculation found is not the same as correct.

    `final` compares the answer that the solution states with the last value it derives: verified where they are the
    same, refuted where they differ, unchecked (with `final_reason`) where either is missing or cannot be read. `notes`
    say what of the text was left out.
    """

    solution: Solution
    steps: tuple[StepVerdict, ...]
    loose_numbers: tuple[LooseNumber, ...] = ()
    final: CheckOutcome = "unchecked"
    final_reason: str = ""
    similar: tuple[SimilarSolution, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def first_error(self) -> int | None:
        """The first step with a false calculation, counted from 0; None where none was found."""
        return next((verdict.step for verdict in self.steps if verdict.outcome == "refuted"), None)
