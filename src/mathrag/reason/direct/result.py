"""What a direct computation gives back: a value with working and sources, or why there is none. Computes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.answer import Provenance
from mathrag.types.quantity import Quantity

DirectKind: TypeAlias = Literal["arithmetic", "modular", "percentage", "conversion", "constant", "number_theory"]


@dataclass(frozen=True, slots=True)
class DirectResult:
    """A value that needed no formula of the library.

    `exact` holds all digits of an exact result: a whole number, a fraction `a/b`, or a finite decimal where the
    question was written in decimals; empty where the value is rounded. `text` is filled where a sentence answers
    better than a number ("97 is prime"); `quantity` is then the number it speaks of. A whole number in `quantity` may
    be longer than any float.
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


@dataclass(frozen=True, slots=True)
class DirectFailure:
    """A question that needs no formula but has no answer: a code for programs and a sentence for people.

    Codes: those of `mathrag.compute.evaluate.Failure`, and dimension, ambiguous, temperature, not_whole, too_large.
    """

    code: str
    message: str
    kind: DirectKind = "arithmetic"


Outcome: TypeAlias = DirectResult | DirectFailure | None
