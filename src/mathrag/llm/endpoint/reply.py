"""A reply being put together from what a server sends, whole or in pieces. Checks every field, believes none."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.llm.endpoint.request import Limits, clean
from mathrag.llm.messages import ChatReply, ChatRequest, Finish, TokenChance, ToolCall, Usage
from mathrag.types.json_value import Json

# What can go wrong between us and a server, before it becomes a sentence for a person. Never leaves this package.

Cut: TypeAlias = Literal["timeout", "cancelled"]


@dataclass(eq=False)
class Refused(Exception):  # noqa: N818 - a value that travels, not an error that a caller meets
    """The server answered with another status than 200. `body` is the beginning of what it said."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(eq=False)
class Broken(Exception):  # noqa: N818
    """The connection failed. `was_sent` once the whole request had gone out, `has_begun` once a reply had started."""

    kind: Literal["connection", "garbled", "untrusted", "unwritable"] | Cut
    detail: str
    was_sent: bool = False
    has_begun: bool = False


class Unreadable(Exception):  # noqa: N818
    """Bytes that are no reply of a model. The message says what is wrong with them."""


_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "filtered",
    "refusal": "filtered",
}
_MOST_TOKENS_BILLED = 1_000_000_000
_CHARACTERS_OF_A_TOKEN = 4
_TOKENS_OF_A_PICTURE = 1_000
_LONGEST_NAME = 200


class ServerFault(Exception):  # noqa: N818
    """The server reports an error in the middle of a reply; the message is its own."""


@dataclass
class _PartOfCall:
    name: str = ""
    id: str = ""
    arguments: list[str] = field(default_factory=list)


class Draft:
    """Takes chunks of a stream, or the one object of a whole reply, and ends in a `ChatReply`."""

    def __init__(self, request: ChatRequest, limits: Limits, *, model: str) -> None:
        self._request = request
        self._limits = limits
        self._model = model
        self._text: list[str] = []
        self._characters = 0
        self._pieces = 0
        self._calls: dict[int, _PartOfCall] = {}
        self._tokens: list[TokenChance] = []
        self._has_bad_tokens = False
        self._usage: Usage | None = None
        self._finish: Finish | None = None
        self._has_choice = False

    @property
    def is_finished(self) -> bool:
        """Whether the server has said why it stopped."""
        return self._finish is not None

    def add(self, chunk: Json) -> str:
        """Take in one object; the text that is new in it."""
        self._pieces += 1
        if self._pieces > self._limits.pieces:
            raise Unreadable("it has too many pieces")
        if not isinstance(chunk, dict):
            raise Unreadable("it is no object with choices")
        if chunk.get("error"):
            raise ServerFault(_message_of(chunk["error"]))
        name = chunk.get("model")
        if isinstance(name, str) and name:
            self._model = _shown_name(name)
        self._usage = _usage(chunk.get("usage")) or self._usage
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices:
            return ""
        choice = choices[0]
        if not isinstance(choice, dict):
            raise Unreadable("its choice is no object")
        return self._add_choice(choice)

    def reply(self) -> ChatReply:
        """The whole. Raises `Unreadable` where no choice ever came."""
        if not self._has_choice:
            raise Unreadable("it has no choices")
        text = "".join(self._text)
        calls = tuple(
            ToolCall(part.name, "".join(part.arguments), part.id or f"call_{index}")
            for index, part in sorted(self._calls.items())
            if part.name
        )
        finish: Finish = self._finish or "unknown"
        if calls and finish in ("stop", "unknown"):
            finish = "tool_calls"
        return ChatReply(
            text,
            tool_calls=calls,
            finish=finish,
            usage=self._usage or self._estimate(text),
            tokens=() if self._has_bad_tokens else tuple(self._tokens),
            model=self._model,
        )

    def _add_choice(self, choice: dict[str, Json]) -> str:
        self._has_choice = True
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._finish = _FINISHES.get(reason, "unknown")
        if choice.get("logprobs") is not None and self._request.alternatives > 0:
            self._add_tokens(choice["logprobs"])
        said = choice.get("delta", choice.get("message"))
        if said is None and isinstance(choice.get("text"), str):
            said = {"content": choice["text"]}
        if said is None:
            return ""
        if not isinstance(said, dict):
            raise Unreadable("what it says is no object")
        self._add_calls(said.get("tool_calls"))
        old_call = said.get("function_call")
        if isinstance(old_call, dict):
            self._add_call({"index": 0, "function": old_call}, position=0)
        text = _content(said.get("content"))
        refusal = said.get("refusal")
        if not text and isinstance(refusal, str) and refusal:
            text, self._finish = clean(refusal), "filtered"
        self._count(text)
        self._text.append(text)
        return text

    def _add_calls(self, calls: Json) -> None:
        if calls is None:
            return
        if not isinstance(calls, list):
            raise Unreadable("its tool calls are no list")
        for position, call in enumerate(calls):
            if isinstance(call, dict):
                self._add_call(call, position=position)

    def _add_call(self, call: dict[str, Json], *, position: int) -> None:
        index = call.get("index")
        if not isinstance(index, int) or isinstance(index, bool):
            index = position
        function = call.get("function")
        if not isinstance(function, dict):
            return
        if index not in self._calls and len(self._calls) >= self._limits.tool_calls:
            raise Unreadable("it has too many tool calls")
        part = self._calls.setdefault(index, _PartOfCall())
        name, identity, arguments = function.get("name"), call.get("id"), function.get("arguments")
        if isinstance(name, str) and name and not part.name:
            part.name = clean(name[:_LONGEST_NAME])
        if isinstance(identity, str) and identity and not part.id:
            part.id = clean(identity[:_LONGEST_NAME])
        if isinstance(arguments, dict | list):
            # Some servers send the object itself; whoever reads the arguments expects the text of one.
            arguments = _dump(arguments)
        if isinstance(arguments, str):
            self._count(arguments)
            part.arguments.append(clean(arguments))

    def _add_tokens(self, found: Json) -> None:
        content = found.get("content") if isinstance(found, dict) else None
        if not isinstance(content, list):
            return
        if len(self._tokens) + len(content) > self._limits.tokens:
            raise Unreadable("it has too many tokens")
        for entry in content:
            token = _token(entry, most=self._limits.alternatives)
            if token is None:
                # A list with holes would assign the probabilities to the wrong words.
                self._has_bad_tokens = True
                return
            self._tokens.append(token)

    def _count(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > self._limits.characters:
            raise Unreadable("its text is longer than any that was asked for")

    def _estimate(self, text: str) -> Usage:
        written = len(text) + sum(len(piece) for part in self._calls.values() for piece in part.arguments)
        return Usage(
            prompt_tokens=estimate_prompt(self._request),
            completion_tokens=max(len(self._tokens), -(-written // _CHARACTERS_OF_A_TOKEN)),
            is_estimated=True,
        )


def estimate_prompt(request: ChatRequest) -> int:
    """About how many tokens a request has, for servers that do not say."""
    characters = sum(len(message.text) + 16 for message in request.messages)
    characters += sum(len(_dump(dict(tool.parameters))) + len(tool.description) for tool in request.tools)
    pictures = sum(len(message.pictures) for message in request.messages)
    return -(-characters // _CHARACTERS_OF_A_TOKEN) + pictures * _TOKENS_OF_A_PICTURE


def read_usage(value: Json, *, characters: int) -> Usage:
    """The usage that came with vectors, or an estimate."""
    return _usage(value) or Usage(prompt_tokens=-(-characters // _CHARACTERS_OF_A_TOKEN), is_estimated=True)


def _shown_name(name: str) -> str:
    # Some name the file of the weights; where that lies on their disk is nobody's business.
    return clean(name.rsplit("/", 1)[-1] if name.startswith("/") else name)[:_LONGEST_NAME]


def _usage(value: Json) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt, completion = _count_of(value.get("prompt_tokens")), _count_of(value.get("completion_tokens", 0))
    return None if prompt is None or completion is None else Usage(prompt, completion)


def _count_of(value: Json) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS_BILLED
    return value if is_count else None


def _content(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return "".join(_parts(value))
    raise Unreadable("its text is no text")


def _parts(parts: list[Json]) -> Iterator[str]:
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            yield clean(text)


def _token(entry: Json, *, most: int) -> TokenChance | None:
    chance = _chance(entry)
    if chance is None:
        return None
    others = entry.get("top_logprobs") or []
    if not isinstance(others, list) or len(others) > most:
        return None
    read = [_chance(other) for other in others]
    return TokenChance(*chance, others=tuple(other for other in read if other is not None))


def _chance(entry: Json) -> tuple[str, float] | None:
    if not isinstance(entry, dict):
        return None
    text, value = entry.get("token"), entry.get("logprob")
    if not isinstance(text, str) or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    # Rounding makes a certain token a little more than certain.
    return (clean(text), min(number, 0.0)) if math.isfinite(number) and number < 1e-3 else None


def _message_of(error: Json) -> str:
    found = error.get("message") if isinstance(error, dict) else error
    return clean(found) if isinstance(found, str) else ""


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


# Bytes of a reply, within limits: unpacked, cut into events, read as JSON. Knows nothing of models.

_PIECE = 1 << 16
_LONGEST_EVENT = 1 << 22


def unpack(chunks: Iterator[bytes], *, encoding: str, limit: int) -> Iterator[bytes]:
    """The bytes that were meant, never more than `limit` of them, however small they were packed."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        plain = chunks
    elif encoding in ("gzip", "x-gzip", "deflate"):
        plain = _inflate(chunks)
    else:
        raise Unreadable("it is packed in a way that was not asked for")
    size = 0
    for chunk in plain:
        size += len(chunk)
        if size > limit:
            raise Unreadable(f"it is larger than the {limit:,} bytes that such a reply may have")
        yield chunk


def _inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=47)
    try:
        for chunk in chunks:
            rest = chunk
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
    except zlib.error as error:
        raise Unreadable("it is packed, and the packing is damaged") from error
    if not unpacker.eof:
        raise Unreadable("it ends too early")


def events(chunks: Iterator[bytes]) -> Iterator[str]:
    """The data of each server-sent event, in order; comments and other fields are left out."""
    buffer = bytearray()
    lines: list[bytes] = []
    for chunk in chunks:
        # Searching from where the last search ended keeps a line that comes byte by byte from costing its square.
        start = len(buffer)
        buffer += chunk
        while (end := buffer.find(b"\n", start)) >= 0:
            line = bytes(buffer[:end]).rstrip(b"\r")
            del buffer[: end + 1]
            start = 0
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif not line and lines:
                yield _text(b"\n".join(lines))
                lines.clear()
        if len(buffer) + sum(map(len, lines)) > _LONGEST_EVENT:
            raise Unreadable("one of its pieces is too large")
    if buffer.startswith(b"data:"):
        lines.append(bytes(buffer[5:]).removeprefix(b" "))
    if lines:
        yield _text(b"\n".join(lines))


def whole(chunks: Iterator[bytes]) -> bytes:
    """All bytes as one."""
    return b"".join(chunks)


def first(chunks: Iterator[bytes], *, encoding: str, limit: int) -> bytes:
    """The first bytes of a reply that may be of any size; empty where they cannot be unpacked."""
    taken = bytearray()
    try:
        with closing(unpack(chunks, encoding=encoding, limit=limit)) as pieces:  # type: ignore[type-var]
            for piece in pieces:
                taken += piece
    except Unreadable:
        pass
    return bytes(taken[:limit])


def read_json(data: bytes | str) -> Json:
    """JSON as strangers send it: nothing but `Unreadable` comes of nonsense, depth or size."""
    try:
        return json.loads(data, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Unreadable("it is not JSON, or not all of it arrived") from error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
