"""Pictures of pages that were drawn a moment ago. Drawing one starts a process; showing one again should not."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

_MOST_BYTES = 64 * 1024 * 1024


class Pictures:
    """Kept until there are too many bytes of them; the longest unused go first."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._held: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._most = most_bytes
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> bytes | None:
        """A picture drawn before."""
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def put(self, key: Hashable, picture: bytes) -> None:
        """Keep a picture."""
        with self._lock:
            self._bytes += len(picture) - len(self._held.pop(key, b""))
            self._held[key] = picture
            while self._bytes > self._most and self._held:
                self._bytes -= len(self._held.popitem(last=False)[1])
