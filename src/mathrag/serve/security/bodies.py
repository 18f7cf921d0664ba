"""How large and how slow a request may be. Compressed requests are not taken: a small one may hold a huge one."""

from __future__ import annotations

import asyncio
import re
import time

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mathrag.serve.options import Limits
from mathrag.serve.problems import ProblemError
from mathrag.serve.security.replying import header, header_values, turn_away

# Where files are sent.
UPLOAD_PATHS = frozenset(("/api/v1/jobs/uploads", "/library/upload"))
_TAKEN = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
_CHANGING = ("POST", "PUT", "PATCH")
_CHARSET = re.compile(r"charset[^;]*")
_UTF_8 = re.compile(r'charset\s*=\s*"?utf-?8"?\s*')


class BodyGuard:
    """Turns away what is too large, too slow or of a form that is not taken."""

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
    return ("application/json",) if path.startswith(("/api/", "/v1/", "/mcp")) else _TAKEN


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
