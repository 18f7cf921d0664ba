"""Questions in which words tell two values of one kind apart, or should: initial and final, acid and base."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "states and sides"


def attempts() -> Iterator[Attempt]:
    """The questions of a file."""
    return attempts_in("states.jsonl")
