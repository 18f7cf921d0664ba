"""The nouns of isolated work: what is to be done, how much it may cost, what came of it. Starts nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from mathrag.types.json_value import Json

_FUNCTION_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one task may cost. `tasks` is how many a process does before a fresh one takes over, so none grows for ever.

    Memory and processor time are limited only where the system can do so; the time on the clock always is.
    """

    seconds: float = 300.0
    megabytes: int = 2048
    processor_seconds: float | None = None
    answer_megabytes: int = 256
    start_seconds: float = 60.0
    tasks: int = 200


@dataclass(frozen=True, slots=True)
class Task:
    """One call of one function. `key` is the caller's own name for it and comes back with the outcome.

    `seconds` is how long this one may take where that is not what the pool allows every task. The payload may hold a
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

    `code` is `timeout`, `processor_time`, `memory`, `killed`, `crashed`, `too_large` or `broken`, or whatever code the
    error of ours had that the function raised.
    """

    task: Task
    code: str
    reason: str
    detail: str
    seconds: float


Outcome: TypeAlias = Done | Failed


def checked_function_name(name: str) -> str:
    """A name `package.module:function`, or `ValueError`."""
    if not _FUNCTION_NAME.fullmatch(name):
        raise ValueError(f"{name!r} does not name a function as package.module:function")
    return name
