"""Around every request: a number for it, a line in the log, figures, and a reply even when something breaks inside."""

from __future__ import annotations

import secrets
import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mathrag.serve.api_routes import PREFIX
from mathrag.serve.logs import log, log_failure
from mathrag.serve.metrics import Metrics
from mathrag.serve.problems import as_problem, reply_to
from mathrag.serve.security.rate import client_of

# What is no route of a router does not tell its path.
_PLAIN = frozenset(("/mcp", f"{PREFIX}/openapi.json"))
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
    return f"{PREFIX}{route}" if path.startswith(f"{PREFIX}/") and not route.startswith(PREFIX) else route


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
