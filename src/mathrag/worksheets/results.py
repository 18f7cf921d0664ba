"""What each line of a worksheet gave: frozen values, with the texts that people read. Computes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mathrag.answer.figures import stated_quantity_latex, stated_quantity_text
from mathrag.types.quantity import Quantity
from mathrag.worksheets.definitions import Definition
from mathrag.worksheets.lines import Line
from mathrag.worksheets.seams import Link

FIGURES = 6
Status = Literal["text", "value", "error"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line: the place in it (from 1), the reason, and the line at fault where it is another."""

    message: str
    column: int | None = None
    cause: int | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a plot, in the units of its axes; a point without a value has None."""

    horizontal: str
    horizontal_unit: str
    vertical: str
    vertical_unit: str
    points: tuple[tuple[float, float | None], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of contributions: name, ± of the value, derivative, and its share of the variance."""

    name: str
    spread: str
    slope: str
    share: float


@dataclass(frozen=True, slots=True)
class LineResult:
    """A line with what came of it. `text` and `latex` are the whole calculation, `answer` its last part alone.

    `shadows` are units that are also names of the sheet; a sheet tells each once, among the notes."""

    number: int
    line: Line
    status: Status
    text: str = ""
    latex: str = ""
    answer: str = ""
    definitions: tuple[Definition, ...] = ()
    notes: tuple[str, ...] = ()
    shadows: tuple[str, ...] = ()
    problem: Problem | None = None
    links: tuple[Link, ...] = ()
    rows: tuple[Row, ...] = ()
    curve: Curve | None = None

    @property
    def quantity(self) -> Quantity | None:
        """The value with its standard uncertainty, where the line gives one."""
        return self.definitions[0].shown if len(self.definitions) == 1 else None


@dataclass(frozen=True, slots=True)
class Results:
    """A worksheet computed. `computed` are the numbers of the lines that were computed anew this time."""

    lines: tuple[LineResult, ...]
    computed: frozenset[int] = field(default=frozenset(), compare=False)

    @property
    def problems(self) -> tuple[LineResult, ...]:
        """The lines that went wrong."""
        return tuple(each for each in self.lines if each.problem is not None)

    @property
    def values(self) -> dict[str, Quantity]:
        """What every name stands for at the end, with its standard uncertainty."""
        return {each.name: each.shown for line in self.lines for each in line.definitions if each.name}


def amount_text(quantity: Quantity) -> str:
    """A quantity with six figures, or as many as its uncertainty deserves."""
    return stated_quantity_text(_rounded(quantity), FIGURES if quantity.uncertainty is not None else None)


def amount_latex(quantity: Quantity) -> str:
    """The same as LaTeX."""
    return stated_quantity_latex(_rounded(quantity), FIGURES if quantity.uncertainty is not None else None)


def _rounded(quantity: Quantity) -> Quantity:
    if quantity.uncertainty is not None or isinstance(quantity.value, int):
        return quantity
    return Quantity(float(f"{quantity.value:.{FIGURES}g}"), quantity.unit)
