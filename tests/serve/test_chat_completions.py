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


@pytest.mark.slow
def test_a_question_is_answered_with_number_formula_and_source(chat: openai.OpenAI) -> None:
    reply = said(chat, QUESTION)
    text = reply.choices[0].message.content
    assert "9.00 J" in text
    assert "mechanics.md" in text or "Notes on mechanics" in text
    assert reply.choices[0].finish_reason == "stop"
    assert reply.model_extra["mathrag"]["value"] == 9
    usage = reply.usage
    # Words, numbers and signs: "3 m/s?" has five of them.
    assert usage.prompt_tokens == 14
    assert usage.completion_tokens > 10
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert usage.model_extra["mathrag"]["model_prompt_tokens"] == 0


@pytest.mark.slow
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
        (b'{"model": "mathrag", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}', 400),
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
    assert error["type"] == "invalid_request_error"


@pytest.mark.soak
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


BODY = {"model": "mathrag", "messages": [{"role": "user", "content": QUESTION}]}


@pytest.mark.parametrize(
    "field",
    [{"tools": [{"type": "function", "function": {"name": "f"}}]}, {"response_format": {"type": "json_object"}},
     {"stop": ["J"]}, {"logprobs": True}, {"top_logprobs": 3}, {"frequency_penalty": 1.5}, {"store": True},
     {"reasoning_effort": "high"}, {"made_up": 1}, {"tool_choice": "required"}, {"logit_bias": {"9": 100}},
     {"modalities": ["audio"]}, {"temperature": 9}],
)  # fmt: skip
def test_what_is_not_done_is_refused_by_name(client: TestClient, field: dict[str, Any]) -> None:
    reply = client.post("/v1/chat/completions", json={**BODY, **field})
    assert reply.status_code == 400
    error = reply.json()["error"]
    (name,) = field
    assert error["param"].startswith(name)
    assert name in error["message"]


def test_what_chat_programs_send_by_habit_is_taken(client: TestClient) -> None:
    habits = {"temperature": 0.2, "top_p": 1, "frequency_penalty": 0, "presence_penalty": 0, "stop": None, "tools": [],
              "max_tokens": 4000, "seed": 7, "user": "ada", "response_format": {"type": "text"}}  # fmt: skip
    reply = client.post("/v1/chat/completions", json={**BODY, **habits})
    assert reply.json()["mathrag"]["value"] == 9


def test_an_answer_is_never_cut_off(client: TestClient) -> None:
    reply = client.post("/v1/chat/completions", json={**BODY, "max_tokens": 2})
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "too_long")


def test_a_system_message_is_said_not_to_be_followed(client: TestClient) -> None:
    orders = [{"role": "system", "content": "Say that it is 7 J."}, *BODY["messages"]]
    found = client.post("/v1/chat/completions", json={**BODY, "messages": orders}).json()["mathrag"]
    assert found["value"] == 9
    assert "not followed" in found["notes"][0]


def test_the_responses_interface_answers_and_goes_on(chat: openai.OpenAI) -> None:
    first = chat.responses.create(model="mathrag", input=QUESTION)
    assert "9.00 J" in first.output_text
    assert first.status == "completed"
    assert first.usage is not None
    assert first.usage.input_tokens == 14
    assert first.usage.total_tokens == first.usage.input_tokens + first.usage.output_tokens
    second = chat.responses.create(model="mathrag", input="and at 5 m/s?", previous_response_id=first.id)
    assert "25.0 J" in second.output_text
    assert second.previous_response_id == first.id
    third = chat.responses.create(model="mathrag", input="and at 1 m/s?", previous_response_id=second.id)
    assert "1.00 J" in third.output_text
    assert chat.responses.retrieve(first.id).output_text == first.output_text
    chat.responses.delete(first.id)
    with pytest.raises(openai.NotFoundError):
        chat.responses.create(model="mathrag", input="and at 7 m/s?", previous_response_id=first.id)


def test_responses_take_messages_and_stream(chat: openai.OpenAI) -> None:
    messages: Any = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": [{"type": "output_text", "text": "9 J"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "and at 5 m/s?"}]},
    ]
    events = list(chat.responses.create(model="mathrag", input=messages, stream=True, store=False))
    kinds = [event.type for event in events]
    assert kinds[:4] == ["response.created", "response.in_progress", "response.output_item.added",
                         "response.content_part.added"]  # fmt: skip
    assert kinds[-1] == "response.completed"
    assert [event.sequence_number for event in events] == list(range(len(events)))
    done: Any = events[-1]
    pieces = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert pieces == done.response.output_text
    assert "25.0 J" in pieces
    with pytest.raises(openai.NotFoundError):
        chat.responses.retrieve(done.response.id)


def test_instructions_are_said_not_to_be_followed(chat: openai.OpenAI) -> None:
    reply = chat.responses.create(model="mathrag", input=QUESTION, instructions="Say 7 J.")
    assert reply.instructions == "Say 7 J."
    assert "9.00 J" in reply.output_text
    extra: Any = reply.model_extra
    assert "not followed" in extra["mathrag"]["notes"][0]


@pytest.mark.parametrize(
    "field",
    [{"tools": [{"type": "web_search"}]}, {"text": {"format": {"type": "json_object"}}}, {"background": True},
     {"include": ["reasoning.encrypted_content"]}, {"reasoning": {"effort": "low"}}, {"conversation": "conv_1"},
     {"truncation": "auto"}, {"max_output_tokens": 2}, {"prompt": {"id": "x"}}],
)  # fmt: skip
def test_responses_refuse_by_name_too(client: TestClient, field: dict[str, Any]) -> None:
    reply = client.post("/v1/responses", json={"model": "mathrag", "input": QUESTION, **field})
    assert reply.status_code == 400
    (name,) = field
    assert name in reply.json()["error"]["message"]


@pytest.mark.parametrize("value", [3, [], [{"role": "user"}], [{"type": "function_call", "name": "x"}], " "])
def test_odd_input_is_an_error(client: TestClient, value: Any) -> None:
    reply = client.post("/v1/responses", json={"model": "mathrag", "input": value})
    assert reply.status_code == 400
    assert set(reply.json()["error"]) == {"message", "type", "param", "code"}
