"""One worker process seen from outside: its pipes, its deadline, and why it ended. Chooses no tasks."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from mathrag.errors import readable
from mathrag.isolation.framing import FrameBuffer, FrameError, frame
from mathrag.isolation.processes import PipedProcess
from mathrag.isolation.tasks import Done, Failed, Outcome, Task, WorkerLimits

_BLOCK = 1 << 18
# Once an answer has begun to arrive, only silence counts against it.
_SILENCE_SECONDS = 60.0
_MEMORY_SIGNS = (b"MemoryError", b"bad_alloc", b"out of memory", b"Cannot allocate")
_MODULE = "mathrag.isolation.worker_main"


class WorkerStartError(Exception):
    """The process ended, or said that it cannot work, before it was ready."""


class Worker:
    """A process and at most one task. Every method returns at once: nothing here waits for the process."""

    def __init__(self, functions: Sequence[str], limits: WorkerLimits) -> None:
        self.owner = os.getpid()
        self.limits = limits
        self.task: Task | None = None
        self.is_ready = False
        self.done = 0
        self.is_spent = False
        self._functions = tuple(functions)
        self._outgoing = memoryview(b"")
        self._incoming = FrameBuffer(limits.answer_megabytes * 1024 * 1024)
        self._began = time.monotonic()
        self._deadline = self._began + limits.start_seconds
        settings = {
            "functions": self._functions,
            "megabytes": limits.megabytes,
            "answer_megabytes": limits.answer_megabytes,
        }
        self._piped = PipedProcess(_MODULE, settings)
        self.process = self._piped.process
        self.task_pipe = self._piped.input.fileno()
        self.answer_pipe = self._piped.output.fileno()
        self.error_pipe = self._piped.errors.fileno()

    @property
    def is_silent(self) -> bool:
        """Whether its error output has ended."""
        return self._piped.is_silent

    @property
    def is_usable(self) -> bool:
        """Whether another task may be given to it."""
        return (
            not self.is_spent
            and self.owner == os.getpid()
            and self.done < self.limits.tasks
            and self.process.poll() is None
        )

    @property
    def has_something_to_send(self) -> bool:
        """Whether part of the task is still to be written."""
        return bool(self._outgoing)

    def give(self, task: Task) -> None:
        """Start on a task; its time counts from when the process is ready."""
        message = {
            "function": self._functions.index(task.function),
            "payload": task.payload,
            "processor_seconds": self._processor_seconds(task),
        }
        self._outgoing = memoryview(frame(message))
        self.task = task
        self._piped.said = b""
        if self.is_ready:
            self._start_clock()

    def _start_clock(self) -> None:
        self._began = time.monotonic()
        self._deadline = self._began + self._seconds(self.task)

    def _seconds(self, task: Task | None) -> float:
        """How long a task may take on the clock."""
        return self.limits.seconds if task is None or task.seconds is None else task.seconds

    def _processor_seconds(self, task: Task | None) -> float:
        limit = self.limits.processor_seconds
        return self._seconds(task) if limit is None else min(limit, self._seconds(task))

    def seconds_left(self) -> float:
        """Until it is late."""
        return self._deadline - time.monotonic()

    def send(self) -> None:
        """Write what the pipe takes. A broken pipe shows as the end of the answers."""
        try:
            written = os.write(self.task_pipe, self._outgoing[:_BLOCK])
        except BlockingIOError:
            return
        except OSError:
            self._outgoing = memoryview(b"")
            return
        self._outgoing = self._outgoing[written:]

    def listen_to_errors(self) -> None:
        """Keep the last of what the process complains about."""
        self._piped.hear_errors()

    def listen(self) -> Outcome | None:
        """Read what has arrived; an outcome once there is one. Raises `WorkerStartError` when it never got ready."""
        try:
            block = os.read(self.answer_pipe, _BLOCK)
        except BlockingIOError:
            return None
        except OSError:
            block = b""
        if not block:
            return self._ended()
        try:
            for message in self._incoming.feed(block):
                outcome = self._understand(message)
                if outcome is not None:
                    return outcome
        except FrameError:
            return self._fail("too_large", f"the result is larger than {self.limits.answer_megabytes} MB")
        if self._incoming.has_begun:
            self._deadline = time.monotonic() + _SILENCE_SECONDS
        return None

    def _understand(self, message: Any) -> Outcome | None:
        match message:
            case {"ready": True} if not self.is_ready:
                self.is_ready = True
                self._start_clock()
                return None
            case {"unusable": str(reason)}:
                raise WorkerStartError(readable(reason))
            case {"result": result} if self.task is not None:
                task, self.task = self.task, None
                self.done += 1
                return Done(task, result, time.monotonic() - self._began)
            case {"failed": "memory"}:
                return self._fail("memory", self._memory_reason())
            case {"failed": "too_large", "reason": ""}:
                return self._fail("too_large", f"the result is larger than {self.limits.answer_megabytes} MB")
            case {"failed": str(code), "reason": str(reason)}:
                return self._fail(code, reason, is_spent=False)
        return self._fail("broken", "the process answered with something that is no answer")

    def _memory_reason(self) -> str:
        return f"the work used more than {self.limits.megabytes} MB of memory and was stopped"

    def _fail(self, code: str, reason: str, *, is_spent: bool = True) -> Outcome | None:
        """The task's failure. A process in doubt does no further task."""
        self.is_spent = self.is_spent or is_spent
        self.done += 1
        self._piped.hear_out()
        task, self.task = self.task, None
        if task is None:
            return None
        return Failed(task, code, readable(reason), self.last_lines(), time.monotonic() - self._began)

    def last_lines(self) -> str:
        """The end of what the process wrote to its error output."""
        return "\n".join(readable(line) for line in self._piped.error_lines()[-20:])

    def late(self) -> Outcome | None:
        """What became of the task now that its time is over."""
        if not self.is_ready:
            raise WorkerStartError(f"it was not ready after {self.limits.start_seconds:g} s")
        if self._incoming.has_begun:
            return self._fail("broken", "the process stopped in the middle of its answer")
        return self._fail("timeout", f"the work took longer than {self._seconds(self.task):g} s and was stopped")

    def _ended(self) -> Outcome | None:
        try:
            status = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        self._piped.hear_out()
        if not self.is_ready:
            raise WorkerStartError(f"it ended with status {status}: {self.last_lines()[-300:]}")
        if any(sign in self._piped.said for sign in _MEMORY_SIGNS):
            return self._fail("memory", self._memory_reason())
        name = _signal_name(status)
        match name:
            case "SIGKILL":
                return self._fail("killed", "the process was killed, by someone or by the system for want of memory")
            case "SIGXCPU":
                return self._fail(
                    "processor_time",
                    f"the work used more than {self._processor_seconds(self.task):g} s of processor time",
                )
            case "":
                return self._fail("crashed", f"the process ended by itself with status {status}")
        return self._fail("crashed", f"the process crashed ({name}), so the file or the reader is broken")

    def stop(self) -> None:
        """Kill the process with its group, collect it, close the pipes. In a forked copy only the pipes are closed."""
        if self.owner == os.getpid():
            self._piped.kill()
        self._piped.close()


def _signal_name(status: int) -> str:
    if status >= 0:
        return ""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
