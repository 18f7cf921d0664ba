"""What a process of an evaluation does: opens the library once, then answers one question at a time. Grades nothing."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from mathrag.errors import ModelError
from mathrag.library.facade import Library
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece, Role
    from mathrag.llm.metered import Models
    from mathrag.llm.seams import ChatModel
    from mathrag.types.episode import Event

ASK = "mathrag.library.workers.evaluation_worker:ask_question"
# Failures of one reply. They are the model's own doing and part of what is measured; all others are circumstances.
_OF_THE_REPLY = frozenset(("bad_reply", "too_long", "rejected"))


def ask_question(payload: Json) -> Json:
    """Ask one question; the answer as the public JSON object.

    The first question of a process is asked twice and the second answer counts: what loading a library costs is not
    part of the time that answering takes. It is told as `cold_milliseconds`. With `replies` (the folder of the kept
    replies) language models take part, within `budget` (US dollars and calls); then `spending` is what they took, and
    `stopped` why the answer is not theirs, where they could not be asked to the end.
    """
    library, is_cold = _opened(payload["library"]), _mark_warm()
    if payload.get("replies") is not None:
        # The rules warm the process: a model asked twice would cost twice.
        first = _answer(library, payload, planner="rules") if is_cold else {}
        again = _answer_with_models(library, payload)
    else:
        first = _answer(library, payload)
        again = _answer(library, payload) if is_cold else first
    return {**again, "cold_milliseconds": first.get("milliseconds")} if is_cold else again


def _answer(library: Library, payload: Json, *, planner: str | None = None) -> Json:
    from mathrag.answer.objects import outcome_object

    events: list[Event] = []
    asked = library.ask_in_detail(
        payload["question"],
        planner=planner or payload["planner"],
        listener=events.append,
        only_documents=payload.get("only_documents"),
        assume=payload.get("assume"),
    )
    made = outcome_object(asked.result.outcome)
    return {**made, "candidates": list(asked.candidates), "trace": _trace(events)}


def _trace(events: list[Event]) -> Json:
    """What was done and what came of it. The data of observations is left out: the answer or the library has it."""
    from mathrag.answer.trace_lines import event_object

    made = [event_object(event) for event in events]
    said = ("succeeded", "code", "message")
    return [{**one, "observation": {name: one["observation"][name] for name in said}} for one in made]


def _answer_with_models(library: Library, payload: Json) -> Json:
    from mathrag.answer.objects import outcome_object
    from mathrag.library.ask.models import Budget, open_models
    from mathrag.settings import load_settings

    models = open_models(payload["replies"], settings=load_settings(), budget=Budget(*payload["budget"]))
    if models is None:
        raise ModelError("not_configured", "no language model is set: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL")
    with models:
        watched = _WatchedModels(models)
        events: list[Event] = []
        asked = library.ask_in_detail(
            payload["question"],
            planner=payload["planner"],
            listener=events.append,
            models=cast("Models", watched),
            only_documents=payload.get("only_documents"),
            assume=payload.get("assume"),
        )
        spending = models.account.snapshot().to_json()
    made = {**outcome_object(asked.result.outcome), "candidates": list(asked.candidates), "spending": spending}
    made["trace"] = _trace(events)
    if watched.failures:
        worst = watched.failures[-1]
        made["stopped"] = {"code": worst.code, "reason": worst.reason}
    return made


class _WatchedModels:
    """Models that remember why they could not be asked. Whoever plans goes on without them, and a measurement must not
    take that for the model's answer."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self.failures: list[ModelError] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._models, name)

    def chat(self, role: Role) -> ChatModel:
        """The model of a role, watched."""
        return _WatchedModel(self._models.chat(role), self.failures)


class _WatchedModel:
    def __init__(self, model: ChatModel, failures: list[ModelError]) -> None:
        self._model = model
        self._failures = failures

    @property
    def name(self) -> str:
        return self._model.name

    def chat(self, request: ChatRequest) -> ChatReply:
        try:
            return self._model.chat(request)
        except ModelError as error:
            self._note(error)
            raise

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        try:
            yield from self._model.stream(request)
        except ModelError as error:
            self._note(error)
            raise

    def _note(self, error: ModelError) -> None:
        if error.code not in _OF_THE_REPLY:
            self._failures.append(error)


@lru_cache(maxsize=1)
def _opened(folder: str) -> Library:
    return Library(folder, create=False)


_asked_before = count()


def _mark_warm() -> bool:
    """Whether this is the first question of the process."""
    return next(_asked_before) == 0
