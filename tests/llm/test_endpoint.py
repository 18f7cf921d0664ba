"""What a request looks like on the wire, and what a good server's reply becomes."""

from __future__ import annotations

import base64
import logging
import subprocess
import sys

import pytest
from faulty_server import FaultyServer, Seen, answers, behave, reply_for, status, streams

from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.endpoint.address import read_address
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Picture, Schema, Tool, ToolCall, Usage

KEY = "sk-very-secret-0123456789"
PERSON = Schema(
    "person",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name", "age"],
        "additionalProperties": False,
    },
)
WEATHER = Tool("weather", "Look out of the window", {"type": "object", "properties": {"city": {"type": "string"}}})


def _asking(text: str = "Hello", **fields: object) -> ChatRequest:
    return ChatRequest((Message("user", text),), **fields)  # type: ignore[arg-type]


def _seen(request: ChatRequest) -> Seen:
    with FaultyServer() as server, Endpoint(server.url, "small", key=KEY) as endpoint:
        endpoint.chat(request)
        return server.requests[0]


def _reply(content: object, request: ChatRequest | None = None) -> ChatReply:
    with FaultyServer([answers(content)]) as server, Endpoint(server.url, "small") as endpoint:
        return endpoint.chat(request or _asking())


# The address.


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://localhost:11434/", "http://localhost:11434/v1"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        (" http://localhost:11434/v1/ ", "http://localhost:11434/v1"),
        ("https://models.example/api", "https://models.example/api/v1"),
        ("https://models.example/api/v1/chat/completions", "https://models.example/api/v1"),
        ("https://models.example/v1beta/openai/", "https://models.example/v1beta/openai"),
        ("https://models.example/v1?key=1#part", "https://models.example/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
    ],
)
def test_addresses_as_people_write_them(given: str, base: str) -> None:
    assert read_address(given).base == base


@pytest.mark.parametrize(
    "given",
    ["", "localhost:11434", "ftp://models.example", "http://", "http://[::1", "http://a b/", "http://h:99999", "/v1"],
)
def test_what_is_no_address(given: str) -> None:
    with pytest.raises(ModelError, match="MATHRAG_LLM_URL") as caught:
        read_address(given)
    assert caught.value.code == "not_configured"


def test_a_password_in_the_address_is_not_shown() -> None:
    address = read_address("http://me:hush@localhost:1/v1")
    assert address.shown == "http://localhost:1/v1"
    with Endpoint("http://me:hush@127.0.0.1:1", "m", retries=0) as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(_asking())
        assert "hush" not in str(caught.value) + repr(endpoint)


def test_a_model_must_be_named() -> None:
    with pytest.raises(ModelError, match="MATHRAG_LLM_MODEL"):
        Endpoint("http://localhost:1", "")


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_cannot_be_one(key: str) -> None:
    with pytest.raises(ModelError) as caught:
        Endpoint("http://localhost:1", "m", key=key)
    assert caught.value.code == "key_refused"
    assert key not in str(caught.value)


# The request.


def test_a_plain_request() -> None:
    seen = _seen(_asking(maximal_tokens=7, temperature=0.5, seed=3, stop=("END",)))
    assert seen.path == "/v1/chat/completions"
    assert seen.body == {
        "model": "small",
        "messages": [{"role": "user", "content": "Hello"}],
        "max_tokens": 7,
        "temperature": 0.5,
        "seed": 3,
        "stop": ["END"],
    }


def test_a_request_says_nothing_about_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-the-environment")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Own: of-the-environment")
    with FaultyServer() as server, Endpoint(server.url, "small") as endpoint:
        endpoint.chat(_asking())
        endpoint.embed(["text"])
        for seen in server.requests:
            assert "authorization" not in seen.headers
            assert "environment" not in str(seen.headers)
            assert seen.headers["user-agent"] == "mathrag"
            assert not [name for name in seen.headers if "stainless" in name]


def test_the_key_goes_to_the_server_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with FaultyServer() as server, Endpoint(server.url, "small", key=KEY) as endpoint:
        endpoint.chat(_asking())
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in repr(endpoint)
    assert KEY not in caplog.text


def test_pictures_schema_tools_and_probabilities() -> None:
    picture = Picture(b"\x89PNG bytes", "image/png")
    request = ChatRequest(
        (Message("system", "Be short."), Message("user", "What is this?", pictures=(picture,))),
        schema=PERSON,
        tools=(WEATHER, Tool("now", "The time")),
        must_call=True,
        alternatives=30,
    )
    body = _seen(request).body
    assert body["messages"][0] == {"role": "system", "content": "Be short."}
    text, image = body["messages"][1]["content"]
    assert text == {"type": "text", "text": "What is this?"}
    assert base64.b64decode(image["image_url"]["url"].removeprefix("data:image/png;base64,")) == picture.data
    assert body["response_format"]["json_schema"] == {"name": "person", "strict": True, "schema": dict(PERSON.schema)}
    assert [tool["function"]["name"] for tool in body["tools"]] == ["weather", "now"]
    assert body["tools"][1]["function"]["parameters"] == {"type": "object", "properties": {}}
    assert body["tool_choice"] == "required"
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)


def test_turns_of_tools() -> None:
    turns = (
        Message("user", "Weather in Paris?"),
        Message("assistant", "", tool_calls=(ToolCall("weather", '{"city": "Paris"}', "call_7"),)),
        Message("tool", "rain", tool_call_id="call_7"),
    )
    messages = _seen(ChatRequest(turns, tools=(WEATHER,))).body["messages"]
    assert messages[1]["tool_calls"] == [
        {"id": "call_7", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
    ]
    assert messages[2] == {"role": "tool", "content": "rain", "tool_call_id": "call_7"}
    # Without tools the same turns are told in words: such a server would refuse the role.
    roles = [message["role"] for message in _seen(ChatRequest(turns)).body["messages"]]
    assert roles == ["user", "assistant", "user"]


@pytest.mark.parametrize("text", ["half \ud83d a character", "\x00 \u2028 \ufffe 💯", "x" * 300_000])
def test_any_text_can_be_sent(text: str) -> None:
    assert len(_seen(_asking(text)).body["messages"][0]["content"]) >= len(text) - 1


def test_what_is_certainly_too_long_is_not_sent() -> None:
    with FaultyServer() as server, Endpoint(server.url, "small", context_tokens=100) as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(_asking("word " * 2_000))
        assert caught.value.code == "too_long"
        with pytest.raises(ModelError):
            list(endpoint.stream(_asking("word " * 2_000)))
        assert server.requests == []
        assert endpoint.chat(_asking("word " * 50)).text


# The reply.


def test_a_whole_reply() -> None:
    with FaultyServer() as server, Endpoint(server.url, "small") as endpoint:
        reply = endpoint.chat(_asking(alternatives=2))
    assert reply.text == "Four is two and two."
    assert reply.usage == Usage(9, 6)
    assert (reply.model, reply.finish, reply.lacking) == ("small", "stop", frozenset())
    assert "".join(token.text for token in reply.tokens) == reply.text
    assert reply.tokens[0].others == (("Four", -0.25), ("?", -2.5))


@pytest.mark.parametrize(
    "request_",
    [
        _asking(),
        _asking(alternatives=2),
        _asking(schema=PERSON),
        _asking(tools=(WEATHER,), must_call=True),
    ],
    ids=["plain", "probabilities", "schema", "tools"],
)
def test_a_stream_ends_in_the_same_reply(request_: ChatRequest) -> None:
    with FaultyServer() as server, Endpoint(server.url, "small") as endpoint:
        pieces = list(endpoint.stream(request_))
        assert pieces[-1].reply == endpoint.chat(request_)
        assert [piece for piece in pieces[:-1] if piece.reply is not None or not piece.text] == []


def test_where_the_server_does_not_count_we_estimate() -> None:
    content = reply_for({})
    del content["usage"]
    usage = _reply(content, _asking("word " * 100)).usage
    assert usage.is_estimated
    assert 100 <= usage.prompt_tokens <= 200
    assert usage.completion_tokens == 5


@pytest.mark.parametrize("count", [-1, 1e400, 10**30, True, "9", None, 1.5])
def test_counts_that_are_none_are_not_believed(count: object) -> None:
    assert _reply({**reply_for({}), "usage": {"prompt_tokens": count, "completion_tokens": 1}}).usage.is_estimated
    assert _reply({**reply_for({}), "usage": count}).usage.is_estimated


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "filtered"),
        ("no idea", "unknown"),
        (None, "unknown"),
        (7, "unknown"),
    ],
)
def test_why_it_stopped(reason: object, finish: str) -> None:
    assert _reply(reply_for({}, finish_reason=reason)).finish == finish


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None}, ""),
        ({}, ""),
        ({"content": [{"type": "text", "text": "Two "}, {"type": "image"}, 7, {"text": "parts"}]}, "Two parts"),
        ({"content": "half \ud83d"}, "half \ufffd"),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": "x", "tool_calls": None, "reasoning_content": 7}, "x"),
    ],
    ids=["null", "absent", "parts", "half a character", "refusal", "extra fields"],
)
def test_harmless_oddities_are_tolerated(message: object, text: str) -> None:
    assert _reply(reply_for({}, message=message)).text == text


@pytest.mark.parametrize(
    "content",
    [
        [], "text", 7, None, {}, {"choices": None}, {"choices": []}, {"choices": {}}, {"choices": ["x"]},
        {"choices": [{"message": "x"}]}, {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"tool_calls": "x"}}]}, {"choices": [{"message": {"content": "x" * 500_000}}]},
        {"choices": [{"message": {"tool_calls": [{"index": i, "function": {"name": "f"}} for i in range(99)]}}]},
        b"[" * 100_000, b'{"choices":' * 5_000, b"1" * 10_000, b"\xff\xfe", b"{'single': 1}",
    ],
    ids=[str(index) for index in range(19)],
)  # fmt: skip
def test_what_is_no_reply(content: object) -> None:
    with pytest.raises(ModelError) as caught:
        _reply(content)
    assert caught.value.code == "bad_reply"


@pytest.mark.parametrize(
    "content",
    [
        [{"token": "a", "logprob": float("nan")}], [{"token": "a", "logprob": 3}], [{"token": 1, "logprob": -1}],
        [{"logprob": -1}], ["a"], [None], [{"token": "a", "logprob": -1, "top_logprobs": {"a": 1}}],
        [{"token": "a", "logprob": -float("inf")}], [{"token": "a", "logprob": -(10**400)}], "a", None, {},
        [{"token": "a", "logprob": True}],
    ],
    ids=[str(index) for index in range(13)],
)  # fmt: skip
def test_probabilities_that_are_none_are_left_out(content: object) -> None:
    reply = _reply(reply_for({}, logprobs={"content": content}), _asking(alternatives=2))
    assert reply.tokens == ()
    assert reply.lacking == {"logprobs"}


def test_too_many_tokens_are_refused() -> None:
    entries = [{"token": "a", "logprob": -1.0}] * 9_000
    with pytest.raises(ModelError, match="too many tokens"):
        _reply(reply_for({}, logprobs={"content": entries}), _asking(alternatives=2))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"id": "c", "function": {"name": "weather", "arguments": "{}"}}, ToolCall("weather", "{}", "c")),
        (
            {"function": {"name": "weather", "arguments": {"city": "Rome"}}},
            ToolCall("weather", '{"city": "Rome"}', "call_0"),
        ),
        ({"id": 7, "index": "x", "function": {"name": "weather"}}, ToolCall("weather", "", "call_0")),
    ],
)
def test_tool_calls_of_many_servers(call: object, expected: ToolCall) -> None:
    reply = _reply(reply_for({}, message={"content": None, "tool_calls": [call]}), _asking(tools=(WEATHER,)))
    assert reply.tool_calls == (expected,)
    assert reply.finish == "tool_calls"


@pytest.mark.parametrize(
    "call", [None, "x", {}, {"function": None}, {"function": {"name": 7}}, {"function": {"name": ""}}]
)
def test_tool_calls_that_are_none_are_left_out(call: object) -> None:
    reply = _reply(reply_for({}, message={"content": "text", "tool_calls": [call]}), _asking(tools=(WEATHER,)))
    assert reply.tool_calls == ()


def test_a_stream_with_comments_blank_lines_and_odd_ends() -> None:
    piece = '{"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}'
    odd = f": keep-alive\r\n\r\nevent: message\r\nid: 4\r\ndata:{piece}\r\n\r\n\r\nretry: 5\r\n\r\n"

    def send(visit):  # type: ignore[no-untyped-def]
        visit.begin_stream("text/event-stream; charset=utf-8")
        visit.wfile.write(odd.encode())

    with FaultyServer([send]) as server, Endpoint(server.url, "small") as endpoint:
        pieces = list(endpoint.stream(_asking()))
    assert [piece.text for piece in pieces] == ["Hi", ""]


def test_a_server_that_does_not_stream_is_heard_whole() -> None:
    with FaultyServer([answers(reply_for({}))]) as server, Endpoint(server.url, "small") as endpoint:
        pieces = list(endpoint.stream(_asking()))
    assert [piece.text for piece in pieces] == ["Four is two and two.", ""]


def test_a_piece_of_a_stream_that_is_too_large() -> None:
    with FaultyServer([streams("x" * 5_000_000)]) as server, Endpoint(server.url, "small") as endpoint:
        with pytest.raises(ModelError) as caught:
            list(endpoint.stream(_asking()))
        assert caught.value.code == "bad_reply"


def test_the_place_of_the_weights_is_not_repeated() -> None:
    assert _reply({**reply_for({}), "model": "/home/somebody/weights.gguf"}).model == "weights.gguf"


# Vectors.


def test_vectors_come_in_the_order_of_the_texts_and_in_batches() -> None:
    texts = ["x" * length for length in range(150)]
    with FaultyServer() as server, Endpoint(server.url, "small") as endpoint:
        found = endpoint.embed(texts)
        assert [vector[0] for vector in found.vectors] == [1.0, *map(float, range(1, 150))]
        assert [len(seen.body["input"]) for seen in server.requests] == [32, 32, 32, 32, 22]
        assert found.usage == Usage(35, 0)
        assert endpoint.embed([]).vectors == ()


@pytest.mark.parametrize(
    "data",
    [
        None, [], {}, [1, 2], [{"index": 0, "embedding": [1.0]}] * 2, [{"embedding": []}] * 2,
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 5, "embedding": [1.0]}],
        [{"embedding": [float("nan")]}] * 2, [{"embedding": ["1"]}] * 2, [{"embedding": "AAAA"}] * 2,
        [{"embedding": [10**400]}] * 2, [{"embedding": [1.0] * 70_000}] * 2,
    ],
    ids=[str(index) for index in range(13)],
)  # fmt: skip
def test_vectors_that_are_none(data: object) -> None:
    with FaultyServer([answers({"data": data})]) as server, Endpoint(server.url, "small") as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.embed(["a", "b"])
        assert caught.value.code == "bad_reply"


def test_batches_that_were_paid_for_are_not_forgotten() -> None:
    with FaultyServer([behave, status(401)]) as server, Endpoint(server.url, "small") as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.embed(["text"] * 40)
        assert (caught.value.code, caught.value.was_charged) == ("key_refused", True)


# Without the package.


def test_without_the_package_a_sentence_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['httpx2'] = None\n"
        "from mathrag.errors import ModelError\n"
        "from mathrag.llm.endpoint import Endpoint\n"
        "from mathrag.llm.messages import ChatRequest, Message\n"
        "try: Endpoint('http://localhost:1', 'm').chat(ChatRequest((Message('user', 'x'),)))\n"
        "except ModelError as error: print(error.code, error)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("not_installed ")
    assert "pip install 'mathrag[llm]'" in result.stdout


def test_the_client_is_loaded_by_the_first_request_only() -> None:
    code = (
        "import sys, mathrag.llm.endpoint as e; e.Endpoint('http://localhost:1', 'm'); print('httpx2' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
