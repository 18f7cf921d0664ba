"""Sessions of browsers: a cookie that says nothing, and behind it a secret for forms. In memory.

A session is no proof of anything but that the token was given once, where the server has one. Changes come from our own
pages or from programs, never from a page of somebody else's in the user's browser. Three fences, each enough by itself:
browsers say where a request comes from; the session cookie is not sent along from other sites; forms carry a secret
that only our pages know.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.problem_replies import PROGRAM_PATHS
from mathrag.serve.problems import ProblemError
from mathrag.serve.security.request_guards import header, header_values, turn_away

COOKIE = "mathrag_session"
# Of each sort, with and without the token: a few megabytes, however many strangers come.
_MOST = 5_000
# Unused for so long, a working day, a session ends.
_SECONDS = 12 * 3600.0
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
FIELD = "csrf"
HEADER = b"x-csrf-token"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(slots=True)
class Session:
    """What is known of one browser. `has_token` where it gave a token, or where none is needed; it never changes.

    `user` and `proof` are the name and the hash of whose token it was, empty for the server's own. `library` is the one
    that its pages show.
    """

    id: str
    secret: str
    has_token: bool = False
    seen: float = 0.0
    user: str = ""
    proof: str = ""
    library: str = ""

    @property
    def csrf(self) -> str:
        """The secret of the forms: another one for each library, so that a page that is still open from one library
        changes nothing in another."""
        return hmac.new(self.secret.encode(), self.library.encode(), hashlib.sha256).hexdigest()


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

    def begin(self, *, has_token: bool = False, user: str = "", proof: str = "") -> Session:
        """A new session. One that gains a right is always a new one, so that no known cookie gains it."""
        made = Session(secrets.token_urlsafe(32), secrets.token_urlsafe(32), has_token, time.monotonic(), user, proof)
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


class OriginGuard:
    """Turns away changes that another site's page asks for, and changes of a session without its secret.

    A form of ours carries the secret in a field; its page checks that (`checked_form`), for only it reads the body.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            problem = _problem(scope)
            if problem is not None:
                await turn_away(problem, scope, receive, send)
                return
        await self.app(scope, receive, send)


def _problem(scope: Scope) -> ProblemError | None:
    site = header(scope, b"sec-fetch-site").strip().lower()
    if site not in ("", "same-origin", "none"):
        return _foreign()
    origins = header_values(scope, b"origin")
    if len(origins) > 1 or (origins and not _is_same(origins[0], header(scope, b"host"))):
        return _foreign()
    session = scope.get("mathrag_session")
    if session is None or scope.get("mathrag_bearer"):
        # Nothing is done in anybody's name: a program, or a browser that has not been here before.
        return None
    kind = header(scope, b"content-type").split(";")[0].strip().lower()
    given = header(scope, HEADER)
    if not given and kind in _FORMS and not scope["path"].startswith(PROGRAM_PATHS):
        return None
    if not is_secret(given, session):
        return ProblemError(403, "the page is out of date; load it again, then repeat what you did", code="csrf")
    return None


def refuse_other_sites(request: Request) -> None:
    """Turn away a costly page that another site's page loads in passing, as a picture or by script; whoever follows a
    link from there may see it."""
    headers = request.headers
    if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode", "navigate") != "navigate":
        raise ProblemError(403, "a page of another site asked for this, so it was not made", code="cross_site")


def is_secret(given: str, session: Session) -> bool:
    """Whether a text is the secret of a session's forms."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), session.csrf.encode())


def _is_same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.netloc.lower() == host.strip().lower()


def _foreign() -> ProblemError:
    return ProblemError(403, "the page of another site asked for this change, so it was not made", code="cross_site")
