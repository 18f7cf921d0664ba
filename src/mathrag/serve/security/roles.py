"""What each route needs, in one table, and the one guard that checks it. A route that is not in the table is refused.

Among all routes that a request could mean, the one that needs most decides: no order of routes opens a door.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import compile_path
from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.problem_replies import reply_to
from mathrag.serve.problems import ProblemError
from mathrag.serve.security.request_guards import turn_away
from mathrag.serve.security.users import Role

# Needs nobody: whether the server is well, signing in, styles and scripts.
OPEN: Final = 0
_NOBODY: Final = 99

_OPEN = "GET /healthz|GET /login|POST /login"
# Asks, searches, reads, computes, and what belongs to one's own session.
_READER = """
GET /|POST /|GET /c/{identifier}
GET /ask.json|POST /ask.json|POST /ask/stream|POST /ask/forget|POST /ask/export|POST /ask/recompute.json
GET /ask/plot|GET /ask/plot.json|GET /ask/plot.svg|GET /source|GET /source.json
GET /check|GET /check.json|POST /check|POST /logout
GET /library|GET /library.json|GET /library/jobs/{job}|GET /library/jobs/{job}.json|GET /library/jobs/{job}/card
GET /library/documents/{document}|GET /library/documents/{document}.json
GET /formulas|GET /formulas.json|GET /formulas/{formula}|GET /formulas/{formula}.json
GET /formulas/{formula}/picture.png
GET /constants|GET /constants.json|GET /constants/{constant}|GET /constants/{constant}.json
GET /concepts|GET /concepts.json|GET /concepts/{concept}|GET /concepts/{concept}.json
GET /review|GET /review.json
GET /graph|GET /graph.json|GET /graph/picture.svg|GET /graph/parts.json|GET /graph/card|GET /graph/card.json
GET /query|GET /query.json|GET /query/{language}|GET /query/{language}.json|GET /query/{language}/result.{form}
GET /evaluation|GET /evaluation.json|GET /evaluation/{run}|GET /evaluation/{run}.json
GET /evaluation/{run}/compare|GET /evaluation/{run}/compare.json
GET /evaluation/{run}/question|GET /evaluation/{run}/question.json
GET /api/v1/docs|GET /api/v1/docs.json|GET /api/v1/openapi.json
POST /api/v1/ask|GET /api/v1/ask/stream|POST /api/v1/ask/stream
POST /api/v1/compute|POST /api/v1/compute/sweep|GET /api/v1/search
GET /api/v1/formulas|GET /api/v1/formulas/{formula}|GET /api/v1/formulas/{formula}/relations
GET /api/v1/formulas/{formula}/instances|GET /api/v1/formulas/{formula}/source
GET /api/v1/formulas/{formula}/corrections
GET /api/v1/constants|GET /api/v1/constants/{constant}|GET /api/v1/concepts|GET /api/v1/concepts/{concept}
GET /api/v1/documents|GET /api/v1/documents/{document}|GET /api/v1/documents/{document}/passage
GET /api/v1/documents/{document}/pages/{number}|GET /api/v1/documents/{document}/pages/{number}/picture
GET /api/v1/jobs|GET /api/v1/jobs/{job}|GET /api/v1/jobs/{job}/events
GET /api/v1/library|GET /api/v1/conflicts|GET /api/v1/quarantined
POST /api/v1/sql|POST /api/v1/sparql|GET /api/v1/export
POST /api/v1/check-solution|POST /api/v1/check-solution/uploads
GET /v1/models|GET /v1/models/{name}|POST /v1/chat/completions|POST /mcp
GET /worksheets|GET /worksheets.json|POST /worksheets/evaluate|POST /worksheets/export
GET /api/v1/worksheets|GET /api/v1/worksheets/{name}|POST /api/v1/worksheets/evaluate|POST /api/v1/worksheets/export
POST /v1/responses|GET /v1/responses/{response}|DELETE /v1/responses/{response}
"""
# Adds documents and corrects what was read.
_EDITOR = """
POST /library/upload|POST /library/cancel|POST /library/reread|POST /library/retry|POST /library/forget
POST /library/clear|POST /library/starter|POST /library/openmath
POST /formulas/{formula}/edit|POST /formulas/{formula}/undo|POST /review/status|POST /review/undo
POST /worksheets/save|POST /worksheets/remove|PUT /api/v1/worksheets/{name}|DELETE /api/v1/worksheets/{name}
POST /api/v1/jobs/uploads|POST /api/v1/jobs/{job}/cancel
PATCH /api/v1/formulas/{formula}|DELETE /api/v1/formulas/{formula}/corrections/{number}
"""
# Takes documents out, says which are trusted, has files of the machine read, and sees the figures of the server.
_OWNER = """
GET /library/documents/{document}/remove|GET /library/documents/{document}/remove.json
POST /library/remove|POST /library/trust|POST /api/v1/jobs
DELETE /api/v1/documents/{document}|PUT /api/v1/documents/{document}/trust|GET /metrics
"""


def _declared() -> dict[tuple[str, str], int]:
    made: dict[tuple[str, str], int] = {}
    for need, text in ((OPEN, _OPEN), (Role.READER, _READER), (Role.EDITOR, _EDITOR), (Role.OWNER, _OWNER)):
        for line in text.strip().replace("|", "\n").splitlines():
            method, path = line.split(" ", 1)
            assert (method, path) not in made, f"{line} is declared twice"
            made[method, path] = need
    return made


NEEDS: Mapping[tuple[str, str], int] = _declared()


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: a user of the file, or whoever knows the server's token, or anybody where there is neither."""

    name: str
    role: Role
    is_user: bool = False


def may(client: Client | None, route: str) -> bool:
    """Whether a client may use a route, written as in the table: `POST /library/upload`. Pages leave out the others.

    A route that the table does not name is a mistake of whoever asks, and raises.
    """
    method, path = route.split(" ", 1)
    return NEEDS[method, path] <= (OPEN if client is None else client.role)


@dataclass(frozen=True, slots=True)
class _Rule:
    method: str
    pattern: re.Pattern[str]
    need: int


class RoleGuard:
    """Turns away whoever lacks the role that a route needs, before anything of the request is read.

    `routes` are all that the app has; those that the table does not name are for nobody, and paths that are no route
    end here.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[tuple[str, str]]) -> None:
        self.app = app
        self.rules = [
            _Rule(method, compile_path(path)[0], NEEDS.get((method, path), _NOBODY)) for method, path in routes
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        matching = [rule for rule in self.rules if rule.pattern.match(path)]
        if not matching and path.endswith("/") and any(rule.pattern.match(path.rstrip("/")) for rule in self.rules):
            await RedirectResponse(URL(scope=scope).replace(path=path.rstrip("/")))(scope, receive, send)
            return
        problem = self._problem(scope, matching)
        if problem is None:
            await self.app(scope, receive, send)
        elif problem.status == 403:
            await turn_away(problem, scope, receive, send)
        else:
            await reply_to(Request(scope), problem)(scope, receive, send)

    def _problem(self, scope: Scope, matching: list[_Rule]) -> ProblemError | None:
        if not matching:
            return ProblemError(404, "Not Found")
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        needs = [rule.need for rule in matching if rule.method == method]
        if not needs:
            allowed = sorted({rule.method for rule in matching})
            return ProblemError(405, "Method Not Allowed", headers={"Allow": ", ".join(allowed)})
        need = max(needs)
        if need == OPEN:
            return None
        if need == _NOBODY:
            return ProblemError(403, "nobody may use this: it is not said which role it needs", code="undeclared")
        client: Client = scope["mathrag_client"]
        if client.role >= need:
            return None
        return ProblemError(
            403, f"this needs the role {Role(need).word}; {client.name} has the role {client.role.word}", code="role"
        )
