"""Questions to a library, answered in processes that can be killed: both cores, bounded time, bounded waiting.

For threads: any number of them may ask at once. Each process has the library open and warm. A process that is late or
dies is replaced, and its question gets an error that says so. Nothing is decided here about what an answer is.
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from mathrag.errors import AskingError, LibraryError, UsageError
from mathrag.isolation.pool import default_workers
from mathrag.isolation.tasks import Done, Failed, Listener, Outcome, ServiceName, Task, WorkerLimits
from mathrag.isolation.worker import Worker, WorkerStartError
from mathrag.library.ask.asker import OutcomeCache
from mathrag.library.ask.models import SharedBudget
from mathrag.llm.budgets import Budget
from mathrag.store.truth.database import open_database
from mathrag.types.json_value import Json

_SERVICE = "mathrag.library.workers.asking_worker:asking_service"
# Opening a large library and reading its indexes, on a busy machine.
_START_SECONDS = 120.0
# An outcome with its renderings has kilobytes; a table of many values a megabyte.
_ANSWER_MEGABYTES = 64
# After a cancelled question a process may finish in peace for so long: starting another costs more.
_GRACE_SECONDS = 2.0
# Between two attempts to start a process that does not start.
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
# How often those who wait look whether they still should; whoever is served wakes at once.
_GLANCE_SECONDS = 0.2
# One may fail for want of memory at the moment; so many in a row mean that none will start.
_MOST_FAILED_STARTS = 3


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is to be answered. `previous` is the `asked` of an earlier outcome that this one may lean on;
    without it, `earlier` may be what was asked before it in a conversation, in order.

    `formats` adds the outcome as `text`, `markdown`, `latex`, `html` or `replay`, under `rendered`. Without `planner`
    it is the library's own choice; without `only_documents` the setting says whether the handbook may be asked,
    without `assume` whether a language model may take values that stand nowhere.
    """

    pinned: Mapping[str, str] = field(default_factory=dict)
    formula: str | None = None
    unit: str | None = None
    planner: str | None = None
    previous: Mapping[str, Any] | None = None
    earlier: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    only_documents: bool | None = None
    assume: bool | None = None


@dataclass(frozen=True, slots=True)
class PoolState:
    """What the processes are doing, for whoever watches."""

    workers: int
    ready: int
    busy: int
    waiting: int
    asked: int
    cached: int
    replaced: int
    problem: str = ""


class _Waiter:
    """A thread in the queue; whoever frees a process puts it here."""

    __slots__ = ("is_served", "worker")

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.is_served = threading.Event()


class AskingPool:
    """`workers` processes that answer, started at once and kept. Close it, or use it as a context manager."""

    def __init__(
        self,
        folder: str | Path,
        *,
        workers: int | None = None,
        seconds: float = 20.0,
        queue: int = 256,
        patience: float = 30.0,
        cached: int = 512,
        megabytes: int = 4096,
        requests: int = 20_000,
        budget: Budget | None = None,
    ) -> None:
        self.folder = Path(folder).expanduser()
        self.size = max(1, workers if workers is not None else default_workers())
        self.seconds, self.patience, self.queue = seconds, patience, queue
        self._database = open_database(self.folder, create=False)
        self.spending = SharedBudget(self.folder, budget)
        self._service = ServiceName(_SERVICE, {"folder": str(self.folder), "budget": self.spending.settings})
        self._limits = WorkerLimits(
            seconds=seconds,
            megabytes=megabytes,
            # The indexes are mapped from files, which are shared and cost nothing.
            counts_reserved=False,
            # Reading ahead between questions takes processor time that no question should be charged with.
            processor_seconds=math.inf,
            answer_megabytes=_ANSWER_MEGABYTES,
            start_seconds=_START_SECONDS,
            # Nothing a process has gathered over days is worth keeping.
            tasks=requests,
        )
        self._lock = threading.Lock()
        self._idle: deque[Worker] = deque()
        self._workers: set[Worker] = set()
        self._waiters: deque[_Waiter] = deque()
        self._cache = OutcomeCache(cached)
        self._is_closed = threading.Event()
        self._starting = self._asked = self._replaced = self._failed_starts = 0
        self._problem = ""
        for _ in range(self.size):
            self._start_later()

    def __enter__(self) -> AskingPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(
        self,
        question: str,
        *,
        options: AskOptions | None = None,
        listener: Listener | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> dict[str, Any]:
        """The outcome of a question as the public object, with `asked`: what was asked in the end.

        `listener` gets every event as it happens, as data. `cancelled` is looked at while waiting.
        """
        given = asdict(options or AskOptions())
        payload = {"question": question, "options": given}
        key = (self._database.generation, json.dumps(payload, sort_keys=True))
        # What a language model says may differ from time to time; what rules say does not.
        is_lasting = given["planner"] in (None, "rules")
        known = self._cache.recall(key) if is_lasting else None
        if known is not None:
            for event in known[0]:
                if listener is not None:
                    listener(event)
            return dict(known[1])
        events: list[Json] = []

        def told(event: Json) -> None:
            events.append(event)
            if listener is not None:
                listener(event)

        result = dict(self.call("ask", payload, listener=told, cancelled=cancelled))
        is_hurried = result.pop("is_hurried")
        if is_lasting and not is_hurried and not result.get("usage"):
            self._cache.remember(key, events, result)
        return result

    def call(
        self,
        operation: str,
        payload: Json,
        *,
        listener: Listener | None = None,
        cancelled: Callable[[], bool] | None = None,
        seconds: float | None = None,
    ) -> Json:
        """Have a process do an operation of `AskingSession`; errors of the input are raised as ours."""
        worker = self._taken(cancelled)
        task = Task("", operation, payload, seconds=self.seconds if seconds is None else seconds)
        try:
            outcome = worker.ask(task, listener=listener, cancelled=cancelled)
        except BaseException:
            # The listener's own error: what the process still says about this question must not meet the next one.
            self._replace(worker)
            raise
        try:
            return self._result(outcome, worker)
        finally:
            if worker.task is not None and not worker.is_spent:
                self._drain_later(worker)
            else:
                self._give_back(worker)

    def _result(self, outcome: Outcome, worker: Worker) -> Json:
        """What a process answered; `AskingError` where it gave no answer, or the error that it told of."""
        if isinstance(outcome, Done):
            return outcome.result
        if outcome.error_classes:
            raise _told_error(outcome)
        match outcome.code:
            case "cancelled":
                raise _cancelled()
            case "timeout":
                limit = outcome.task.seconds or self.seconds
                reason = f"answering took longer than {limit:g} s and was stopped; ask for less at a time"
                raise AskingError("timeout", reason)
        if self._is_closed.is_set():
            raise _closed()
        is_alive = outcome.code in ("too_large", "broken")
        how = outcome.reason if is_alive else worker.last_words()
        reason = f"the process that answers ended in the middle ({how}); another one takes its place, ask again"
        raise AskingError("crashed", reason)

    # ---- processes: taken, given back, replaced

    def _taken(self, cancelled: Callable[[], bool] | None) -> Worker:
        """A process of one's own, in the order of asking."""
        with self._lock:
            self._asked += 1
            if self._is_closed.is_set():
                raise _closed()
            while self._idle and not self._waiters:
                worker = self._idle.popleft()
                if worker.is_usable:
                    return worker
                self._workers.discard(worker)
                self._replaced += 1
                worker.stop()
                self._start_later()
            if len(self._waiters) >= self.queue:
                raise AskingError("busy", "too many questions are waiting already; ask again in a moment")
            waiter = _Waiter()
            self._waiters.append(waiter)
        return self._waited(waiter, cancelled)

    def _waited(self, waiter: _Waiter, cancelled: Callable[[], bool] | None) -> Worker:
        deadline = time.monotonic() + self.patience
        while not waiter.is_served.wait(_GLANCE_SECONDS):
            problem = self._why_not_waiting(deadline, cancelled)
            if problem is not None:
                with self._lock:
                    with contextlib.suppress(ValueError):
                        self._waiters.remove(waiter)
                    if waiter.worker is not None:
                        self._hand_over(waiter.worker)
                raise problem
        if waiter.worker is None:
            raise _closed()
        return waiter.worker

    def _why_not_waiting(self, deadline: float, cancelled: Callable[[], bool] | None) -> AskingError | None:
        if cancelled is not None and cancelled():
            return _cancelled()
        if self._failed_starts >= _MOST_FAILED_STARTS:
            return AskingError("unusable", f"the processes that answer do not start: {self._problem}")
        if time.monotonic() > deadline:
            return AskingError("busy", f"no process was free for {self.patience:g} s; ask again in a moment")
        return None

    def _give_back(self, worker: Worker) -> None:
        if self._is_closed.is_set() or not worker.is_usable:
            self._replace(worker)
            return
        with self._lock:
            self._hand_over(worker)

    def _hand_over(self, worker: Worker) -> None:
        """To the first who waits, else to the idle ones. The lock is held."""
        if self._waiters:
            waiter = self._waiters.popleft()
            waiter.worker = worker
            waiter.is_served.set()
        else:
            self._idle.append(worker)

    def _replace(self, worker: Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
            self._replaced += 1
            self._start_later()
        # Not under the lock: a process that dies slowly must not keep others waiting.
        worker.stop()

    def _drain_later(self, worker: Worker) -> None:
        """Let a process finish what nobody wants any more, but not for long."""

        def drain() -> None:
            deadline = time.monotonic() + _GRACE_SECONDS
            worker.outcome(cancelled=lambda: time.monotonic() > deadline)
            if worker.task is None:
                self._give_back(worker)
            else:
                self._replace(worker)

        threading.Thread(target=drain, name="mathrag-drain", daemon=True).start()

    def _start_later(self) -> None:
        if not self._is_closed.is_set():
            self._starting += 1
            threading.Thread(target=self._start, name="mathrag-start", daemon=True).start()

    def _start(self) -> None:
        """Start a process and wait until it is warm; where it does not start, try again, ever more slowly."""
        pause = _SHORTEST_PAUSE
        while not self._is_closed.is_set():
            problem = self._started()
            if not problem:
                return
            self._problem, self._failed_starts = problem, self._failed_starts + 1
            self._is_closed.wait(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _started(self) -> str:
        """Why no process could be started; empty where one was."""
        try:
            worker = Worker(self._service, self._limits)
        except OSError as error:
            return f"no process can be started: {error.strerror or error}"
        with self._lock:
            self._workers.add(worker)
        problem = ""
        try:
            worker.wait_until_ready(cancelled=self._is_closed.is_set)
        except WorkerStartError as error:
            problem = str(error)
        with self._lock:
            if not problem and not self._is_closed.is_set():
                self._failed_starts, self._problem = 0, ""
                self._starting -= 1
                self._hand_over(worker)
                return ""
            self._workers.discard(worker)
        worker.stop()
        return problem or "the pool was closed"

    # ---- the pool as a whole

    @property
    def state(self) -> PoolState:
        """What is going on now."""
        with self._lock:
            ready = len(self._workers) - min(self._starting, len(self._workers))
            return PoolState(
                workers=self.size,
                ready=ready,
                busy=max(0, ready - len(self._idle)),
                waiting=len(self._waiters),
                asked=self._asked + self._cache.found,
                cached=self._cache.found,
                replaced=self._replaced,
                problem=self._problem,
            )

    def wait_until_ready(self, seconds: float = _START_SECONDS) -> bool:
        """Wait for the first process to be warm; whether one is."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self._is_closed.is_set():
            if self.state.ready:
                return True
            if self._failed_starts >= _MOST_FAILED_STARTS:
                return False
            time.sleep(0.02)
        return False

    def close(self) -> None:
        """End every process now; whoever waits gets an error. May be called twice."""
        self._is_closed.set()
        with self._lock:
            workers, self._workers = list(self._workers), set()
            self._idle.clear()
            waiters, self._waiters = list(self._waiters), deque()
        for worker in workers:
            worker.stop()
        for waiter in waiters:
            waiter.is_served.set()
        self._database.close()
        self.spending.close()


def _closed() -> AskingError:
    return AskingError("closed", "the server is stopping; ask again when it is back")


def _cancelled() -> AskingError:
    return AskingError("cancelled", "the question was given up before it was answered")


def _told_error(failed: Failed) -> LibraryError | UsageError:
    """The error that a function raised in its process, as one of ours."""
    if failed.code == "memory":
        return AskingError("memory", "answering needed more memory than it may use")
    if "LibraryError" in failed.error_classes:
        return LibraryError(failed.reason)
    if failed.is_refusal:
        return UsageError(failed.reason)
    return AskingError("broken", f"answering stopped with an unexpected error ({failed.error_classes[0]})")
