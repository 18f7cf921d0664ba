"""`/api/v1/ask`: a question, its outcome; at once or as a stream of what is done on the way."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

import anyio
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from mathrag.errors import AskingError, LibraryError, MathragError
from mathrag.library.ask.outcomes import LONGEST_QUESTION
from mathrag.library.workers.asking_pool import AskOptions
from mathrag.serve.conversations import IDENTIFIER
from mathrag.serve.logs import log
from mathrag.serve.problems import PROBLEMS, ProblemError, as_problem, problem_object
from mathrag.serve.replies import HEARTBEAT, STREAM_HEADERS, JsonReply, event_bytes, stream_description
from mathrag.serve.state import ServeState, owner_of, state_of

router = APIRouter(prefix="/ask", tags=["ask"], responses=PROBLEMS)
# Shorter than what proxies between us and the client wait for before they hang up.
_HEARTBEAT_SECONDS = 10.0
Word = Annotated[str, Field(max_length=200)]
Earlier = Annotated[str, Field(max_length=LONGEST_QUESTION)]
CONVERSATION = rf"^(?:new|{IDENTIFIER.pattern})$"
# What a page adds to a stream when the outcome is there.
Finished: TypeAlias = Callable[[dict[str, Any]], list[tuple[str, Any]]]
Format = Literal["text", "markdown", "latex", "html", "replay"]
PlannerName: TypeAlias = Literal["auto", "rules", "react", "small"]
PLANNER_NAMES: tuple[PlannerName, ...] = get_args(PlannerName)


class Asked(BaseModel):
    """What was asked in the end; sent back as `previous`, it lets the next question lean on this one."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION, description="The whole question.")
    pinned: dict[Word, Word] | None = Field(
        default=None, max_length=50, description="Values set apart from the question."
    )
    formula: Word | None = Field(default=None, description="The formula that was named, by its id.")
    unit: Word | None = Field(default=None, description="The unit that was wanted.")
    planner: Word | None = Field(default=None, description="Who picked the steps.")
    only_documents: bool | None = Field(default=None, description="Whether the handbook was left out.")
    assume: bool | None = Field(default=None, description="Whether a language model might assume values.")


class Question(BaseModel):
    """A question and how it is to be answered."""

    model_config = ConfigDict(extra="forbid")
    question: str = Field(min_length=1, max_length=LONGEST_QUESTION, description="The question, in words.")
    pinned: dict[Word, Word] = Field(
        default_factory=dict, max_length=50, description='Values by symbol, such as {"m": "2 kg"}.'
    )
    formula: Word | None = Field(default=None, description="Use this formula (its id or label) and no other.")
    unit: Word | None = Field(default=None, description="The unit of the answer.")
    previous: Asked | None = Field(default=None, description="The `asked` of an earlier outcome that this may lean on.")
    earlier: list[Earlier] = Field(
        default_factory=list, max_length=100, description="What was asked before it, in order; the last few are read."
    )
    conversation: str | None = Field(
        default=None, pattern=CONVERSATION,
        description="`new` begins a conversation that the server keeps; its id goes on with it. "
        "The reply names it, and a person opens it at `/c/` and the id.",
    )  # fmt: skip
    formats: list[Format] = Field(
        default_factory=list, max_length=5, description="Also give the outcome in these formats, under `rendered`."
    )
    trace: bool = Field(default=False, description="Also give every action and what came of it, under `trace`.")
    library: Word | None = Field(default=None, description="Which library to ask, where several are served.")
    planner: PlannerName | None = Field(
        default=None, description="Who picks the steps: `rules`, or a language model where one is set up."
    )
    only_documents: bool | None = Field(
        default=None,
        description="Leave out the handbook, which else answers where the documents do not (`origin`: `handbook`).",
    )
    assume: bool | None = Field(
        default=None,
        description="Let a language model that plans take a well-known value that stands nowhere; the answer says so.",
    )


class OutcomeObject(BaseModel):
    """An answer with all it rests on, a refusal with what is missing, or a reply in words."""

    model_config = ConfigDict(extra="allow")
    outcome: Literal["answered", "refused", "chat"] = Field(description="Whether there is a number, and if not, what.")
    value: float | int | None = Field(description="The number, in full precision.")
    unit: str | None = Field(description="Its unit, in canonical text.")
    text: str = Field(description="The outcome in a sentence.")
    formulas: list[dict[str, Any]] = Field(description="The formulas used, each with its place.")
    bindings: dict[str, Any] = Field(description="Every symbol with its value and where that came from.")
    steps: list[dict[str, Any]] = Field(description="What was computed, step by step.")
    missing: list[dict[str, Any]] = Field(description="What a refused question lacks.")
    confidence: float | None = Field(description="The probability that this is the number asked for.")
    warnings: list[str] = Field(description="What to be careful about.")
    milliseconds: float = Field(description="How long answering took.")
    citations: list[dict[str, Any]] = Field(description="The places in documents that this rests on.")
    question: str = Field(description="The question that was answered.")
    origin: Literal["documents", "handbook"] | None = Field(
        default=None, description="Whose formulas it rests on; null where it rests on none."
    )
    asked: Asked | None = Field(
        default=None, description="Send it as `previous` with a question that leans on this one."
    )
    rendered: dict[str, str] | None = Field(default=None, description="The outcome in the formats asked for.")
    trace: list[dict[str, Any]] | None = Field(default=None, description="Every action, where asked for.")
    conversation: str | None = Field(default=None, description="The conversation it belongs to, where one was named.")


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation that a request goes on with: what its question leans on, and where its outcome is kept."""

    state: ServeState
    id: str
    owner: str

    @classmethod
    def joined(cls, request: Request, identifier: str, library: str | None = None) -> Talk:
        """The conversation of that id, or for `new` another one; a problem where there is none."""
        state, owner = state_of(request, library), owner_of(request)
        if identifier == "new":
            return cls(state, state.conversations.new_name(), owner)
        try:
            return cls(state, state.conversations.joined(identifier, owner=owner), owner)
        except LibraryError as error:
            raise ProblemError(404, str(error), code="not_found") from error

    def leaning(self, question: Question) -> Question:
        """The question, with what was asked last in this conversation."""
        last = None if question.previous or question.earlier else self.state.conversations.previous(self.id)
        return question if last is None else question.model_copy(update={"previous": Asked.model_validate(last)})

    def keep(self, said: str, result: Mapping[str, Any]) -> int:
        """Keep a turn; its number."""
        generation = self.state.library.database.generation
        return self.state.conversations.add(self.id, said, result, generation=generation, owner=self.owner).number


def options_of(question: Question, state: ServeState) -> AskOptions:
    """What the pool is told; a problem where the formula that is named is not one."""
    if question.formula is not None:
        found = state.library.find_formulas(question.formula)
        if not found:
            raise ProblemError(404, f"the library has no formula {question.formula!r}")
        if len(found) > 1:
            raise ProblemError(422, f"{question.formula!r} means {len(found)} formulas; name one by its id")
    previous = None if question.previous is None else question.previous.model_dump()
    if question.planner not in (None, "rules", *state.planners()):
        raise ProblemError(422, "this server asks no language model; leave the planner out, or say rules")
    return AskOptions(
        pinned=question.pinned,
        formula=question.formula,
        unit=question.unit,
        planner=question.planner or state.options.planner,
        previous=previous,
        earlier=tuple(question.earlier),
        formats=tuple(dict.fromkeys(question.formats)),
        only_documents=question.only_documents,
        assume=question.assume,
    )


async def answer(request: Request, question: Question) -> dict[str, Any]:
    """The outcome of a question, for any route: waits in a thread, gives up when the client goes, counts."""
    state = state_of(request, question.library)
    gone, began = threading.Event(), time.perf_counter()
    trace: list[Any] = []
    result: dict[str, Any] = {}

    def ask() -> dict[str, Any]:
        return state.pool.ask(
            question.question, options=options_of(question, state), listener=trace.append, cancelled=gone.is_set
        )

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    try:
        watching = asyncio.create_task(watch())
        try:
            result = await anyio.to_thread.run_sync(ask, limiter=state.asking)
        finally:
            watching.cancel()
    except (MathragError, ProblemError) as error:
        counted(state, getattr(error, "code", "invalid"), began, question)
        raise
    counted(state, str(result["outcome"]), began, question)
    return {**result, "trace": trace} if question.trace else result


def counted(state: ServeState, outcome: str, began: float, question: Question) -> None:
    """Count a question by what came of it."""
    seconds = time.perf_counter() - began
    state.metrics.count("mathrag_asks_total", outcome=outcome)
    state.metrics.observe("mathrag_ask_seconds", seconds)
    said = {"question": question.question[:500]} if state.options.log_questions else {}
    log("ask", outcome=outcome, milliseconds=round(seconds * 1000, 1), **said)


@router.post("", summary="Answer a question", response_model=OutcomeObject)
async def ask(request: Request, question: Question) -> Response:
    """Answer a question by computing with the formulas of the library, or say why not."""
    if question.conversation is None:
        return JsonReply(await answer(request, question))
    talk = await anyio.to_thread.run_sync(Talk.joined, request, question.conversation, question.library)
    result = await answer(request, talk.leaning(question))
    await anyio.to_thread.run_sync(talk.keep, question.question, result)
    return JsonReply({**result, "conversation": talk.id})


_STREAM = stream_description(
    "Server-sent events: `started`, `action` and `observation` as they happen, then one `outcome` or one `error`, "
    "then `conversation` where one is kept.",
    "started", "action", "observation", "outcome", "error", "conversation",
)  # fmt: skip


@router.post("/stream", summary="Answer a question, step by step", response_class=StreamingResponse, responses=_STREAM)
async def ask_stream(request: Request, question: Question) -> Response:
    """Like `ask`, as server-sent events: `action`, `observation`, then one `outcome` or one `error`. Where there is a
    conversation, a last event `conversation` names it."""
    if question.conversation is None:
        return stream(request, question)
    talk = await anyio.to_thread.run_sync(Talk.joined, request, question.conversation, question.library)

    def finished(result: dict[str, Any]) -> list[tuple[str, Any]]:
        talk.keep(question.question, result)
        return [("conversation", {"id": talk.id})]

    return stream(request, talk.leaning(question), finished=finished)


@router.get("/stream", summary="The same for an EventSource", response_class=StreamingResponse, responses=_STREAM)
async def ask_stream_get(
    request: Request,
    question: Annotated[str, Query(min_length=1, max_length=4_000, description="The question.")],
    unit: Annotated[str | None, Query(max_length=200, description="The unit of the answer.")] = None,
    formula: Annotated[str | None, Query(max_length=200, description="The formula to use.")] = None,
) -> Response:
    """The stream for browsers' EventSource, which can only GET."""
    return stream(request, Question(question=question, unit=unit, formula=formula))


def stream(request: Request, question: Question, *, finished: Finished | None = None) -> Response:
    """The stream of a question; too many at once are turned away. `finished` adds events after the outcome."""
    state = state_of(request, question.library)
    if state.streams >= state.options.limits.streams:
        raise ProblemError(
            503, "too many streams are open already; ask again in a moment", headers={"Retry-After": "1"}
        )
    return StreamingResponse(_events(state, question, finished), media_type="text/event-stream", headers=STREAM_HEADERS)


async def _events(state: ServeState, question: Question, finished: Finished | None) -> AsyncIterator[bytes]:
    """Events as they come from the thread that waits; when the client goes, this is closed and the thread gives up."""
    loop, gone, began = asyncio.get_running_loop(), threading.Event(), time.perf_counter()
    arrived: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    trace: list[Any] = []

    def put(name: str, data: Any) -> None:
        loop.call_soon_threadsafe(arrived.put_nowait, (name, data))

    def work() -> None:
        try:
            outcome = state.pool.ask(
                question.question,
                options=options_of(question, state),
                listener=lambda event: put("event", event),
                cancelled=gone.is_set,
            )
        except (MathragError, ProblemError) as error:
            put("error", error)
        except Exception as error:
            put("error", AskingError("broken", f"answering stopped with an unexpected error ({type(error).__name__})"))
        else:
            put("outcome", outcome)

    state.streams += 1
    task = asyncio.create_task(anyio.to_thread.run_sync(work, limiter=state.asking))
    try:
        yield event_bytes("started", {"question": question.question})
        while True:
            try:
                name, data = await asyncio.wait_for(arrived.get(), _HEARTBEAT_SECONDS)
            except TimeoutError:
                yield HEARTBEAT
                continue
            if name == "event":
                trace.append(data)
            for event, said in _parts(name, data):
                yield event_bytes(event, said)
            if name == "outcome" and finished is not None:
                for event, said in await anyio.to_thread.run_sync(finished, {**data, "trace": trace}):
                    yield event_bytes(event, said)
            if name != "event":
                ending = data["outcome"] if name == "outcome" else getattr(data, "code", "invalid")
                counted(state, str(ending), began, question)
                return
    finally:
        state.streams -= 1
        gone.set()
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _parts(name: str, data: Any) -> list[tuple[str, Any]]:
    """What a client is told of one thing that arrived."""
    if name == "error":
        problem = as_problem(data)
        return [("error", problem_object(problem.status, problem.detail, code=problem.code, path="/api/v1/ask/stream"))]
    if name == "outcome":
        return [("outcome", data)]
    observation = data.get("observation")
    action = {key: value for key, value in data.items() if key not in ("observation", "milliseconds")}
    return [
        ("action", action),
        (
            "observation",
            {"round": data.get("round"), "milliseconds": data.get("milliseconds"), "observation": observation},
        ),
    ]
