"""`/v1/chat/completions` and `/v1/models`, as OpenAI's clients expect them: any chat program gets computed answers.

The last message of the user is the question; those before it are what a follow-up leans on.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError
from starlette.responses import Response, StreamingResponse

from mathrag.errors import MathragError
from mathrag.library.ask.outcomes import LONGEST_QUESTION
from mathrag.serve.api.ask import answer
from mathrag.serve.openai_form import (
    MODEL,
    MOST_MESSAGES,
    NOT_FOLLOWED,
    Common,
    Nothing,
    Strict,
    TextFormat,
    check_length,
    counted,
    data_of,
    described,
    library_of,
    model_names,
    split,
    text_of,
    unreadable,
)
from mathrag.serve.problems import OPENAI_PROBLEMS, ProblemError, as_problem, openai_error
from mathrag.serve.replies import STREAM_HEADERS, JsonReply, json_bytes
from mathrag.types.json_value import Json

router = APIRouter(prefix="/v1", tags=["openai"], responses=OPENAI_PROBLEMS)
# Of the messages before the last one; a follow-up leans on the last of them, which may lean on those before it.
_MOST_EARLIER = 50


class Part(Strict):
    """A part of a message; only text is read."""

    type: Literal["text"] = Field(description="`text`; other parts are refused.")
    text: str = Field("", description="The text.")


class Message(Strict):
    """One message of a conversation, as a client writes it or as it was given out."""

    role: Literal["system", "developer", "user", "assistant"] = Field(description="Who said it.")
    content: str | list[Part] | None = Field(None, description="What was said.")
    name: Annotated[str, Field(max_length=200)] | None = Field(None, description="Nothing depends on it.")
    refusal: None = Field(None, description="Nothing.")
    audio: None = Field(None, description="Nothing.")
    function_call: None = Field(None, description="Nothing: there are no tools.")
    annotations: Nothing | None = Field(None, description="Nothing.")
    tool_calls: Nothing | None = Field(None, description="Nothing: there are no tools.")

    def words(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(Strict):
    """How a stream ends."""

    include_usage: bool = Field(False, description="Whether a last piece tells the usage.")
    include_obfuscation: Literal[False] | None = Field(None, description="No padding is added.")


class ChatRequest(Common):
    """A conversation to be continued. A field that is not listed here is refused."""

    messages: Annotated[list[Message], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream_options: StreamOptions | None = Field(None, description="How a stream ends.")
    n: int | None = Field(None, ge=1, le=1, description="One answer: there is only one.")
    max_tokens: int | None = Field(None, ge=1, description="An answer that is longer is an error; none is cut off.")
    max_completion_tokens: int | None = Field(None, ge=1, description="The same.")
    seed: int | None = Field(None, description="Any gives the same answer: nothing is sampled.")
    response_format: TextFormat | None = Field(None, description="Text.")
    modalities: list[Literal["text"]] | None = Field(None, description="Text.")
    logprobs: Literal[False] | None = Field(None, description="There are none.")
    logit_bias: Annotated[dict[str, Any], Field(max_length=0)] | None = Field(None, description="Nothing.")
    presence_penalty: Literal[0] | None = Field(None, description="None.")
    frequency_penalty: Literal[0] | None = Field(None, description="None.")
    stop: Nothing | None = Field(None, description="Nothing: answers end where they end.")
    store: Literal[False] | None = Field(None, description="Nothing is kept here; /v1/responses keeps answers.")


@router.get("/models", summary="The models there are, one a library")
async def models(request: Request) -> Response:
    """The models that can be named."""
    return JsonReply({"object": "list", "data": [_model_object(name) for name in model_names(request)]})


@router.get("/models/{name}", summary="A model by name")
async def model(request: Request, name: str) -> Response:
    """One model."""
    try:
        library_of(request, name)
    except ProblemError as problem:
        return openai_error(problem)
    return JsonReply(_model_object(name))


def _model_object(name: str) -> Json:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}


@router.post(
    "/chat/completions",
    summary="Answer the last message",
    response_model=None,
    # Read by hand, for what is wrong with it is to be told in OpenAI's shape.
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/json": {"schema": described(ChatRequest)}}}
    },
)
async def complete(request: Request) -> Response:
    """Answer the last message of the user by computing. The reply's text is Markdown; `mathrag` holds it as data."""
    try:
        asked = ChatRequest.model_validate_json(await request.body())
        said = [message.words().strip() for message in asked.messages if message.role == "user"]
        earlier = [words for words in said[:-1] if words and len(words) <= LONGEST_QUESTION][-_MOST_EARLIER:]
        question = asked.question(request, said[-1] if said else "", earlier=earlier)
        outcome = await answer(request, question)
        for field in ("max_tokens", "max_completion_tokens"):
            check_length(text_of(outcome), getattr(asked, field), field)
    except ValidationError as error:
        return unreadable(error)
    except (ProblemError, MathragError, RequestValidationError) as error:
        return openai_error(as_problem(error))
    if asked.stream:
        pieces = _pieces(asked, outcome)
        return StreamingResponse(pieces, media_type="text/event-stream", headers=STREAM_HEADERS)
    return JsonReply(_completion(asked, outcome))


def _head(kind: str, asked: ChatRequest) -> Json:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": kind, "created": int(time.time()), "model": asked.model}


def _usage(asked: ChatRequest, outcome: Json) -> Json:
    count = counted([message.words() for message in asked.messages], text_of(outcome), outcome)
    sent, given = count["sent"], count["answer"]
    return {
        "prompt_tokens": sent,
        "completion_tokens": given,
        "total_tokens": sent + given,
        "mathrag": count["told"],
    }


def _data(asked: ChatRequest, outcome: Json) -> Json:
    has_orders = any(message.role in ("system", "developer") for message in asked.messages)
    return data_of(outcome, [NOT_FOLLOWED] if has_orders else [])


def _completion(asked: ChatRequest, outcome: Json) -> Json:
    message = {"role": "assistant", "content": text_of(outcome), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    made = {**_head("chat.completion", asked), "choices": [choice], "usage": _usage(asked, outcome)}
    return {**made, "metadata": asked.metadata or {}, "mathrag": _data(asked, outcome)}


async def _pieces(asked: ChatRequest, outcome: Json) -> AsyncIterator[bytes]:
    head = _head("chat.completion.chunk", asked)
    with_usage = asked.stream_options is not None and asked.stream_options.include_usage

    def piece(delta: Json, finish: str | None = None, **more: Json) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _event({**head, "choices": [choice], **more})

    yield piece({"role": "assistant", "content": ""})
    for part in split(text_of(outcome)):
        yield piece({"content": part})
    yield piece({}, "stop", mathrag=_data(asked, outcome))
    if with_usage:
        yield _event({**head, "choices": [], "usage": _usage(asked, outcome)})
    yield b"data: [DONE]\n\n"


def _event(value: Json) -> bytes:
    return b"data: " + json.dumps(json.loads(json_bytes(value))).encode("ascii") + b"\n\n"
