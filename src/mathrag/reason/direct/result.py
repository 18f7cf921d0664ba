"""What a direct computation gives back: a value with working and sources, or why there is none; and its digits: exact
fractions behind floats, exact and rounded text, how many figures it deserves. Reads no questions."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from mathrag.compute.printers.money import money_text
from mathrag.compute.printers.units import joined
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity, Unit

DirectKind: TypeAlias = Literal[
    "arithmetic",
    "modular",
    "percentage",
    "conversion",
    "constant",
    "number_theory",
    "story",
    "algebra",
    "list",
    "chemistry",
]


@dataclass(frozen=True, slots=True)
class DirectResult:
    """A value that needed no formula of the library.

    `exact` holds all digits of an exact result: a whole number, a fraction `a/b`, or a finite decimal where the
    question was written in decimals; empty where the value is rounded. `text` is filled where a sentence answers
    better than a number alone ("35 ways, …"); `quantity` is then the number in it. A whole number in `quantity` may be
    longer than any float.
    """

    kind: DirectKind
    quantity: Quantity
    significant_figures: int
    expression: str
    exact: str = ""
    text: str = ""
    working: tuple[str, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    notes: tuple[str, ...] = ()
    lines: tuple[WorkingLine, ...] = ()


@dataclass(frozen=True, slots=True)
class DirectStatement:
    """What algebra found where no single number is the answer: a verdict, an expression, a list of solutions.

    `text` says it in a sentence with what was checked; `lines` are the mathematics, line by line.
    """

    text: str
    expression: str
    lines: tuple[WorkingLine, ...] = ()
    notes: tuple[str, ...] = ()
    kind: DirectKind = "algebra"


@dataclass(frozen=True, slots=True)
class DirectFailure:
    """A question that needs no formula but has no answer: a code for programs and a sentence for people.

    Codes: those of `mathrag.compute.evaluate.Failure`, and dimension, ambiguous, temperature, not_whole, too_large,
    contradiction; of algebra unsolved, no_closed_form, not_confirmed.
    """

    code: str
    message: str
    kind: DirectKind = "arithmetic"


DirectOutcome: TypeAlias = DirectResult | DirectFailure | None
# What algebra may say too.
AlgebraOutcome: TypeAlias = DirectResult | DirectStatement | DirectFailure | None


def result_by_steps(
    kind: DirectKind,
    quantity: Quantity,
    *,
    name: str,
    said: str,
    steps: Sequence[str],
    figures: int,
    subject: str = "",
) -> DirectResult:
    """A number with a name, as a sentence that tells its steps; `subject` where the name has no article."""
    working = (*steps, f"= {said}")
    return DirectResult(
        kind,
        quantity,
        figures,
        name,
        text=f"{subject or f'The {name}'} is {said} ({'; '.join(steps)}).",
        working=working,
        lines=tuple(map(WorkingLine, working)),
    )


# The digits.

# Of a number without a unit; of a result from whole numbers alone; and at least, however rough the question is.
PLAIN_FIGURES = 10
WHOLE_FIGURES = 6
FEWEST_FIGURES = 4
_LONGEST_DECIMALS = 40


@dataclass(frozen=True, slots=True)
class Stated:
    """A number as the question has it; `text` includes its unit. `is_whole`: written without point or exponent."""

    text: str
    figures: int
    is_whole: bool


def stated(text: str, digits: str) -> Stated:
    """A number of the question by its digits (`1200`, `2.50`, `1.2e-3`)."""
    mantissa = re.split("[eE]", digits)[0]
    is_whole = mantissa == digits and "." not in digits
    counted = mantissa.replace(".", "").lstrip("0")
    return Stated(text, max(1, len(counted)), is_whole)


def figures_for(numbers: Sequence[Stated]) -> int:
    """Figures for a result with a unit: as many as the roughest decimal has, whole numbers counting as exact."""
    rough = [number.figures for number in numbers if not number.is_whole]
    return max(FEWEST_FIGURES, min(rough)) if rough else WHOLE_FIGURES


def exact_fraction(value: float) -> Fraction:
    """The fraction a float of a unit table stands for: 5/9 behind 0.5555555555555556, 0.44704 behind itself."""
    simple = Fraction(value).limit_denominator(100_000)
    return simple if float(simple) == value else Fraction(repr(value))


def cleaned(value: float) -> float:
    """Without the noise of floats in the last digits, if a short number lies beneath (26.822400000000002)."""
    rounded = f"{value:.12g}"
    return float(rounded) if abs(float(rounded) - value) <= 4e-15 * abs(value) else value


def whole_if_so(value: int | float) -> int | float:
    """A float that is a whole number as one."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def as_number(value: int | Fraction | float) -> int | float | None:
    """A value for a `Quantity`: whole numbers stay exact; None where no float is large or small enough."""
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return cleaned(value) if math.isfinite(value) else None
    if value.denominator == 1:
        return value.numerator
    try:
        result = value.numerator / value.denominator
    except OverflowError:
        return None
    return result if result else None


def exact_text(value: int | Fraction, *, decimals: bool) -> str:
    """All digits: a whole number, a finite decimal when `decimals` are wanted, else a fraction."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    return (decimals and _finite_decimal(value)) or f"{value.numerator}/{value.denominator}"


def _finite_decimal(value: Fraction) -> str:
    below, places = value.denominator, 0
    while below % 10 == 0 or below % 2 == 0 or below % 5 == 0:
        below = below // 10 if below % 10 == 0 else below // 2 if below % 2 == 0 else below // 5
        places += 1
        if places > _LONGEST_DECIMALS:
            return ""
    if below != 1:
        return ""
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 else text


def number_text(value: int | float, figures: int) -> str:
    """A number for people: short whole numbers in full, others rounded to `figures` without idle zeros."""
    if isinstance(value, int):
        if abs(value) < 10**60:
            return str(value)
        digits = str(abs(value))
        return f"{'-' if value < 0 else ''}{digits[:12]}… ({len(digits)} digits)"
    return f"{value:.{figures}g}"


def short(value: Fraction | float) -> str:
    """A number for a line of working: an exact whole one in full, others rounded."""
    is_whole = isinstance(value, Fraction) and value.denominator == 1
    return str(value) if is_whole else f"{float(value):.{WHOLE_FIGURES}g}"


def with_unit(value: int | float, unit: Unit, figures: int) -> str:
    """A number with its unit, for a line of working; money to the cent."""
    return joined(money_text(Quantity(value, unit)) or number_text(value, figures), unit)
