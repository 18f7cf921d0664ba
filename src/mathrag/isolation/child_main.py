"""The other end of `child_process.py`: what a process does to be asked over pipes. Knows nothing of what is said.

The process ends as soon as the pipe closes, even in the middle of its work, so none outlives the one that asks.
"""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import threading
from typing import BinaryIO

from mathrag.isolation.framing import HEADER, frame, frame_length
from mathrag.types.json_value import Json


class Pipes:
    """Messages in and out. Whatever the work prints or reads does not touch them."""

    def __init__(self) -> None:
        incoming = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        self._lock = threading.Lock()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, args=(incoming,), daemon=True).start()

    def _listen(self, incoming: BinaryIO) -> None:
        try:
            while len(header := incoming.read(HEADER)) == HEADER:
                self._waiting.put(incoming.read(frame_length(header)))
        finally:
            os._exit(0)

    def receive(self) -> Json:
        """The next message; waits for it."""
        return json.loads(self._waiting.get())

    @property
    def is_waiting(self) -> bool:
        """Whether a message has come that nobody has received."""
        return not self._waiting.empty()

    def send(self, message: Json) -> None:
        """Write a message, whole."""
        left = memoryview(frame(finite(message)))
        with self._lock:
            while left:
                left = left[os.write(self._answers, left) :]


def settings() -> Json:
    """What the process was started with."""
    return json.loads(sys.argv[1])


def finite(value: Json) -> Json:
    """The same data without numbers that JSON has no word for, and with text that UTF-8 can carry."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {str(key): finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value


def limit_memory(megabytes: int) -> None:
    """Let the process itself fail before the machine does. Where the system knows no such limit, nothing happens."""
    try:
        import resource
    except ImportError:
        return
    size = megabytes * 1024 * 1024
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        return
