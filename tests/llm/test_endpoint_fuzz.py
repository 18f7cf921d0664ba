"""Whatever a server sends, only a `ModelError` comes out, or a reply in good order."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import pytest
from faulty_server import FaultyServer, Visit, reply_for, stream_for
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.endpoint.address import read_address
from mathrag.llm.endpoint.client import read_vectors
from mathrag.llm.endpoint.exchange import Patience, read_retry_after
from mathrag.llm.endpoint.refusals import as_error, blamed, explanation, is_worth_another_try
from mathrag.llm.endpoint.reply import Draft, Refused, ServerFault, Unreadable, events, read_json, unpack
from mathrag.llm.endpoint.request import limits_of
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Schema, Tool

REQUEST = ChatRequest(
    (Message("user", "Hello"),), schema=Schema("s", {"type": "object"}), tools=(Tool("t", ""),), alternatives=2
)
BODY = {"model": "m", "logprobs": True, "top_logprobs": 2, "tools": [{"function": {"name": "t", "parameters": {}}}]}
KEY = "sk-very-secret-0123456789"
ADDRESS = read_address("http://localhost:1")

numbers = st.integers() | st.floats() | st.just(10**400)
leaves = st.none() | st.booleans() | numbers | st.text(st.characters(), max_size=5)
names = st.sampled_from(
    "choices message delta content tool_calls function name arguments index id logprobs token logprob top_logprobs "
    "finish_reason usage prompt_tokens completion_tokens model error refusal text data embedding code param".split()
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4), max_leaves=20
)


@st.composite
def damaged(draw: st.DrawFn) -> object:
    """A good reply, or a piece of a stream, in which one thing was replaced by any other."""
    whole = draw(st.sampled_from([reply_for({}), reply_for(BODY), *[v for v in stream_for(BODY) if v != "[DONE]"]]))
    whole = json.loads(json.dumps(whole))
    places = list(_places(whole))
    holder, key = draw(st.sampled_from(places))
    holder[key] = draw(values)
    return whole


def _places(value: object) -> Iterator[tuple[object, object]]:
    if isinstance(value, dict | list):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(inner)


def _is_in_good_order(reply: ChatReply) -> bool:
    reply.text.encode("utf-8")
    for call in reply.tool_calls:
        assert call.name
        assert call.id
        f"{call.name}{call.id}{call.arguments}".encode()
    for token in reply.tokens:
        chances = [token.log_probability, *(chance for _, chance in token.others)]
        assert all(math.isfinite(chance) and chance <= 0 for chance in chances)
    assert reply.usage.prompt_tokens >= 0
    assert reply.usage.completion_tokens >= 0
    return True


@settings(max_examples=150, deadline=None)
@given(st.lists(damaged() | values, min_size=1, max_size=4))
def test_a_draft_takes_anything(chunks: list[object]) -> None:
    draft = Draft(REQUEST, limits_of(REQUEST), model="m")
    try:
        for chunk in chunks:
            draft.add(chunk)
        assert _is_in_good_order(draft.reply())
    except (Unreadable, ServerFault):
        pass


@settings(max_examples=100, deadline=None)
@given(values | st.fixed_dictionaries({"data": st.lists(st.fixed_dictionaries({"embedding": values}))}))
def test_vectors_take_anything(value: object) -> None:
    try:
        vectors = read_vectors(value, count=1)
    except Unreadable:
        return
    assert all(math.isfinite(number) for vector in vectors for number in vector)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([204, 301, 400, 401, 402, 404, 408, 413, 418, 422, 429, 500, 501, 503, 504, 599]),
    st.binary(max_size=60) | values.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(st.sampled_from(["retry-after", "location", "content-type"]), st.text(max_size=20)),
)
def test_a_refusal_may_say_anything(status: int, body: bytes, headers: dict[str, str]) -> None:
    refused = Refused(status, headers, body + KEY.encode() if status == 418 else body)
    sentence, parameter, code = explanation(refused)
    assert isinstance(sentence + parameter + code, str)
    assert blamed(refused, ("seed", "tools", "schema:s"), model="m", may_guess=True) in (
        None,
        "seed",
        "tools",
        "schema:s",
    )
    assert is_worth_another_try(refused) in (True, False)
    wait = read_retry_after(headers, now=0.0)
    assert wait is None or wait >= 0
    error = as_error(refused, address=ADDRESS, model="m", key=KEY, retry_after=wait)
    assert KEY not in str(error)
    assert str(error).isprintable()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"data: {}\n\n", b"data: ", b"\r\n", b"\n"])))
def test_events_do_not_depend_on_how_bytes_arrive(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    assert list(events(iter(chunks))) == list(events(iter([whole])))
    assert list(events(iter(chunks))) == list(events(iter([whole[i : i + 1] for i in range(len(whole))])))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "identity", "", "br", "GZIP "]))
def test_unpacking_takes_anything(data: bytes, encoding: str) -> None:
    try:
        assert len(b"".join(unpack(iter([data]), encoding=encoding, limit=100))) <= 100
        read_json(data)
    except Unreadable:
        pass


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 50),
    st.floats(0, 1e4),
    st.none() | st.floats(0, 1e9),
    st.floats(0, 1, exclude_max=True),
)
def test_waits_are_never_long_nor_past_the_end(attempt: int, until: float, asked: float | None, chance: float) -> None:
    delay = Patience(10, until, lambda: chance).delay(attempt, now=0.0, retry_after=asked)
    if attempt >= 10:
        assert delay is None
    if delay is not None:
        assert 0 <= delay < until
        assert delay <= 121
        assert asked is None or delay >= asked


HEADS = [
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe;;;\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    b"HTTP/1.1 999999 OK\r\n\r\n",
    b"HTTP/2 200\r\n\r\n",
    b"",
]  # fmt: skip
bodies = st.one_of(
    st.binary(max_size=80),
    damaged().map(lambda value: json.dumps(value).encode()),
    damaged().map(lambda value: f"data: {json.dumps(value)}\n\n".encode()),
    st.just(b"data: [DONE]\n\n"),
)


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with FaultyServer() as running:
        yield running


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(HEADS), st.lists(bodies, max_size=3), st.booleans())
def test_raw_bytes_of_a_server_never_leak_another_error(
    server: FaultyServer, head: bytes, pieces: list[bytes], is_streamed: bool
) -> None:
    def send(visit: Visit) -> None:
        visit.close_connection = True
        visit.wfile.write(head + b"".join(pieces))

    server.otherwise = send
    with Endpoint(server.url, "m", key=KEY, retries=1, timeout_seconds=10, sleep=lambda _: None) as endpoint:
        problems: list[ModelError] = []
        try:
            reply = list(endpoint.stream(REQUEST))[-1].reply if is_streamed else endpoint.chat(REQUEST)
            assert reply is not None
            assert _is_in_good_order(reply)
        except ModelError as error:
            problems.append(error)
        try:
            endpoint.embed(["text"])
        except ModelError as error:
            problems.append(error)
    for problem in problems:
        assert problem.code in ("bad_reply", "server", "rejected", "unreachable", "timeout", "not_found", "too_long")
        assert KEY not in str(problem)
