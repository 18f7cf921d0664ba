"""Which of the served libraries a request means: `?library=NAME`, else the one that the session's pages show, else the
usual one. Opens none of them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.problem_replies import PROGRAM_PATHS
from mathrag.serve.problems import ProblemError
from mathrag.serve.security.request_guards import turn_away
from mathrag.serve.security.sessions import SAFE_METHODS, Session

PARAMETER = "library"


class LibraryGuard:
    """Writes down which library a request means; one that names no library of ours is turned away.

    Pages follow: whoever opens a page of a library goes on in it, until a page of another one is opened.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self.app = app
        self.names = tuple(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        named = _named(scope)
        if named is not None and named not in self.names:
            await turn_away(no_library(named, self.names), scope, receive, send)
            return
        session: Session | None = scope.get("mathrag_session")
        shown = session.library if session is not None and session.library in self.names else self.names[0]
        if session is not None:
            is_page = scope["method"] in SAFE_METHODS and not scope["path"].startswith(PROGRAM_PATHS)
            session.library = named if named is not None and is_page else shown
        # A program that shows its token belongs to no session, whatever cookies it sends along.
        usual = self.names[0] if scope.get("mathrag_bearer") else shown
        scope["mathrag_library"] = named if named is not None else usual
        await self.app(scope, receive, send)


def no_library(name: str, names: Sequence[str]) -> ProblemError:
    """That there is no library of a name."""
    return ProblemError(404, f"there is no library {name[:60]!r} here; there is {', '.join(names)}", code="no_library")


def _named(scope: Scope) -> str | None:
    """The library that the address names; naming several names none of ours."""
    if PARAMETER.encode() not in scope["query_string"]:
        return None
    found = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get(PARAMETER)
    return None if found is None else found[0] if len(found) == 1 else ""
