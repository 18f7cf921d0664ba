"""What was asked in a session of a browser: kept on the server, so that it works without JavaScript and streams,
forms and follow-ups share it; nothing stays in the browser but its cookie. Only questions and sentences are kept."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from mathrag.serve.security.sessions import Session

_MOST_CHARACTERS = 60_000
# Two tabs of a browser may ask at once.
_LOCK = threading.Lock()


def session_of(request: Request) -> Session | None:
    """The session of a request."""
    found = request.scope.get("mathrag_session")
    return found if isinstance(found, Session) else None


def remember(session: Session | None, result: Mapping[str, Any]) -> int | None:
    """Keep an outcome as the last one of a session; the number by which it is found again."""
    if session is None or not result.get("asked"):
        return None
    with _LOCK:
        return _kept(session, result)


def _kept(session: Session, result: Mapping[str, Any]) -> int:
    held = session.history
    known = next((each for each in held if each["asked"] == result["asked"]), None)
    if known is not None:
        held.remove(known)
    number = known["number"] if known is not None else max((each["number"] for each in held), default=0) + 1
    held.append(
        {
            "number": number,
            "question": result["asked"]["question"],
            "text": result["text"],
            "outcome": result["outcome"],
            "asked": result["asked"],
        }
    )
    while len(held) > 1 and sum(len(each["question"]) + len(each["text"]) for each in held) > _MOST_CHARACTERS:
        held.popleft()
    return int(number)


def history_of(session: Session | None) -> list[dict[str, Any]]:
    """The last ones first."""
    shown = ("number", "question", "text", "outcome")
    return [{name: each[name] for name in shown} for each in reversed(_held(session))]


def recalled(session: Session | None, number: int) -> dict[str, Any] | None:
    """What was asked under a number; None where it was forgotten."""
    return next((dict(each["asked"]) for each in _held(session) if each["number"] == number), None)


def forget(session: Session | None) -> None:
    """Empty the history."""
    if session is not None:
        with _LOCK:
            session.history.clear()


def _held(session: Session | None) -> list[dict[str, Any]]:
    with _LOCK:
        return [] if session is None else list(session.history)
