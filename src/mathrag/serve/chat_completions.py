"""`/v1/chat/completions` and `/v1/models`, as OpenAI's clients expect them: any chat program gets computed answers.

The last message of the user is the question; the one before it is what a follow-up leans on. Sampling parameters are
taken and have no effect, for nothing is sampled: the same question gives the same answer.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response, StreamingResponse

from mathrag.errors import MathragError
from mathrag.library.ask.outcomes import LONGEST_QUESTION
from mathrag.serve.api.ask import Asked, Question, answer
from mathrag.serve.problems import OPENAI_PROBLEMS, ProblemError, as_problem, openai_error
from mathrag.serve.replies import STREAM_HEADERS, JsonReply, json_bytes
from mathrag.types.json_value import Json

router = APIRouter(prefix="/v1", tags=["openai"], responses=OPENAI_PROBLEMS)
MODEL = "mathrag"
# Chat programs send the whole talk each time; only its end counts.
_MOST_MESSAGES = 1_000
# Text goes out in pieces of about a line, so that a client that shows it as it comes has something to show.
_PIECE = 80


class Part(BaseModel):
    """A part of a message; only text is read."""

    model_config = ConfigDict(extra="allow")
    type: str = Field(description="`text`; other parts are refused.")
    text: str = Field("", description="The text.")


class Message(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(extra="allow")
    role: Literal["system", "developer", "user", "assistant", "tool"] = Field(description="Who said it.")
    content: str | list[Part] | None = Field(None, description="What was said.")

    def words(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            if any(part.type != "text" for part in self.content):
                raise ProblemError(422, "only messages of text are read here", code="unsupported_content")
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """How a stream ends."""

    model_config = ConfigDict(extra="allow")
    include_usage: bool = Field(False, description="Whether a last piece tells the usage.")


class ChatRequest(BaseModel):
    """A conversation to be continued; further parameters of OpenAI's interface are accepted and ignored."""

    model_config = ConfigDict(extra="allow")
    model: Annotated[str, Field(max_length=200)] = Field(MODEL, description="`mathrag`.")
    messages: Annotated[list[Message], Field(min_length=1, max_length=_MOST_MESSAGES)]
    stream: bool = Field(False, description="Whether the answer comes in pieces.")
    stream_options: StreamOptions | None = Field(None, description="How a stream ends.")
    n: int | None = Field(None, ge=1, le=1, description="One answer: there is only one.")


@router.get("/models", summary="The one model there is")
async def models() -> Response:
    """The models that can be named."""
    return JsonReply({"object": "list", "data": [_model_object()]})


@router.get("/models/{name}", summary="A model by name")
async def model(name: str) -> Response:
    """One model."""
    if name != MODEL:
        return openai_error(_no_model(name))
    return JsonReply(_model_object())


def _no_model(name: str) -> ProblemError:
    return ProblemError(404, f"there is no model {name[:60]!r}; there is {MODEL}", code="model_not_found")


def _model_object() -> Json:
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}


def _described(model: type[BaseModel]) -> Json:
    """The schema of a model with its parts in place, for it stands where none of them are listed."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})

    def placed(value: Json) -> Json:
        if isinstance(value, dict) and "$ref" in value:
            return placed(parts[value["$ref"].rpartition("/")[2]])
        if isinstance(value, dict):
            return {name: placed(each) for name, each in value.items()}
        return [placed(each) for each in value] if isinstance(value, list) else value

    return placed(schema)


@router.post(
    "/chat/completions",
    summary="Answer the last message",
    response_model=None,
    # Read by hand, for what is wrong with it is to be told in OpenAI's shape.
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/json": {"schema": _described(ChatRequest)}}}
    },
)
async def complete(request: Request) -> Response:
    """Answer the last message of the user by computing. The reply's text is Markdown; `mathrag` holds it as data."""
    try:
        asked = ChatRequest.model_validate_json(await request.body())
        if asked.model != MODEL:
            return openai_error(_no_model(asked.model))
        question = _question(asked)
        outcome = await answer(request, question)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return openai_error(
            ProblemError(400, f"{place}: {first['msg']}" if place else str(first["msg"])), param=place or None
        )
    except (ProblemError, MathragError, RequestValidationError) as error:
        return openai_error(as_problem(error))
    if asked.stream:
        with_usage = asked.stream_options is not None and asked.stream_options.include_usage
        pieces = _pieces(outcome, with_usage=with_usage)
        return StreamingResponse(pieces, media_type="text/event-stream", headers=STREAM_HEADERS)
    return JsonReply(_completion(outcome))


def _question(asked: ChatRequest) -> Question:
    said = [message.words().strip() for message in asked.messages if message.role == "user"]
    if not said or not said[-1]:
        raise ProblemError(400, "there is no message of the user to answer", code="no_question")
    if len(said[-1]) > LONGEST_QUESTION:
        raise ProblemError(400, f"a question may have {LONGEST_QUESTION:,} characters", code="too_long")
    before = said[-2][:LONGEST_QUESTION] if len(said) > 1 and said[-2] else ""
    previous = Asked.model_validate({"question": before}) if before else None
    return Question.model_validate({"question": said[-1], "previous": previous, "formats": ["markdown"]})


def _text(outcome: Json) -> str:
    return str((outcome.get("rendered") or {}).get("markdown") or outcome["text"])


def _head(kind: str) -> Json:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": kind, "created": int(time.time()), "model": MODEL}


def _usage(outcome: Json) -> Json:
    """Tokens of the language model behind the answer, where one was asked: computing takes none."""
    used = outcome.get("usage") or {}
    prompt, completion = int(used.get("prompt_tokens") or 0), int(used.get("completion_tokens") or 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _completion(outcome: Json) -> Json:
    data = {name: value for name, value in outcome.items() if name != "rendered"}
    message = {"role": "assistant", "content": _text(outcome), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {**_head("chat.completion"), "choices": [choice], "usage": _usage(outcome), "mathrag": data}


async def _pieces(outcome: Json, *, with_usage: bool) -> AsyncIterator[bytes]:
    head = _head("chat.completion.chunk")

    def piece(delta: Json, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _event({**head, "choices": [choice]})

    yield piece({"role": "assistant", "content": ""})
    for part in _split(_text(outcome)):
        yield piece({"content": part})
    yield piece({}, "stop")
    if with_usage:
        yield _event({**head, "choices": [], "usage": _usage(outcome)})
    yield b"data: [DONE]\n\n"


def _split(text: str) -> list[str]:
    """Pieces of whole lines, long lines cut; joined they are the text."""
    return [
        line[start : start + _PIECE] for line in text.splitlines(keepends=True) for start in range(0, len(line), _PIECE)
    ]


def _event(value: Json) -> bytes:
    return b"data: " + json.dumps(json.loads(json_bytes(value))).encode("ascii") + b"\n\n"
