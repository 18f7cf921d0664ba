"""Angles counted from another line than the formula's: from the normal, the vertical, the surface; beside ordinary."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "angles from another line"


def attempts() -> Iterator[Attempt]:
    """The questions of a file."""
    return attempts_in("angle_lines.jsonl")
