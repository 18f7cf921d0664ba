"""Processes that begin with everything loaded: forked by one that has loaded it, which waits a while for more to do.

Loading takes seconds and a fork takes milliseconds. Only on Linux, where forking what numpy has begun is sound;
elsewhere every process loads for itself.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Hashable, Mapping, Sequence

from mathrag.isolation.frames import FrameBuffer, frame
from mathrag.isolation.launcher import PipedProcess, command_of
from mathrag.settings import environment, passed_on
from mathrag.types.json_value import Json

_MODULE = "mathrag.isolation.nursery_main"
# As long as somebody may look at an answer before the next question.
_IDLE_SECONDS = 60.0
# Each keeps a hundred megabytes, most of it shared with those it forks.
_MOST = 8
# How often a process is looked for that nobody tells of any more.
_GLANCE_SECONDS = 0.05
_LONGEST_MESSAGE = 1024
# A fork has none of the threads of the one it comes from, and would wait for them in vain.
_NO_THREADS = "false"
# What `kill` does to a process of which nothing more is known.
_KILLED = -9
_NEVER_BORN = 1


class ForkedProcess:
    """A process that a nursery forks, known by what the nursery says of it."""

    def __init__(self, told: int) -> None:
        os.set_blocking(told, False)
        self._told = told
        self._messages = FrameBuffer(_LONGEST_MESSAGE)
        self._lock = threading.Lock()
        self._pid = 0
        self._status: int | None = None
        # Whether the nursery is gone, and with it whoever would tell.
        self._is_orphan = False

    @property
    def pid(self) -> int:
        """Its number; `ProcessLookupError` before it is born."""
        self.poll()
        if not self._pid:
            raise ProcessLookupError("the process is not born yet")
        return self._pid

    @property
    def is_unborn(self) -> bool:
        """Whether it will never be, because whoever should have forked it is gone."""
        return self._is_orphan and not self._pid

    def poll(self) -> int | None:
        """The status with which it has ended; None where it runs, or is not born yet."""
        with self._lock:
            self._hear()
            if self._is_orphan and self._status is None:
                self._status = _status_of_orphan(self._pid)
            return self._status

    def wait(self, timeout: float | None = None) -> int:
        """The status with which it ends; `subprocess.TimeoutExpired` where it does not in time."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0.0)
            if self._is_orphan:
                time.sleep(_GLANCE_SECONDS)
            else:
                select.select([self._told], [], [], left)
        return status

    def _hear(self) -> None:
        while not self._is_orphan and self._status is None:
            try:
                block = os.read(self._told, _LONGEST_MESSAGE)
            except BlockingIOError:
                return
            for message in self._messages.feed(block):
                self._pid = message.get("born", self._pid)
                self._status = message.get("ended", self._status)
            self._is_orphan = not block

    def __del__(self) -> None:
        # Not before: another thread may wait for what is told here.
        os.close(self._told)


def _status_of_orphan(pid: int) -> int | None:
    if not pid:
        return _NEVER_BORN
    try:
        os.kill(pid, 0)
    except OSError:
        return _KILLED
    return None


class _Nursery:
    """A process that forks others, seen from outside."""

    def __init__(self, modules: Sequence[str], idle_seconds: float) -> None:
        self.connection, theirs = socket.socketpair()
        with theirs:
            settings = {"modules": list(modules), "socket": theirs.fileno(), "idle_seconds": idle_seconds}
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                command_of(_MODULE, settings),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(TOKENIZERS_PARALLELISM=_NO_THREADS),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    def fork(self, settings: Mapping[str, Json]) -> PipedProcess:
        """A process with these settings, in a moment; `OSError` where this one is gone."""
        ours: list[int] = []
        given: list[int] = []
        try:
            for is_input in (True, False, False, False):
                read, write = os.pipe()
                ours.append(write if is_input else read)
                given.append(read if is_input else write)
            socket.send_fds(self.connection, [frame(dict(settings))], given)
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in given:
                os.close(descriptor)
        process = ForkedProcess(ours[3])
        to_it, from_it, errors = os.fdopen(ours[0], "wb", 0), os.fdopen(ours[1], "rb", 0), os.fdopen(ours[2], "rb", 0)
        return PipedProcess(process, to_it, from_it, errors)

    def stop(self) -> None:
        """End it; its children end when their own pipes close."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


class Nurseries:
    """The nurseries of this program, one for each set of modules in each environment. For any thread.

    Our own settings and the folder are no part of that: a process takes them over as it is given work.
    """

    def __init__(self, seconds: float = _IDLE_SECONDS) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._nurseries: dict[Hashable, _Nursery] = {}

    def fork(self, modules: Sequence[str], settings: Mapping[str, Json]) -> PipedProcess:
        """A process that has loaded the modules; the first time it waits for that, later ones do not."""
        kind = (tuple(modules), passed_on()[1])
        with self._lock:
            nursery = self._nurseries.pop(kind, None)
            if nursery is not None:
                # The last one used is the last one to go.
                self._nurseries[kind] = nursery
                with contextlib.suppress(OSError):
                    return nursery.fork(settings)
                # It had nothing to do for long and is gone.
                self._nurseries.pop(kind).stop()
            while len(self._nurseries) >= _MOST:
                self._nurseries.pop(next(iter(self._nurseries))).stop()
            nursery = self._nurseries[kind] = _Nursery(modules, self.seconds)
            return nursery.fork(settings)

    def forget(self) -> None:
        """Begin anew, in a forked copy: the nurseries belong to the other one, where a lock may be held for ever."""
        for nursery in self._nurseries.values():
            with contextlib.suppress(OSError):
                nursery.connection.close()
        self._nurseries, self._lock = {}, threading.Lock()

    def clear(self) -> None:
        """End all of them."""
        with self._lock:
            ended, self._nurseries = list(self._nurseries.values()), {}
        for nursery in ended:
            nursery.stop()


CAN_FORK = sys.platform == "linux"
NURSERIES = Nurseries()
atexit.register(NURSERIES.clear)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=NURSERIES.forget)
