"""Inputs that grow, and whether the work for them grows no faster than they do.

A family of texts repeats one nasty piece: openings that are never closed, long runs of one sign, marks of headings,
lists and tables; families of files are made in `trust.growing_files`. Everything that reads from outside is tried with
larger and larger ones until the work can be told from noise; whatever needs much more than its share at four times the
size, and again at sixteen times, fails. Once is not enough: a table that is filled up to a limit grows squared below
the limit only, and a text too long for one way of reading is read in another, which is a step. Processor time is
measured, that of programs it starts too, not the clock, and again and again where it looks bad: a busy machine fails
nothing.
"""

from __future__ import annotations

import contextlib
import json
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from mathrag.errors import MathragError

Input = TypeVar("Input")

_PIECES = Path(__file__).with_name("growing_pieces.jsonl")
JOINTS = ("", " ", "\n", "\n\n")

# Below this the clock of a processor says little, and a few more steps are much.
FLOOR = 0.02
ENOUGH = 0.15
GROWTH = 4
# Four times the input may take four times the work, and what memory and sorting add; squared would be sixteen.
MOST = 8.0
TRIES = 3
FIRST = 1_000
LONGEST = 256_000


@dataclass(frozen=True, slots=True)
class Growth:
    """How long a reader took for an input, and for one four times as long."""

    size: int
    seconds: float
    before: float

    @property
    def ratio(self) -> float:
        """How many times the work, for `GROWTH` times the input."""
        return self.seconds / max(self.before, FLOOR)

    @property
    def is_linear(self) -> bool:
        """Whether the work grew about as much as the input, or there was hardly any."""
        return self.seconds < ENOUGH or self.ratio <= MOST


def families() -> Iterator[tuple[str, str]]:
    """A name and a piece for each family."""
    for line in _PIECES.read_text(encoding="utf-8").splitlines():
        piece: str = json.loads(line)
        for joint in JOINTS:
            if joint == "" or not piece.endswith(("\n", " ")):
                yield repr(piece + joint), piece + joint


def grown(piece: str, size: int, closing: str = "") -> str:
    """The piece again and again, up to so many characters."""
    return (piece * (size // len(piece) + 1))[: size - len(closing)] + closing


def growth_of(
    work: Callable[[Input], object],
    make: Callable[[int], Input],
    *,
    first: int = FIRST,
    longest: int = LONGEST,
    enough: float = ENOUGH,
) -> Growth:
    """How the work grows for what `make` makes of a size, at the first size where it takes long enough to tell.

    What looks bad at the longest is tried at one size more.
    """
    size, before = first, seconds_of(work, make(first))
    found = Growth(size, before, before)
    while not found.is_linear or (size * GROWTH <= longest and found.seconds < enough):
        was_linear = found.is_linear
        size *= GROWTH
        found = _steadied(work, make, Growth(size, seconds_of(work, make(size)), before))
        if not found.is_linear and not was_linear:
            # Twice in a row: no step, and no limit of ours has put an end to it.
            return found
        before = found.seconds
    return found


def _steadied(work: Callable[[Input], object], make: Callable[[int], Input], found: Growth) -> Growth:
    """Measured again where it looks bad: what was slow by chance is not slow every time."""
    for _ in range(TRIES):
        if found.is_linear:
            break
        before = seconds_of(work, make(found.size // GROWTH))
        again = seconds_of(work, make(found.size))
        found = Growth(found.size, min(found.seconds, again), max(found.before, before))
    return found


def seconds_of(work: Callable[[Input], object], given: Input) -> float:
    """Processor time for one input; what it gives, or that it refuses, does not matter."""
    begin = _processor_seconds()
    with contextlib.suppress(MathragError):
        work(given)
    return _processor_seconds() - begin


def _processor_seconds() -> float:
    """What this process and the programs it has run have taken so far."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime
