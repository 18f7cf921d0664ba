"""Conversations for programs: kept by the server, told as earlier questions, in OpenAI's shape, for assistants."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from serve_makers import QUESTION, client_of
from starlette.testclient import TestClient

from mathrag.errors import LibraryError
from mathrag.serve.conversations import FILE_NAME, Conversations

RESULT = {"outcome": "answered", "text": "It is 9 J.", "asked": {"question": "What is it?"}, "value": 9}


@pytest.fixture(autouse=True)
def as_a_program(client: TestClient) -> None:
    """Whoever sends the cookie of a page has to send the secret of its forms, too; programs have no cookie."""
    client.cookies.clear()


def _ask(client: TestClient, question: str, **fields: Any) -> dict[str, Any]:
    reply = client.post("/api/v1/ask", json={"question": question, **fields})
    assert reply.status_code == 200, reply.text
    found = reply.json()
    assert isinstance(found, dict)
    return found


def test_a_conversation_goes_on_by_its_id(client: TestClient) -> None:
    first = _ask(client, QUESTION, conversation="new")
    name = first["conversation"]
    assert _ask(client, "what about 2000 kg?", conversation=name)["value"] == 9000
    assert _ask(client, "and at 6 m/s?", conversation=name)["value"] == 36000
    assert [turn["said"] for turn in client.get(f"/c/{name}.json").json()["turns"]][1] == "what about 2000 kg?"


def test_without_a_conversation_nothing_is_kept(client: TestClient) -> None:
    before = len(client.get("/ask.json").json()["history"])
    assert _ask(client, QUESTION).get("conversation") is None
    assert len(client.get("/ask.json").json()["history"]) == before


def test_earlier_questions_are_read_one_after_the_other(client: TestClient) -> None:
    found = _ask(client, "in MJ?", earlier=[QUESTION, "what about 2000 kg?", "nonsense of no use", "", "and at 6 m/s?"])
    assert found["outcome"] != "answered" or found["value"] == pytest.approx(0.036)
    assert _ask(client, "in MJ?", earlier=[QUESTION, "what about 2000 kg?", "and at 6 m/s?"])["value"] == pytest.approx(
        0.036
    )


@pytest.mark.parametrize("name", ["c-" + "A" * 22, "old", "", "../x"])
def test_a_conversation_that_is_not_there_is_a_problem(client: TestClient, name: str) -> None:
    reply = client.post("/api/v1/ask", json={"question": QUESTION, "conversation": name})
    assert reply.status_code in (404, 422)


def test_the_stream_names_the_conversation(client: TestClient) -> None:
    reply = client.post("/api/v1/ask/stream", json={"question": QUESTION, "conversation": "new"})
    assert "event: conversation" in reply.text


def test_all_messages_of_a_chat_are_the_conversation(client: TestClient) -> None:
    said = (QUESTION, "what about 2000 kg?", "and at 6 m/s?", "in MJ?")
    messages = [
        each for text in said for each in ({"role": "user", "content": text}, {"role": "assistant", "content": "-"})
    ]
    reply = client.post("/v1/chat/completions", json={"model": "mathrag", "messages": messages[:-1]})
    assert reply.json()["mathrag"]["value"] == pytest.approx(0.036)


@pytest.mark.slow
def test_a_conversation_outlives_the_server(copied: Path) -> None:
    with client_of(copied) as client:
        name = _ask(client, QUESTION, conversation="new")["conversation"]
    with client_of(copied) as client:
        assert _ask(client, "and for 4 kg?", conversation=name)["value"] == 18
        assert "The kinetic energy is 9.00 J." in client.get(f"/c/{name}").text


def test_the_file_is_for_its_owner_alone_and_bounded(tmp_path: Path) -> None:
    kept = Conversations(tmp_path, most=3, most_turns=2)
    names = [kept.new_name() for _ in range(5)]
    for name in names:
        kept.add(name, "What is it?", RESULT, generation=1, owner="me")
    assert [each["id"] for each in kept.listed("me")] == names[:-4:-1]
    for _ in range(4):
        kept.add(names[-1], "again", RESULT, generation=1, owner="me")
    assert [turn.number for turn in kept.turns(names[-1])] == [4, 5]
    large = {**RESULT, "trace": "x" * 300_000}
    assert kept.add(names[-1], "large", large, generation=1, owner="me").result is None
    assert kept.previous(names[-1]) == RESULT["asked"]
    assert kept.listed("somebody else") == []
    kept.forget(names[-1], owner="somebody else")
    assert kept.turns(names[-1])
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    kept.close()


def test_a_shared_conversation_is_copied_before_it_goes_on(tmp_path: Path) -> None:
    kept = Conversations(tmp_path)
    name = kept.new_name()
    kept.add(name, "What is it?", RESULT, generation=1, owner="one")
    other = kept.joined(name, owner="two")
    assert other != name
    assert kept.joined(name, owner="one") == name
    assert [turn.said for turn in kept.turns(other)] == ["What is it?"]
    with pytest.raises(LibraryError, match="not kept any more"):
        kept.joined(kept.new_name(), owner="one")
    kept.close()


def test_a_file_that_is_no_database_is_told_so(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("not a database, and long enough to be looked at" * 50)
    with pytest.raises(LibraryError, match="move it away"):
        Conversations(tmp_path)
