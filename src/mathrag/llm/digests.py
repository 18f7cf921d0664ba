"""What makes two requests the same: a canonical JSON of their content, and its digest. Knows no server and no role."""

from __future__ import annotations

import hashlib
import json

from mathrag.llm.nouns import ChatRequest, Json, Message

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
