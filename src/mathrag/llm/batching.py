"""Ask many things at once over threads, keeping their order. One that fails costs itself alone; no money, all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from mathrag.errors import ModelError

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
