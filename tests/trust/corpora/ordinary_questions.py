"""Ordinary questions of the same strangers: a program that refuses everything would be found out here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from trust.asked import attempts_in
from trust.attempts import Attempt

TITLE = "ordinary questions of the strangers"


def attempts() -> Iterator[Attempt]:
    """The ordinary questions of both halves."""
    return chain(
        attempts_in("strangers-open.jsonl", classes=("control",)),
        attempts_in("strangers-closed.jsonl", classes=("control",), is_closed=True),
        attempts_in("strangers2-open.jsonl", classes=("control",)),
        attempts_in("strangers2-closed.jsonl", classes=("control",), is_closed=True),
    )
