"""Angles without a unit. Written beside the rules that state the reading."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "bare angles"


def attempts() -> Iterator[Attempt]:
    """The questions of a file."""
    return attempts_in("bare_angles.jsonl")
