"""Any chat program gets computed answers: through the official client, over a real connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from serve_makers import QUESTION, TOKEN, RunningServer
from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def address(made: Path) -> Iterator[str]:
    server = RunningServer(made)
    yield f"{server.address}/v1"
    server.stop()


@pytest.fixture
def chat(address: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=address, api_key="none", max_retries=0, timeout=60) as found:
        yield found


def said(chat: openai.OpenAI, *texts: str) -> Any:
    messages: Any = [{"role": "user", "content": text} for text in texts]
    return chat.chat.completions.create(model="mathrag", messages=messages, temperature=0.7)


def test_a_question_is_answered_with_number_formula_and_source(chat: openai.OpenAI) -> None:
    reply = said(chat, QUESTION)
    text = reply.choices[0].message.content
    assert "9.00 J" in text
    assert "mechanics.md" in text or "Notes on mechanics" in text
    assert reply.choices[0].finish_reason == "stop"
    assert reply.model_extra["mathrag"]["value"] == 9
    assert reply.usage.total_tokens == 0


def test_a_refusal_has_no_number(chat: openai.OpenAI) -> None:
    reply = said(chat, "What is the kinetic energy of a body of 2 kg?")
    assert reply.model_extra["mathrag"]["outcome"] == "refused"
    assert "speed" in reply.choices[0].message.content


def test_a_follow_up_leans_on_the_message_before(chat: openai.OpenAI) -> None:
    assert "25.0 J" in said(chat, QUESTION, "and at 5 m/s?").choices[0].message.content


def test_a_stream_says_the_same(chat: openai.OpenAI) -> None:
    whole = said(chat, QUESTION).choices[0].message.content
    messages: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
    stream = chat.chat.completions.create(
        model="mathrag", messages=messages, stream=True, stream_options={"include_usage": True}
    )
    pieces = list(stream)
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices) == whole
    assert pieces[-1].usage is not None
    assert [piece.choices[0].finish_reason for piece in pieces if piece.choices][-1] == "stop"


def test_models_are_listed(chat: openai.OpenAI) -> None:
    assert [model.id for model in chat.models.list()] == ["mathrag"]
    assert chat.models.retrieve("mathrag").owned_by == "mathrag"
    with pytest.raises(openai.NotFoundError):
        chat.models.retrieve("gpt")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"no json", 400),
        (b"{}", 400),
        (b'{"model": "other", "messages": [{"role": "user", "content": "x"}]}', 404),
        (b'{"model": "mathrag", "messages": []}', 400),
        (b'{"model": "mathrag", "messages": [{"role": "assistant", "content": "x"}]}', 400),
        (b'{"model": "mathrag", "messages": [{"role": "user", "content": "  "}]}', 400),
        (b'{"model": "mathrag", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}', 422),
        (b'{"model": "mathrag", "n": 2, "messages": [{"role": "user", "content": "x"}]}', 400),
        (b'{"model": "mathrag", "messages": [{"role": "user", "content": "' + b"x" * 30_000 + b'"}]}', 400),
    ],
    ids=["no-json", "empty", "other-model", "no-message", "no-user", "blank", "picture", "two", "long"],
)
def test_what_cannot_be_answered_is_an_error_in_their_shape(client: TestClient, body: bytes, status: int) -> None:
    reply = client.post("/v1/chat/completions", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == status
    error = reply.json()["error"]
    assert error["message"]
    assert set(error) == {"message", "type", "param", "code"}


def test_a_token_is_the_key(made: Path, run_server: Callable[..., RunningServer]) -> None:
    server = run_server(made, "--token", TOKEN)
    for key, is_right in ((TOKEN, True), ("wrong", False)):
        with openai.OpenAI(base_url=f"{server.address}/v1", api_key=key, max_retries=0) as chat:
            if is_right:
                assert chat.models.list().data
            else:
                with pytest.raises(openai.AuthenticationError):
                    chat.models.list()


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/v1/chat/completions", {"Content-Type": "text/plain"}, 415),
        ("POST", "/v1/chat/completions", {"Content-Type": "application/json", "Content-Encoding": "gzip"}, 415),
        ("POST", "/v1/chat/completions", {"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"}, 403),
        ("GET", "/v1/models", {"Host": "attacker.example"}, 421),
        ("GET", "/v1/chat/completions", {}, 405),
        ("GET", "/v1/nothing", {}, 404),
    ],
)
def test_guards_speak_in_their_shape_too(
    client: TestClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    client.cookies.clear()
    reply = client.request(method, path, headers=headers, content=b"{}" if method == "POST" else None)
    assert reply.status_code == status
    assert set(reply.json()["error"]) == {"message", "type", "param", "code"}
