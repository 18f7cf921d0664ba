"""Many threads and one server: who goes first (one at a time for the same request, a few for the server), and asking
many things at once. Knows nothing of what is asked.

A thread that is in the middle of a stream never waits here, because it might wait for itself. Nobody waits for ever:
where nothing has moved for an hour, a stream was left open somewhere.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from mathrag.errors import ModelError

# The slowest model on a small machine writes its longest reply in less.
PATIENCE_SECONDS = 3600.0


class Turns:
    """One thread at a time for a name; the others wait until it has left."""

    def __init__(self, *, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._changed = threading.Condition()
        self._owners: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """Wait for the turn. False where waiting could never end; then there is nothing to leave."""
        mine = threading.get_ident()
        with self._changed:
            while name in self._owners:
                if mine in self._owners.values() or not self._changed.wait(self._patience):
                    return False
            self._owners[name] = mine
            return True

    def leave(self, name: str) -> None:
        """Let the next one have its turn. May be called from another thread than took it."""
        with self._changed:
            self._owners.pop(name, None)
            self._changed.notify_all()


class Slots:
    """At most so many threads at once."""

    def __init__(self, limit: int, *, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._changed = threading.Condition()
        self._free = max(1, limit)
        self._holders: list[int] = []

    def take(self) -> int | None:
        """Wait for a slot; what to give to `leave`. None where the thread has one already."""
        mine = threading.get_ident()
        with self._changed:
            if mine in self._holders:
                return None
            while len(self._holders) >= self._free:
                if not self._changed.wait(self._patience):
                    raise ModelError("busy", "no call to the language model has ended for an hour; start again")
            self._holders.append(mine)
            return mine

    def leave(self, holder: int | None) -> None:
        """Give a slot back. May be called from another thread than took it."""
        if holder is None:
            return
        with self._changed:
            self._holders.remove(holder)
            # All are told, because whoever waits has to know that something moves.
            self._changed.notify_all()


# Ask many things at once over threads, keeping their order. One that fails costs itself alone; no money, all.

Item = TypeVar("Item")
Result = TypeVar("Result")
# After one of these every other item would fail in the same way.
_HOPELESS = frozenset({"budget", "not_configured", "not_installed", "key_refused", "not_found", "cancelled"})


@dataclass(frozen=True, slots=True)
class Batch(Generic[Result]):
    """What came of every item, in order; None where it failed or was not asked any more.

    `failures` counts the items that failed; `stopped` is the error that ended the batch early (a `BudgetError`, or one
    that would have met every item).
    """

    results: tuple[Result | None, ...]
    failures: int = 0
    stopped: ModelError | None = None


def ask_each(ask: Callable[[Item], Result], items: Sequence[Item], *, workers: int = 4) -> Batch[Result]:
    """Call `ask` for every item, several at a time."""
    results: list[Result | None] = [None] * len(items)
    failures = 0
    stopped: ModelError | None = None
    waiting = iter(enumerate(items))
    running: dict[Future[Result], int] = {}
    pool = ThreadPoolExecutor(max_workers=max(1, min(workers, len(items) or 1)), thread_name_prefix="ask")
    try:
        while True:
            # No more than can run at once are handed in, so that stopping leaves nothing to be called back.
            while stopped is None and len(running) < max(1, workers):
                index, item = next(waiting, (-1, None))
                if index < 0:
                    break
                running[pool.submit(ask, item)] = index  # type: ignore[arg-type]
            if not running:
                return Batch(tuple(results), failures, stopped)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                index = running.pop(future)
                try:
                    results[index] = future.result()
                except ModelError as error:
                    failures += 1
                    stopped = stopped or (error if error.code in _HOPELESS else None)
    finally:
        # Whoever interrupts does not want to wait for replies: closing the models ends the calls that still run.
        pool.shutdown(wait=not running, cancel_futures=True)
