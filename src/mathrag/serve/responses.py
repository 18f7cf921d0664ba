"""`/v1/responses`, OpenAI's Responses interface: a question or a list of messages, streamed as events or at once; the
id of a response goes on with its conversation. Responses are kept in memory, the latest ones, until the server
stops."""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError
from starlette.responses import Response, StreamingResponse

from mathrag.errors import MathragError
from mathrag.library.ask.outcomes import LONGEST_QUESTION
from mathrag.serve.api.ask import answer
from mathrag.serve.openai_form import (
    MOST_MESSAGES,
    NOT_FOLLOWED,
    Common,
    Nothing,
    Strict,
    TextFormat,
    Word,
    check_length,
    counted,
    data_of,
    described,
    split,
    text_of,
    unreadable,
)
from mathrag.serve.problems import OPENAI_PROBLEMS, ProblemError, as_problem, openai_error
from mathrag.serve.replies import STREAM_HEADERS, JsonReply, event_bytes
from mathrag.serve.security.roles import Client
from mathrag.serve.state import state_of
from mathrag.types.json_value import Json

router = APIRouter(prefix="/v1/responses", tags=["openai"], responses=OPENAI_PROBLEMS)
# A few megabytes: an answer with its data has some ten thousand characters.
_MOST_KEPT = 500


class Part(Strict):
    """A part of a message; only text is read."""

    type: Literal["input_text", "output_text"] = Field(description="Text; other parts are refused.")
    text: str = Field(description="The text.")
    annotations: Nothing | None = Field(None, description="Nothing.")
    logprobs: Nothing | None = Field(None, description="Nothing.")


class Item(Strict):
    """A message, as a client writes it or as it was given out."""

    type: Literal["message"] = Field("message", description="`message`; other items are refused.")
    role: Literal["user", "assistant", "system", "developer"] = Field(description="Who said it.")
    content: str | list[Part] = Field(description="What was said.")
    id: Word | None = Field(None, description="The id under which it was given out.")
    status: Literal["completed"] | None = Field(None, description="The state in which it was given out.")
    phase: None = Field(None, description="Nothing.")

    def words(self) -> str:
        """Its text."""
        return self.content if isinstance(self.content, str) else "\n".join(part.text for part in self.content)


class TextOptions(Strict):
    """How the text is to be."""

    format: TextFormat | None = Field(None, description="Text.")


class StreamOptions(Strict):
    """How a stream is to be."""

    include_obfuscation: Literal[False] | None = Field(None, description="No padding is added.")


class ResponseRequest(Common):
    """A question to be answered. A field that is not listed here is refused."""

    input: str | Annotated[list[Item], Field(min_length=1, max_length=MOST_MESSAGES)] = Field(
        description="The question, or messages of which the last one of the user is the question."
    )
    instructions: Annotated[str, Field(max_length=100_000)] | None = Field(
        None, description="Taken and not followed, as `mathrag.notes` of the answer then says."
    )
    previous_response_id: Word | None = Field(None, description="The response whose conversation this goes on with.")
    store: bool | None = Field(None, description="Whether the response is kept, so that others can go on from it.")
    max_output_tokens: int | None = Field(None, ge=1, description="An answer that is longer is an error.")
    text: TextOptions | None = Field(None, description="How the text is to be.")
    truncation: Literal["disabled"] | None = Field(None, description="Nothing is cut off.")
    include: Nothing | None = Field(None, description="Nothing more is given; the data is under `mathrag` anyway.")
    background: Literal[False] | None = Field(None, description="Answers are waited for.")
    stream_options: StreamOptions | None = Field(None, description="How a stream is to be.")

    def items(self) -> list[Item]:
        """The input as messages."""
        return (
            [Item.model_validate({"role": "user", "content": self.input})]
            if isinstance(self.input, str)
            else self.input
        )


@dataclass(frozen=True, slots=True)
class _Kept:
    """A response: whose it is, of which library, what was asked in the end."""

    client: str
    library: str
    asked: Json
    response: Json


@dataclass(slots=True)
class KeptResponses:
    """Responses by id; the oldest are forgotten. Each is there for the client it was made for alone."""

    held: OrderedDict[str, _Kept] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, identifier: str, kept: _Kept) -> None:
        """Keep one."""
        with self.lock:
            self.held[identifier] = kept
            while len(self.held) > _MOST_KEPT:
                self.held.popitem(last=False)

    def find(self, identifier: str, client: str, *, remove: bool = False) -> _Kept:
        """The one of an id; a problem where there is none for this client."""
        with self.lock:
            found = self.held.get(identifier)
            if found is None or found.client != client:
                raise ProblemError(
                    404, f"there is no response {identifier[:80]!r}; they are kept until the server stops, the latest "
                    f"{_MOST_KEPT}", code="response_not_found",
                )  # fmt: skip
            if remove:
                del self.held[identifier]
            return found


def _kept(request: Request) -> KeptResponses:
    state: KeptResponses = request.app.state.responses
    return state


def _known(request: Request, asked: ResponseRequest) -> _Kept | None:
    """The response that a request goes on from."""
    if asked.previous_response_id is None:
        return None
    return _kept(request).find(asked.previous_response_id, _client(request))


def _check_same(known: _Kept | None, library: str) -> None:
    if known is not None and known.library != library:
        raise ProblemError(400, f"previous_response_id: that response is of the library {known.library}")


def _client(request: Request) -> str:
    client: Client = request.scope["mathrag_client"]
    return client.name


@router.post(
    "",
    summary="Answer a question, in the form of responses",
    response_model=None,
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/json": {"schema": described(ResponseRequest)}}}
    },
)
async def respond(request: Request) -> Response:
    """Answer the last message of the user by computing. The text is Markdown; `mathrag` holds the answer as data."""
    try:
        asked = ResponseRequest.model_validate_json(await request.body())
        said = [item.words().strip() for item in asked.items() if item.role == "user"]
        before = {"question": said[-2][:LONGEST_QUESTION]} if len(said) > 1 and said[-2] else None
        known = _known(request, asked)
        previous = before or (known.asked if known else None)
        question = asked.question(request, said[-1] if said else "", previous=previous)
        library = state_of(request, question.library).name
        _check_same(known, library)
        outcome = await answer(request, question)
        check_length(text_of(outcome), asked.max_output_tokens, "max_output_tokens")
    except ValidationError as error:
        return unreadable(error)
    except (ProblemError, MathragError, RequestValidationError) as error:
        return openai_error(as_problem(error))
    made = _response(asked, outcome)
    if asked.store is not False:
        kept = _Kept(_client(request), library, outcome.get("asked"), made)
        _kept(request).keep(made["id"], kept)
    if asked.stream:
        return StreamingResponse(_events(made), media_type="text/event-stream", headers=STREAM_HEADERS)
    return JsonReply(made)


@router.get("/{response}", summary="A response again", response_model=None)
async def again(request: Request, response: str) -> Response:
    """A response that was kept."""
    return JsonReply(_kept(request).find(response, _client(request)).response)


@router.delete("/{response}", summary="Forget a response", response_model=None)
async def forget(request: Request, response: str) -> Response:
    """Forget a response; nothing can go on from it any more."""
    _kept(request).find(response, _client(request), remove=True)
    return JsonReply({"id": response, "object": "response", "deleted": True})


def _response(asked: ResponseRequest, outcome: Json) -> Json:
    text = text_of(outcome)
    sent = [item.words() for item in asked.items()]
    count = counted([*sent, asked.instructions or ""], text, outcome)
    has_orders = bool(asked.instructions) or any(item.role in ("system", "developer") for item in asked.items())
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    message = {"type": "message", "id": f"msg_{uuid.uuid4().hex}", "status": "completed", "role": "assistant"}
    return {
        "id": f"resp_{uuid.uuid4().hex}", "object": "response", "created_at": int(time.time()), "status": "completed",
        "background": False, "error": None, "incomplete_details": None, "instructions": asked.instructions,
        "max_output_tokens": asked.max_output_tokens, "model": asked.model,
        "output": [{**message, "content": [part]}], "parallel_tool_calls": False,
        "previous_response_id": asked.previous_response_id, "reasoning": {"effort": None, "summary": None},
        "service_tier": "default", "store": asked.store is not False, "temperature": asked.temperature,
        "text": {"format": {"type": "text"}}, "tool_choice": "none", "tools": [], "top_p": asked.top_p,
        "truncation": "disabled", "user": asked.user, "metadata": asked.metadata or {},
        "usage": {
            "input_tokens": count["sent"], "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": count["answer"], "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": count["sent"] + count["answer"], "mathrag": count["told"],
        },
        "mathrag": data_of(outcome, [NOT_FOLLOWED] if has_orders else []),
    }  # fmt: skip


async def _events(made: Json) -> AsyncIterator[bytes]:
    """The events of a response in their order, each numbered."""
    message = made["output"][0]
    part = message["content"][0]
    begun = {**made, "status": "in_progress", "output": [], "usage": None, "mathrag": None}
    place = {"item_id": message["id"], "output_index": 0, "content_index": 0}
    empty_message = {**message, "status": "in_progress", "content": []}
    events: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": empty_message}),
        ("response.content_part.added", {**place, "part": {**part, "text": ""}}),
        *(("response.output_text.delta", {**place, "delta": piece, "logprobs": []}) for piece in split(part["text"])),
        ("response.output_text.done", {**place, "text": part["text"], "logprobs": []}),
        ("response.content_part.done", {**place, "part": part}),
        ("response.output_item.done", {"output_index": 0, "item": message}),
        ("response.completed", {"response": made}),
    ]
    for number, (name, data) in enumerate(events):
        yield event_bytes(name, {"type": name, "sequence_number": number, **data})
