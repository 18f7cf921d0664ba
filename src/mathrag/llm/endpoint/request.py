"""A request as the server reads it, with or without what it cannot do. Writes values, sends nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Set
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.llm.messages import ChatRequest, Message, Schema
from mathrag.types.json_value import Json

# What some servers refuse. A schema is refused by name ("schema:person"): one may be too much, another not.
Feature: TypeAlias = str

_MOST_ALTERNATIVES = 20
# Some servers give no more than this.
_FEW_ALTERNATIVES = 5


def schema_feature(schema: Schema) -> Feature:
    """The name under which a refused schema is remembered."""
    return f"schema:{schema.name}"


def chat_body(
    request: ChatRequest, model: str, *, refused: Set[Feature], is_streamed: bool
) -> tuple[dict[str, Json], tuple[Feature, ...]]:
    """The body, and the features in it that a server might lack, the most dispensable first."""
    has_tools = bool(request.tools) and "tools" not in refused
    body: dict[str, Json] = {
        "model": model,
        "messages": [part for message in _messages(request, refused) for part in _message(message, refused, has_tools)],
    }
    features: list[Feature] = []
    if is_streamed:
        body["stream"] = True
        if "stream_options" not in refused:
            body["stream_options"] = {"include_usage": True}
            features.append("stream_options")
    if request.seed is not None and "seed" not in refused:
        body["seed"] = request.seed
        features.append("seed")
    if request.alternatives > 0 and "logprobs" not in refused:
        body["logprobs"] = True
        most = _FEW_ALTERNATIVES if "many_logprobs" in refused else _MOST_ALTERNATIVES
        body["top_logprobs"] = min(request.alternatives, most)
        features.append("many_logprobs" if body["top_logprobs"] > _FEW_ALTERNATIVES else "logprobs")
    if has_tools:
        _add_tools(body, request, refused=refused, features=features)
    if request.schema is not None:
        _add_schema(body, request.schema, refused=refused, features=features)
    if any(message.pictures for message in request.messages) and "images" not in refused:
        features.append("images")
    _add_numbers(body, request, refused=refused, features=features)
    return body, tuple(features)


def _add_tools(body: dict[str, Json], request: ChatRequest, *, refused: Set[Feature], features: list[Feature]) -> None:
    if request.must_call and "tool_choice" not in refused:
        body["tool_choice"] = "required"
        features.append("tool_choice")
    body["tools"] = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters) or {"type": "object", "properties": {}},
            },
        }
        for tool in request.tools
    ]
    features.append("tools")


def _add_schema(body: dict[str, Json], schema: Schema, *, refused: Set[Feature], features: list[Feature]) -> None:
    if schema_feature(schema) not in refused:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": schema.name, "strict": True, "schema": dict(schema.schema)},
        }
        features.append(schema_feature(schema))
    elif "json_object" not in refused:
        body["response_format"] = {"type": "json_object"}
        features.append("json_object")


def _add_numbers(
    body: dict[str, Json], request: ChatRequest, *, refused: Set[Feature], features: list[Feature]
) -> None:
    # Two names for the same thing: newer hosted models take only the second, most servers know only the first.
    name = "max_tokens" if "max_tokens" not in refused else "max_completion_tokens"
    if name not in refused:
        body[name] = request.maximal_tokens
        features.append(name)
    if request.stop and "stop" not in refused:
        body["stop"] = [clean(text) for text in request.stop[:4]]
        features.append("stop")
    if "temperature" not in refused:
        body["temperature"] = request.temperature
        features.append("temperature")


def _messages(request: ChatRequest, refused: Set[Feature]) -> tuple[Message, ...]:
    if request.schema is None or schema_feature(request.schema) not in refused:
        return request.messages
    wish = (
        "Reply with one JSON value and nothing else: no explanation, no code fence. It must fit this JSON schema:\n"
        + json.dumps(dict(request.schema.schema), ensure_ascii=False)
    )
    head, *rest = request.messages or (Message("system", ""),)
    if head.speaker == "system":
        return (Message("system", f"{head.text}\n\n{wish}".strip()), *rest)
    return (Message("system", wish), head, *rest)


def _message(message: Message, refused: Set[Feature], has_tools: bool) -> list[dict[str, Json]]:
    text = clean(message.text)
    if message.speaker == "tool" and has_tools:
        return [{"role": "tool", "content": text, "tool_call_id": message.tool_call_id or "call"}]
    if message.speaker == "tool":
        # A server without tools does not know that role either.
        return [{"role": "user", "content": f"Result of the tool:\n{text}"}]
    if message.tool_calls and has_tools:
        return [
            {
                "role": "assistant",
                "content": text,
                "tool_calls": [
                    {
                        "id": call.id or "call",
                        "type": "function",
                        "function": {"name": clean(call.name), "arguments": clean(call.arguments)},
                    }
                    for call in message.tool_calls
                ],
            }
        ]
    if message.tool_calls:
        said = [text, *(f"{clean(call.name)}({clean(call.arguments)})" for call in message.tool_calls)]
        return [{"role": "assistant", "content": "\n".join(filter(None, said))}]
    if message.pictures and "images" not in refused:
        pictures = [
            {"type": "image_url", "image_url": {"url": f"data:{picture.media_type};base64,{_base64(picture.data)}"}}
            for picture in message.pictures
        ]
        return [{"role": message.speaker, "content": [{"type": "text", "text": text}, *pictures]}]
    return [{"role": message.speaker, "content": text}]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def clean(text: str) -> str:
    """The text with halves of characters replaced, which no encoding can write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# How large a reply may be, given what was asked. Anything beyond is not read.


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one reply of a chat."""

    bytes: int
    characters: int
    pieces: int
    tokens: int
    tool_calls: int = 64
    alternatives: int = 64


def limits_of(request: ChatRequest) -> Limits:
    """Generous to every honest server: many count tokens otherwise, or think aloud before they answer."""
    tokens = max(1, min(request.maximal_tokens, 1_000_000))
    entry = 400 * (request.alternatives + 1) if request.alternatives else 0
    return Limits(
        bytes=min(64_000_000, 2_000_000 + tokens * (1_000 + entry)),
        characters=200_000 + tokens * 40,
        pieces=20_000 + tokens * 4,
        tokens=4_000 + tokens * 4,
    )
