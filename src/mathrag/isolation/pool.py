"""Worker processes and a stream of tasks: each task gets exactly one outcome, whatever becomes of its process."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from types import TracebackType

from mathrag.errors import DocumentError, readable
from mathrag.isolation.spares import SPARES
from mathrag.isolation.tasks import Failed, Outcome, Task, WorkerLimits, checked_function_name
from mathrag.isolation.worker import Worker, WorkerStartError, pipes_ready
from mathrag.settings import passed_on

# A process that does not start is tried again, for a machine may be out of memory for a moment, but not for ever.
_MOST_FAILED_STARTS = 3
# Each process may use gigabytes.
_MOST_WORKERS_BY_DEFAULT = 8


class WorkerPool:
    """Runs tasks in at most `workers` processes, started when first needed and replaced when spent.

    `functions` are all that the processes may ever call, each named `package.module:function`; a function takes and
    gives back JSON values. Use it as a context manager: leaving it ends the processes, and so does the end of the
    program. With `keeps_spares` those that could go on wait a while for the next such pool. For one thread at a time.
    """

    def __init__(
        self,
        functions: Sequence[str],
        *,
        workers: int | None = None,
        limits: WorkerLimits | None = None,
        keeps_spares: bool = False,
    ) -> None:
        self.functions = tuple(checked_function_name(name) for name in functions)
        self.size = max(1, workers if workers is not None else default_workers())
        self.limits = limits or WorkerLimits()
        self._kind = (self.functions, self.limits, passed_on()[1]) if keeps_spares else None
        self._workers: list[Worker] = []
        self._is_running = False
        self._failed_starts = 0
        self._finalizer = weakref.finalize(self, _stop_all, self._workers)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let every process go now. The pool can be used again; it then starts new ones."""
        if self._kind is not None:
            for worker in [one for one in self._workers if one.is_ready and one.task is None and one.is_usable]:
                self._workers.remove(worker)
                SPARES.put(self._kind, worker)
        _stop_all(self._workers)

    def run(self, tasks: Iterable[Task | None]) -> Iterator[Outcome]:
        """Do the tasks, yielding each outcome as it comes; a task is taken only when a process is free for it.

        None among the tasks means that the next one depends on an outcome: it is asked for again after the next.
        Closing the iterator early ends the processes that are still at work.
        """
        if self._is_running:
            raise ValueError("this pool is already running tasks; finish or close that run first")
        self._is_running = True
        try:
            yield from self._run(iter(tasks))
        finally:
            self._is_running = False
            for worker in [worker for worker in self._workers if worker.task is not None]:
                self._discard(worker)

    def run_one(self, task: Task) -> Outcome:
        """Do one task and wait for its outcome."""
        (outcome,) = self.run((task,))
        return outcome

    def _run(self, tasks: Iterator[Task | None]) -> Iterator[Outcome]:
        has_more = True
        while True:
            is_waiting = False
            while has_more and not is_waiting and self._has_room():
                try:
                    task = next(tasks)
                except StopIteration:
                    has_more = False
                    break
                is_waiting = task is None
                if task is not None:
                    self._give(task)
            busy = [worker for worker in self._workers if worker.task is not None]
            if not busy and is_waiting:
                raise ValueError("the next task waits for an outcome, and nothing is being done")
            if not busy:
                return
            yield from self._wait(busy)

    def _has_room(self) -> bool:
        """Whether a task could start now. Looked at before a task is taken, so that no process starts for nothing."""
        for worker in [worker for worker in self._workers if worker.task is None and not worker.is_usable]:
            self._discard(worker)
        return len(self._workers) < self.size or any(worker.task is None for worker in self._workers)

    def _give(self, task: Task) -> None:
        if task.function not in self.functions:
            raise ValueError(f"this pool does not run {task.function!r}")
        free = next((worker for worker in self._workers if worker.task is None), None)
        (self._start_worker() if free is None else free).give(task)

    def _start_worker(self) -> Worker:
        spare = SPARES.take(self._kind) if self._kind is not None else None
        if spare is not None:
            self._workers.append(spare)
            return spare
        try:
            worker = Worker(self.functions, self.limits)
        except OSError as error:
            reason = f"no process for reading documents can be started: {error.strerror or error}"
            raise DocumentError("worker", reason) from error
        self._workers.append(worker)
        return worker

    def _wait(self, busy: list[Worker]) -> list[Outcome]:
        """Move every busy process forward once; the outcomes that became known."""
        outcomes: list[Outcome] = []
        ready = pipes_ready(busy, min(worker.seconds_left() for worker in busy))
        for worker in busy:
            try:
                outcome = worker.advance(ready)
            except WorkerStartError as error:
                self._start_failed(worker, str(error))
                continue
            if worker.is_ready:
                self._failed_starts = 0
            if worker.is_spent:
                self._discard(worker)
            if isinstance(outcome, Failed) and worker.left_undone:
                # It ended while it waited, which was not to be seen yet when it got the task.
                self._start_worker().give(outcome.task)
                continue
            if isinstance(outcome, Failed):
                outcome = replace(outcome, reason=readable(outcome.reason))
            if outcome is not None:
                outcomes.append(outcome)
        return outcomes

    def _start_failed(self, worker: Worker, reason: str) -> None:
        """Give the task to another process, unless none will start."""
        task = worker.task
        self._discard(worker)
        self._failed_starts += 1
        if self._failed_starts >= _MOST_FAILED_STARTS:
            self._failed_starts = 0
            raise DocumentError("worker", f"the processes that read documents do not start: {reason}")
        assert task is not None
        self._start_worker().give(task)

    def _discard(self, worker: Worker) -> None:
        worker.stop()
        if worker in self._workers:
            self._workers.remove(worker)


def default_workers() -> int:
    """As many as there are processors for us, and not more than eight."""
    try:
        available = len(os.sched_getaffinity(0))
    except AttributeError:
        available = os.cpu_count() or 1
    return max(1, min(available, _MOST_WORKERS_BY_DEFAULT))


def _stop_all(workers: list[Worker]) -> None:
    while workers:
        workers.pop().stop()
