"""Functions that worker processes call in the tests of isolation; each misbehaves in its own way."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mathrag.errors import DocumentError, LibraryError
from mathrag.isolation.worker_main import Service


def echo(payload: Any) -> Any:
    return payload


def which_process(payload: Any) -> Any:
    return os.getpid()


def surroundings(payload: Any) -> Any:
    return [str(Path.cwd()), os.environ["MATHRAG_READING_SECONDS"]]


def which_parent(payload: Any) -> Any:
    return os.getppid()


def sleep(payload: Any) -> Any:
    time.sleep(payload)
    return payload


def spin(payload: Any) -> Any:
    while True:
        pass


def fill_memory(payload: Any) -> Any:
    hoard = []
    while True:
        hoard.append(bytearray(10_000_000))


def kill_itself(payload: Any) -> Any:
    os.kill(os.getpid(), getattr(signal, payload))
    time.sleep(10)


def crash(payload: Any) -> Any:
    ctypes.string_at(0)


def leave(payload: Any) -> Any:
    os._exit(payload)


def raise_ours(payload: Any) -> Any:
    raise DocumentError("encoding", "the text is written in no known alphabet")


def raise_foreign(payload: Any) -> Any:
    raise KeyError("who knows")


def exit_politely(payload: Any) -> Any:
    sys.exit(3)


def not_json(payload: Any) -> Any:
    return {"a": object()}


def large(payload: Any) -> Any:
    return "x" * payload


def deep(payload: Any) -> Any:
    made: Any = []
    for _ in range(payload):
        made = [made]
    return made


def chatter(payload: Any) -> Any:
    """Prints as careless libraries do, and tries to read what is not its own."""
    print("printed where answers go")
    os.write(1, b"\x00\x00\x00\x00\x00\x00\x00\x05hello")
    sys.stderr.write("a warning\n" * 1_000)
    return sys.stdin.read()


def open_handles(payload: Any) -> Any:
    return sorted(_target(handle) for handle in Path("/proc/self/fd").iterdir())


def _target(handle: Path) -> str:
    try:
        return str(handle.readlink())
    except OSError:
        return "closed"


def start_child(payload: Any) -> Any:
    """A child that would outlive its parent, then silence."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(payload).write_text(str(child.pid), encoding="ascii")
    time.sleep(60)


def counting_service(arguments: Any) -> Service:
    """Counts how often it was asked, tells on the way, and does three steps while nobody asks."""
    state = {"number": arguments["start"], "idle_steps": 0}

    def count(payload: int, tell: Callable[[Any], None]) -> Any:
        for step in range(payload):
            tell(step)
        state["number"] += 1
        return dict(state)

    def count_slowly(payload: list[float], tell: Callable[[Any], None]) -> Any:
        for step, pause in enumerate(payload):
            tell(step)
            time.sleep(pause)
        return None

    def idle() -> Iterator[int]:
        for step in range(3):
            state["idle_steps"] += 1
            yield step

    return Service({"count": count, "count_slowly": count_slowly}, idle())


def unwilling_service(arguments: Any) -> Service:
    raise LibraryError("no room")
