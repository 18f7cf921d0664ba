"""The nouns of isolated work: what is to be done, how much it may cost, what came of it. Starts nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from mathrag.types.json_value import Json

_FUNCTION_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")

# Whoever is told what happens on the way to a result, as data.
Listener: TypeAlias = Callable[[Json], None]


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one task may cost. `tasks` is how many a process does before a fresh one takes over, so none grows for ever.

    Memory and processor time are limited only where the system can do so; the time on the clock always is.

    `seconds` counts from the start of a task, with `counts_silence` from its last event. `megabytes` bounds the address
    space, without `counts_reserved` only what is written to: a process that maps large files needs that; None is no
    bound. `processor_seconds` is never more than `seconds` and by default the same; `math.inf` is no bound.
    """

    seconds: float = 300.0
    megabytes: int | None = 2048
    processor_seconds: float | None = None
    answer_megabytes: int = 256
    start_seconds: float = 60.0
    tasks: int = 200
    counts_silence: bool = False
    counts_reserved: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """One call of one function. `key` is the caller's own name for it and comes back with the outcome.

    `seconds` is how long this one may take where that is not what the limits allow every task. The payload may hold a
    password, so it is never shown.
    """

    key: str
    function: str
    payload: Json = field(repr=False)
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A task and what its function gave back."""

    task: Task
    result: Json
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """A task that came to nothing. `reason` is a sentence; `detail` the last lines its process wrote on its way out.

    `code` is `timeout`, `processor_time`, `memory`, `killed`, `crashed`, `too_large`, `broken`, `unusable` (the process
    never got ready) or `cancelled`, or whatever code the error of ours had that the function raised.

    `error_classes` names the classes of the error that the function raised, the most special one first; it is empty
    where it raised none, and the process itself failed.
    """

    task: Task
    code: str
    reason: str
    detail: str
    seconds: float
    error_classes: tuple[str, ...] = ()

    @property
    def is_refusal(self) -> bool:
        """Whether the function gave a reason of its own, made for people."""
        return "MathragError" in self.error_classes


Outcome: TypeAlias = Done | Failed


@dataclass(frozen=True, slots=True)
class ServiceName:
    """Which `Service` a process offers: a function `package.module:function` that makes it, and what it is given."""

    function: str
    arguments: Json

    def __post_init__(self) -> None:
        checked_function_name(self.function)


def checked_function_name(name: str) -> str:
    """A name `package.module:function`, or `ValueError`."""
    if not _FUNCTION_NAME.fullmatch(name):
        raise ValueError(f"{name!r} does not name a function as package.module:function")
    return name
