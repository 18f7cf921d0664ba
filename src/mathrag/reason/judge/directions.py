"""Whether the words of a change contradict its numbers: a gas that expands from 3 L to 1 L, water that is warmed from
80 °C to 20 °C. Which way a change goes is said by a verb; which verb speaks of which quantity is data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.language.word_classes import any_of
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.judge.spots import Spot, of_value

# Classes of verbs by what they speak of (empty: of anything) and which way it goes.
_DIRECTIONS = (
    ("choosing.rising", "", 1),
    ("choosing.falling", "", -1),
    ("choosing.expanding", "m^3", 1),
    ("choosing.compressing", "m^3", -1),
    ("choosing.warming", "K", 1),
    ("choosing.cooling", "K", -1),
    ("choosing.diluting", "mol/m^3", -1),
    # Between numbered levels, the higher number is the higher energy.
    ("choosing.emitting", "1", -1),
    ("choosing.absorbing", "1", 1),
)
_FROM = re.compile(r"(?i)\bfrom\s+[a-z]\w{0,8}\s*=\s*$")
_TO = re.compile(r"(?i)\bto\s+[a-z]\w{0,8}\s*=\s*$")
_TO_GET = re.compile(rf"(?i)\b(?:{any_of('choosing.to_get')})\s+(?:an?\s+|the\s+)?$")
_CONCENTRATION = "mol/m^3"
# Who speaks of two of them, or of the reverse, may mean either.
_BACK = re.compile(r"(?i)\b(?:back|again|then|first|not)\b")


def contradicted_directions(view: QuestionView) -> Iterator[Spot]:
    """Changes that cannot be as they are told."""
    text = view.question.text
    for first, last in zip(view.values, view.values[1:], strict=False):
        if not (_is_change(first, last) or _is_assigned_change(first, last, text) or _is_aim(first, last, text)):
            continue
        ends = [found.end() for found in SENTENCE_BREAK.finditer(text, 0, first.given.start)]
        said = text[ends[-1] if ends else 0 : last.given.end]
        before, after = first.given.readings[0].si_value, last.given.readings[0].si_value
        ways = {(way, word) for way, word in _ways(said, first.dimensions[0])}
        if before == after or len({way for way, _ in ways}) != 1 or _BACK.search(said):
            continue
        way, word = min(ways)
        if (after - before) * way < 0:
            reason = f"the question says “{word}”, but {first.given.text} to {last.given.text} is the reverse"
            yield of_value(first, last, reason=reason)


def _is_change(first: PreparedValue, last: PreparedValue) -> bool:
    is_pair = "initial" in first.roles and "final" in last.roles and first.dimensions[0] == last.dimensions[0]
    return is_pair and not first.given.implied and not last.given.implied


def _is_assigned_change(first: PreparedValue, last: PreparedValue, text: str) -> bool:
    """Whether one symbol is said to go "from n = 2 to n = 5"."""
    is_one = bool(first.given.symbol) and first.given.symbol == last.given.symbol
    return (
        is_one
        and _FROM.search(text[: first.given.start]) is not None
        and _TO.search(text[: last.given.start]) is not None
    )


def _is_aim(first: PreparedValue, last: PreparedValue, text: str) -> bool:
    """Whether the second value is what the first is to become: "to get a 0.5 M solution"."""
    is_stated = not first.given.implied and not last.given.implied
    is_one = first.dimensions[0] == last.dimensions[0] == _CONCENTRATION
    return is_stated and is_one and _TO_GET.search(text[: last.given.start]) is not None


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
