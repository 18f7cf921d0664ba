"""Questions that nature or mathematics answers with no. Written beside the rules that refuse them."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "impossible questions (our own)"


def attempts() -> Iterator[Attempt]:
    """The questions of a file."""
    return attempts_in("impossible.jsonl")
