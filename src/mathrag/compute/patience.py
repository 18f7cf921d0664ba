"""How long work may take, so that a busy machine gives the same answers, and what was given up for want of time.

What can be counted is counted where it is done and needs nothing of this. No limit here is a result: nothing that was
cut short may be kept for the next time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from mathrag.compute.evaluate.failure import Failure

# Waiting for another process uses no time of this thread; the clock ends it where that process hangs.
_HANGING = 20.0


class Computation:
    """What was given up so far while one question, curve or sheet is computed."""

    def __init__(self) -> None:
        self.times = 0
        self._late: dict[object, Failure] = {}

    def given_up(self, task: object) -> Failure | None:
        """How a task failed that took too long before."""
        found = self._late.get(task)
        self.times += found is not None
        return found

    def give_up(self, task: object, failure: Failure | None) -> None:
        """Something took too long: a task, where it is told which."""
        self.times += 1
        if failure is not None:
            self._late[task] = failure


_computation: ContextVar[Computation | None] = ContextVar("computation", default=None)


@contextmanager
def one_computation() -> Iterator[Computation]:
    """Within it a task that took too long is not tried again, so that a curve of a hundred points waits for it once.

    Outside nothing of it is known: another time there may be time. One inside another is the same computation.
    """
    outer = _computation.get()
    if outer is not None:
        yield outer
        return
    computation = Computation()
    begun = _computation.set(computation)
    try:
        yield computation
    finally:
        _computation.reset(begun)


def given_up(task: object) -> Failure | None:
    """How a task failed earlier in this computation, where that was for want of time."""
    computation = _computation.get()
    return None if computation is None else computation.given_up(task)


def give_up(task: object = None, failure: Failure | None = None) -> None:
    """Remember for this computation that something, perhaps a task, took too long."""
    computation = _computation.get()
    if computation is not None:
        computation.give_up(task, failure)


class Patience:
    """So many seconds of the processor for this thread; the clock only ends what hangs."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.thread_time() + seconds
        self._last = time.monotonic() + _HANGING * max(seconds, 1.0)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be begun; then it is known that something was given up."""
        is_over = time.thread_time() > self._deadline or time.monotonic() > self._last
        if is_over:
            give_up()
        return is_over
