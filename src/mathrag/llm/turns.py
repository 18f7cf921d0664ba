"""Who goes first among threads: one at a time for the same request, a few at a time for the server.

A thread that is in the middle of a stream never waits here, because it might wait for itself. Nobody waits for ever:
where nothing has moved for an hour, a stream was left open somewhere.
"""

from __future__ import annotations

import threading

from mathrag.errors import ModelError

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
