"""Whether the words of a change contradict its numbers: a gas that expands from 3 L to 1 L, water that is warmed from
80 °C to 20 °C. Which way a change goes is said by a verb; which verb speaks of which quantity is data."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.language.cues import cue
from mathrag.reason.choosing.question_view import PreparedValue, QuestionView
from mathrag.reason.judge.spots import Spot, of_value
from mathrag.reason.question.wording import Wording

# Classes of verbs by what they speak of (empty: of anything) and which way it goes.
_DIRECTIONS = (
    ("rising", "", 1),
    ("falling", "", -1),
    ("expanding", "m^3", 1),
    ("compressing", "m^3", -1),
    ("warming", "K", 1),
    ("cooling", "K", -1),
    ("diluting", "mol/m^3", -1),
    # Between numbered levels, the higher number is the higher energy.
    ("emitting", "1", -1),
    ("absorbing", "1", 1),
)
_CONCENTRATION = "mol/m^3"


def contradicted_directions(view: QuestionView) -> Iterator[Spot]:
    """Changes that cannot be as they are told."""
    wording = view.wording
    for first, last in zip(view.values, view.values[1:], strict=False):
        if not (_is_change(first, last) or _is_assigned_change(first, last, wording) or _is_aim(first, last, wording)):
            continue
        said = wording.between(wording.sentence_start(first.given), last.given.end)
        before, after = first.given.readings[0].si_value, last.given.readings[0].si_value
        ways = {(way, word) for way, word in _ways(said, first.dimensions[0])}
        if before == after or len({way for way, _ in ways}) != 1 or cue("reversed").search(said):
            continue
        way, word = min(ways)
        if (after - before) * way < 0:
            reason = f"the question says “{word}”, but {first.given.text} to {last.given.text} is the reverse"
            yield of_value(first, last, reason=reason)


def _is_change(first: PreparedValue, last: PreparedValue) -> bool:
    is_pair = "initial" in first.roles and "final" in last.roles and first.dimensions[0] == last.dimensions[0]
    return is_pair and not first.given.implied and not last.given.implied


def _is_assigned_change(first: PreparedValue, last: PreparedValue, wording: Wording) -> bool:
    """Whether one symbol is said to go "from n = 2 to n = 5"."""
    is_one = bool(first.given.symbol) and first.given.symbol == last.given.symbol
    return (
        is_one
        and wording.up_to(first.given, "from_symbol") is not None
        and wording.up_to(last.given, "to_symbol") is not None
    )


def _is_aim(first: PreparedValue, last: PreparedValue, wording: Wording) -> bool:
    """Whether the second value is what the first is to become: "to get a 0.5 M solution"."""
    is_stated = not first.given.implied and not last.given.implied
    is_one = first.dimensions[0] == last.dimensions[0] == _CONCENTRATION
    return is_stated and is_one and wording.up_to(last.given, "to_get") is not None


def _ways(said: str, dimension: str) -> list[tuple[int, str]]:
    return [
        (way, found[0]) for name, of, way in _DIRECTIONS if of in ("", dimension) for found in cue(name).finditer(said)
    ]
