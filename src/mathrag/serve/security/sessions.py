"""Sessions of browsers: a cookie that says nothing, and behind it a secret for forms and a little history. In memory.

A session is no proof of anything but that the token was given once, where the server has one.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response
from starlette.types import Scope

from mathrag.serve.security.replying import header_values

COOKIE = "mathrag_session"
_MOST = 5_000
_SECONDS = 12 * 3600.0
_MOST_HISTORY = 50


@dataclass(slots=True)
class Session:
    """What is known of one browser. `has_token` where it gave the token, or where none is needed; it never changes."""

    id: str
    csrf: str
    has_token: bool = False
    seen: float = 0.0
    history: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=_MOST_HISTORY))


class Sessions:
    """All sessions; the longest unused are forgotten.

    Those with the token are counted apart: strangers who come by the thousand push out only each other.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._held: dict[bool, OrderedDict[str, Session]] = {True: OrderedDict(), False: OrderedDict()}
        self._lock = threading.Lock()

    def find(self, scope: Scope) -> Session | None:
        """The session that a request's cookie names; the first that is ours where several cookies come."""
        for line in header_values(scope, b"cookie"):
            for pair in line.split(";")[:100]:
                name, _, value = pair.strip().partition("=")
                if name == COOKIE and (found := self._found(value.strip('"'))) is not None:
                    return found
        return None

    def _found(self, identifier: str) -> Session | None:
        with self._lock:
            found = self._held[True].get(identifier) or self._held[False].get(identifier)
            if found is None:
                return None
            held = self._held[found.has_token]
            if time.monotonic() - found.seen > _SECONDS:
                del held[identifier]
                return None
            found.seen = time.monotonic()
            held.move_to_end(identifier)
            return found

    def begin(self, *, has_token: bool = False) -> Session:
        """A new session. One that gains a right is always a new one, so that no known cookie gains it."""
        made = Session(secrets.token_urlsafe(32), secrets.token_urlsafe(32), has_token, time.monotonic())
        with self._lock:
            held = self._held[has_token]
            held[made.id] = made
            while len(held) > self._most:
                held.popitem(last=False)
        return made

    def end(self, session: Session) -> None:
        """Forget a session."""
        with self._lock:
            self._held[session.has_token].pop(session.id, None)

    @staticmethod
    def put_cookie(reply: Response, session: Session, *, is_secure: bool) -> None:
        """Have the browser keep the session until it is closed."""
        reply.set_cookie(COOKIE, session.id, httponly=True, samesite="strict", secure=is_secure, path="/")
