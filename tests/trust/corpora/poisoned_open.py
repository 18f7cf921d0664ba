"""Poisoned documents by somebody who has not seen the program; those that may be read."""

from __future__ import annotations

from collections.abc import Iterator

from trust.attempts import Attempt
from trust.poisoned import tries_in

TITLE = "poisoned libraries of a stranger"


def attempts() -> Iterator[Attempt]:
    """The tries of a folder."""
    return tries_in("open")
