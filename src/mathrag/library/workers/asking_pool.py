"""Questions to a library, answered in processes that can be killed: both cores, bounded time, bounded waiting.

For threads: any number of them may ask at once. Each process has the library open and warm. A process that is late or
dies is replaced, and its question gets an error that says so. Nothing is decided here about what an answer is.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from mathrag.errors import AskingError, LibraryError, UsageError
from mathrag.isolation.child_process import ChildCancelledError, ChildEndedError, ChildLateError, ChildProcess
from mathrag.isolation.pool import default_workers
from mathrag.library.ask.asker import OutcomeCache
from mathrag.library.ask.models import SharedBudget
from mathrag.llm.budgets import Budget
from mathrag.store.truth.database import open_database
from mathrag.types.json_value import Json

Listener: TypeAlias = Callable[[Json], None]
_MODULE = "mathrag.library.workers.asking_process"
_START_SECONDS = 120.0
# After a cancelled question a process may finish in peace for so long: starting another costs more.
_GRACE_SECONDS = 2.0
_LONGEST_PAUSE = 30.0
# How often those who wait look whether they still should; whoever is served wakes at once.
_GLANCE_SECONDS = 0.2
_MOST_FAILED_STARTS = 3


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is to be answered. `previous` is the `asked` of an earlier outcome that this one may lean on.

    `formats` adds the outcome as `text`, `markdown`, `latex`, `html` or `replay`, under `rendered`. Without `planner`
    it is the library's own choice.
    """

    pinned: Mapping[str, str] = field(default_factory=dict)
    formula: str | None = None
    unit: str | None = None
    planner: str | None = None
    previous: Mapping[str, Any] | None = None
    formats: tuple[str, ...] = ()


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

    __slots__ = ("child", "is_served")

    def __init__(self) -> None:
        self.child: ChildProcess | None = None
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
        self.seconds, self.patience, self.queue, self.requests = seconds, patience, queue, requests
        self._database = open_database(self.folder, create=False)
        self.spending = SharedBudget(self.folder, budget)
        self._settings = {"folder": str(self.folder), "megabytes": megabytes, "budget": self.spending.settings}
        self._lock = threading.Lock()
        self._idle: deque[ChildProcess] = deque()
        self._children: set[ChildProcess] = set()
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

        result = self.call("ask", payload, listener=told, cancelled=cancelled)
        if is_lasting and not result.get("usage"):
            self._cache.remember(key, events, result)
        return dict(result)

    def call(
        self,
        operation: str,
        payload: Json,
        *,
        listener: Listener | None = None,
        cancelled: Callable[[], bool] | None = None,
        seconds: float | None = None,
    ) -> Json:
        """Have a process do an operation of `asking_process.Desk`; errors of the input are raised as ours."""
        child = self._taken(cancelled)
        deadline = time.monotonic() + (self.seconds if seconds is None else seconds)
        is_fine = False
        try:
            message = self._conversation(
                child, {"operation": operation, "payload": payload}, deadline=deadline, listener=listener,
                cancelled=cancelled,
            )  # fmt: skip
            is_fine = True
        except ChildCancelledError:
            is_fine = True
            self._drain_later(child)
            raise AskingError("cancelled", "the question was given up before it was answered") from None
        except ChildLateError:
            limit = self.seconds if seconds is None else seconds
            reason = f"answering took longer than {limit:g} s and was stopped; ask for less at a time"
            raise AskingError("timeout", reason) from None
        except ChildEndedError as error:
            if self._is_closed.is_set():
                raise AskingError("closed", "the server is stopping; ask again when it is back") from None
            reason = f"the process that answers ended in the middle ({error}); another one takes its place, ask again"
            raise AskingError("crashed", reason) from error
        finally:
            if not is_fine:
                self._replace(child)
        self._give_back(child)
        return _result(message)

    def _conversation(
        self,
        child: ChildProcess,
        request: Json,
        *,
        deadline: float,
        listener: Listener | None,
        cancelled: Callable[[], bool] | None,
    ) -> Json:
        child.send(request, deadline=deadline)
        while True:
            message = child.receive(deadline=deadline, cancelled=cancelled)
            if not isinstance(message, dict) or "event" not in message:
                return message
            if listener is not None:
                listener(message["event"])

    # ---- processes: taken, given back, replaced

    def _taken(self, cancelled: Callable[[], bool] | None) -> ChildProcess:
        """A process of one's own, in the order of asking."""
        with self._lock:
            self._asked += 1
            if self._is_closed.is_set():
                raise AskingError("closed", "the server is stopping; ask again when it is back")
            while self._idle and not self._waiters:
                child = self._idle.popleft()
                if child.is_alive:
                    return child
                self._children.discard(child)
                self._replaced += 1
                child.stop()
                self._start_later()
            if len(self._waiters) >= self.queue:
                raise AskingError("busy", "too many questions are waiting already; ask again in a moment")
            waiter = _Waiter()
            self._waiters.append(waiter)
        return self._waited(waiter, cancelled)

    def _waited(self, waiter: _Waiter, cancelled: Callable[[], bool] | None) -> ChildProcess:
        deadline = time.monotonic() + self.patience
        while not waiter.is_served.wait(_GLANCE_SECONDS):
            problem = self._why_not_waiting(deadline, cancelled)
            if problem is not None:
                with self._lock:
                    with contextlib.suppress(ValueError):
                        self._waiters.remove(waiter)
                    if waiter.child is not None:
                        self._hand_over(waiter.child)
                raise problem
        if waiter.child is None:
            raise AskingError("closed", "the server is stopping; ask again when it is back")
        return waiter.child

    def _why_not_waiting(self, deadline: float, cancelled: Callable[[], bool] | None) -> AskingError | None:
        if cancelled is not None and cancelled():
            return AskingError("cancelled", "the question was given up before it was answered")
        if self._failed_starts >= _MOST_FAILED_STARTS:
            return AskingError("unusable", f"the processes that answer do not start: {self._problem}")
        if time.monotonic() > deadline:
            return AskingError("busy", f"no process was free for {self.patience:g} s; ask again in a moment")
        return None

    def _give_back(self, child: ChildProcess) -> None:
        child.done += 1
        if child.done >= self.requests or self._is_closed.is_set():
            # Nothing a process has gathered over days is worth keeping.
            self._replace(child)
            return
        with self._lock:
            self._hand_over(child)

    def _hand_over(self, child: ChildProcess) -> None:
        """To the first who waits, else to the idle ones. The lock is held."""
        while self._waiters:
            waiter = self._waiters.popleft()
            waiter.child = child
            waiter.is_served.set()
            return
        self._idle.append(child)

    def _replace(self, child: ChildProcess) -> None:
        with self._lock:
            self._children.discard(child)
            self._replaced += 1
            self._start_later()
        # Not under the lock: a process that dies slowly must not keep others waiting.
        child.stop()

    def _drain_later(self, child: ChildProcess) -> None:
        """Let a process finish what nobody wants any more, but not for long."""

        def drain() -> None:
            deadline = time.monotonic() + _GRACE_SECONDS
            try:
                while "event" in child.receive(deadline=deadline):
                    pass
            except (ChildLateError, ChildEndedError):
                self._replace(child)
            else:
                self._give_back(child)

        threading.Thread(target=drain, name="mathrag-drain", daemon=True).start()

    def _start_later(self) -> None:
        if not self._is_closed.is_set():
            self._starting += 1
            threading.Thread(target=self._start, name="mathrag-start", daemon=True).start()

    def _start(self) -> None:
        """Start a process and wait until it is warm; where it does not start, try again, ever more slowly."""
        pause = 0.5
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
            child = ChildProcess(_MODULE, self._settings)
        except OSError as error:
            return f"no process can be started: {error.strerror or error}"
        with self._lock:
            self._children.add(child)
        try:
            message = child.receive(deadline=time.monotonic() + _START_SECONDS, cancelled=self._is_closed.is_set)
        except (ChildEndedError, ChildLateError, ChildCancelledError) as error:
            message = {"unusable": str(error) or "it was not ready in time"}
        with self._lock:
            if message == {"ready": True} and not self._is_closed.is_set():
                self._failed_starts, self._problem = 0, ""
                self._starting -= 1
                self._hand_over(child)
                return ""
            self._children.discard(child)
        child.stop()
        return str(message.get("unusable", "it said something else than that it is ready"))

    # ---- the pool as a whole

    @property
    def state(self) -> PoolState:
        """What is going on now."""
        with self._lock:
            ready = len(self._children) - min(self._starting, len(self._children))
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
            children, self._children = list(self._children), set()
            self._idle.clear()
            waiters, self._waiters = list(self._waiters), deque()
        for child in children:
            child.stop()
        for waiter in waiters:
            waiter.is_served.set()
        self._database.close()
        self.spending.close()


def _result(message: Json) -> Json:
    """What a process answered, or the error it told of."""
    match message:
        case {"result": result}:
            return result
        case {"failed": "input", "reason": str(reason)}:
            raise UsageError(reason)
        case {"failed": "library", "reason": str(reason)}:
            raise LibraryError(reason)
        case {"failed": str(code), "reason": str(reason)}:
            raise AskingError(code, reason)
    raise AskingError("broken", "the process that answers said something that is no answer")
