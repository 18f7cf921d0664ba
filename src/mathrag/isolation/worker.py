"""One worker process seen from outside: asked one thing at a time, late or gone at any moment. Chooses no tasks.

`Worker` never waits where its methods do not say so; a pool waits for many of them at once with `pipes_ready`.
"""

from __future__ import annotations

import math
import os
import selectors
import signal
import time
from collections.abc import Callable, Collection, Sequence
from typing import IO

from mathrag.errors import readable
from mathrag.isolation.frames import FrameBuffer, FrameError, frame
from mathrag.isolation.launcher import Process, started
from mathrag.isolation.nursery import CAN_FORK, NURSERIES, ForkedProcess
from mathrag.isolation.tasks import Done, Failed, Listener, Outcome, ServiceName, Task, WorkerLimits
from mathrag.settings import passed_on
from mathrag.types.json_value import Json

_MODULE = "mathrag.isolation.worker_main"
# Once an answer has begun to arrive, only silence counts against it.
_SILENCE_SECONDS = 60.0
# How soon a wish to cancel is noticed; what arrives is noticed at once.
_GLANCE_SECONDS = 0.05
# A process that wants to work gets more of a processor than this on any machine; one that gets less waits in vain.
_HANGING = 0.05
# How allocators of several languages say that there is no more.
_MEMORY_SIGNS = (b"MemoryError", b"bad_alloc", b"out of memory", b"Cannot allocate", b"memory allocation of")


class WorkerStartError(Exception):
    """The process ended, or said that it cannot work, before it was ready."""


class WorkerLateError(WorkerStartError):
    """The process was not ready in time."""


class Worker:
    """A process and at most one task; it offers functions, or a service. Not for two threads at the same time.

    `is_spent` says that it is in doubt and gets no further task, `left_undone` that it did some and ended before
    it began the last one, which another process can do. `stop` it in the end. With `has_like` others of its kind
    may be wanted soon: what they need is loaded once.
    """

    def __init__(self, work: Sequence[str] | ServiceName, limits: WorkerLimits, *, has_like: bool = True) -> None:
        self.owner = os.getpid()
        self.limits = limits
        self.task: Task | None = None
        self.is_ready = False
        self.is_spent = False
        self.left_undone = False
        self.done = 0
        self._has_begun = False
        self._listener: Listener | None = None
        self._message = b""
        self._outgoing = memoryview(self._message)
        self._incoming = FrameBuffer(limits.answer_megabytes * 1024 * 1024)
        self._began = self._heard = self._counted = time.monotonic()
        # Of a processor, when its time began to count.
        self._used: float | None = None
        self._deadline = self._began + limits.start_seconds
        if isinstance(work, ServiceName):
            offer = {"service": work.function, "arguments": work.arguments}
            functions: Sequence[str] = (work.function,)
        else:
            offer = {"functions": list(work)}
            functions = work
        self._settings = {
            **offer,
            "megabytes": limits.megabytes,
            "counts_reserved": limits.counts_reserved,
            "answer_megabytes": limits.answer_megabytes,
            "passed_on": passed_on()[0],
        }
        if has_like and CAN_FORK:
            self._piped = NURSERIES.fork(sorted({name.partition(":")[0] for name in functions}), self._settings)
        else:
            self._piped = started(_MODULE, self._settings)

    @property
    def process(self) -> Process:
        """The process itself."""
        return self._piped.process

    @property
    def is_usable(self) -> bool:
        """Whether another task may be given to it."""
        is_fresh = not self.is_spent and self.done < self.limits.tasks
        return is_fresh and self.owner == os.getpid() and self.process.poll() is None

    def ask(
        self, task: Task, *, listener: Listener | None = None, cancelled: Callable[[], bool] | None = None
    ) -> Outcome:
        """Give it a task and wait for the outcome; whatever becomes of the process, there is one."""
        self.give(task, listener=listener)
        return self.outcome(cancelled=cancelled)

    def outcome(self, *, cancelled: Callable[[], bool] | None = None) -> Outcome:
        """Wait for the outcome of its task. Cancelled, it is still at work, and can be waited for again."""
        assert self.task is not None
        task = self.task
        while True:
            if cancelled is not None and cancelled():
                self._listener = None
                return Failed(task, "cancelled", "nobody wants the result any more", "", self._seconds_spent())
            try:
                outcome = self._moved(can_be_cancelled=cancelled is not None)
            except WorkerStartError as error:
                self.is_spent = True
                code = "timeout" if isinstance(error, WorkerLateError) else "unusable"
                return self._failed(task, code, str(error))
            if outcome is not None:
                return outcome

    def wait_until_ready(self, *, cancelled: Callable[[], bool] | None = None) -> None:
        """Wait until it could work; `WorkerStartError` where it will not, or nobody wants it any more."""
        while not self.is_ready:
            if cancelled is not None and cancelled():
                raise WorkerStartError("it was given up before it was ready")
            self._moved(can_be_cancelled=cancelled is not None)

    def _moved(self, *, can_be_cancelled: bool) -> Outcome | None:
        left = self.seconds_left()
        return self.advance(pipes_ready((self,), min(left, _GLANCE_SECONDS) if can_be_cancelled else left))

    # ---- without waiting

    def give(self, task: Task, *, listener: Listener | None = None) -> None:
        """Start on a task; its time counts from when the process is ready."""
        message = {
            "function": task.function,
            "payload": task.payload,
            "processor_seconds": self._processor_seconds(task),
            # It may have waited since before they were changed.
            "passed_on": passed_on()[0],
        }
        self._message = frame(message)
        self._outgoing = memoryview(self._message)
        self.task, self._listener = task, listener
        self._has_begun = False
        self._piped.said = b""
        if self.is_ready:
            self._start_clock()

    def _start_clock(self) -> None:
        self._began = self._counted = time.monotonic()
        self._used = self._piped.processor_seconds()
        self._deadline = self._began + self._seconds(self.task)

    def _seconds(self, task: Task | None) -> float:
        """How long a task may take on the clock."""
        return self.limits.seconds if task is None or task.seconds is None else task.seconds

    def _processor_seconds(self, task: Task | None) -> float | None:
        limit = self.limits.processor_seconds
        if limit == math.inf:
            return None
        return self._seconds(task) if limit is None else min(limit, self._seconds(task))

    def _seconds_spent(self) -> float:
        return time.monotonic() - self._began

    def seconds_left(self) -> float:
        """Until it is late."""
        until = self._heard + _SILENCE_SECONDS if self._incoming.has_begun else self._deadline
        return until - time.monotonic()

    @property
    def pipes(self) -> dict[IO[bytes], int]:
        """What to wait for, as selectors take it."""
        pipes = {self._piped.output: selectors.EVENT_READ}
        if not self._piped.is_silent:
            pipes[self._piped.errors] = selectors.EVENT_READ
        if self._outgoing:
            pipes[self._piped.input] = selectors.EVENT_WRITE
        return pipes

    def advance(self, ready: Collection[object]) -> Outcome | None:
        """Move on with the pipes that are ready; an outcome once there is one.

        What has arrived counts before the deadline: whoever uses the outcomes may have been away for long. Raises
        `WorkerStartError` where it will never get ready.
        """
        if self._piped.input in ready:
            self._outgoing = self._piped.write(self._outgoing)
        if self._piped.errors in ready:
            self._piped.hear_errors()
        if self._piped.output in ready:
            return self._listen()
        return self._late() if self.seconds_left() <= 0 else None

    def _listen(self) -> Outcome | None:
        block = self._piped.read()
        if block is None:
            return None
        if not block:
            return self._ended()
        self._heard = time.monotonic()
        try:
            for message in self._incoming.feed(block):
                outcome = self._understand(message)
                if outcome is not None:
                    return outcome
        except FrameError:
            return self._fail("too_large", self._too_large())
        return None

    def _understand(self, message: Json) -> Outcome | None:
        match message:
            case {"ready": True} if not self.is_ready:
                self.is_ready = True
                self._start_clock()
                return None
            case {"begun": True}:
                self._has_begun = True
                return None
            case {"event": event}:
                if self.limits.counts_silence:
                    self._counted, self._used = self._heard, self._piped.processor_seconds()
                    self._deadline = self._heard + self._seconds(self.task)
                if self._listener is not None:
                    self._listener(event)
                return None
            case {"unusable": str(reason)}:
                raise WorkerStartError(readable(reason))
            case {"result": result} if self.task is not None:
                task, self.task = self.task, None
                self.done += 1
                return Done(task, result, self._seconds_spent())
            case {"failed": "memory", "error_classes": list(classes)}:
                return self._fail("memory", self._too_much_memory(), classes)
            case {"failed": "too_large", "reason": ""}:
                return self._fail("too_large", self._too_large())
            case {"failed": str(code), "reason": str(reason), "error_classes": list(classes)}:
                return self._fail(code, reason, classes, is_spent=False)
        return self._fail("broken", "the process answered with something that is no answer")

    def _too_much_memory(self) -> str:
        if self.limits.megabytes is None:
            return "the work needed more memory than there is and was stopped"
        return f"the work used more than {self.limits.megabytes} MB of memory and was stopped"

    def _too_large(self) -> str:
        return f"the result is larger than {self.limits.answer_megabytes} MB"

    def _too_late(self) -> str:
        return f"the work took longer than {self._seconds(self.task):g} s and was stopped"

    def _fail(self, code: str, reason: str, classes: Sequence[str] = (), *, is_spent: bool = True) -> Outcome | None:
        """The task's failure. A process in doubt does no further task."""
        self.is_spent = self.is_spent or is_spent
        self.done += 1
        self._piped.hear_out()
        task, self.task = self.task, None
        return None if task is None else self._failed(task, code, reason, classes)

    def _failed(self, task: Task, code: str, reason: str, classes: Sequence[str] = ()) -> Failed:
        return Failed(task, code, reason, self._last_lines(), self._seconds_spent(), tuple(map(str, classes)))

    def _last_lines(self) -> str:
        """The end of what the process wrote to its error output."""
        return "\n".join(readable(line) for line in self._piped.error_lines()[-20:])

    def _late(self) -> Outcome | None:
        """What became of the task now that its time is over."""
        if not self.is_ready:
            raise WorkerLateError(f"it was not ready after {self.limits.start_seconds:g} s")
        if self._incoming.has_begun:
            return self._fail("broken", "the process stopped in the middle of its answer")
        more = self._seconds_to_come()
        if more > 0:
            self._deadline = time.monotonic() + more
            return None
        return self._fail("timeout", self._too_late())

    def _seconds_to_come(self) -> float:
        """What is left of its time, which counts while a processor works on it: on a busy machine not all the time."""
        used = self._piped.processor_seconds()
        if used is None or self._used is None:
            return 0.0
        spent, passed = used - self._used, time.monotonic() - self._counted
        left = self._seconds(self.task) - spent
        is_hanging = spent < _HANGING * passed
        return 0.0 if is_hanging or left <= 0 else max(_GLANCE_SECONDS, left)

    def _ended(self) -> Outcome | None:
        status = self._piped.wait(5) or 0
        if isinstance(self.process, ForkedProcess) and self.process.is_unborn:
            # Whoever should have forked it was killed in that moment: it begins by itself.
            self._piped.close()
            self._piped = started(_MODULE, self._settings)
            self._outgoing = memoryview(self._message)
            return None
        self._piped.hear_out()
        if not self.is_ready:
            raise WorkerStartError(self.last_words())
        self.left_undone = not self._has_begun and self.done > 0
        if any(sign in self._piped.said for sign in _MEMORY_SIGNS):
            return self._fail("memory", self._too_much_memory())
        name = _signal_name(status)
        match name:
            case "SIGKILL":
                return self._fail("killed", "the process was killed, by someone or by the system for want of memory")
            case "SIGXCPU":
                used = self._processor_seconds(self.task) or 0.0
                return self._fail("processor_time", f"the work used more than {used:g} s of processor time")
            case "SIGALRM":
                return self._fail("timeout", self._too_late())
            case "":
                return self._fail("crashed", f"the process ended by itself with status {status}")
        return self._fail("crashed", f"the process crashed ({name}), so the file or the reader is broken")

    def last_words(self) -> str:
        """How it ended and the last line of its error output, in one line. Waits a moment for the end."""
        status = self._piped.wait(1)
        self._piped.hear_out()
        lines = [line for line in self._piped.error_lines() if line.strip()]
        how = "it stopped answering" if status is None else f"it ended with status {status}"
        return readable(f"{how}: {lines[-1].strip()}" if lines else how)

    def stop(self) -> None:
        """Kill the process with its group, collect it, close the pipes. In a forked copy only the pipes are closed."""
        if self.owner == os.getpid():
            self._piped.kill()
        self._piped.close()


def ask_once(function: str, payload: Json, limits: WorkerLimits) -> Outcome:
    """Have a process of its own call one function, and end it."""
    worker = Worker((function,), limits)
    try:
        return worker.ask(Task(function, function, payload))
    finally:
        worker.stop()


def pipes_ready(workers: Sequence[Worker], seconds: float) -> set[object]:
    """Wait for something to arrive from some of the workers, or to be taken by them; not longer than `seconds`."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            try:
                for pipe, events in worker.pipes.items():
                    selector.register(pipe, events)
            except ValueError:
                # Stopped by another thread: its closed pipes read as ended.
                return set(worker.pipes)
        return {key.fileobj for key, _ in selector.select(max(0.0, seconds))}


def _signal_name(status: int) -> str:
    if status >= 0:
        return ""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
