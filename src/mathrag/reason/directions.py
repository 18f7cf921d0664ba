"""Whether the words of a change contradict its numbers: a gas that expands from 3 L to 1 L, water that is warmed from
80 °C to 20 °C. Which way a change goes is said by a verb; which verb speaks of which quantity is data."""

from __future__ import annotations

import re
from functools import cache

from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.language.word_classes import any_of
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView

# Classes of verbs by what they speak of (empty: of anything) and which way it goes.
_DIRECTIONS = (
    ("choosing.rising", "", 1),
    ("choosing.falling", "", -1),
    ("choosing.expanding", "m^3", 1),
    ("choosing.compressing", "m^3", -1),
    ("choosing.warming", "K", 1),
    ("choosing.cooling", "K", -1),
    ("choosing.diluting", "mol/m^3", -1),
)
# Who speaks of two of them, or of the reverse, may mean either.
_BACK = re.compile(r"(?i)\b(?:back|again|then|first|not)\b")


def contradicted_direction(view: QuestionView) -> str:
    """Why a change cannot be as it is told, in words; empty where it can."""
    text = view.question.text
    for first, last in zip(view.values, view.values[1:], strict=False):
        if not _is_change(first, last):
            continue
        ends = [found.end() for found in SENTENCE_BREAK.finditer(text, 0, first.given.start)]
        said = text[ends[-1] if ends else 0 : last.given.end]
        before, after = first.given.readings[0].si_value, last.given.readings[0].si_value
        ways = {(way, word) for way, word in _ways(said, first.dimensions[0])}
        if before == after or len({way for way, _ in ways}) != 1 or _BACK.search(said):
            continue
        way, word = min(ways)
        if (after - before) * way < 0:
            return f"the question says “{word}”, but {first.given.text} to {last.given.text} is the reverse"
    return ""


def _is_change(first: PreparedValue, last: PreparedValue) -> bool:
    is_pair = "initial" in first.roles and "final" in last.roles and first.dimensions[0] == last.dimensions[0]
    return is_pair and not first.given.implied and not last.given.implied


def _ways(said: str, dimension: str) -> list[tuple[int, str]]:
    return [
        (way, found[0])
        for name, of, way in _DIRECTIONS
        if of in ("", dimension)
        for found in _verb(name).finditer(said)
    ]


@cache
def _verb(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{any_of(name)})\b")
