"""What a server writes down: one JSON object a line on standard error. Never a token, a cookie or, unless asked for,
a question."""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

_lock = threading.Lock()


class JsonHandler(logging.Handler):
    """Lines of other packages in our form."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record down; of an error only its kind, for its text may hold anything."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        log(record.name, level=record.levelname.lower(), message=record.getMessage()[:500], error=error)


def quiet_others() -> None:
    """Have the packages that serve us tell only what is wrong, and in our form."""
    root = logging.getLogger()
    root.handlers = [JsonHandler()]
    root.setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "mcp"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.WARNING)


def log(event: str, **facts: Any) -> None:
    """Write a line."""
    line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **facts}
    text = json.dumps(line, ensure_ascii=True, default=str)
    with _lock:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - the log is what this prints


def log_failure(request: Request, error: BaseException) -> None:
    """Write down an error nobody foresaw, with the place in our code and without what was asked."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    places = [f"{frame.filename.rpartition('mathrag/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    log(
        "error",
        method=request.method,
        path=request.url.path[:200],
        error=type(error).__name__,
        places=places,
        request=request.scope.get("mathrag_request", ""),
    )
