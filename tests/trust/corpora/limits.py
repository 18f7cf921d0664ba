"""Questions outside the limits of a formula, each beside an ordinary one: dilute, slow, small angles, dense, in air."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "limits of formulas"


def attempts() -> Iterator[Attempt]:
    """The questions of a file."""
    return attempts_in("limits.jsonl")
