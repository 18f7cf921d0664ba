"""Impossible and ambiguous questions by a second stranger, asked when those of the first were mended; those that may be
read."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "impossible or ambiguous questions of a second stranger"


def attempts() -> Iterator[Attempt]:
    """All but the ordinary questions among them."""
    return attempts_in("strangers2-open.jsonl", classes_but=("control",))
