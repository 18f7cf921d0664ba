"""What a grader says of an answer: right, wrong, or unknown; and how such words are joined. Grades nothing itself.

Unknown is a third value, never a zero: no judge was there, its reply was none, or what was asked for cannot be
compared. Joined by the strong logic of Kleene, so that an unknown part matters only where it could decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Verdict: TypeAlias = Literal["right", "wrong", "unknown"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Graded:
    """A verdict with its reason in words, and what was found odd about the grading itself.

    `score` is between 0 and 1 where a judge gives more than yes and no.
    """

    verdict: Verdict
    reason: str = ""
    score: float | None = None
    odd: tuple[str, ...] = ()


RIGHT = Graded("right")


def wrong(reason: str = "") -> Graded:
    """An answer that is not right, and why."""
    return Graded("wrong", reason)


def unknown(reason: str) -> Graded:
    """What nobody here can tell, and why."""
    return Graded("unknown", reason)


def decided(is_right: bool | None, reason: str = "", doubt: str = "") -> Graded:
    """A verdict from what a comparison said: the reason where it is wrong, the doubt where it is None."""
    if is_right is None:
        return unknown(doubt)
    return RIGHT if is_right else wrong(reason)


def all_of(parts: Iterable[Graded]) -> Graded:
    """Right where all are, wrong where one is, else unknown."""
    return _joined(list(parts), stops="wrong", otherwise="right")


def any_of(parts: Iterable[Graded]) -> Graded:
    """Right where one is, wrong where all are, else unknown."""
    return _joined(list(parts), stops="right", otherwise="wrong")


def none_of(part: Graded) -> Graded:
    """Right where the part is wrong, and the other way round."""
    match part.verdict:
        case "right":
            return Graded("wrong", "what must not be said is said", odd=part.odd)
        case "wrong":
            return Graded("right", odd=part.odd)
        case "unknown":
            return part


def _joined(parts: list[Graded], *, stops: Verdict, otherwise: Verdict) -> Graded:
    odd = tuple(dict.fromkeys(note for part in parts for note in part.odd))
    for verdict in (stops, "unknown", otherwise):
        for part in parts:
            if part.verdict == verdict:
                return Graded(part.verdict, part.reason, odd=odd)
    return Graded(otherwise, odd=odd)


def matched(rows: int, columns: int, compare: Callable[[int, int], Graded]) -> tuple[int, int]:
    """How many rows can each have a column of their own: by what is surely right, and by what may be.

    Augmenting paths over at most `MOST_MATCHED` rows and columns; each pair is compared once.
    """
    sure: list[list[int]] = [[] for _ in range(rows)]
    possible: list[list[int]] = [[] for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            verdict = compare(row, column).verdict
            if verdict == "right":
                sure[row].append(column)
            if verdict != "wrong":
                possible[row].append(column)
    return _pairs(sure), _pairs(possible)


# So many elements make a quarter of a million pairs at most.
MOST_MATCHED = 500


def _pairs(open_to: list[list[int]]) -> int:
    """The size of a largest matching; without recursion, for a path may be as long as there are rows."""
    holder: dict[int, int] = {}
    held: dict[int, int] = {}
    for start in range(len(open_to)):
        came_from: dict[int, int] = {}
        rows, end = [start], -1
        while rows and end < 0:
            row = rows.pop()
            for column in open_to[row]:
                if column in came_from:
                    continue
                came_from[column] = row
                if column not in holder:
                    end = column
                    break
                rows.append(holder[column])
        while end >= 0:
            row = came_from[end]
            before = held.get(row, -1)
            holder[end], held[row] = row, end
            end = before
    return len(held)
