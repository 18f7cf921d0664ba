"""Answer one question about documents with a method and a model. Wires kit, planner and the count of what was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mathrag.llm.seams import ChatModel
from mathrag.reason.agent.documents.kit import DocumentKit
from mathrag.reason.agent.documents.planner import DocumentPlanner
from mathrag.reason.agent.documents.seams import NO_FRAME, DocumentBench, QuestionFrame
from mathrag.reason.agent.episode import EpisodeResult, run_episode
from mathrag.reason.agent.react.planner import CountingModel
from mathrag.types.document_actions import ActionFormat, Method, ObservationFormat
from mathrag.types.episode import Event
from mathrag.types.question import Question


@dataclass(frozen=True, slots=True)
class DocumentModels:
    """Who is asked: `planning` in every round, `seeing` where there are pictures to look at."""

    planning: ChatModel
    seeing: ChatModel | None = None


def answer_by_method(
    text: str,
    bench: DocumentBench,
    *,
    method: Method,
    models: DocumentModels,
    action_format: ActionFormat = "markdown",
    observation_format: ObservationFormat = "json",
    frame: QuestionFrame = NO_FRAME,
    listener: Callable[[Event], None] | None = None,
) -> EpisodeResult:
    """The outcome of a question about documents; its `usage` says what the model had to do."""
    counting = CountingModel(models.planning)
    seeing = None if models.seeing is None else counting.beside(models.seeing)
    planner = DocumentPlanner(
        counting, seeing=seeing, action_format=action_format, observation_format=observation_format
    )
    result = run_episode(
        planner,
        DocumentKit(bench, method, can_see=seeing is not None, frame=frame),
        Question(text, "explain"),
        listener=listener,
        rounds=method.rounds,
    )
    if not counting.was_asked:
        return result
    usage = counting.usage(planner=method.name, reason="the user chose this method")
    return replace(result, outcome=replace(result.outcome, usage=usage))
