"""How a library writes down when something happened. No clock for measuring: that is whoever measures."""

from __future__ import annotations

from datetime import UTC, datetime


def time_now() -> str:
    """This moment as libraries keep it: universal time, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
