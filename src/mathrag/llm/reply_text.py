"""A reply as JSON text and back, for the cache and for recordings. What cannot be read back whole counts as absent."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import get_args

from mathrag.llm.nouns import Ability, ChatReply, Finish, Json, TokenChance, ToolCall, Usage

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
