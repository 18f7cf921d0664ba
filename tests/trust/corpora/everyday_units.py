"""Units and shares that people mean in more than one way. Written beside the rules that state the reading."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "units of everyday language"


def attempts() -> Iterator[Attempt]:
    """The questions of a file."""
    return attempts_in("everyday_units.jsonl")
