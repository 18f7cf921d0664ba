"""A page as a reply: a template, what it shows, a session; its `.json` twin from the same data; the forms it sends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mathrag.serve.pages.templates import NAVIGATION, templates
from mathrag.serve.problems import ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.roles import Client, may
from mathrag.serve.security.sessions import FIELD, Session, is_secret
from mathrag.serve.state import state_of, states_of


def page(
    request: Request, template: str, data: Mapping[str, Any], *, status: int = 200, has_twin: bool = True
) -> Response:
    """A page from a template; where the path ends in `.json`, the data itself.

    Templates see `data`, `csrf` (for the hidden field of forms), `path`, `twin` (the address of the JSON) and `may`,
    which says whether whoever looks at the page may use a route: forms and links to what is refused are left out.
    """
    if request.url.path.endswith(".json"):
        return JsonReply(dict(data), status)
    state = state_of(request)
    session: Session | None = request.scope.get("mathrag_session")
    fresh = session is None
    if session is None:
        session = state.sessions.begin(has_token=not state.options.needs_token)
        session.library = state.name
    path = request.url.path
    html = (
        templates()
        .get_template(template)
        .render(
            data=data,
            csrf=session.csrf,
            path=path,
            twin=twin(request) if has_twin else "",
            needs_token=state.options.needs_token,
            client=request.scope.get("mathrag_client"),
            may=permits(request),
            libraries=_choice(request, state.name),
        )
    )
    reply = HTMLResponse(html, status)
    if fresh:
        state.sessions.put_cookie(reply, session, is_secure=request.url.scheme == "https")
    return reply


def permits(request: Request) -> Callable[[str], bool]:
    """Whether whoever asks may use a route; what templates know as `may`."""
    client: Client | None = request.scope.get("mathrag_client")
    return lambda route: may(client, route)


def _choice(request: Request, shown: str) -> list[dict[str, Any]]:
    """The libraries to choose from, each with the address of this sort of page in it; none where there is only one."""
    names = tuple(states_of(request))
    first = f"/{request.url.path.split('/')[1]}"
    section = first if first in dict(NAVIGATION) else "/"
    chosen = [{"name": name, "href": f"{section}?library={name}", "is_shown": name == shown} for name in names]
    return chosen if len(names) > 1 else []


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
