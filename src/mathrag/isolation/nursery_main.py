"""Runs in a process that has loaded what others will need, and forks them one by one: each begins where it stands.

Has a single thread of Python's and opens no file for good: a fork copies neither a lock that is held nor a thread.
Ends when nobody has asked for a while and no child is left, or when the process that started it is gone.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator

from mathrag.isolation import worker_main
from mathrag.isolation.frames import FrameBuffer, frame
from mathrag.types.json_value import Json

# What comes with a request: input, output and error output of the child, and where its number and end are told.
_DESCRIPTORS = 4
_BLOCK = 1 << 16
# Settings are a few names and numbers, and an environment.
_LONGEST = 1 << 24


def main() -> None:
    """Load, then fork a child for every request."""
    settings = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = _Requests(socket.socket(fileno=settings["socket"]))
    for name in settings["modules"]:
        # Whatever is wrong, the child meets it again and tells the one who asked.
        with contextlib.suppress(Exception):
            module = importlib.import_module(name)
            getattr(module, "preload", lambda: None)()
    gc.collect()
    gc.freeze()
    _Nursery(requests, settings["idle_seconds"]).run()


class _Requests:
    """What the process that started us wants: the settings of a child, and the ends of its pipes."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.is_open = True
        self._settings = FrameBuffer(_LONGEST)
        self._descriptors: list[int] = []

    def receive(self) -> Iterator[tuple[Json, list[int]]]:
        """Take in what has come; yields the requests that have come to their end."""
        data, descriptors, _, _ = socket.recv_fds(self.connection, _BLOCK, 16)
        self.is_open = bool(data)
        self._descriptors += descriptors
        for settings in self._settings.feed(data):
            mine, self._descriptors = self._descriptors[:_DESCRIPTORS], self._descriptors[_DESCRIPTORS:]
            yield settings, mine


class _Nursery:
    """The children and where to tell of them."""

    def __init__(self, requests: _Requests, idle_seconds: float) -> None:
        self.requests = requests
        self.idle_seconds = idle_seconds
        self.tellers: dict[int, int] = {}
        self.wakes, self.wake = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(self.wakes, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.wake, warn_on_full_buffer=False)

    def run(self) -> None:
        """Until nobody wants anything any more."""
        connection = self.requests.connection.fileno()
        while self.requests.is_open:
            patience = None if self.tellers else self.idle_seconds
            ready, _, _ = select.select([connection, self.wakes], [], [], patience)
            if not ready:
                # From here on no request gets through; one that did before is still served.
                self.requests.connection.shutdown(socket.SHUT_RD)
            if self.wakes in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self.wakes, _BLOCK)
                self.collect()
            if not ready or connection in ready:
                for request in self.requests.receive():
                    self.fork(*request)
        self.requests.connection.close()
        # Of a last request perhaps: whoever asked wants to know how its child ends.
        self.collect(0)

    def fork(self, settings: Json, descriptors: list[int]) -> None:
        """A child that works with the pipes it was given."""
        teller = descriptors[-1]
        try:
            child = os.fork()
        except OSError:
            # Whoever waits finds the pipes closed.
            child = -1
        if child == 0:
            self.live(settings, descriptors)
        if child > 0:
            # On both sides: whoever comes first, the group is there when somebody wants to end it.
            with contextlib.suppress(OSError):
                os.setpgid(child, child)
            self.tellers[child] = teller
            _tell(teller, {"born": child})
        for descriptor in descriptors:
            if descriptor != teller or child < 0:
                os.close(descriptor)

    def live(self, settings: Json, descriptors: list[int]) -> None:
        """Be the child. Never comes back."""
        status = 1
        try:
            with contextlib.suppress(OSError):
                os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self.requests.connection.close()
            for descriptor in (self.wakes, self.wake, *self.tellers.values()):
                os.close(descriptor)
            for place, descriptor in enumerate(descriptors[:3]):
                os.dup2(descriptor, place)
            for descriptor in descriptors:
                os.close(descriptor)
            worker_main.serve(settings)
            status = 0
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else 1
        finally:
            sys.stderr.flush()
            os._exit(status)

    def collect(self, how: int = os.WNOHANG) -> None:
        """Tell of children that have ended."""
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, how))[0]:
                teller = self.tellers.pop(ended[0], None)
                if teller is not None:
                    _tell(teller, {"ended": os.waitstatus_to_exitcode(ended[1])})
                    os.close(teller)


def _tell(teller: int, message: Json) -> None:
    with contextlib.suppress(OSError):
        os.write(teller, frame(message))


if __name__ == "__main__":
    main()
