"""Final answers of mathematics as typed nouns: what an answer is, not yet whether two are the same.

Nothing here reads or compares; `mathrag.compute.answers` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.expression import Expression
from mathrag.types.quantity import Unit

# tuple: (1, 2), order counts. list: "1, 2" or "1 and 2", order does not count, since roots are given in any order.
# set: {1, 2}. named: "AB = 4, CD = 5", in the order of writing. ratio: 3 : 4.
Arrangement: TypeAlias = Literal["tuple", "list", "set", "named", "ratio"]


@dataclass(frozen=True, slots=True)
class ValueAnswer:
    """A number or an expression, with its unit where one is written.

    `unit` is None for a bare number, percent included as a unit. `counted` is what is written behind the number and is
    no unit that is known: "apples", "€".
    """

    expression: Expression
    unit: Unit | None = None
    counted: str = ""


@dataclass(frozen=True, slots=True)
class BaseNumeral:
    """A whole number written in another base: 52 in base 8. The digits are part of the answer, not only its value."""

    digits: str
    base: int

    @property
    def value(self) -> int:
        return int(self.digits, self.base)


@dataclass(frozen=True, slots=True)
class EquationAnswer:
    """An equation that is itself the answer, such as that of a line."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class RelationAnswer:
    """An inequality that is no interval of one symbol, or an inequation."""

    left: Expression
    relation: Literal["<", "<=", "!="]
    right: Expression


@dataclass(frozen=True, slots=True)
class IntervalAnswer:
    """All numbers between two ends; an end may be the symbol `infinity` or its opposite."""

    low: Expression
    high: Expression
    has_low: bool
    has_high: bool


@dataclass(frozen=True, slots=True)
class UnionAnswer:
    """Several intervals and finite sets together."""

    parts: tuple[MathAnswer, ...]


@dataclass(frozen=True, slots=True)
class SeveralAnswer:
    """Several values, arranged as `Arrangement` says."""

    items: tuple[MathAnswer, ...]
    arrangement: Arrangement


@dataclass(frozen=True, slots=True)
class MatrixAnswer:
    """Rows of a matrix; a column vector is a matrix of one column."""

    rows: tuple[tuple[MathAnswer, ...], ...]


@dataclass(frozen=True, slots=True)
class ClockAnswer:
    """A time of the day: hours, minutes, and "am" or "pm" where written."""

    hours: int
    minutes: int
    half: Literal["am", "pm", ""] = ""


@dataclass(frozen=True, slots=True)
class WordsAnswer:
    """Words or the letter of a choice, folded to lower case without punctuation."""

    text: str
    is_choice: bool = False


AnswerBody: TypeAlias = (
    ValueAnswer
    | BaseNumeral
    | EquationAnswer
    | RelationAnswer
    | IntervalAnswer
    | UnionAnswer
    | SeveralAnswer
    | MatrixAnswer
    | ClockAnswer
    | WordsAnswer
)


@dataclass(frozen=True, slots=True)
class MathAnswer:
    """One answer: what it is, the name it was given ("x" in "x = 5"; empty without one), and how it is written."""

    body: AnswerBody
    label: str = ""
    written: str = ""
