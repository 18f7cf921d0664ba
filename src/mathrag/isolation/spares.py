"""Processes with nothing to do, kept a while for the next pool of the same kind: starting one takes longer than reading
a short document. Ends those that nobody wants; gives none out that may have changed since."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Hashable
from dataclasses import dataclass

from mathrag.isolation.worker import Worker

# How long a process waits for more work. Longer than a pause between two uploads, short enough to be gone by itself.
_IDLE_SECONDS = 20.0


@dataclass(slots=True)
class _Waiting:
    kind: Hashable
    worker: Worker
    until: float


class Spares:
    """The waiting processes of this program. For any thread."""

    def __init__(self, *, most: int, seconds: float = _IDLE_SECONDS) -> None:
        self._most, self.seconds = most, seconds
        self._waiting: list[_Waiting] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def put(self, kind: Hashable, worker: Worker) -> None:
        """Let a process wait; where too many do, the one that has waited longest ends."""
        with self._lock:
            self._waiting.append(_Waiting(kind, worker, time.monotonic() + self.seconds))
            ended = self._waiting[: -self._most] if len(self._waiting) > self._most else []
            del self._waiting[: len(ended)]
            self._set_timer()
        _stop(ended)

    def take(self, kind: Hashable) -> Worker | None:
        """A process of a kind that can still work, the one that worked last; None where none waits."""
        ended = []
        try:
            with self._lock:
                for place in range(len(self._waiting) - 1, -1, -1):
                    one = self._waiting[place]
                    if one.kind != kind:
                        continue
                    del self._waiting[place]
                    if one.worker.is_usable:
                        return one.worker
                    ended.append(one)
                return None
        finally:
            _stop(ended)

    def forget(self) -> None:
        """Begin anew, in a forked copy: the processes belong to the other one, where a lock may be held for ever."""
        self._waiting, self._lock, self._timer = [], threading.Lock(), None

    def clear(self) -> None:
        """End all of them."""
        with self._lock:
            ended, self._waiting = self._waiting, []
        _stop(ended)

    def _set_timer(self) -> None:
        if self._timer is None and self._waiting:
            self._timer = threading.Timer(max(0.0, self._waiting[0].until - time.monotonic()), self._tidy)
            self._timer.daemon = True
            self._timer.start()

    def _tidy(self) -> None:
        now = time.monotonic()
        with self._lock:
            ended = [one for one in self._waiting if one.until <= now]
            self._waiting = [one for one in self._waiting if one.until > now]
            self._timer = None
            self._set_timer()
        _stop(ended)


def _stop(ended: list[_Waiting]) -> None:
    for one in ended:
        one.worker.stop()


SPARES = Spares(most=8)
atexit.register(SPARES.clear)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SPARES.forget)
