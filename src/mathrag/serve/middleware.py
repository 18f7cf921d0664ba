"""Layers around every request that turn nobody away: a number for it, a line in the log, figures; a reply even when
something breaks inside; and HEAD wherever GET is answered. Those that do turn away are in `security/`."""

from __future__ import annotations

import secrets
import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mathrag.serve.logs import log, log_failure
from mathrag.serve.metrics import Metrics
from mathrag.serve.problem_replies import reply_to
from mathrag.serve.problems import as_problem
from mathrag.serve.routes import API_PREFIX
from mathrag.serve.security.access import client_of

# What is no route of a router does not tell its path.
_PLAIN = frozenset(("/mcp", f"{API_PREFIX}/openapi.json"))
_QUIET = ("/healthz", "/metrics", "/static/")


class Watch:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0
        number = scope["mathrag_request"] = secrets.token_hex(6)

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", number.encode())]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            self._told(scope, status, time.perf_counter() - began)

    def _told(self, scope: Scope, status: int, seconds: float) -> None:
        name = _pattern(scope)
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE") else "other"
        self.metrics.count("mathrag_requests_total", method=method, route=name, status=str(status))
        self.metrics.observe("mathrag_request_seconds", seconds, route=name)
        if not scope["path"].startswith(_QUIET):
            log(
                "request",
                request=scope["mathrag_request"],
                method=method,
                path=scope["path"][:200],
                status=status,
                milliseconds=round(seconds * 1000, 1),
                client=client_of(scope),
            )


def _pattern(scope: Scope) -> str:
    """The path as the route itself writes it, `/formulas/{formula}`: what clients send makes no series."""
    path = scope["path"]
    if path.startswith("/static/"):
        return "/static"
    route = getattr(scope.get("route"), "path", None)
    if not isinstance(route, str):
        return path if path in _PLAIN else "other"
    # A route may know its path within its router only.
    return f"{API_PREFIX}{route}" if path.startswith(f"{API_PREFIX}/") and not route.startswith(API_PREFIX) else route


class Catch:
    """Around everything that answers: what nobody foresaw becomes a problem, is written down, and ends there."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            request = Request(scope)
            log_failure(request, error)
            if not has_begun:
                await reply_to(request, as_problem(error))(scope, receive, send)


class Heads:
    """Asks the app as if for GET and keeps the body back: the same status and headers, and a stream ends at its first
    part. The tools at `/mcp` answer for themselves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"].startswith("/mcp"):
            await self.app(scope, receive, send)
            return
        has_ended = False

        async def without_body(message: Message) -> None:
            nonlocal has_ended
            if message["type"] == "http.response.start":
                await send(message)
            elif has_ended:
                # What an ended connection is to whoever writes to it; streams stop at that.
                raise OSError("the reply has ended")
            else:
                has_ended = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def gone_at_the_end() -> Message:
            return {"type": "http.disconnect"} if has_ended else await receive()

        try:
            await self.app({**scope, "method": "GET"}, gone_at_the_end, without_body)
        except Exception:
            if not has_ended:
                raise
