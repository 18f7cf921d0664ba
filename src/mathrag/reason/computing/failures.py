"""Why a step gave no number, as a value. The sentences are made where the reasons are found."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.errors import readable


@dataclass(frozen=True, slots=True)
class StepFailure:
    """A step without a result: a code for programs, a sentence for people, the symbol it is about (or empty).

    Codes: `missing` (a symbol has no value), `target` (the symbol asked for is not in the formula), `unit` (the unit
    asked for does not fit), and those of an evaluation: `dimension`, `division_by_zero`, `domain`, `complex`,
    `overflow`, `underflow`, `undefined`, `no_solution`, `unsolved`, `timeout`, `too_large`, `bad_value`, `not_whole`.
    """

    code: str
    message: str
    symbol: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", readable(self.message))

    def __str__(self) -> str:
        return self.message
