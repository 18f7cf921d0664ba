"""The lines of a worksheet as frozen values: what was written, read once. Nothing here computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.types.expression import Equation, Expression

MOST_LINES = 500
LONGEST_LINE = 2_000
LONGEST_SHEET = 100_000
MOST_SAMPLES, FEWEST_SAMPLES = 100_000, 100
LARGEST_SEED = 10**9

Distribution = Literal["normal", "uniform", "triangular"]


@dataclass(frozen=True, slots=True)
class UnitUse:
    """A unit written after a number: its text, and the names in it that a value of the sheet could have too.

    `is_usual` says that the whole is a unit of a known quantity, so that nobody means anything else by it.
    """

    text: str
    names: tuple[str, ...]
    is_usual: bool


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression as it was written, and its tree; units that were read in it."""

    text: str
    tree: Expression
    units: tuple[UnitUse, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Heading:
    """`## Loads`."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """`" words`, which may be Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Value:
    """`m = 1200 ± 15 kg`: a measured value. `spread` is what stands behind the sign, in the same unit."""

    name: str
    amount: str
    number: float | int
    unit: str
    spread: float
    distribution: Distribution = "normal"
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """`E = m*v^2/2 -> kJ`; without a name the value is only shown."""

    name: str
    formula: Formula
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """`E = [kinetic energy](m, v=2*u) -> kJ`: a formula or a constant by its name, with values for its symbols."""

    name: str
    cited: str
    bindings: tuple[tuple[str, Formula], ...]
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """`d = ? how far does {v} carry in {t}`: names in braces are replaced by their values."""

    name: str
    text: str
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """`solve x + y = 5 m, x - y = 1 m for x, y`."""

    equations: tuple[tuple[Formula, Formula], ...]
    unknowns: tuple[str, ...]

    @property
    def trees(self) -> tuple[Equation, ...]:
        """The equations as trees."""
        return tuple(Equation(left.tree, right.tree) for left, right in self.equations)


@dataclass(frozen=True, slots=True)
class Plot:
    """`plot E for v = 0 m/s .. 40 m/s -> kJ`."""

    formula: Formula
    variable: str
    low: Formula
    high: Formula
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """`goal E = 1 MJ by v in 0 m/s .. 100 m/s as v_needed`."""

    formula: Formula
    target: Formula
    variable: str
    low: Formula
    high: Formula
    name: str = ""


@dataclass(frozen=True, slots=True)
class Spread:
    """`uncertainty E`, `worst E`, `montecarlo E 10000 seed 3`: how sure a result is, by one of three methods."""

    method: Literal["uncertainty", "worst", "montecarlo"]
    name: str
    samples: int = 10_000
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is none of these: where it goes wrong (from 0) and what was expected there."""

    text: str
    column: int
    reason: str


Line: TypeAlias = (
    Blank | Heading | Text | Value | Assignment | Citation | Question | System | Plot | Goal | Spread | Unread
)

METHODS: Mapping[str, Literal["uncertainty", "worst", "montecarlo"]] = {
    "uncertainty": "uncertainty",
    "worst": "worst",
    "montecarlo": "montecarlo",
}
