"""Impossible and ambiguous questions by somebody who has not seen the program; those that are only counted."""

from __future__ import annotations

from collections.abc import Iterator

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "impossible or ambiguous questions of a stranger, only counted"


def attempts() -> Iterator[Attempt]:
    """All but the ordinary questions among them."""
    return attempts_in("strangers-closed.jsonl", classes_but=("control",), is_closed=True)
