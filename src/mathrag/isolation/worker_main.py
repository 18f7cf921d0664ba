"""The process that works on documents: takes tasks from a pipe, one at a time, and answers on another.

It calls only the functions it was started with, limits its own memory and processor time, and ends as soon as the
process that started it is gone, even in the middle of a task. (Asking the system to kill it with its parent is no
substitute: Linux does so when the *thread* that started it ends.)
"""

from __future__ import annotations

import faulthandler
import importlib
import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

from mathrag.errors import MathragError
from mathrag.isolation.framing import HEADER, frame, frame_length

_Function = Callable[[Any], Any]


def main() -> None:
    """Answer tasks until the pipe closes."""
    settings = json.loads(sys.argv[1])
    _limit_memory(int(settings["megabytes"]))
    faulthandler.enable(all_threads=False)
    # Whatever a task reads or prints must not touch the pipes: they are moved away, printing goes to the error output.
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks, waiting), daemon=True).start()
    try:
        functions = [_function(name) for name in settings["functions"]]
    except Exception as error:
        traceback.print_exc()
        _send(answers, frame({"unusable": f"{type(error).__name__}: {error}"}))
        return
    _send(answers, frame({"ready": True}))
    longest = int(settings["answer_megabytes"]) * 1024 * 1024
    while True:
        task = json.loads(waiting.get())
        _limit_seconds(float(task["processor_seconds"]))
        _send(answers, _answer(functions[task["function"]], task["payload"], longest))


def _function(name: str) -> _Function:
    module, _, attribute = name.partition(":")
    function: _Function = getattr(importlib.import_module(module), attribute)
    return function


def _listen(tasks: BinaryIO, waiting: queue.SimpleQueue[bytes]) -> None:
    try:
        while len(header := tasks.read(HEADER)) == HEADER:
            waiting.put(tasks.read(frame_length(header)))
    finally:
        os._exit(0)


def _send(answers: int, message: bytes) -> None:
    left = memoryview(message)
    while left:
        left = left[os.write(answers, left) :]


def _answer(function: _Function, payload: Any, longest: int) -> bytes:
    """The framed answer; whatever the function does, there is one."""
    try:
        message = frame({"result": function(payload)})
    except MathragError as error:
        if isinstance(error.__cause__, MemoryError):
            return frame({"failed": "memory", "reason": ""})
        return frame({"failed": getattr(error, "code", "broken"), "reason": str(error)})
    except MemoryError:
        return frame({"failed": "memory", "reason": ""})
    except BaseException as error:
        # SystemExit and the panics of compiled extensions included: this task is lost, the next one need not be.
        traceback.print_exc(limit=-8)
        # Only here: a reader's own word that a document is broken is expected.
        return frame({"failed": "broken", "reason": f"the work stopped with an unexpected error: {_described(error)}"})
    if len(message) > longest:
        return frame({"failed": "too_large", "reason": ""})
    return message


def _described(error: BaseException) -> str:
    try:
        said = str(error)[:200]
    except Exception:
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:
        return
    size = megabytes * 1024 * 1024
    for name in ("RLIMIT_AS", "RLIMIT_DATA"):
        try:
            resource.setrlimit(getattr(resource, name), (size, size))
        except (ValueError, OSError, AttributeError):
            # macOS refuses these; the time on the clock still holds.
            continue
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_seconds(seconds: float) -> None:
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


if __name__ == "__main__":
    main()
