"""A model server that misbehaves as told, request by request, and otherwise behaves well. For tests; loopback only."""

from __future__ import annotations

import functools
import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Visit"], None]

WORDS = ("Four", " is", " two", " and", " two", ".")


@dataclass
class Seen:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Any


class Visit(BaseHTTPRequestHandler):
    """One connection; `server` is the `ThreadingHTTPServer` that carries our `FaultyServer` as `.owner`."""

    protocol_version = "HTTP/1.1"
    wbufsize = 0

    @property
    def owner(self) -> FaultyServer:
        owner: FaultyServer = self.server.owner  # type: ignore[attr-defined]
        return owner

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.owner.connections.add(self.client_address)
        self.seen = Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(data))
        self.owner.take(self.seen)(self)

    def charge(self) -> None:
        """The model has worked, and somebody pays."""
        self.owner.charge(self.seen)

    def send(
        self, content: bytes | object, *, status: int = 200, headers: Mapping[str, str] | None = None, claims: int = 0
    ) -> None:
        """A whole reply; `claims` more bytes than there are."""
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        sent = {"Content-Type": "application/json", **(headers or {})}
        self.send_response(status)
        for name, value in sent.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) + claims))
        self.end_headers()
        self.wfile.write(data)
        if claims:
            self.close_connection = True

    def begin_stream(self, content_type: str = "text/event-stream") -> None:
        """The head of a stream whose end is the end of the connection."""
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, value: object) -> None:
        """One event of a stream."""
        text = value if isinstance(value, str) else json.dumps(value)
        self.wfile.write(f"data: {text}\n\n".encode())

    def reset(self) -> None:
        """Break the connection without a farewell."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.wfile.close()
        self.connection.close()
        self.close_connection = True

    def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the test."""
        self.owner.stopping.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 64

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is what half of the tests are about."""
        self.owner.hung_up.set()  # type: ignore[attr-defined]


@dataclass
class FaultyServer:
    """Plays a behaviour a request, in order; then `otherwise`. `charged` has a key for every work of the model."""

    script: Iterable[Behaviour] = ()
    otherwise: Behaviour = field(default_factory=lambda: behave)
    requests: list[Seen] = field(default_factory=list)
    charged: list[str] = field(default_factory=list)
    connections: set[object] = field(default_factory=set)
    hung_up: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)
    wrap: Callable[[socket.socket], socket.socket] | None = None

    def __post_init__(self) -> None:
        self._script: Iterator[Behaviour] = iter(list(self.script))
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), Visit)
        self._server.owner = self  # type: ignore[attr-defined]
        if self.wrap is not None:
            self._server.socket = self.wrap(self._server.socket)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http{'s' if self.wrap else ''}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FaultyServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, seen: Seen) -> Behaviour:
        with self._lock:
            self.requests.append(seen)
            return next(self._script, self.otherwise)

    def charge(self, seen: Seen) -> None:
        with self._lock:
            self.charged.append(seen.headers.get("idempotency-key", ""))


# The good behaviour.


def behave(visit: Visit) -> None:
    """Do what was asked, whatever it is."""
    body = visit.seen.body
    visit.charge()
    if visit.seen.path.endswith("/embeddings"):
        visit.send(vectors_for(body["input"]))
    elif body.get("stream"):
        visit.begin_stream()
        for piece in stream_for(body):
            visit.event(piece)
    else:
        visit.send(reply_for(body))


def text_for(body: Mapping[str, Any]) -> str:
    """What the model says: an object where one was asked for, else a sentence."""
    kind = body.get("response_format", {}).get("type")
    if kind == "json_schema":
        return json.dumps(_example(body["response_format"]["json_schema"]["schema"]))
    return "{}" if kind == "json_object" else "".join(WORDS)


def _example(schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object":
        return {name: _example(inner) for name, inner in schema.get("properties", {}).items()}
    return {"string": "word", "integer": 4, "number": 4.5, "boolean": True, "array": []}.get(str(kind))


def reply_for(body: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """A whole reply; `changed` replaces fields of its choice."""
    message: dict[str, Any] = {"role": "assistant", "content": text_for(body)}
    finish = "stop"
    if body.get("tools"):
        function = body["tools"][0]["function"]
        arguments = json.dumps(_example({"type": "object", **function["parameters"]}))
        call = {"id": "call_1", "type": "function", "function": {"name": function["name"], "arguments": arguments}}
        message, finish = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
    if body.get("logprobs"):
        choice["logprobs"] = {"content": [_chance(word, body.get("top_logprobs", 0)) for word in WORDS]}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", ""),
        "choices": [{**choice, **changed}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 6, "total_tokens": 15},
    }


def _chance(word: str, others: int) -> dict[str, Any]:
    return {
        "token": word,
        "logprob": -0.25,
        "top_logprobs": [{"token": word, "logprob": -0.25}, {"token": "?", "logprob": -2.5}][:others],
    }


def stream_for(body: Mapping[str, Any]) -> Iterator[object]:
    """The same reply in pieces."""
    whole = reply_for(body)
    choice = whole["choices"][0]
    message = choice["message"]
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": whole["model"]}
    for call in message.get("tool_calls", ()):
        function = call["function"]
        half = len(function["arguments"]) // 2
        start = {**call, "index": 0, "function": {"name": function["name"], "arguments": function["arguments"][:half]}}
        rest = {"index": 0, "function": {"arguments": function["arguments"][half:]}}
        for part in (start, rest):
            yield {**head, "choices": [{"index": 0, "delta": {"tool_calls": [part]}, "finish_reason": None}]}
    text = message["content"] or ""
    pieces = WORDS if text == "".join(WORDS) else [text]
    for piece in pieces if text else ():
        delta: dict[str, Any] = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
        if "logprobs" in choice:
            delta["logprobs"] = {"content": [_chance(piece, body.get("top_logprobs", 0))]}
        yield {**head, "choices": [delta]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    if body.get("stream_options", {}).get("include_usage"):
        yield {**head, "choices": [], "usage": whole["usage"]}
    yield "[DONE]"


def vectors_for(texts: list[str]) -> dict[str, Any]:
    """Vectors in the wrong order, as the protocol allows."""
    data = [
        {"object": "embedding", "index": index, "embedding": [float(len(text)), float(index), 1.0]}
        for index, text in enumerate(texts)
    ]
    return {"object": "list", "data": data[::-1], "model": "m", "usage": {"prompt_tokens": 7, "total_tokens": 7}}


# Faults. Each is a behaviour, or makes one.


def status(code: int, content: object = b"", *, headers: Mapping[str, str] | None = None) -> Behaviour:
    """A refusal, before the model has worked."""
    return lambda visit: visit.send(content, status=code, headers=headers)


def complaint(status_code: int, message: str, **fields: object) -> Behaviour:
    """A refusal with a sentence."""
    return status(status_code, {"error": {"message": message, **fields}})


def refuses(*signs: str, code: int = 400, message: str = "") -> Behaviour:
    """Refuses requests whose body has one of these fields, as a server without the ability does."""

    def refuse(visit: Visit) -> None:
        text = json.dumps(visit.seen.body)
        sign = next((sign for sign in signs if f'"{sign}"' in text), None)
        if sign is None:
            behave(visit)
        else:
            visit.send({"error": {"message": message.format(sign) if message else ""}}, status=code)

    return refuse


def answers(content: object, *, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Works, and sends this."""

    def answer(visit: Visit) -> None:
        visit.charge()
        visit.send(content, headers=headers)

    return answer


def streams(*pieces: object, content_type: str = "text/event-stream") -> Behaviour:
    """Works, and sends these events."""

    def stream(visit: Visit) -> None:
        visit.charge()
        visit.begin_stream(content_type)
        for piece in pieces:
            visit.event(piece)

    return stream


def raw(data: bytes) -> Behaviour:
    """Works, and sends these bytes instead of HTTP."""

    def send_bytes(visit: Visit) -> None:
        visit.charge()
        visit.close_connection = True
        visit.wfile.write(data)

    return send_bytes


def reset_before_reply(visit: Visit) -> None:
    """The connection breaks when the request has arrived."""
    visit.reset()


def reset_after_head(visit: Visit) -> None:
    """The connection breaks when the model has worked and the head of the reply is out."""
    visit.charge()
    visit.send_response(200)
    visit.send_header("Content-Type", "application/json")
    visit.send_header("Content-Length", "1000")
    visit.end_headers()
    visit.pause(0.05)
    visit.reset()


def reset_in_stream(visit: Visit) -> None:
    """The connection breaks after three pieces."""
    visit.charge()
    visit.begin_stream()
    for piece in list(stream_for(visit.seen.body))[:3]:
        visit.event(piece)
    visit.pause(0.05)
    visit.reset()


def truncated_stream(visit: Visit) -> None:
    """The stream ends politely, but in the middle."""
    visit.charge()
    visit.begin_stream()
    for piece in list(stream_for(visit.seen.body))[:3]:
        visit.event(piece)


def truncated_json(visit: Visit) -> None:
    """Half an object, declared as whole."""
    visit.charge()
    data = json.dumps(reply_for(visit.seen.body)).encode()
    visit.send(data[: len(data) // 2])


def truncated_body(visit: Visit) -> None:
    """Half of the bytes that were declared."""
    visit.charge()
    data = json.dumps(reply_for(visit.seen.body)).encode()
    visit.send(data[: len(data) // 2], claims=len(data) - len(data) // 2)


def endless(visit: Visit) -> None:
    """A reply without end."""
    visit.charge()
    visit.begin_stream("application/json")
    visit.wfile.write(b'{"choices": [{"message": {"content": "')
    while not visit.owner.stopping.is_set():
        visit.wfile.write(b"a" * 65_536)


def endless_stream(visit: Visit) -> None:
    """A model that does not stop talking."""
    visit.charge()
    visit.begin_stream()
    piece = {"choices": [{"index": 0, "delta": {"content": "and so on "}, "finish_reason": None}]}
    while not visit.owner.stopping.is_set():
        visit.event(piece)


def slow_stream(visit: Visit) -> None:
    """A piece every twentieth of a second, for ever."""
    visit.charge()
    visit.begin_stream()
    piece = {"choices": [{"index": 0, "delta": {"content": "slow "}, "finish_reason": None}]}
    while not visit.owner.stopping.is_set():
        visit.event(piece)
        visit.pause(0.05)


def silent(visit: Visit) -> None:
    """Takes the request and says nothing."""
    visit.charge()
    visit.pause(60)
    visit.close_connection = True


def drip(data: bytes) -> Behaviour:
    """Sends these bytes one by one, slowly, then zeros."""

    def send_slowly(visit: Visit) -> None:
        visit.charge()
        visit.close_connection = True
        for byte in data:
            visit.wfile.write(bytes([byte]))
            visit.pause(0.05)
        while not visit.owner.stopping.is_set():
            visit.wfile.write(b"0")
            visit.pause(0.05)

    return send_slowly


def bomb(visit: Visit) -> None:
    """A small reply that unpacks to 100 MB."""
    visit.charge()
    visit.send(_bomb(), headers={"Content-Encoding": "gzip"})


def packed(visit: Visit) -> None:
    """A good reply, packed although nobody asked for it."""
    visit.charge()
    visit.send(gzip.compress(json.dumps(reply_for(visit.seen.body)).encode()), headers={"Content-Encoding": "gzip"})


@functools.cache
def _bomb() -> bytes:
    return gzip.compress(b" " * 100_000_000, compresslevel=1)
