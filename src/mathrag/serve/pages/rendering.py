"""How a page is made: a template, what it shows, a session; and its `.json` twin from the same data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mathrag import __version__
from mathrag.serve.pages.filters import FILTERS
from mathrag.serve.problems import ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.csrf import FIELD, is_secret
from mathrag.serve.security.sessions import Session
from mathrag.serve.state import state_of

# What the bar at the top lists; whoever adds a page adds its line.
NAVIGATION = (
    ("/", "Ask"),
    ("/library", "Library"),
    ("/graph", "Graph"),
    ("/query", "Query"),
    ("/evaluation", "Evaluation"),
)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates, with everything escaped that is put into them."""
    folder = Path(str(resources.files("mathrag"))) / "serve" / "templates"
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    made.globals.update(navigation=NAVIGATION, version=__version__)
    return made


def page(
    request: Request, template: str, data: Mapping[str, Any], *, status: int = 200, has_twin: bool = True
) -> Response:
    """A page from a template; where the path ends in `.json`, the data itself.

    Templates see `data`, `csrf` (for the hidden field of forms), `path` and `twin` (the address of the JSON).
    """
    if request.url.path.endswith(".json"):
        return JsonReply(dict(data), status)
    state = state_of(request)
    session: Session | None = request.scope.get("mathrag_session")
    fresh = session is None
    session = session or state.sessions.begin(has_token=not state.options.token)
    path = request.url.path
    html = (
        templates()
        .get_template(template)
        .render(
            data=data,
            csrf=session.csrf,
            path=path,
            twin=twin(request) if has_twin else "",
            needs_token=bool(state.options.token),
        )
    )
    reply = HTMLResponse(html, status)
    if fresh:
        state.sessions.put_cookie(reply, session, is_secure=request.url.scheme == "https")
    return reply


def twin(request: Request) -> str:
    """The address of the JSON that a page shows; `/` has it at `/ask.json`."""
    path = request.url.path.rstrip("/") or "/ask"
    query = f"?{request.url.query}" if request.url.query and request.method == "GET" else ""
    return f"{path}.json{query}"


async def checked_form(request: Request, *, most_files: int = 0) -> FormData:
    """The fields of a form that one of our pages sent in this session; every page that takes a form reads it so.

    Whoever takes files closes the form.
    """
    form = await request.form(max_files=most_files, max_fields=200)
    session: Session | None = request.scope.get("mathrag_session")
    given = form.get(FIELD)
    if session is None or not isinstance(given, str) or not is_secret(given, session):
        await form.close()
        raise ProblemError(403, "the page is out of date; load it again, then repeat what you did", code="csrf")
    return form


def problem_page(request: Request, problem: ProblemError) -> Response:
    """A problem for people: what is wrong and what to do. Needs no session and no library."""
    html = templates().get_template("problem.html").render(
        data={"status": problem.status, "detail": problem.detail, "code": problem.code},
        csrf="", path=request.url.path, twin="", needs_token=False,
    )  # fmt: skip
    return HTMLResponse(html, problem.status, headers=problem.headers)
