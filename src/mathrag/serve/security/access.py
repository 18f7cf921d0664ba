"""Who asks, and how often. A server with tokens takes a program with `Authorization: Bearer …` and a browser after
signing in; a client who asks too often has to wait. Clients are known by their address until they show a token. What
each may do is said in `roles.py`."""

from __future__ import annotations

import hashlib
import hmac
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.errors import UsageError
from mathrag.serve.logs import log
from mathrag.serve.problem_replies import is_for_people
from mathrag.serve.problems import ProblemError
from mathrag.serve.security.request_guards import header_values, turn_away
from mathrag.serve.security.roles import Client
from mathrag.serve.security.sessions import Session, Sessions
from mathrag.serve.security.users import Role, User, UsersFile

# Whether the server is well, and signing in: these must be there for whoever has no token yet.
OPEN_PATHS = frozenset(("/healthz", "/login"))
# Buckets that are kept; a client who is forgotten starts with a full one.
_MOST_CLIENTS = 10_000


class Buckets:
    """A bucket of tokens for each client, refilled steadily. Those unused for long are forgotten, so that strangers
    cannot fill the memory."""

    def __init__(self, a_minute: int, *, burst: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = a_minute / 60
        self.size = float(burst if burst is not None else max(1, a_minute // 4))
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, client: str, amount: float = 1.0) -> float:
        """Take from a client's bucket: 0 where that was possible, else the seconds to wait."""
        with self._lock:
            now = self._clock()
            level = self._level(client, now)
            if level < amount:
                return (amount - level) / self.rate
            self._held[client] = (level - amount, now)
            self._held.move_to_end(client)
            while len(self._held) > _MOST_CLIENTS:
                self._held.popitem(last=False)
            return 0.0

    def seconds_until(self, client: str, amount: float = 1.0) -> float:
        """How long until so much could be taken; nothing is taken."""
        with self._lock:
            return max(0.0, (amount - self._level(client, self._clock())) / self.rate)

    def _level(self, client: str, now: float) -> float:
        level, then = self._held.get(client, (self.size, now))
        return min(self.size, level + (now - then) * self.rate)


def client_of(scope: Scope) -> str:
    """Whom a request comes from: the address of the connection. What headers say about it can be made up."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def too_often(seconds: float) -> ProblemError:
    """The problem for a client who has to wait."""
    wait = max(1, math.ceil(seconds))
    return ProblemError(429, f"too many requests; wait {wait} s", headers={"Retry-After": str(wait)})


class RateGuard:
    """Turns away a client who asks more often than allowed."""

    def __init__(self, app: ASGIApp, a_minute: int | None) -> None:
        self.app = app
        self.buckets = None if a_minute is None else Buckets(a_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self.buckets is not None and scope["path"] != "/healthz":
            wait = self.buckets.take(client_of(scope))
            if wait:
                await turn_away(too_often(wait), scope, receive, send)
                return
        await self.app(scope, receive, send)


def is_token(given: str, token: str) -> bool:
    """Whether a text is the token. Digests of equal length are compared, in a time that tells nothing."""
    first = hashlib.sha256(given.encode("utf-8", "replace")).digest()
    second = hashlib.sha256(token.encode("utf-8", "replace")).digest()
    return hmac.compare_digest(first, second)


_ANYBODY = Client("everybody", Role.OWNER)
_TOKEN_HOLDER = Client("the server's token", Role.OWNER)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a server: its own, those of a users file, both, or none. Its own makes an owner."""

    own: str = ""
    users: UsersFile | None = None

    @property
    def are_needed(self) -> bool:
        """Whether clients have to show one."""
        return bool(self.own) or self.users is not None

    def holder(self, given: str) -> tuple[Client, User | None] | None:
        """Whose token a text is; None where it is nobody's."""
        user = self.users.with_token(given) if self.users is not None else None
        if self.own and is_token(given, self.own):
            return _TOKEN_HOLDER, None
        return None if user is None else (Client(user.name, user.role, is_user=True), user)

    def of_session(self, session: Session | None) -> Client | None:
        """Who is signed in: a user as long as the file names him with the same token, in the role it says now."""
        if session is None or not session.has_token:
            return None
        if not session.user:
            return _TOKEN_HOLDER if self.own else None
        user = self.users.users().get(session.user) if self.users is not None else None
        if user is None or not hmac.compare_digest(user.hash, session.proof):
            return None
        return Client(user.name, user.role, is_user=True)


class TokenGuard:
    """Turns away whoever shows no token. Where there are none everybody may, and nobody but loopback can."""

    def __init__(self, app: ASGIApp, *, tokens: Tokens, sessions: Sessions, wrong: Buckets) -> None:
        self.app = app
        self.tokens = tokens
        self.sessions = sessions
        self.wrong = wrong

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        session = self.sessions.find(scope)
        scope["mathrag_session"] = session
        scope["mathrag_client"] = _ANYBODY
        try:
            problem = self._problem(scope, session)
        except UsageError as error:
            # Somebody has broken the users file, or let others read it: until it is mended nobody is known.
            log("users_file", problem=str(error))
            problem = ProblemError(503, "the users of this server cannot be told apart now; its log says why")
        if problem is None:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if problem.status == 401 and request.method in ("GET", "HEAD") and is_for_people(request):
            await RedirectResponse("/login", 303)(scope, receive, send)
            return
        await turn_away(problem, scope, receive, send)

    def _problem(self, scope: Scope, session: Session | None) -> ProblemError | None:
        path = scope["path"]
        if not self.tokens.are_needed or path in OPEN_PATHS or path.startswith("/static/"):
            return None
        given = header_values(scope, b"authorization")
        if not given:
            client = self.tokens.of_session(session)
            if client is None:
                return _needed("this server wants a token: send `Authorization: Bearer TOKEN`")
            scope["mathrag_client"] = client
            return None
        # Others may guess from the address of somebody who knows the token; that must not keep out who knows it.
        kind, _, value = given[0].partition(" ")
        holder = self.tokens.holder(value.strip()) if len(given) == 1 and kind.lower() == "bearer" else None
        if holder is not None:
            scope["mathrag_bearer"] = True
            scope["mathrag_client"] = holder[0]
            return None
        wait = self.wrong.take(client_of(scope))
        return too_often(wait) if wait else _needed("this is no token of this server")


def _needed(detail: str) -> ProblemError:
    return ProblemError(401, detail, headers={"WWW-Authenticate": "Bearer"})
