"""Servers that lack something: asked again without it, once, and the reply says what was lacking."""

from __future__ import annotations

import json

import pytest
from faulty_server import Behaviour, FaultyServer, Visit, answers, behave, complaint, refuses, reply_for, status

from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.messages import Ability, ChatReply, ChatRequest, Message, Picture, Schema, Tool

PERSON = Schema("person", {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
PLACE = Schema("place", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})
TOOL = Tool("weather", "Look out of the window", {"type": "object", "properties": {"city": {"type": "string"}}})
PICTURE = Picture(b"\x89PNG")


def _asking(**fields: object) -> ChatRequest:
    pictures = (PICTURE,) if fields.pop("picture", False) else ()
    return ChatRequest((Message("user", "Hello", pictures=pictures),), **fields)  # type: ignore[arg-type]


def _streamed(endpoint: Endpoint, request: ChatRequest) -> ChatReply:
    reply = list(endpoint.stream(request))[-1].reply
    assert reply is not None
    return reply


# As servers really say it: the field they refuse, the status, the sentence, and how it should be understood.
CASES: list[tuple[str, ChatRequest, list[str], int, str, frozenset[Ability]]] = [
    ("schema of old servers", _asking(schema=PERSON), ["json_schema"], 400,
     "'response_format.type' must be 'json_object' or 'text'", frozenset({"schema"})),
    ("no form at all", _asking(schema=PERSON), ["response_format"], 422,
     "Extra inputs are not permitted: response_format", frozenset({"schema"})),
    ("schema too rich", _asking(schema=PERSON), ["json_schema"], 400,
     "Invalid schema for response_format 'person': additionalProperties is required", frozenset({"schema"})),
    ("grammar", _asking(schema=PERSON), ["json_schema"], 400, "failed to parse grammar", frozenset({"schema"})),
    ("tools of Ollama", _asking(tools=(TOOL,)), ["tools"], 400,
     "registry.example/m does not support tools", frozenset({"tools"})),
    ("tools of llama.cpp", _asking(tools=(TOOL,)), ["tools"], 500,
     "tools param requires --jinja flag", frozenset({"tools"})),
    ("tools of a router", _asking(tools=(TOOL,)), ["tools"], 404,
     "No endpoints found that support tool use.", frozenset({"tools"})),
    ("choice of tools", _asking(tools=(TOOL,), must_call=True), ["tool_choice"], 400,
     "tool_choice 'required' is not supported", frozenset()),
    ("probabilities", _asking(alternatives=3), ["logprobs"], 400,
     "logprobs is not supported by this model", frozenset({"logprobs"})),
    ("probabilities not built", _asking(alternatives=3), ["logprobs"], 501, "not implemented: logprobs",
     frozenset({"logprobs"})),
    ("pictures of llama.cpp", _asking(picture=True), ["image_url"], 500,
     "image input is not supported - hint: you may need to provide the mmproj", frozenset({"images"})),
    ("pictures of a text server", _asking(picture=True), ["image_url"], 422,
     "body -> messages -> 0 -> content: Input should be a valid string", frozenset({"images"})),
    ("pictures of a router", _asking(picture=True), ["image_url"], 404,
     "No endpoints found that support image input", frozenset({"images"})),
    ("seed", _asking(), ["seed"], 400, "Unrecognized request argument supplied: seed", frozenset()),
    ("number of tokens", _asking(), ["max_tokens"], 400,
     "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
     frozenset()),
    ("temperature", _asking(), ["temperature"], 400,
     "Unsupported value: 'temperature' does not support 0 with this model.", frozenset()),
    ("stop", _asking(stop=("END",)), ["stop"], 400, "Unsupported parameter: 'stop'", frozenset()),
    ("no explanation", _asking(schema=PERSON, tools=(TOOL,), alternatives=2), ["tools"], 400, "",
     frozenset({"tools", "logprobs"})),
]  # fmt: skip


@pytest.mark.parametrize("ask", [Endpoint.chat, _streamed], ids=["whole", "streamed"])
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_is_refused_is_left_out_and_remembered(case, ask) -> None:  # type: ignore[no-untyped-def]
    _, request, signs, code, message, lacking = case
    fault = refuses(*signs, code=code, message=message)
    with FaultyServer(otherwise=fault) as server, Endpoint(server.url, "m", sleep=lambda _: None) as endpoint:
        reply = ask(endpoint, request)
        assert lacking <= reply.lacking
        assert not any(f'"{sign}"' in json.dumps(server.requests[-1].body) for sign in signs)
        needed = len(server.requests)
        assert 1 < needed < 12
        # The second time it is known.
        assert ask(endpoint, request).lacking == reply.lacking
        assert len(server.requests) == needed + 1
        assert len(server.charged) == 2


def test_the_number_of_tokens_goes_under_the_name_the_server_knows() -> None:
    fault = refuses("max_tokens", message="Unsupported parameter: '{}'. Use 'max_completion_tokens' instead.")
    with FaultyServer(otherwise=fault) as server, Endpoint(server.url, "m") as endpoint:
        endpoint.chat(_asking(maximal_tokens=33))
        assert server.requests[-1].body["max_completion_tokens"] == 33


def test_stream_options_are_left_out_where_unknown() -> None:
    fault = refuses("stream_options", message="unknown field {}")
    with FaultyServer(otherwise=fault) as server, Endpoint(server.url, "m") as endpoint:
        reply = _streamed(endpoint, _asking())
        assert reply.text == "Four is two and two."
        assert reply.usage.is_estimated
        assert len(server.requests) == 2


def test_without_a_schema_the_form_is_asked_for_in_words() -> None:
    fault = refuses("json_schema", message="unknown response_format")
    with FaultyServer(otherwise=fault) as server, Endpoint(server.url, "m") as endpoint:
        reply = endpoint.chat(_asking(schema=PERSON))
        body = server.requests[-1].body
    assert reply.lacking == {"schema"}
    assert body["response_format"] == {"type": "json_object"}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert '"required": ["name"]' in body["messages"][0]["content"]
    assert "JSON" in body["messages"][0]["content"]


def test_without_any_form_the_words_remain() -> None:
    fault = refuses("response_format", message="unknown field {}")
    turns = (Message("system", "Be kind."), Message("user", "Who?"))
    with FaultyServer(otherwise=fault) as server, Endpoint(server.url, "m") as endpoint:
        endpoint.chat(ChatRequest(turns, schema=PERSON))
        body = server.requests[-1].body
    assert "response_format" not in body
    assert len(server.requests) == 3
    assert body["messages"][0]["content"].startswith("Be kind.\n\nReply with one JSON value")


def test_one_schema_may_be_refused_and_another_not() -> None:
    def refuse(visit: Visit) -> None:
        if "json_schema" in json.dumps(visit.seen.body) and "person" in json.dumps(visit.seen.body):
            visit.send({"error": {"message": "Invalid schema for response_format 'person'"}}, status=400)
        else:
            behave(visit)

    with FaultyServer(otherwise=refuse) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(schema=PERSON)).lacking == {"schema"}
        assert endpoint.chat(_asking(schema=PLACE)).lacking == frozenset()


def test_a_schema_that_is_silently_ignored_is_noticed() -> None:
    prose = answers(reply_for({}))
    with FaultyServer([prose]) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(schema=PERSON)).lacking == {"schema"}
        endpoint.chat(_asking(schema=PERSON))
        assert server.requests[1].body["messages"][0]["role"] == "system"


def test_tools_that_are_silently_ignored_are_noticed() -> None:
    prose = answers(reply_for({}))
    with FaultyServer([prose, prose]) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(tools=(TOOL,), must_call=True)).lacking == {"tools"}
        assert endpoint.chat(_asking(tools=(TOOL,))).lacking == frozenset()


def test_probabilities_that_are_silently_left_out_are_noticed() -> None:
    with FaultyServer([answers(reply_for({}))]) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(alternatives=2)).lacking == {"logprobs"}


def test_what_is_lacking_is_named_only_where_it_was_asked_for() -> None:
    with FaultyServer(otherwise=refuses("tools", message="no {}")) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(tools=(TOOL,))).lacking == {"tools"}
        assert endpoint.chat(_asking()).lacking == frozenset()


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (complaint(400, "maximum context length is 100 tokens; your tools and messages have 200"), "too_long"),
        (complaint(404, "The model `tool-image-seed` does not exist"), "not_found"),
        (complaint(400, "Invalid model: tool-image-seed"), "not_found"),
        (complaint(401, "tools need a key"), "key_refused"),
        (complaint(500, "the tool server crashed"), "server"),
        (complaint(429, "too many images"), "busy"),
    ],
    ids=["context", "model", "model again", "key", "crash", "busy"],
)  # fmt: skip
def test_a_genuine_refusal_is_no_missing_ability(fault: Behaviour, code: str) -> None:
    request = _asking(tools=(TOOL,), schema=PERSON, alternatives=2, picture=True)
    with FaultyServer([fault]) as server, Endpoint(server.url, "tool-image-seed", retries=0) as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(request)
        assert caught.value.code == code
        assert len(server.requests) == 1
        # Nothing was learnt from it.
        assert endpoint.chat(request).lacking == frozenset()


def test_a_request_that_is_refused_whatever_is_left_out_teaches_nothing() -> None:
    request = _asking(tools=(TOOL,), schema=PERSON, alternatives=2)
    with FaultyServer([complaint(400, "no")] * 20) as server, Endpoint(server.url, "m") as endpoint:
        with pytest.raises(ModelError, match='it says: "no"') as caught:
            endpoint.chat(request)
        assert caught.value.code == "rejected"
        refused = len(server.requests)
        assert refused < 20
    with FaultyServer([complaint(400, "no")] * refused) as server, Endpoint(server.url, "m") as endpoint:
        with pytest.raises(ModelError):
            endpoint.chat(request)
        assert endpoint.chat(request).lacking == frozenset()


def test_guessing_ends_where_it_does_not_help() -> None:
    request = _asking(tools=(TOOL,), schema=PERSON, alternatives=2)
    with FaultyServer(otherwise=complaint(400, "no")) as server, Endpoint(server.url, "m") as endpoint:
        for _ in range(2):
            with pytest.raises(ModelError):
                endpoint.chat(request)
        before = len(server.requests)
        for _ in range(5):
            with pytest.raises(ModelError):
                endpoint.chat(request)
        assert len(server.requests) == before + 5


def test_the_last_word_counts_where_it_is_another() -> None:
    faults = [complaint(400, "no seed"), status(401)]
    with FaultyServer(faults) as server, Endpoint(server.url, "m") as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(_asking())
        assert caught.value.code == "key_refused"


def test_a_model_that_fails_once_does_not_lose_its_tools() -> None:
    fault = complaint(400, "Failed to call a function. See 'failed_generation'.", code="tool_use_failed")
    with FaultyServer([fault]) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(tools=(TOOL,))).lacking == {"tools"}
        assert endpoint.chat(_asking(tools=(TOOL,))).tool_calls


def test_a_filter_is_not_argued_with() -> None:
    fault = complaint(400, "The response was filtered", code="content_filter")
    with FaultyServer(otherwise=fault) as server, Endpoint(server.url, "m") as endpoint:
        with pytest.raises(ModelError, match="filtered") as caught:
            endpoint.chat(_asking(tools=(TOOL,)))
        assert caught.value.code == "rejected"
        assert len(server.requests) == 1


def test_fewer_probabilities_are_better_than_none() -> None:
    def refuse(visit: Visit) -> None:
        if visit.seen.body.get("top_logprobs", 0) > 5:
            visit.send({"error": {"message": "top_logprobs must be at most 5"}}, status=400)
        else:
            behave(visit)

    with FaultyServer(otherwise=refuse) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(alternatives=12)).tokens
        assert [seen.body["top_logprobs"] for seen in server.requests] == [12, 5]


def test_a_refusal_without_a_body() -> None:
    faults = [status(400), status(422, b"\xff\xfe"), status(501, b"[[[")]
    with FaultyServer(faults) as server, Endpoint(server.url, "m") as endpoint:
        assert endpoint.chat(_asking(stop=("END",))).text
