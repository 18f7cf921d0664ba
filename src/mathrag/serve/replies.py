"""Replies as bytes: JSON that every reader takes, and events of a stream. Knows nothing of what they say."""

from __future__ import annotations

import json
import math
from typing import Any

from starlette.responses import Response


def json_bytes(value: Any) -> bytes:
    """JSON in UTF-8: no NaN, no half characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


class JsonReply(Response):
    """A JSON reply."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body."""
        return json_bytes(content)


def event_bytes(name: str, data: Any, *, number: int | None = None) -> bytes:
    """One server-sent event. JSON has no line breaks outside of its escapes, so one line holds it."""
    line = json_bytes(data).decode("utf-8").replace("\r", "\\r").replace("\n", "\\n")
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {line}\n\n".encode()


def stream_description(description: str, *events: str) -> dict[int | str, dict[str, Any]]:
    """What a documented stream says: the names of its events; each carries an object as JSON text."""
    schema = {
        "type": "object",
        "properties": {
            "event": {"type": "string", "enum": list(events)},
            "data": {"type": "string", "contentMediaType": "application/json"},
            "id": {"type": "string"},
        },
    }
    return {200: {"description": description, "content": {"text/event-stream": {"schema": schema}}}}


HEARTBEAT = b": still here\n\n"
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
