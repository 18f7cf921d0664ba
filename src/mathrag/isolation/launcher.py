"""Start and end processes: modules of ours that speak over pipes, and programs of others. Knows nothing of the work."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from mathrag.isolation.limits import limit_process
from mathrag.types.json_value import Json

_BLOCK = 1 << 18
# Of what a process complains about, enough for the last lines of a traceback.
_KEPT_COMPLAINT = 4_000


class Process(Protocol):
    """What is known of a process; `subprocess.Popen` is one. It leads a group of its own."""

    @property
    def pid(self) -> int:
        """Its number; `OSError` where it has none yet."""

    def poll(self) -> int | None:
        """The status with which it has ended; None where it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """The status with which it ends; `subprocess.TimeoutExpired` where it does not in time."""


def started(module: str, settings: Mapping[str, Json]) -> PipedProcess:
    """A process that runs a module with our interpreter."""
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, settings of ours as argument
        command_of(module, settings),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        # It makes the group killable and keeps an interrupt from the keyboard away from it.
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return PipedProcess(process, process.stdin, process.stdout, process.stderr)


def command_of(module: str, settings: Mapping[str, Json]) -> list[str]:
    """How a module is run with our interpreter. -P keeps the current folder off the import path."""
    return [sys.executable, "-P", "-m", module, json.dumps(settings)]


class PipedProcess:
    """A process and three pipes that never block, and the last of its error output."""

    def __init__(self, process: Process, to_it: IO[bytes], from_it: IO[bytes], errors: IO[bytes]) -> None:
        self.process = process
        self.input, self.output, self.errors = to_it, from_it, errors
        for pipe in (self.input, self.output, self.errors):
            os.set_blocking(pipe.fileno(), False)
        # Whether its error output has ended; a selector would report it ready for ever.
        self.is_silent = False
        self.said = b""

    def write(self, data: memoryview) -> memoryview:
        """Write what the pipe takes; what is left. A broken pipe takes all: it shows as the end of the output."""
        try:
            return data[os.write(self.input.fileno(), data[:_BLOCK]) :]
        except BlockingIOError:
            return data
        except (OSError, ValueError):
            return memoryview(b"")

    def read(self) -> bytes | None:
        """What has arrived; None where nothing has, empty where nothing will."""
        try:
            return os.read(self.output.fileno(), _BLOCK)
        except BlockingIOError:
            return None
        except (OSError, ValueError):
            return b""

    def hear_errors(self) -> bool:
        """Keep the last of what it writes to its error output; whether there was something."""
        try:
            block = os.read(self.errors.fileno(), _BLOCK)
        except BlockingIOError:
            return False
        except (OSError, ValueError):
            block = b""
        self.is_silent = self.is_silent or not block
        self.said = (self.said + block)[-_KEPT_COMPLAINT:]
        return bool(block)

    def hear_out(self) -> None:
        """Read the rest of its error output, without waiting for more and without following an endless one."""
        for _ in range(64):
            if not self.hear_errors():
                return

    def error_lines(self) -> list[str]:
        """What was kept of its error output."""
        return self.said.decode("utf-8", "replace").splitlines()

    def wait(self, seconds: float) -> int | None:
        """The status with which it ends within so long; None where it does not."""
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End it with everything it started, and collect it. One that has no number yet ends when the pipes close."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=5)

    def processor_seconds(self) -> float | None:
        """What it and those it has waited for have used of a processor; None where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_bytes().rpartition(b")")[2].split()
            return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return None

    def close(self) -> None:
        """Close our ends of the pipes. May be called twice."""
        for pipe in (self.input, self.output, self.errors):
            with contextlib.suppress(OSError):
                pipe.close()


class ProgramLateError(Exception):
    """The program did not finish in time and was killed."""


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How a program ended: its status, its output, and the beginning and end of what it complained about.

    `output` is None where it wrote more than it may.
    """

    status: int
    output: bytes | None
    complaint: str


def run_program(
    command: Sequence[str],
    *,
    folder: Path,
    seconds: float,
    data: bytes = b"",
    environment: Mapping[str, str] | None = None,
    largest_output: int | None = None,
) -> ProgramEnd:
    """Run a program in a folder with `data` as its input; `OSError` where it does not start, `ProgramLateError` later.

    Without `largest_output` nothing of its output is kept: it counts as complaint. With it, the program can also write
    no larger file and use little more processor time than `seconds`, even if this process is killed first.
    """
    # Files without a name instead of pipes: neither side waits for the other, and nothing is left behind.
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaint:
        given.write(data)
        given.seek(0)
        # In our own group, not in a session of its own: whoever kills this process's group ends the program with it.
        process = subprocess.Popen(  # noqa: S603 - the caller names a fixed command; a document is at most its input
            list(command),
            stdin=given,
            stdout=complaint if largest_output is None else output,
            stderr=complaint,
            cwd=folder,
            env=environment,
        )
        with process:
            if largest_output is not None:
                limit_process(processor_seconds=int(seconds) + 5, file_bytes=largest_output + 1, pid=process.pid)
            try:
                status = process.wait(timeout=seconds)
            except subprocess.TimeoutExpired as error:
                raise ProgramLateError from error
            finally:
                process.kill()
        size = output.seek(0, os.SEEK_END)
        output.seek(0)
        is_too_large = largest_output is not None and size > largest_output
        return ProgramEnd(status, None if is_too_large else output.read(), _both_ends(complaint))


def _both_ends(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    kept = file.read(_KEPT_COMPLAINT)
    if size > _KEPT_COMPLAINT:
        file.seek(max(_KEPT_COMPLAINT, size - _KEPT_COMPLAINT))
        kept += file.read(_KEPT_COMPLAINT)
    return kept.decode("utf-8", "replace")
