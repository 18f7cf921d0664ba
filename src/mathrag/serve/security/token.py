"""Who may use a server that has a token: a program with `Authorization: Bearer …`, a browser after signing in."""

from __future__ import annotations

import hashlib
import hmac

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.problems import ProblemError, is_for_people
from mathrag.serve.security.rate import Buckets, client_of, too_often
from mathrag.serve.security.replying import header_values, turn_away
from mathrag.serve.security.sessions import Sessions

OPEN_PATHS = frozenset(("/healthz", "/login"))


def is_token(given: str, token: str) -> bool:
    """Whether a text is the token. Digests of equal length are compared, in a time that tells nothing."""
    first = hashlib.sha256(given.encode("utf-8", "replace")).digest()
    second = hashlib.sha256(token.encode("utf-8", "replace")).digest()
    return hmac.compare_digest(first, second)


class TokenGuard:
    """Turns away whoever does not know the token. Without a token everybody may, and nobody but loopback can."""

    def __init__(self, app: ASGIApp, *, token: str, sessions: Sessions, wrong: Buckets) -> None:
        self.app = app
        self.token = token
        self.sessions = sessions
        self.wrong = wrong

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        session = self.sessions.find(scope)
        scope["mathrag_session"] = session
        problem = self._problem(scope, may_enter=session is not None and session.has_token)
        if problem is None:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if problem.status == 401 and request.method in ("GET", "HEAD") and is_for_people(request):
            await RedirectResponse("/login", 303)(scope, receive, send)
            return
        await turn_away(problem, scope, receive, send)

    def _problem(self, scope: Scope, *, may_enter: bool) -> ProblemError | None:
        path = scope["path"]
        if not self.token or path in OPEN_PATHS or path.startswith("/static/"):
            return None
        given = header_values(scope, b"authorization")
        if not given:
            return None if may_enter else _needed("this server wants its token: send `Authorization: Bearer TOKEN`")
        # Others may guess from the address of somebody who knows the token; that must not keep out who knows it.
        kind, _, value = given[0].partition(" ")
        if len(given) == 1 and kind.lower() == "bearer" and is_token(value.strip(), self.token):
            scope["mathrag_bearer"] = True
            return None
        wait = self.wrong.take(client_of(scope))
        return too_often(wait) if wait else _needed("this is not the token of this server")


def _needed(detail: str) -> ProblemError:
    return ProblemError(401, detail, headers={"WWW-Authenticate": "Bearer"})
