"""What goes wrong, as clients see it: RFC 9457 problem objects, and under `/v1` the shape that OpenAI's clients read.

The one place where errors of the library become a status and a stable code. Nothing of the inside is told. Which form a
client gets, and the page for people, is decided in `problem_replies.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from mathrag.errors import (
    AskingError,
    DocumentError,
    EvaluationError,
    FormulaError,
    LibraryError,
    MathragError,
    ModelError,
    QueryError,
    SolveError,
    UnitError,
    UsageError,
    readable,
)
from mathrag.serve.replies import json_bytes

MEDIA_TYPE = "application/problem+json"
_TYPES = "urn:mathrag:problem:"
_TITLES = {
    400: "The request cannot be understood",
    401: "A token is needed",
    403: "This is not allowed",
    404: "There is no such thing",
    405: "This cannot be done here",
    406: "No such format",
    408: "The request came too slowly",
    409: "This cannot be done now",
    413: "The request is too large",
    415: "The request has a form that is not taken",
    421: "Another server is meant",
    422: "The request asks for something that cannot be done",
    429: "Too many requests",
    431: "The headers are too large",
    499: "The client has gone",
    500: "Something went wrong inside",
    502: "The language model failed",
    503: "Not now",
    504: "It took too long",
}
_CODES = {
    400: "bad_request", 401: "token_needed", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
    408: "too_slow", 409: "conflict", 413: "too_large", 415: "media_type", 422: "invalid", 429: "rate_limited",
    500: "internal", 503: "busy", 504: "timeout",
}  # fmt: skip
_ASKING = {"busy": 503, "timeout": 504, "closed": 503, "unusable": 503, "cancelled": 499}


class Problem(BaseModel):
    """An RFC 9457 problem object. `code` and `type` are stable; `detail` is a sentence for people."""

    type: str = Field(description="A stable name of the sort of problem, `urn:mathrag:problem:` and the code.")
    title: str = Field(description="What sort of problem it is, in words.")
    status: int = Field(description="The status of the reply, once more.")
    detail: str = Field(description="What is wrong here and what to do, in a sentence.")
    code: str = Field(description="A stable code for programs.")
    instance: str = Field(description="The path that was asked for.")
    errors: list[dict[str, Any]] = Field(
        default_factory=list, description="Which fields are wrong, where that is known."
    )


class ProblemError(Exception):
    """Raised by whoever serves a request to end it with a problem."""

    def __init__(
        self, status: int, detail: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = readable(detail)
        self.code = code or _CODES.get(status, "problem")
        self.headers = dict(headers or {})


def problem_object(
    status: int, detail: str, *, code: str | None = None, path: str = "", errors: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The object itself."""
    chosen = code or _CODES.get(status, "problem")
    return {
        "type": f"{_TYPES}{chosen}",
        "title": _TITLES.get(status, "Something is wrong"),
        "status": status,
        "detail": readable(detail),
        "code": chosen,
        "instance": path,
        **({"errors": errors} if errors else {}),
    }


def problem_reply(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    path: str = "",
    headers: Mapping[str, str] | None = None,
    errors: list[dict[str, Any]] | None = None,
) -> Response:
    """A reply that holds a problem."""
    made = problem_object(status, detail, code=code, path=path, errors=errors)
    return Response(json_bytes(made), status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def as_problem(error: Exception) -> ProblemError:
    """What an error means for a client."""
    match error:
        case ProblemError():
            return error
        case AskingError():
            status = _ASKING.get(error.code, 500)
            headers = {"Retry-After": "1"} if status == 503 else {}
            return ProblemError(status, str(error), code=f"asking_{error.code}", headers=headers)
        case QueryError():
            return ProblemError(422, str(error), code="query_refused")
        case LibraryError():
            return ProblemError(409, str(error), code="library")
        case ModelError():
            return ProblemError(502, str(error), code=f"model_{error.code}")
        case FormulaError():
            return ProblemError(422, str(error), code="formula")
        case UnitError():
            return ProblemError(422, str(error), code="unit")
        case EvaluationError() | SolveError():
            return ProblemError(422, str(error), code="not_computable")
        case DocumentError():
            return ProblemError(422, str(error), code="document")
        case UsageError() | MathragError():
            return ProblemError(422, str(error), code="invalid")
        case HTTPException():
            detail = (
                error.detail if isinstance(error.detail, str) and error.detail else _TITLES.get(error.status_code, "")
            )
            return ProblemError(error.status_code, detail, headers=error.headers)
    return ProblemError(500, "something went wrong inside; the log of the server says more", code="internal")


class OpenAIErrorDetail(BaseModel):
    """What is wrong, as OpenAI's clients read it."""

    message: str = Field(description="What is wrong here and what to do, in a sentence.")
    type: str = Field(description="`invalid_request_error`, `rate_limit_error` or `server_error`.")
    param: str | None = Field(description="Which field is wrong, where that is known.")
    code: str | None = Field(description="A stable code for programs.")


class OpenAIError(BaseModel):
    """An error in OpenAI's shape."""

    error: OpenAIErrorDetail = Field(description="The error.")


def openai_error(problem: ProblemError, *, param: str | None = None) -> Response:
    """A problem in OpenAI's shape."""
    status = problem.status
    kind = "server_error" if status >= 500 else "rate_limit_error" if status == 429 else "invalid_request_error"
    body = {"error": {"message": problem.detail, "type": kind, "param": param, "code": problem.code}}
    return Response(json_bytes(body), status, headers=problem.headers, media_type="application/json")


# For `responses=` of routers: every route may end so. A `model` would be said to come as plain JSON, which it does not;
# the app's own OpenAPI document has the schema that is named here.
_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "A problem of the request", "content": _CONTENT},
    "5XX": {"description": "A problem of the server", "content": _CONTENT},
}
OPENAI_PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "A problem of the request", "model": OpenAIError},
    "5XX": {"description": "A problem of the server", "model": OpenAIError},
}
