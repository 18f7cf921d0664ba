"""Replies that are kept: under which digest, as which JSON text, and in memory. For the cache and for recordings.

What cannot be read back whole counts as absent. The file of a library's replies is `store/truth/replies.py`.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from mathrag.llm.messages import (
    Ability,
    ChatReply,
    ChatRequest,
    Finish,
    Message,
    ReplyPiece,
    TokenChance,
    ToolCall,
    Usage,
)
from mathrag.llm.seams import ReplyStore
from mathrag.types.json_value import Json

_FINISHES = get_args(Finish)
_ABILITIES: tuple[Ability, ...] = get_args(Ability)


class _DamagedError(ValueError):
    """The text is no reply."""


def write_reply(reply: ChatReply) -> str:
    """The reply as one line of JSON."""
    return json.dumps(reply_json(reply), ensure_ascii=True, separators=(",", ":"))


def read_reply(text: str) -> ChatReply | None:
    """The reply that was written; None where the text is damaged."""
    try:
        return reply_of(json.loads(text))
    except (ValueError, RecursionError):
        return None


def reply_json(reply: ChatReply) -> dict[str, Json]:
    """The reply as a JSON object; empty parts are left out."""
    whole: dict[str, Json] = {
        "text": reply.text,
        "tool_calls": [{"name": one.name, "arguments": one.arguments, "id": one.id} for one in reply.tool_calls],
        "finish": reply.finish,
        "usage": {
            "prompt_tokens": reply.usage.prompt_tokens,
            "completion_tokens": reply.usage.completion_tokens,
            "is_estimated": reply.usage.is_estimated,
        },
        "tokens": [
            [one.text, _finite(one.log_probability), [[text, _finite(chance)] for text, chance in one.others]]
            for one in reply.tokens
        ],
        "model": reply.model,
        "lacking": sorted(reply.lacking),
    }
    return {name: value for name, value in whole.items() if value or name in ("text", "finish")}


def reply_of(value: Json) -> ChatReply:
    """The reply that a JSON object describes; `ValueError` where it describes none. Only `text` is required."""
    content = _object(value)
    finish = content.get("finish", "stop")
    lacking = _strings(content.get("lacking", []))
    if finish not in _FINISHES or not set(lacking) <= set(_ABILITIES):
        raise _DamagedError("not a reply")
    usage = _object(content.get("usage", {}))
    return ChatReply(
        _string(content.get("text")),
        tool_calls=tuple(_tool_call(one) for one in _list(content.get("tool_calls", []))),
        finish=finish,
        usage=Usage(
            _count(usage.get("prompt_tokens", 0)),
            _count(usage.get("completion_tokens", 0)),
            is_estimated=usage.get("is_estimated", False) is True,
        ),
        tokens=tuple(_token(one) for one in _list(content.get("tokens", []))),
        model=_string(content.get("model", "")),
        lacking=frozenset(one for one in _ABILITIES if one in lacking),
    )


def as_cached(reply: ChatReply) -> ChatReply:
    """The same reply, marked as one that cost nothing this time."""
    return replace(reply, from_cache=True)


def write_vector(vector: tuple[float, ...]) -> str:
    """A vector as JSON text."""
    return json.dumps(vector, separators=(",", ":"))


def read_vector(text: str) -> tuple[float, ...] | None:
    """The vector that was written; None where the text is damaged."""
    try:
        return tuple(_number(one) for one in _list(json.loads(text)))
    except (ValueError, RecursionError):
        return None


def _tool_call(value: Json) -> ToolCall:
    content = _object(value)
    return ToolCall(_string(content.get("name")), _string(content.get("arguments")), _string(content.get("id", "")))


def _token(value: Json) -> TokenChance:
    parts = _list(value)
    if len(parts) != 3:
        raise _DamagedError("not a token")
    others = [_list(one) for one in _list(parts[2])]
    if any(len(one) != 2 for one in others):
        raise _DamagedError("not a token")
    return TokenChance(
        _string(parts[0]), _number(parts[1]), tuple((_string(text), _number(chance)) for text, chance in others)
    )


def _finite(value: float) -> float:
    # JSON has no infinity; a token that cannot occur gets a log-probability as good as that.
    return float(value) if math.isfinite(value) else -1e9


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise _DamagedError("not an object")
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise _DamagedError("not a list")
    return value


def _string(value: Json) -> str:
    if not isinstance(value, str):
        raise _DamagedError("not a text")
    return value


def _strings(value: Json) -> list[str]:
    return [_string(one) for one in _list(value)]


def _number(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _DamagedError("not a number")
    return float(value)


def _count(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**12:
        raise _DamagedError("not a count")
    return value


# What makes two requests the same: a canonical JSON of their content, and its digest. Knows no server and no role.

# Grows when the meaning of a request changes, so that replies to the old meaning are no longer found.
_FORM = 1


def request_digest(request: ChatRequest, *, model: str) -> str:
    """The name under which the reply of a model to a request is kept.

    The address of the server, its key and the role are no part of it: the same model gives the same reply elsewhere,
    and two roles that ask the same share it.
    """
    return json_digest(request_json(request), model=model)


def json_digest(request: Json, *, model: str = "") -> str:
    """The same for a request that was written as JSON."""
    return _digest({"form": _FORM, "model": model, "request": request})


def embedding_digest(text: str, *, model: str) -> str:
    """The name under which the vector of a text is kept."""
    return _digest({"form": _FORM, "model": model, "embedding": text})


def request_json(request: ChatRequest) -> dict[str, Json]:
    """The request as JSON that a person can read; pictures are named by the hash of their bytes."""
    schema = request.schema
    return {
        "messages": [_message_json(message) for message in request.messages],
        "schema": None if schema is None else {"name": schema.name, "schema": _plain(schema.schema)},
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": _plain(tool.parameters)}
            for tool in request.tools
        ],
        "must_call": request.must_call,
        "maximal_tokens": request.maximal_tokens,
        "temperature": float(request.temperature),
        "seed": request.seed,
        "stop": list(request.stop),
        "alternatives": request.alternatives,
        "attempt": request.attempt,
    }


def picture_name(data: bytes) -> str:
    """What a picture is called where its bytes are not kept."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _message_json(message: Message) -> dict[str, Json]:
    return {
        "speaker": message.speaker,
        "text": message.text,
        "pictures": [{"media_type": one.media_type, "bytes": picture_name(one.data)} for one in message.pictures],
        "tool_calls": [{"name": one.name, "arguments": one.arguments, "id": one.id} for one in message.tool_calls],
        "tool_call_id": message.tool_call_id,
    }


def _plain(value: Json) -> Json:
    """Schemas as plain JSON, whatever kind of mapping or sequence they were written with."""
    return json.loads(json.dumps(value, default=_plain_container))


def _plain_container(value: object) -> Json:
    if hasattr(value, "items"):
        return dict(value.items())
    return list(value)  # type: ignore[call-overload]


def _digest(content: dict[str, Json]) -> str:
    # Half surrogate pairs come in from documents; escaped as ASCII they can be hashed.
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


# Replies kept in memory, and a kept reply as a stream.

_PIECE = 40


class MemoryReplies:
    """Keeps replies as long as it lives. For tests and for work without a library."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._replies: dict[str, str] = {}

    def get(self, digest: str) -> str | None:
        """The reply kept under a digest."""
        with self._lock:
            return self._replies.get(digest)

    def put(self, digest: str, reply: str, *, model: str, role: str) -> None:  # noqa: ARG002
        """Keep a reply; one that is already there stays."""
        with self._lock:
            self._replies.setdefault(digest, reply)

    def __len__(self) -> int:
        with self._lock:
            return len(self._replies)


def cached_reply(store: ReplyStore | None, digest: str) -> ChatReply | None:
    """The reply kept under a digest, marked as cached; None where there is none or it is damaged."""
    text = None if store is None else store.get(digest)
    reply = None if text is None else read_reply(text)
    return None if reply is None else as_cached(reply)


def stream_whole(reply: ChatReply) -> Iterator[ReplyPiece]:
    """A whole reply as if it came piece by piece."""
    for start in range(0, len(reply.text), _PIECE):
        yield ReplyPiece(reply.text[start : start + _PIECE])
    yield ReplyPiece(reply=reply)
