"""What makes requests the same, and what a kept reply must be to count."""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from metered_models import CountingModel, asking

from mathrag.llm.kept_replies import (
    MemoryReplies,
    cached_reply,
    embedding_digest,
    read_reply,
    read_vector,
    request_digest,
    request_json,
    stream_whole,
    write_reply,
    write_vector,
)
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Picture, Schema, TokenChance, Tool, ToolCall, Usage
from mathrag.llm.metered import Models

REQUEST = ChatRequest(
    (
        Message("system", "Be brief."),
        Message("user", "See", pictures=(Picture(b"\x89PNG", "image/png"),)),
        Message("assistant", "", tool_calls=(ToolCall("find", '{"x": 1}', "c1"),)),
        Message("tool", "found", tool_call_id="c1"),
    ),
    schema=Schema("answer", {"type": "object", "properties": {"a": {"type": "string"}}}),
    tools=(Tool("find", "Find it", {"type": "object"}),),
)
OTHERS = [
    replace(REQUEST, messages=REQUEST.messages[:-1]),
    replace(REQUEST, messages=(*REQUEST.messages[:1], Message("user", "See"), *REQUEST.messages[2:])),
    replace(
        REQUEST,
        messages=(
            *REQUEST.messages[:1],
            Message("user", "See", pictures=(Picture(b"\x89PNH", "image/png"),)),
            *REQUEST.messages[2:],
        ),
    ),
    replace(REQUEST, messages=(Message("user", "Be brief."), *REQUEST.messages[1:])),
    replace(REQUEST, schema=None),
    replace(REQUEST, schema=Schema("other", REQUEST.schema.schema if REQUEST.schema else {})),
    replace(REQUEST, schema=Schema("answer", {"type": "object"})),
    replace(REQUEST, tools=()),
    replace(REQUEST, tools=(Tool("find", "Find it", {"type": "array"}),)),
    replace(REQUEST, must_call=True),
    replace(REQUEST, maximal_tokens=7),
    replace(REQUEST, temperature=0.5),
    replace(REQUEST, seed=None),
    replace(REQUEST, seed=1),
    replace(REQUEST, stop=("\n",)),
    replace(REQUEST, alternatives=5),
    replace(REQUEST, attempt=1),
]


def test_every_part_of_a_request_tells_it_from_others() -> None:
    digests = [request_digest(one, model="m") for one in (REQUEST, *OTHERS)]
    digests.append(request_digest(REQUEST, model="n"))
    assert len(set(digests)) == len(digests)


def test_equal_content_has_one_digest_however_it_is_written() -> None:
    assert REQUEST.schema is not None
    turned = dict(reversed(REQUEST.schema.schema.items()))
    again = replace(REQUEST, schema=Schema("answer", MappingProxyType(turned)), temperature=0)
    assert request_digest(again, model="m") == request_digest(REQUEST, model="m")


def test_the_digest_stays_what_it_is() -> None:
    """Kept replies are found by it: whoever changes it makes every user pay again, and must mean to."""
    digest = request_digest(asking("What is the mass?"), model="small")
    assert digest == "4aa566bbe80fee8333f909d378996edbeba0c5837d48adabd4895e1b2f2fd11d"


def test_pictures_are_named_by_their_hash() -> None:
    text = json.dumps(request_json(REQUEST))
    assert "sha256:" in text
    assert "PNG" not in text


def test_text_that_is_no_text_has_a_digest() -> None:
    assert request_digest(asking("half \ud835 pair"), model="m") != request_digest(asking("half  pair"), model="m")
    assert embedding_digest("a", model="m") != embedding_digest("b", model="m") != embedding_digest("b", model="n")


REPLIES = st.builds(
    ChatReply,
    st.text(),
    tool_calls=st.lists(st.builds(ToolCall, st.text(), st.text(), st.text()), max_size=2).map(tuple),
    finish=st.sampled_from(["stop", "length", "tool_calls", "filtered", "unknown"]),
    usage=st.builds(
        Usage, st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=10**9), st.booleans()
    ),
    tokens=st.lists(
        st.builds(
            TokenChance,
            st.text(),
            st.floats(min_value=-1e6, max_value=0),
            st.lists(st.tuples(st.text(), st.floats(min_value=-1e6, max_value=0)), max_size=2).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    model=st.text(),
    lacking=st.frozensets(st.sampled_from(["schema", "tools", "logprobs", "images"])),
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reply=REPLIES)
def test_a_reply_comes_back_as_it_was(reply: ChatReply) -> None:
    text = write_reply(reply)
    assert text.isascii()
    assert read_reply(text) == reply


def test_an_impossible_token_is_kept_as_nearly_impossible() -> None:
    reply = ChatReply("a", tokens=(TokenChance("a", 0.0, (("b", float("-inf")),)),))
    back = read_reply(write_reply(reply))
    assert back is not None
    assert back.tokens[0].others[0][1] < -1e6


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.text())
def test_any_text_is_a_reply_or_none(text: str) -> None:
    assert read_reply(text) is None or isinstance(read_reply(text), ChatReply)


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{}", '"text"', '{"text": 3}', '{"text": "a", "finish": "maybe"}', '{"text": "a"',
        '{"text": "a", "usage": {"prompt_tokens": -1}}', '{"text": "a", "usage": {"prompt_tokens": true}}',
        '{"text": "a", "tokens": [["x", 1]]}', '{"text": "a", "tokens": [["x", NaN, []]]}', "[" * 100_000,
        '{"text": "a", "tool_calls": [{"name": 1}]}', '{"text": "a", "lacking": ["wits"]}',
    ],
)  # fmt: skip
def test_a_damaged_entry_counts_as_none(text: str) -> None:
    assert read_reply(text) is None
    model = CountingModel()
    store = MemoryReplies()
    request = asking("a")
    store.put(request_digest(request, model=model.name), text, model=model.name, role="judge")
    assert cached_reply(store, request_digest(request, model=model.name)) is None
    assert Models.of(model, store=store).chat("judge").chat(request).text == "said: a"
    assert model.calls == 1


def test_vectors_come_back_as_they_were() -> None:
    assert read_vector(write_vector((1.5, -2.0, 1e-30))) == (1.5, -2.0, 1e-30)
    for text in ("", "{}", "[1, null]", "[NaN]", '["1"]', "[true]"):
        assert read_vector(text) is None


def test_a_whole_reply_streams_in_pieces_that_make_it_up() -> None:
    reply = ChatReply("word " * 100)
    pieces = list(stream_whole(reply))
    assert len(pieces) > 3
    assert "".join(piece.text for piece in pieces) == reply.text
    assert pieces[-1].reply == reply
    assert [piece.reply for piece in stream_whole(ChatReply(""))] == [ChatReply("")]


def test_a_reply_that_is_of_no_use_is_asked_for_anew() -> None:
    model = CountingModel()
    with Models({"reason": model}, store=MemoryReplies()) as models:
        chat = models.chat("reason")
        useless = replace(asking("so"), is_worth_keeping=lambda _reply: False)
        assert not chat.chat(useless).from_cache
        assert not chat.chat(useless).from_cache
        assert not chat.chat(asking("so")).from_cache
        assert chat.chat(useless).from_cache
