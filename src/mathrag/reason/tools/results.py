"""What calling a tool gives back: a computed step or an error with a sentence. Both are values."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.errors import readable
from mathrag.types.answer import Step
from mathrag.types.quantity import Quantity


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A value with everything that led to it."""

    value: Quantity
    step: Step

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the value."""
        return self.step.warnings


@dataclass(frozen=True, slots=True)
class ToolError:
    """Why a tool was not made or gave no value: a code, a sentence, and the parameter it is about (or empty).

    Codes of a call: `disposed`, `type`, `missing`, `unknown`, `not_finite`, `too_long`, `unit`, `value`, and those of a
    step (`division_by_zero`, `domain`, `dimension`, ...). Codes of making one: `not_executable`, `target`.
    """

    code: str
    message: str
    parameter: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", readable(self.message))

    def __str__(self) -> str:
        return self.message
