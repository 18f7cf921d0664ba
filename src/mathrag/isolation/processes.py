"""Start and end a process of ours that speaks over pipes, and keep the last of what it complains about."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, Any

_BLOCK = 1 << 18
_KEPT = 4_000


class PipedProcess:
    """A process that runs a module with our interpreter: three pipes that never block, and its error output."""

    def __init__(self, module: str, settings: Mapping[str, Any]) -> None:
        # -P keeps the current folder off the import path; the session of its own makes the group killable and keeps
        # an interrupt from the keyboard away from it.
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, settings of ours as argument
            [sys.executable, "-P", "-m", module, json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.input: IO[bytes] = self.process.stdin
        self.output: IO[bytes] = self.process.stdout
        self.errors: IO[bytes] = self.process.stderr
        for pipe in (self.input, self.output, self.errors):
            os.set_blocking(pipe.fileno(), False)
        # Whether its error output has ended; a selector would report it ready for ever.
        self.is_silent = False
        self.said = b""

    def hear_errors(self) -> bool:
        """Keep the last of what it writes to its error output; whether there was something."""
        try:
            block = os.read(self.errors.fileno(), _BLOCK)
        except BlockingIOError:
            return False
        except (OSError, ValueError):
            block = b""
        self.is_silent = self.is_silent or not block
        self.said = (self.said + block)[-_KEPT:]
        return bool(block)

    def hear_out(self) -> None:
        """Read the rest of its error output, without waiting for more and without following an endless one."""
        for _ in range(64):
            if not self.hear_errors():
                return

    def error_lines(self) -> list[str]:
        """What was kept of its error output."""
        return self.said.decode("utf-8", "replace").splitlines()

    def kill(self) -> None:
        """End it with everything it started, and collect it."""
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self.process.wait(timeout=5)

    def close(self) -> None:
        """Close our ends of the pipes. May be called twice."""
        for pipe in (self.input, self.output, self.errors):
            with contextlib.suppress(OSError):
                pipe.close()
