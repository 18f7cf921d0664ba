"""When to try again and how long to wait before. Decides only; sleeps and clocks are given to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

_FIRST_SECONDS = 0.5
_LONGEST_SECONDS = 30.0
LONGEST_ASKED_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to try again, and until when (by the clock that `Endpoint` has)."""

    retries: int
    until: float
    random: Callable[[], float]

    def delay(self, attempt: int, *, now: float, retry_after: float | None) -> float | None:
        """Seconds to wait after the attempt of that number (from 0); None to give up."""
        if attempt >= self.retries:
            return None
        backoff = min(_LONGEST_SECONDS, _FIRST_SECONDS * 2.0 ** min(attempt, 16)) * (0.5 + 0.5 * self.random())
        if retry_after is None:
            seconds = backoff
        elif retry_after > LONGEST_ASKED_SECONDS:
            return None
        else:
            # A little later than asked: a crowd that was sent away together must not come back together.
            seconds = retry_after + min(backoff, 1.0) * self.random()
        return seconds if now + seconds < self.until else None


def read_retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """What the server asks to wait, in seconds: a number, or a date to compare with the time of day."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        date = parsedate_to_datetime(text[:100])
        moment = date.replace(tzinfo=date.tzinfo or UTC).timestamp()
    except (TypeError, ValueError, OverflowError, OSError, IndexError):
        return None
    return max(0.0, moment - now)


def _number(text: str) -> float | None:
    try:
        value = float(text[:32])
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
