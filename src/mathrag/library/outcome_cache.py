"""Outcomes that were computed a moment ago, by what was asked and by the state of the library. Knows no questions."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import Any, TypeAlias

Json: TypeAlias = Any
# The generation of the library, and everything that was asked as text.
Key: TypeAlias = tuple[int, str]
_LARGEST = 256 * 1024


class OutcomeCache:
    """The last outcomes with the events that led to them; for any number of threads."""

    def __init__(self, most: int) -> None:
        self.found = 0
        self._most = most
        self._held: OrderedDict[Key, tuple[list[Json], Json]] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: Key) -> tuple[list[Json], Json] | None:
        """The events and the outcome of the very same question to the very same library."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self.found += 1
                self._held.move_to_end(key)
            return found

    def remember(self, key: Key, events: list[Json], result: Json) -> None:
        """Keep an outcome. Those of earlier states of the library go; a very large one is not kept at all."""
        if len(json.dumps([events, result])) > _LARGEST:
            return
        with self._lock:
            for old in [each for each in self._held if each[0] < key[0]]:
                del self._held[old]
            self._held[key] = (events, result)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
