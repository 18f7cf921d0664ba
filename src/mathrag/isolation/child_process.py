"""A process of ours that is asked over pipes, one thing at a time, from whichever thread holds it.

It can be given up at any moment: late, cancelled or gone, it is killed with everything it started. Knows nothing of
what is said; JSON frames go both ways.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
from collections.abc import Callable

from mathrag.errors import readable
from mathrag.isolation.framing import FrameBuffer, FrameError, frame
from mathrag.isolation.processes import PipedProcess
from mathrag.types.json_value import Json

_BLOCK = 1 << 18
_LONGEST_MESSAGE = 64 * 1024 * 1024
# How soon a wish to cancel is noticed; what arrives is noticed at once.
_GLANCE_SECONDS = 0.05


class ChildEndedError(Exception):
    """The process is gone, or said something that is no message."""


class ChildLateError(Exception):
    """Nothing came before the time was over."""


class ChildCancelledError(Exception):
    """Whoever waited wants no answer any more."""


class ChildProcess:
    """One process that runs `module` with our interpreter. Not for two threads at the same time."""

    def __init__(self, module: str, settings: Json) -> None:
        self._piped = PipedProcess(module, settings)
        self.process = self._piped.process
        self._buffer = FrameBuffer(_LONGEST_MESSAGE)
        self._arrived: list[Json] = []
        self.done = 0

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None

    def send(self, message: Json, *, deadline: float) -> None:
        """Write a message; `ChildLateError` where the process takes nothing in until then."""
        left = memoryview(frame(message))
        while left:
            try:
                left = left[os.write(self._piped.input.fileno(), left[:_BLOCK]) :]
            except BlockingIOError:
                self._wait(deadline, writing=True)
            except (OSError, ValueError) as error:
                raise ChildEndedError(self.last_words()) from error

    def receive(self, *, deadline: float, cancelled: Callable[[], bool] | None = None) -> Json:
        """The next message. `deadline` is on the monotonic clock."""
        while not self._arrived:
            if cancelled is not None and cancelled():
                raise ChildCancelledError
            self._wait(deadline)
        return self._arrived.pop(0)

    def _wait(self, deadline: float, *, writing: bool = False) -> None:
        """Wait a moment for something to arrive (or to be taken) and take it in."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise ChildLateError
        with selectors.DefaultSelector() as selector:
            selector.register(self._piped.output, selectors.EVENT_READ)
            if not self._piped.is_silent:
                selector.register(self._piped.errors, selectors.EVENT_READ)
            if writing:
                selector.register(self._piped.input, selectors.EVENT_WRITE)
            ready = {key.fileobj for key, _ in selector.select(min(left, _GLANCE_SECONDS))}
        if self._piped.errors in ready:
            self._piped.hear_errors()
        if self._piped.output in ready:
            self._hear()

    def _hear(self) -> None:
        try:
            block = os.read(self._piped.output.fileno(), _BLOCK)
        except BlockingIOError:
            return
        except OSError:
            block = b""
        if not block:
            raise ChildEndedError(self.last_words())
        try:
            self._arrived.extend(self._buffer.feed(block))
        except FrameError as error:
            raise ChildEndedError("it said something that is no message") from error

    def last_words(self) -> str:
        """How it ended and the last line of its error output, in one line."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=1)
        self._piped.hear_out()
        lines = [line for line in self._piped.error_lines() if line.strip()]
        status = self.process.returncode
        how = "it stopped answering" if status is None else f"it ended with status {status}"
        return readable(f"{how}: {lines[-1].strip()}" if lines else how)

    def stop(self) -> None:
        """Kill the process with its group, collect it and close the pipes. May be called twice."""
        self._piped.kill()
        self._piped.close()
