"""Ask a library about its documents by a method, with the models that are set. Wires; decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from mathrag.errors import UsageError
from mathrag.library.ask.models import no_model
from mathrag.llm.accounts import dollars
from mathrag.llm.messages import Usage
from mathrag.reason.agent.documents.methods import METHOD_NAMES, method_called
from mathrag.reason.agent.documents.seams import NO_FRAME, QuestionFrame
from mathrag.types.document_actions import (
    ACTION_FORMATS,
    OBSERVATION_FORMATS,
    ActionFormat,
    Method,
    ObservationFormat,
)

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.metered import Models
    from mathrag.reason.agent.episode import EpisodeResult
    from mathrag.types.episode import Event

__all__ = ["METHOD_NAMES", "ask_by_method", "known_method"]


def known_method(name: str) -> Method:
    """The method of this name; `UsageError` where there is none."""
    method = method_called(name)
    if method is None:
        raise UsageError(f"there is no method {name!r}; there is {', '.join(METHOD_NAMES)}")
    return method


def ask_by_method(
    library: OpenLibrary,
    text: str,
    *,
    method: str,
    models: Models | None,
    formats: tuple[ActionFormat, ObservationFormat] = ("markdown", "json"),
    frame: QuestionFrame = NO_FRAME,
    listener: Callable[[Event], None] | None = None,
) -> EpisodeResult:
    """The outcome of a question about documents, with every round; `UsageError` where no model is set."""
    chosen = known_method(method)
    for form, known, what in ((formats[0], ACTION_FORMATS, "actions"), (formats[1], OBSERVATION_FORMATS, "rows")):
        if form not in known:
            raise UsageError(f"there is no format {form!r} of {what}; there is {', '.join(known)}")
    if models is None or not models.has("reason"):
        raise no_model()
    from mathrag.library.ask.document_bench import LibraryDocuments
    from mathrag.reason.agent.documents.session import DocumentModels, answer_by_method

    result = answer_by_method(
        text,
        LibraryDocuments(library, about=frame.documents),
        method=chosen,
        models=DocumentModels(models.chat("reason"), models.chat("vision") if models.has("vision") else None),
        action_format=formats[0],
        observation_format=formats[1],
        frame=frame,
        listener=listener,
    )
    usage = result.outcome.usage
    if usage is None:
        return result
    spent = models.meter.purse.picodollars(Usage(usage.prompt_tokens, usage.completion_tokens))
    priced = replace(usage, cost=None if spent is None else dollars(spent))
    return replace(result, outcome=replace(result.outcome, usage=priced))
