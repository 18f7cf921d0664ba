"""How a guard turns a request away: as a problem, in the form the client reads. Judges nothing itself."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from mathrag.serve.problems import ProblemError, reply_to


async def turn_away(problem: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
    """End a request with a problem. What the client still sends is left unread, so the connection closes."""
    reply = reply_to(Request(scope), problem)
    reply.headers["Connection"] = "close"
    await reply(scope, receive, send)


def header_values(scope: Scope, name: bytes) -> list[str]:
    """All values of a header, in the order they came."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def header(scope: Scope, name: bytes) -> str:
    """The one value of a header; empty where there is none."""
    found = header_values(scope, name)
    return found[0] if found else ""
