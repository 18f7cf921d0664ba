"""What every `ChatModel` keeps to, whoever stands behind. A new one joins by a maker below."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from faulty_server import FaultyServer, status

from mathrag.errors import MathragError, ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.kept_replies import MemoryReplies
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Schema, Tool
from mathrag.llm.metered import Models
from mathrag.llm.recording import RecordingModel, ReplayingModel
from mathrag.llm.seams import ChatModel, ScriptedModel

TURNS = (Message("system", "Be short."), Message("user", "Say hi."))
PLAIN = ChatRequest(TURNS, maximal_tokens=6)
DEMANDING = ChatRequest(
    TURNS,
    schema=Schema("s", {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}),
    maximal_tokens=24,
    alternatives=2,
)
CALLING = ChatRequest(
    TURNS, tools=(Tool("look", "Look", {"type": "object", "properties": {}}),), must_call=True, maximal_tokens=6
)
FINISHES = ("stop", "length", "tool_calls", "filtered", "unknown")

# Each makes a model that answers, and one that fails, as context managers.
Maker = Callable[[Path], AbstractContextManager[ChatModel]]


def _scripted_replies() -> ScriptedModel:
    return ScriptedModel([], name="scripted", last_words="Hello to you.")


def _scripted_errors() -> ScriptedModel:
    def fail(request: ChatRequest) -> ChatReply:
        raise ModelError("busy", "too many requests")

    return ScriptedModel([fail] * 20, name="scripted")


@contextmanager
def scripted(_: Path) -> Iterator[ChatModel]:
    yield _scripted_replies()


@contextmanager
def scripted_failing(_: Path) -> Iterator[ChatModel]:
    yield _scripted_errors()


@contextmanager
def served(_: Path) -> Iterator[ChatModel]:
    with FaultyServer() as server, Endpoint(server.url, "small") as endpoint:
        yield endpoint


@contextmanager
def served_failing(_: Path) -> Iterator[ChatModel]:
    with FaultyServer(otherwise=status(429)) as server, Endpoint(server.url, "small", retries=0) as endpoint:
        yield endpoint


@contextmanager
def metered(folder: Path) -> Iterator[ChatModel]:
    with served(folder) as model, Models.of(model) as models:
        yield models.chat("reason")


@contextmanager
def metered_failing(folder: Path) -> Iterator[ChatModel]:
    with served_failing(folder) as model, Models.of(model) as models:
        yield models.chat("reason")


@contextmanager
def cached(folder: Path) -> Iterator[ChatModel]:
    with served(folder) as model, Models.of(model, store=MemoryReplies()) as models:
        for request in (PLAIN, DEMANDING, CALLING):
            models.chat("judge").chat(request)
        yield models.chat("reason")


@contextmanager
def recording(folder: Path) -> Iterator[ChatModel]:
    with served(folder) as model:
        yield RecordingModel(model, folder / "replies.jsonl")


@contextmanager
def recording_failing(folder: Path) -> Iterator[ChatModel]:
    with served_failing(folder) as model:
        yield RecordingModel(model, folder / "replies.jsonl")


@contextmanager
def replaying(folder: Path) -> Iterator[ChatModel]:
    with recording(folder) as model:
        for request in (PLAIN, DEMANDING, CALLING):
            model.chat(request)
    yield ReplayingModel(folder / "replies.jsonl")


@contextmanager
def replaying_failing(folder: Path) -> Iterator[ChatModel]:
    with recording_failing(folder) as model, pytest.raises(ModelError):
        model.chat(PLAIN)
    yield ReplayingModel(folder / "replies.jsonl")


MAKERS: dict[str, tuple[Maker, Maker]] = {
    "scripted": (scripted, scripted_failing),
    "served": (served, served_failing),
    "metered": (metered, metered_failing),
    "cached": (cached, metered_failing),
    "recording": (recording, recording_failing),
    "replaying": (replaying, replaying_failing),
}


@pytest.fixture(params=[*MAKERS, pytest.param("real", marks=pytest.mark.slow)])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChatModel]:
    if request.param == "real":
        yield request.getfixturevalue("real_endpoint")
        return
    with MAKERS[request.param][0](tmp_path) as made:
        yield made


@pytest.fixture(params=MAKERS)
def failing_model(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChatModel]:
    with MAKERS[request.param][1](tmp_path) as made:
        yield made


def _check(reply: ChatReply) -> None:
    reply.text.encode("utf-8")
    assert reply.finish in FINISHES
    assert reply.usage.prompt_tokens >= 0
    assert reply.usage.completion_tokens >= 0
    assert all(call.name for call in reply.tool_calls)
    assert all(token.log_probability <= 0 for token in reply.tokens)


def test_it_has_a_name(model: ChatModel) -> None:
    assert model.name
    assert model.name == model.name.strip()


@pytest.mark.parametrize("request_", [PLAIN, DEMANDING, CALLING], ids=["plain", "demanding", "calling"])
def test_a_reply_is_in_good_order(model: ChatModel, request_: ChatRequest) -> None:
    reply = model.chat(request_)
    _check(reply)
    asked = {"schema"} if request_.schema else set()
    asked |= {"tools"} if request_.tools else set()
    asked |= {"logprobs"} if request_.alternatives else set()
    assert reply.lacking <= asked


@pytest.mark.parametrize("request_", [PLAIN, CALLING], ids=["plain", "calling"])
def test_the_last_piece_carries_the_whole(model: ChatModel, request_: ChatRequest) -> None:
    *pieces, last = model.stream(request_)
    assert last.reply is not None
    _check(last.reply)
    assert all(piece.reply is None for piece in pieces)
    assert "".join(piece.text for piece in (*pieces, last)) == last.reply.text


def test_a_stream_may_be_left_and_the_model_asked_again(model: ChatModel) -> None:
    stream = model.stream(PLAIN)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert list(stream) == []
    never_read = model.stream(PLAIN)
    never_read.close()  # type: ignore[attr-defined]
    _check(model.chat(PLAIN))


def test_several_threads_may_ask(model: ChatModel) -> None:
    replies: list[ChatReply] = []
    threads = [threading.Thread(target=lambda: replies.append(model.chat(PLAIN))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert len(replies) == 4
    for reply in replies:
        _check(reply)


def test_it_fails_with_an_error_of_ours(failing_model: ChatModel) -> None:
    with pytest.raises(ModelError) as caught:
        failing_model.chat(PLAIN)
    assert caught.value.code == "busy"
    assert isinstance(caught.value, MathragError)
    with pytest.raises(ModelError):
        list(failing_model.stream(PLAIN))
