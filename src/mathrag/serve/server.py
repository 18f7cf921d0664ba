"""Run the app: bind, say where, serve until told to stop, stop cleanly; connections that dawdle are cut off. Opens no
browser."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from mathrag.errors import UsageError
from mathrag.library import Library
from mathrag.serve.app import make_app
from mathrag.serve.logs import log, quiet_others
from mathrag.serve.options import ServeOptions
from mathrag.serve.security.users import UsersFile

# Connections that may not dawdle: whoever opens one and does not send a whole head of a request in time is cut off.


class HttpConnection(H11Protocol):
    """The usual connection with a clock that runs while the head of a request is awaited."""

    header_seconds: float = 10.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clock: asyncio.TimerHandle | None = None

    @classmethod
    def limited(cls, seconds: float) -> type[HttpConnection]:
        """The same with another time."""
        return type("LimitedHttpConnection", (cls,), {"header_seconds": seconds})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected: the clock starts."""
        super().connection_made(transport)
        self._clock = self.loop.call_later(self.header_seconds, self._cut_off)

    def data_received(self, data: bytes) -> None:
        """Take in what has come; between requests the clock starts with the first byte of the next one."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_clock()
        elif self._clock is None and not self.transport.is_closing() and self.conn.trailing_data[0]:
            self._clock = self.loop.call_later(self.header_seconds, self._cut_off)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for any more."""
        self._stop_clock()
        super().connection_lost(exc)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _cut_off(self) -> None:
        self._clock = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self.transport.close()


# Connections that the system holds while we are busy.
_BACKLOG = 512
# For requests in the middle when the server is told to stop; then they are cut off.
_PATIENCE_SECONDS = 10


def serve(options: ServeOptions) -> None:
    """Serve until a signal to stop comes; requests in the middle may finish."""
    quiet_others()
    # What is wrong with a library or the users is said here, in a sentence; later it would only be in the log.
    for _, folder in options.libraries:
        Library(folder, create=True).close()
    if options.users is not None and not UsersFile(options.users).users():
        raise UsageError(f"there are no users in {options.users}; add one with `mathrag users add NAME --role owner`")
    bound = _bound(options)
    host, port = bound.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        make_app(options),
        http=HttpConnection.limited(options.limits.header_seconds),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=options.limits.connections,
        h11_max_incomplete_event_size=64 * 1024,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_PATIENCE_SECONDS,
    )
    server = _Server(config, f"http://{shown}:{port}/")
    try:
        server.run(sockets=[bound])
    finally:
        bound.close()
    if not server.started:
        raise UsageError("the server could not start; its log says why")
    log("stopped")


class _Server(uvicorn.Server):
    """Tells the address as soon as requests are taken, on standard output: programs wait for that line."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self.address = address

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and that is all: asked to stop and having stopped is no failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            print(f"MathRAG is at {self.address} (stop with Ctrl-C)", flush=True)  # noqa: T201 - what the user waits for
            log("started", address=self.address)


def _bound(options: ServeOptions) -> socket.socket:
    """A socket on the address, so that what is told is what is used, a free port included."""
    host = options.host.strip("[]")
    try:
        family = socket.getaddrinfo(host, options.port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise UsageError(f"there is no address {options.host}: {error.strerror or error}") from error
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, options.port))
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        reason = f"cannot serve on {options.host} port {options.port}: {error.strerror or error}; choose another --port"
        raise UsageError(reason) from error
    return made
