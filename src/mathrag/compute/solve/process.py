"""The worker process seen from outside: started when first needed, kept warm, killed with its group when late."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from threading import Lock
from typing import Any

from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.wire import from_wire, to_wire
from mathrag.errors import FormulaError
from mathrag.types.expression import Equation, Expression

_START_SECONDS = 15.0
_LONGEST_ANSWER = 2_000_000
# SymPy keeps caches for ever; a fresh process now and then bounds its memory.
_QUESTIONS_A_WORKER = 300


class _LateError(Exception):
    """No answer in time."""


class _BrokenError(Exception):
    """The worker ended or answered nonsense."""


class _Worker:
    """One process and the two pipes to it."""

    def __init__(self, megabytes: int) -> None:
        self.owner = os.getpid()
        self.megabytes = megabytes
        self.asked = 0
        self.pending = b""
        # -P keeps the current folder off the import path; the session of its own makes the group killable.
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, a number as argument
            [sys.executable, "-P", "-m", "mathrag.compute.solve.worker", str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self.receive(time.monotonic() + _START_SECONDS)
        except BaseException:
            self.stop()
            raise

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a question and wait for its answer."""
        deadline = time.monotonic() + seconds
        self.asked += 1
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise _BrokenError from error
        return self.receive(deadline)

    def receive(self, deadline: float) -> dict[str, Any]:
        """One line from the worker, by the deadline."""
        assert self.process.stdout is not None
        handle = self.process.stdout.fileno()
        while b"\n" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise _LateError
            block = os.read(handle, 65_536)
            if not block or len(self.pending) > _LONGEST_ANSWER:
                raise _BrokenError
            self.pending += block
        line, _, self.pending = self.pending.partition(b"\n")
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise _BrokenError from error
        if not isinstance(answer, dict):
            raise _BrokenError
        return answer

    def stop(self) -> None:
        """Kill the process with its group and close the pipes. In a forked copy only the pipes are closed."""
        if self.owner == os.getpid():
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                self.process.wait(timeout=5)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class _Keeper:
    """Keeps at most one warm worker for this process."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.worker: _Worker | None = None

    def ask(self, question: dict[str, Any], seconds: float, megabytes: int) -> dict[str, Any]:
        if not self.lock.acquire(timeout=_START_SECONDS + seconds):
            raise _LateError
        try:
            worker = self._ready(megabytes)
            try:
                return worker.ask(question, seconds)
            except BaseException:
                self.stop()
                raise
        finally:
            self.lock.release()

    def _ready(self, megabytes: int) -> _Worker:
        worker = self.worker
        stale = worker is not None and (
            worker.owner != os.getpid()
            or worker.process.poll() is not None
            or worker.asked >= _QUESTIONS_A_WORKER
            or worker.megabytes != megabytes
        )
        if stale:
            self.stop()
        if self.worker is None:
            self.worker = _Worker(megabytes)
        return self.worker

    def warm(self, megabytes: int) -> None:
        with self.lock:
            self._ready(megabytes)

    def stop(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.stop()


_keeper = _Keeper()
atexit.register(_keeper.stop)


def start_worker(megabytes: int = 1024) -> None:
    """Start the worker ahead of the first question; otherwise that question waits for SymPy to load."""
    with contextlib.suppress(_LateError, _BrokenError, OSError):
        _keeper.warm(megabytes)


def stop_worker() -> None:
    """End the worker; the next question starts another."""
    with _keeper.lock:
        _keeper.stop()


def solve_in_worker(
    equation: Equation, symbol: str, kinds: Mapping[str, str], *, seconds: float, megabytes: int
) -> tuple[Expression, ...] | Failure:
    """Whatever SymPy finds that our trees can hold, unverified."""
    question = {
        "left": to_wire(equation.left),
        "right": to_wire(equation.right),
        "symbol": symbol,
        "kinds": dict(kinds),
        "seconds": seconds,
    }
    try:
        answer = _keeper.ask(question, seconds, megabytes)
    except _LateError:
        return Failure("timeout", f"no closed form for {symbol} was found within {seconds:g} s")
    except (_BrokenError, OSError):
        return Failure("worker", f"the solving process ended without an answer for {symbol}")
    if "solutions" not in answer:
        return Failure("unsolved", f"no closed form was found for {symbol}")
    try:
        return tuple(from_wire(tree) for tree in answer["solutions"])
    except (FormulaError, TypeError):
        return Failure("worker", "the solving process answered with something that is not a formula")
