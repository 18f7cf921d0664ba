"""What is recorded can be read by people, holds no secrets, and plays back as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from metered_models import CountingModel, asking, run_threads

from mathrag.errors import BudgetError, ModelError
from mathrag.llm.budgets import Budget
from mathrag.llm.kept_replies import MemoryReplies
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Picture, ToolCall, Usage
from mathrag.llm.metered import Models
from mathrag.llm.recording import RecordingModel, ReplayingModel
from mathrag.llm.seams import ScriptedModel


def test_what_was_recorded_plays_back(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    whole = ChatReply("Größe", (ToolCall("find", "{}", "1"),), "tool_calls", Usage(3, 4), model="small")
    recording = RecordingModel(ScriptedModel([whole, "second"], name="small"), path)
    assert recording.chat(asking("one")) == whole
    assert recording.chat(asking("two")).text == "second"
    assert "Größe" in path.read_text(encoding="utf-8"), "readable by people"
    model = ReplayingModel(path)
    assert model.name == "small"
    assert model.chat(asking("two")).text == "second"
    assert model.chat(asking("one")) == whole
    assert model.chat(asking("one")) == whole


def test_repeated_requests_play_in_turn_and_the_last_stays(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    recording = RecordingModel(ScriptedModel(["a", "b"]), path)
    recording.chat(asking("x"))
    recording.chat(asking("x"))
    model = ReplayingModel(path)
    assert [model.chat(asking("x")).text for _ in range(3)] == ["a", "b", "b"]


def test_a_request_that_was_not_recorded_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    RecordingModel(ScriptedModel(["a"]), path).chat(asking("x"))
    with pytest.raises(ModelError, match=r"said\.jsonl has no reply to this request \('another'\); record it anew"):
        ReplayingModel(path).chat(asking("another"))
    with pytest.raises(ModelError):
        ReplayingModel(path).chat(asking("x", attempt=1))


def test_in_order_plays_whatever_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "byhand.jsonl"
    path.write_text('{"reply": {"text": "first"}}\n\n{"error": {"code": "timeout", "reason": "too late"}}\n')
    model = ReplayingModel(path, in_order=True, name="small")
    assert model.name == "small"
    assert model.chat(asking("anything")).text == "first"
    with pytest.raises(ModelError, match="too late") as caught:
        model.chat(asking("anything"))
    assert caught.value.code == "timeout"
    with pytest.raises(ModelError, match="at its end"):
        model.chat(asking("anything"))


def test_errors_are_recorded_and_played_but_budgets_are_not(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    models = Models.of(
        ScriptedModel([ModelError("server", "it failed", was_charged=True)]), budget=Budget(maximal_calls=1)
    )
    recording = RecordingModel(models.chat("judge"), path)
    with pytest.raises(ModelError, match="it failed"):
        recording.chat(asking("x"))
    with pytest.raises(BudgetError):
        recording.chat(asking("y"))
    assert len(path.read_text().splitlines()) == 1
    with pytest.raises(ModelError, match="it failed") as caught:
        ReplayingModel(path).chat(asking("x"))
    assert caught.value.was_charged


def test_streams_are_recorded_as_wholes(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    pieces = list(RecordingModel(ScriptedModel(["one two"]), path).stream(asking("x")))
    played = list(ReplayingModel(path).stream(asking("x")))
    assert "".join(piece.text for piece in pieces) == "".join(piece.text for piece in played) == "one two"
    assert played[-1].reply is not None


def test_pictures_are_not_written_and_half_characters_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    request = ChatRequest((Message("user", "see \ud835", pictures=(Picture(b"secret bytes"),)),))
    RecordingModel(ScriptedModel(["a"]), path).chat(request)
    assert "secret" not in path.read_text(encoding="utf-8")
    assert ReplayingModel(path).chat(request).text == "a"


def test_models_record_kept_replies_too(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    models = Models({"judge": CountingModel()}, store=MemoryReplies(), record=path)
    models.chat("judge").chat(asking("x"))
    models.chat("judge").chat(asking("x"))
    assert len(path.read_text().splitlines()) == 2


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    recording = RecordingModel(CountingModel(), path)
    run_threads(*(lambda n=n: recording.chat(asking("long " * 5000 + str(n))) for n in range(8)))  # type: ignore[misc]
    lines = path.read_text().splitlines()
    assert len(lines) == 8
    assert all(json.loads(line)["reply"]["text"] for line in lines)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json", "line 1 is damaged"),
        (b'{"reply": {"text": "a"}}\n{"reply": 3}\n', "line 2 is damaged"),
        (b"[1]\n", "line 1 is damaged"),
        (b"[" * 100_000, "line 1 is damaged"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_damaged_recording_says_where(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "said.jsonl"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=reason):
        ReplayingModel(path)


def test_a_recording_that_is_not_there_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        ReplayingModel(tmp_path / "none.jsonl")
    with pytest.raises(ModelError, match="cannot be written"):
        RecordingModel(ScriptedModel(["a"]), tmp_path / "none" / "said.jsonl").chat(asking("x"))
