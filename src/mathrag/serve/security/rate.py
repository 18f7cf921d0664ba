"""How often one client may ask: a bucket of tokens for each, refilled steadily. Knows clients by their address only."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.problems import ProblemError
from mathrag.serve.security.replying import turn_away

_MOST_CLIENTS = 10_000


class Buckets:
    """One bucket a client; those unused for long are forgotten, so that strangers cannot fill the memory."""

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
