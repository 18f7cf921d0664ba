"""A real model over a real connection. Far too small to be right: what is checked is the form, never the wisdom."""

from __future__ import annotations

import json
import threading
import time
import urllib.request

import pytest
from real_model import RealModel, missing

from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.messages import ChatRequest, Message, Picture, Schema, Tool, ToolCall

PERSON = Schema(
    "person",
    {
        "type": "object",
        "properties": {"n": {"type": "string", "maxLength": 4}, "kind": {"enum": ["tall", "short"]}},
        "required": ["n", "kind"],
        "additionalProperties": False,
    },
)
WEATHER = Tool("weather", "The weather", {"type": "object", "properties": {"city": {"type": "string"}}})


def _asking(text: str = "Say hi.", *, maximal_tokens: int = 6, **fields: object) -> ChatRequest:
    # A system message of our own is shorter than the one the model's template would put in.
    turns = (Message("system", "Hi"), Message("user", text))
    return ChatRequest(turns, maximal_tokens=maximal_tokens, **fields)  # type: ignore[arg-type]


def test_chat(real_endpoint: Endpoint, real_model: RealModel) -> None:
    reply = real_endpoint.chat(_asking())
    assert reply.text
    assert reply.finish in ("stop", "length")
    assert not reply.usage.is_estimated
    assert reply.usage.prompt_tokens > 0
    assert 0 < reply.usage.completion_tokens <= 6
    assert reply.model == real_model.name
    assert reply.lacking == frozenset()


@pytest.mark.slow
def test_the_same_question_has_the_same_reply(real_endpoint: Endpoint) -> None:
    assert real_endpoint.chat(_asking()).text == real_endpoint.chat(_asking()).text


def test_stream(real_endpoint: Endpoint) -> None:
    pieces = list(real_endpoint.stream(_asking(maximal_tokens=8)))
    reply = pieces[-1].reply
    assert reply is not None
    assert len(pieces) > 2
    assert "".join(piece.text for piece in pieces) == reply.text
    assert not reply.usage.is_estimated


def test_schema(real_endpoint: Endpoint) -> None:
    reply = real_endpoint.chat(_asking("A person.", maximal_tokens=60, schema=PERSON))
    value = json.loads(reply.text)
    assert set(value) == {"n", "kind"}
    assert value["kind"] in ("tall", "short")
    assert reply.lacking == frozenset()


def test_probabilities(real_endpoint: Endpoint) -> None:
    reply = real_endpoint.chat(_asking("Yes or no?", maximal_tokens=3, alternatives=5))
    assert 1 <= len(reply.tokens) <= 3
    for token in reply.tokens:
        assert token.log_probability <= 0
        assert len(token.others) == 5
        assert [chance for _, chance in token.others] == sorted((chance for _, chance in token.others), reverse=True)
    streamed = list(real_endpoint.stream(_asking("Yes or no?", maximal_tokens=3, alternatives=5)))[-1].reply
    assert streamed is not None
    assert [token.text for token in streamed.tokens][:1] == [token.text for token in reply.tokens][:1]


def test_tools_or_word_that_they_are_lacking(real_endpoint: Endpoint) -> None:
    request = _asking("Weather in Rome?", maximal_tokens=4, tools=(WEATHER,), must_call=True)
    reply = real_endpoint.chat(request)
    assert bool(reply.tool_calls) != ("tools" in reply.lacking)


@pytest.mark.soak
def test_turns_of_tools_are_taken(real_endpoint: Endpoint) -> None:
    turns = (
        Message("user", "Weather?"),
        Message("assistant", "", tool_calls=(ToolCall("weather", '{"city": "Rome"}', "call_1"),)),
        Message("tool", "rain", tool_call_id="call_1"),
    )
    assert real_endpoint.chat(ChatRequest(turns, tools=(WEATHER,), maximal_tokens=3)).usage.completion_tokens > 0
    assert real_endpoint.chat(ChatRequest(turns, maximal_tokens=3)).usage.completion_tokens > 0


@pytest.mark.soak
def test_a_picture_is_left_out_and_lacking(real_endpoint: Endpoint) -> None:
    turns = (Message("user", "What is this?", pictures=(Picture(b"\x89PNG"),)),)
    reply = real_endpoint.chat(ChatRequest(turns, maximal_tokens=3))
    assert reply.lacking == {"images"}


@pytest.mark.soak
def test_stop(real_endpoint: Endpoint) -> None:
    whole = real_endpoint.chat(_asking(maximal_tokens=8)).text
    middle = whole[len(whole) // 2]
    reply = real_endpoint.chat(_asking(maximal_tokens=8, stop=(middle,)))
    assert reply.text == whole[: whole.index(middle)]


def test_a_request_that_is_too_long(real_endpoint: Endpoint) -> None:
    for ask in (real_endpoint.chat, lambda request: list(real_endpoint.stream(request))):
        with pytest.raises(ModelError) as caught:
            ask(_asking("word " * 5_000))  # type: ignore[operator]
        assert caught.value.code == "too_long"
    assert real_endpoint.chat(_asking()).text


def _is_busy(model: RealModel) -> bool:
    with urllib.request.urlopen(f"{model.url}/slots", timeout=60) as reply:
        return any(slot["is_processing"] for slot in json.loads(reply.read()))


def _wait_until_free(model: RealModel) -> None:
    for _ in range(10_000):
        if not _is_busy(model):
            return
        time.sleep(0.01)
    pytest.fail("the server still works for somebody who has gone")


def test_cancelling_a_stream_frees_the_server(real_endpoint: Endpoint, real_model: RealModel) -> None:
    stream = real_endpoint.stream(_asking("Write a long story about the sea.", maximal_tokens=900))
    heard = [next(stream) for _ in range(3)]
    assert _is_busy(real_model)
    stream.close()
    _wait_until_free(real_model)
    assert all(piece.text and piece.reply is None for piece in heard)
    assert list(stream) == []
    assert real_endpoint.chat(_asking()).text


@pytest.mark.soak
def test_closing_the_client_wakes_who_waits(real_model: RealModel) -> None:
    endpoint = Endpoint(real_model.url, real_model.name, retries=0)
    outcome: list[str] = []

    def ask() -> None:
        try:
            # This server finishes a whole reply even when nobody waits for it, so it is not a long one.
            endpoint.chat(_asking("Write a story about the sea.", maximal_tokens=100))
        except ModelError as error:
            outcome.append(error.code)

    thread = threading.Thread(target=ask)
    thread.start()
    while not _is_busy(real_model):
        time.sleep(0.01)
    endpoint.close()
    thread.join(30)
    assert outcome == ["cancelled"]
    _wait_until_free(real_model)


@pytest.mark.soak
def test_several_at_once(real_endpoint: Endpoint) -> None:
    texts = [f"Say {number}." for number in range(6)]
    said: dict[str, str] = {}

    def ask(text: str) -> None:
        said[text] = real_endpoint.chat(_asking(text)).text

    threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(said) == texts


@pytest.mark.soak
def test_a_time_out_ends_the_work(real_model: RealModel) -> None:
    with Endpoint(real_model.url, real_model.name, timeout_seconds=1, retries=2) as endpoint:
        with pytest.raises(ModelError) as caught:
            list(endpoint.stream(_asking("Write a long story about the sea.", maximal_tokens=900)))
        assert (caught.value.code, caught.value.was_charged) == ("timeout", True)
    _wait_until_free(real_model)


@pytest.mark.soak
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_vectors() -> None:
    with RealModel(embedding=True) as server, Endpoint(server.url, server.name, retries=0) as endpoint:
        texts = ["The kinetic energy of a body", "Energy of motion of a body", "A recipe for soup"]
        found = endpoint.embed(texts)
        assert len(found.vectors) == 3
        assert {len(vector) for vector in found.vectors} == {576}
        assert found.usage.prompt_tokens > 0
        assert endpoint.embed(texts[:1]).vectors[0] == pytest.approx(found.vectors[0], abs=1e-2)
        assert len(endpoint.embed([""]).vectors) == 1


@pytest.mark.soak
def test_a_server_without_vectors_says_so(real_endpoint: Endpoint) -> None:
    with pytest.raises(ModelError, match="embeddings") as caught:
        real_endpoint.embed(["text"])
    assert caught.value.code == "rejected"
