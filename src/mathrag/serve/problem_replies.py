"""A problem in the form that the client can read: a plain page for people, an object for programs.

Has every error of every route end so. What an error means is said in `problems.py`.
"""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from mathrag.errors import MathragError, readable
from mathrag.serve.logs import log_failure
from mathrag.serve.pages.templates import templates
from mathrag.serve.problems import ProblemError, as_problem, openai_error, problem_reply

# The one page for people among the paths for programs.
_DOCS = "/api/v1/docs"
# What is under these is asked for by programs; browsers of people come everywhere else.
PROGRAM_PATHS = ("/api/", "/v1/", "/mcp")


def is_for_people(request: Request) -> bool:
    """Whether a page is wanted rather than data."""
    path = request.url.path
    return (
        (path == _DOCS or not path.startswith(PROGRAM_PATHS))
        and not path.endswith(".json")
        and "text/html" in (request.headers.get("accept", ""))
    )


def install(app: FastAPI) -> None:
    """Have every error of every route end as a problem."""

    async def reply(request: Request, error: Exception) -> Response:
        problem = as_problem(error)
        if problem.status == 500:
            log_failure(request, error)
        return reply_to(request, problem)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        # What was sent is not repeated: it may be anything, and of any size.
        listed = [
            {
                "place": [str(part)[:100] for part in each.get("loc", ())][:20],
                "message": readable(str(each.get("msg", ""))),
            }
            for each in error.errors()[:20]
        ]
        first = listed[0] if listed else {"place": [], "message": "the request is not as documented"}
        detail = f"{'.'.join(first['place'])}: {first['message']}"
        if _is_openai(request.url.path):
            return openai_error(ProblemError(422, detail, code="invalid"))
        return problem_reply(422, detail, path=request.url.path, errors=listed)

    for kind in (ProblemError, MathragError, HTTPException):
        app.add_exception_handler(kind, reply)
    app.add_exception_handler(RequestValidationError, invalid)


def reply_to(request: Request, problem: ProblemError) -> Response:
    """A problem in the form that the client can read."""
    if is_for_people(request):
        return _problem_page(request, problem)
    path = request.url.path
    if _is_openai(path):
        return openai_error(problem)
    return problem_reply(problem.status, problem.detail, code=problem.code, path=path, headers=problem.headers)


def _is_openai(path: str) -> bool:
    return path.startswith("/v1/")


def _problem_page(request: Request, problem: ProblemError) -> Response:
    """A problem for people: what is wrong and what to do. Needs no session and no library."""
    html = templates().get_template("problem.html").render(
        data={"status": problem.status, "detail": problem.detail, "code": problem.code},
        csrf="", path=request.url.path, twin="", needs_token=False,
    )  # fmt: skip
    return HTMLResponse(html, problem.status, headers=problem.headers)
