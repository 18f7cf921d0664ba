"""How long it is between two times of day that a question tells: "left at 8:00 and arrived at 11:00". Reads no other
values and decides nothing; a question with one time of day, or with more than two, tells no such span."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.language.word_classes import any_of, word_list

_HOUR_WORDS = {word: number for number, word in enumerate(word_list("numbers.ones")) if 1 <= number <= 12}
_NAMED = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 24 * 60}
_CLOCK = re.compile(
    rf"(?i)(?:\b(?:{any_of('questions.before_clock_times')})\s+(?:(?:about|exactly|precisely|just)\s+)?)"
    r"(?P<time>(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?![\d:])(?:\s?(?P<half>[ap])\.?\s?m\b\.?)?"
    r"|(?P<plain>\d{1,2})\s?(?P<plain_half>[ap])\.?\s?m\b\.?"
    rf"|(?P<spoken>\d{{1,2}}|{'|'.join(_HOUR_WORDS)})\s+o['’]?clock\b"
    r"|(?P<named>noon|midday|midnight)\b)"
)
_HALF_DAY, _DAY = 12 * 60, 24 * 60


@dataclass(frozen=True, slots=True)
class ClockSpan:
    """The minutes between two times of day, and where both stand. On a dial of twelve hours it may be half a day more;
    days in between are never counted."""

    minutes: int
    first: str
    last: str
    start: int
    end: int
    is_half_open: bool

    def agrees(self, seconds: float) -> bool:
        """Whether something that took so long may have taken place between the two."""
        turn = _HALF_DAY if self.is_half_open else _DAY
        rest = (seconds / 60.0 - self.minutes) % turn
        return min(rest, turn - rest) < 0.5


def clock_span(text: str) -> ClockSpan | None:
    """The span between the two times of day of a text; None where there are not exactly two that differ."""
    found = list(_CLOCK.finditer(text))
    if len(found) != 2:
        return None
    times = [_minutes(match) for match in found]
    if None in times:
        return None
    (first, is_first_sure), (last, is_last_sure) = (each for each in times if each is not None)
    is_half_open = not (is_first_sure and is_last_sure)
    minutes = (last - first) % (_HALF_DAY if is_half_open and last <= first else _DAY)
    if minutes == 0:
        return None
    return ClockSpan(minutes, found[0]["time"], found[1]["time"], found[0].start("time"), found[1].end(), is_half_open)


def _minutes(match: re.Match[str]) -> tuple[int, bool] | None:
    """The minutes since midnight, and whether it is plain which half of the day is meant."""
    if match["named"]:
        return _NAMED[match["named"].lower()], True
    spoken = (match["spoken"] or "").lower()
    hour = _HOUR_WORDS.get(spoken) or int(match["hour"] or match["plain"] or spoken)
    half = (match["half"] or match["plain_half"] or "").lower()
    if hour > 24 or (half and not 1 <= hour <= 12):
        return None
    minutes = hour * 60 + int(match["minute"] or 0)
    if half:
        return minutes % _HALF_DAY + (_HALF_DAY if half == "p" else 0), True
    return minutes, hour > 12
