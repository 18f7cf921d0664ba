"""The main loop of every worker process: takes tasks from a pipe, one at a time, and answers on another.

It calls only what it was started with, limits its own memory and processor time, and ends as soon as the process that
started it is gone, even in the middle of a task. (Asking the system to kill it with its parent is no substitute: Linux
does so when the *thread* that started it ends.)

Imports little: a process for a single query must start fast.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from mathrag.errors import MathragError
from mathrag.isolation.frames import HEADER, frame, frame_length
from mathrag.isolation.limits import limit_next_seconds, limit_process
from mathrag.settings import take_over
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.isolation.tasks import Listener


class Service:
    """What a process offers that keeps something open between tasks: operations by name, each told whom to tell.

    `idle_work` is taken further, step by step, while nobody asks.
    """

    def __init__(
        self, operations: Mapping[str, Callable[[Json, Listener], Json]], idle_work: Iterable[object] = ()
    ) -> None:
        self.operations = operations
        self.idle_work = iter(idle_work)


def main() -> None:
    """Work with what the command line says."""
    serve(json.loads(sys.argv[1]))


def serve(settings: Json) -> None:
    """Get ready, say so, answer until the pipe closes."""
    is_whole = settings["counts_reserved"]
    limit_process(data_megabytes=settings["megabytes"], address_megabytes=settings["megabytes"] if is_whole else None)
    faulthandler.enable(all_threads=False)
    pipes = _Pipes()
    take_over(settings["passed_on"])
    try:
        service = _service(settings)
    except MathragError as error:
        pipes.send(frame({"unusable": str(error)}))
        return
    except Exception as error:
        _print_traceback()
        pipes.send(frame({"unusable": f"{type(error).__name__}: {error}"}))
        return
    pipes.send(frame({"ready": True}))
    longest = int(settings["answer_megabytes"]) * 1024 * 1024
    while True:
        while not pipes.is_waiting and next(service.idle_work, None) is not None:
            pass
        task = pipes.receive()
        # Whatever ends this process before here did not come from the task.
        pipes.send(frame({"begun": True}))
        take_over(task["passed_on"])
        if task["processor_seconds"] is not None:
            limit_next_seconds(task["processor_seconds"])
        pipes.send(_answer(service, task, longest, lambda event: pipes.send(frame({"event": event}))))


class _Pipes:
    """Messages in and out. Whatever the work prints or reads does not touch them: printing goes to the error output."""

    def __init__(self) -> None:
        incoming = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        # Work may tell of itself from several threads.
        self._lock = threading.Lock()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self._waiting: deque[bytes] = deque()
        self._has_arrived = threading.Semaphore(0)
        threading.Thread(target=self._listen, args=(incoming,), daemon=True).start()

    def _listen(self, incoming: BinaryIO) -> None:
        try:
            while len(header := incoming.read(HEADER)) == HEADER:
                self._waiting.append(incoming.read(frame_length(header)))
                self._has_arrived.release()
        finally:
            os._exit(0)

    def receive(self) -> Json:
        """The next message; waits for it."""
        self._has_arrived.acquire()
        return json.loads(self._waiting.popleft())

    @property
    def is_waiting(self) -> bool:
        """Whether a message has come that nobody has received."""
        return bool(self._waiting)

    def send(self, message: bytes) -> None:
        """Write a framed message, whole."""
        left = memoryview(message)
        with self._lock:
            while left:
                left = left[os.write(self._answers, left) :]


def _service(settings: Json) -> Service:
    if "service" in settings:
        service: Service = _named(settings["service"])(settings["arguments"])
        return service
    return Service({name: _telling_nobody(_named(name)) for name in settings["functions"]})


def _telling_nobody(function: Callable[[Json], Json]) -> Callable[[Json, Listener], Json]:
    return lambda payload, _: function(payload)


def _named(name: str) -> Callable[..., Any]:
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return function


def _answer(service: Service, task: Json, longest: int, tell: Listener) -> bytes:
    """The framed answer; whatever the function does, there is one."""
    try:
        message = frame({"result": service.operations[task["function"]](task["payload"], tell)})
    except MathragError as error:
        code = "memory" if isinstance(error.__cause__, MemoryError) else str(getattr(error, "code", "broken"))
        return _failure(code, str(error), error)
    except MemoryError as error:
        return _failure("memory", "", error)
    except BaseException as error:
        # SystemExit and the panics of compiled extensions included: this task is lost, the next one need not be.
        # Only here a traceback: a reader's own word that a document is broken is expected.
        _print_traceback()
        return _failure("broken", f"the work stopped with an unexpected error: {_described(error)}", error)
    if len(message) > longest:
        return frame({"failed": "too_large", "reason": "", "error_classes": []})
    return message


def _failure(code: str, reason: str, error: BaseException) -> bytes:
    classes = [each.__name__ for each in type(error).__mro__]
    return frame({"failed": code, "reason": reason, "error_classes": classes})


def _described(error: BaseException) -> str:
    try:
        said = str(error)[:200]
    except Exception:
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _print_traceback() -> None:
    # A process that may open no file any more can import nothing either, and goes without.
    with contextlib.suppress(ImportError, OSError):
        # Imported only now: it takes a good part of the time in which a process starts.
        import traceback

        # The last steps are those of the work; the first ones are this module's.
        traceback.print_exc(limit=-8)


if __name__ == "__main__":
    main()
