"""How a page is made: a template, what it shows, a session; and its `.json` twin from the same data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mathrag import __version__
from mathrag.library.views.mathml import mathml_of_latex, mathml_of_symbol, percent, plain_symbol
from mathrag.serve.problems import ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.csrf import FIELD, is_secret
from mathrag.serve.security.sessions import Session
from mathrag.serve.state import state_of

# What templates do with values: numbers, sizes, and formulas as MathML. Only our own printer's markup is trusted.


@lru_cache(maxsize=4_096)
def mathml(latex: str) -> Markup:
    """A formula for the eye. What our reader does not understand is shown as its source."""
    found = mathml_of_latex(latex)
    if found is None:
        return Markup('<code class="latex">{}</code>').format(latex)
    return Markup(found)  # noqa: S704 - written by our printer, which escapes every name


@lru_cache(maxsize=4_096)
def symbol(name: str) -> Markup:
    """The name of a symbol for the eye; `step1.m` is said to be that of step 1."""
    prefix, dot, bare = name.rpartition(".")
    found = mathml_of_symbol(bare)
    shown = Markup("<code>{}</code>").format(bare) if found is None else Markup(found)  # noqa: S704 - our printer
    if not dot:
        return shown
    return Markup('{} <small class="quiet">({})</small>').format(shown, prefix.replace("step", "step "))


def number(value: Any) -> str:
    """A number as people write it, at most six figures."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,.6g}" if abs(value) < 1e15 else f"{value:.6g}"


def size(count: int) -> str:
    """A number of bytes for people."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def unit_text(unit: str | None) -> Markup:
    """A unit with raised exponents and dots."""
    if not unit:
        return Markup("")
    parts: list[Markup] = []
    for piece in unit.replace("**", "^").replace("*", " · ").split("^"):
        if not parts:
            parts.append(escape(piece))
            continue
        power = piece[: next((at for at, sign in enumerate(piece) if sign not in "-0123456789./"), len(piece))]
        power = power.rstrip("/.") if not power.rstrip("/.").endswith("/") else power
        rest = piece[len(power) :]
        parts.append(Markup("<sup>{}</sup>{}").format(power, rest))
    return Markup("").join(parts)


def symbol_words(name: str) -> str:
    """The name of a symbol as plain text for people: `ω`."""
    return plain_symbol(name)


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def unit_words(unit: str | None) -> str:
    """A unit as plain text for people: `kg·m²`."""
    parts = (unit or "").replace("**", "^").replace("*", "·").split("^")
    made = parts[:1]
    for piece in parts[1:]:
        end = next((at for at, sign in enumerate(piece) if sign not in "-0123456789"), len(piece))
        made.append(piece[:end].translate(_RAISED) + piece[end:] if end else f"^{piece}")
    return "".join(made)


def drawn(svg: str) -> Markup:
    """A picture that `plots` has written."""
    return Markup(svg)  # noqa: S704 - written by our own plots, which escape every text


_ENTRIES = {"f": "/formulas/", "c": "/constants/", "d": "/library/documents/"}
_ENTRY = re.compile(r"(?:formula:|constant:|document:)?(?P<id>(?P<kind>[fcd])-[0-9a-f]{12})")


def entry_href(value: Any) -> str:
    """The page of an entry where a value is its id, or its name in the graph; empty for anything else."""
    found = _ENTRY.fullmatch(value) if isinstance(value, str) else None
    return "" if found is None else f"{_ENTRIES[found['kind']]}{found['id']}"


FILTERS: dict[str, Callable[..., Any]] = {
    "entry_href": entry_href,
    "mathml": mathml,
    "number": number,
    "percent": percent,
    "size": size,
    "symbol": symbol,
    "drawn": drawn,
    "symbol_words": symbol_words,
    "unit": unit_text,
}

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
