"""Changes come from our own pages or from programs, never from a page of somebody else's in the user's browser.

Three fences, each enough by itself: browsers say where a request comes from; the session cookie is not sent along from
other sites; forms carry a secret that only our pages know.
"""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.problems import ProblemError
from mathrag.serve.security.replying import header, header_values, turn_away
from mathrag.serve.security.sessions import Session

SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
FIELD = "csrf"
HEADER = b"x-csrf-token"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


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
    if not given and kind in _FORMS and not scope["path"].startswith(("/api/", "/v1/", "/mcp")):
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
