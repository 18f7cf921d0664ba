"""What every request must be like, whoever sends it: meant for this server, not too large, not too slow. And what every
reply tells a browser not to do.

Also how any guard turns a request away: as a problem, in the form the client reads. Who may ask is said in `access.py`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mathrag.serve.options import Limits, ServeOptions, is_loopback
from mathrag.serve.problem_replies import PROGRAM_PATHS, reply_to
from mathrag.serve.problems import ProblemError

# Where files are sent.
UPLOAD_PATHS = frozenset(("/api/v1/jobs/uploads", "/library/upload", "/api/v1/check-solution/uploads", "/check"))
_TAKEN = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
_CHANGING = ("POST", "PUT", "PATCH")
_CHARSET = re.compile(r"charset[^;]*")
_UTF_8 = re.compile(r'charset\s*=\s*"?utf-?8"?\s*')
# No foreign resource, no inline script, no frame.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: with that, browsers send our own forms with the origin `null`, which the guard turns away.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


async def turn_away(problem: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
    """End a request with a problem. What the client still sends is left unread, so the connection closes."""
    reply = reply_to(Request(scope), problem)
    reply.headers["Connection"] = "close"
    await reply(scope, receive, send)


def header_values(scope: Scope, name: bytes) -> list[str]:
    """All values of a header, in the order they came."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def header(scope: Scope, name: bytes) -> str:
    """The one value of a header; empty where there is none."""
    found = header_values(scope, name)
    return found[0] if found else ""


class HostGuard:
    """Turns away requests for hosts that are not ours.

    Against DNS rebinding: a stranger's page may point its own name at this machine, and a browser would then let it
    read everything here.
    """

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self.app = app
        self.options = options
        self.names = _names(options)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        hosts = header_values(scope, b"host")
        if len(hosts) != 1 or not self.is_ours(hosts[0]):
            problem = ProblemError(
                421, "this server does not answer to that host name; name it with --allow-host", code="host"
            )
            await turn_away(problem, scope, receive, send)
            return
        await self.app(scope, receive, send)

    def is_ours(self, value: str) -> bool:
        """Whether a Host header names this server."""
        name = host_name(value)
        if name is None:
            return False
        if name in self.names or is_loopback(name):
            return True
        # A number cannot be rebound; only names can.
        return self.options.is_public and _is_address(name)


def _names(options: ServeOptions) -> frozenset[str]:
    named: Iterable[str] = (options.host, *options.hosts)
    return frozenset(name.strip("[]").lower() for name in named if name not in ("0.0.0.0", "::", ""))  # noqa: S104


def host_name(value: str) -> str | None:
    """The name in a Host header, without its port; None where it is malformed."""
    text = value.strip().lower()
    if text.startswith("["):
        name, bracket, port = text[1:].partition("]")
        port = port.removeprefix(":") if port else "0"
        return name if bracket and port.isdigit() and _is_address(name) else None
    name, colon, port = text.partition(":")
    if not name or (colon and not (port.isascii() and port.isdigit())):
        return None
    return name.rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class BodyGuard:
    """Turns away what is too large, too slow or of a form that is not taken.

    Compressed requests are not taken: a small one may hold a huge one.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_upload = scope["path"] in UPLOAD_PATHS
        most = self.limits.upload_bytes if is_upload else self.limits.body_bytes
        problem = self._problem_at_once(scope, most, is_upload=is_upload)
        if problem is not None:
            await turn_away(problem, scope, receive, send)
            return
        seconds = self.limits.upload_seconds if is_upload else self.limits.body_seconds
        await self.app(scope, _Body(receive, most=most, seconds=seconds).receive, send)

    def _problem_at_once(self, scope: Scope, most: int, *, is_upload: bool) -> ProblemError | None:
        """What the headers alone give away."""
        if header(scope, b"content-encoding").strip().lower() not in ("", "identity"):
            return ProblemError(415, "compressed requests are not taken; send the body as it is", code="encoding")
        lengths = header_values(scope, b"content-length")
        if any(not (length.isascii() and length.isdigit()) for length in lengths):
            return ProblemError(400, "the length of the request is no number")
        if lengths and header_values(scope, b"transfer-encoding"):
            # Whoever stands before us may believe the one and we the other: so requests are smuggled in.
            return ProblemError(400, "a request has a length or comes in chunks, not both")
        if any(int(length[:20]) > most for length in lengths):
            return ProblemError(413, f"the request may have {most:,} bytes")
        if scope["method"] not in _CHANGING:
            return None
        has_body = bool(header(scope, b"transfer-encoding")) or any(length.strip("0") for length in lengths)
        kind = header(scope, b"content-type").split(";")[0].strip().lower()
        taken = ("multipart/form-data",) if is_upload else _taken_at(scope["path"])
        if has_body and kind not in taken:
            return ProblemError(415, f"here the body must be {' or '.join(taken)}")
        if not all(map(_UTF_8.fullmatch, _CHARSET.findall(header(scope, b"content-type").lower()))):
            # Some codes take ages to read, and some give half characters.
            return ProblemError(415, "requests are written in UTF-8", code="charset")
        return None


def _taken_at(path: str) -> tuple[str, ...]:
    # Browsers send forms to other sites without asking first, but never JSON: the API takes nothing else.
    return ("application/json",) if path.startswith(PROGRAM_PATHS) else _TAKEN


class BodyProblemError(HTTPException):
    """The body turned out too large or too slow while it was read.

    An error of the framework's own kind, because that is the only one it lets through while it reads a body.
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(status, detail, headers={"Connection": "close"})


class _Body:
    """Counts the bytes and the seconds of one request."""

    def __init__(self, receive: Receive, *, most: int, seconds: float) -> None:
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._deadline: float | None = None
        self._bytes = 0
        self._is_whole = False

    async def receive(self) -> Message:
        """The next part; after the last one only that the client has gone, which may take any time."""
        if self._is_whole:
            return await self._receive()
        now = time.monotonic()
        self._deadline = self._deadline or now + self._seconds
        try:
            message = await asyncio.wait_for(self._receive(), max(0.001, self._deadline - now))
        except TimeoutError:
            raise BodyProblemError(408, f"the request did not arrive within {self._seconds:g} s") from None
        if message["type"] == "http.request":
            self._bytes += len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
            if self._bytes > self._most:
                raise BodyProblemError(413, f"the request may have {self._most:,} bytes")
        return message


class HeaderGuard:
    """Adds the headers to every reply, those of other guards included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_static = scope["path"].startswith("/static/")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if not is_static and "cache-control" not in headers:
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, with_headers)
