"""Run the app: bind, say where, serve until told to stop, stop cleanly. Opens no browser."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Iterator

import uvicorn

from mathrag.errors import UsageError
from mathrag.library import Library
from mathrag.serve.app import make_app
from mathrag.serve.connections import HttpConnection
from mathrag.serve.logs import log, quiet_others
from mathrag.serve.options import ServeOptions

_BACKLOG = 512
_PATIENCE_SECONDS = 10


def serve(options: ServeOptions) -> None:
    """Serve until a signal to stop comes; requests in the middle may finish."""
    quiet_others()
    # What is wrong with a library is said here, in a sentence; later it would only be in the log.
    Library(options.library, create=True).close()
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
