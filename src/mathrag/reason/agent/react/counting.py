"""A model that counts what it is asked for one question: calls, tokens, sizes. Changes nothing that is said."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.llm.nouns import ChatReply, ChatRequest, ReplyPiece
from mathrag.llm.prices import usual_usage
from mathrag.llm.seams import ChatModel
from mathrag.types.answer import ModelUsage


class CountingModel:
    """Stands before a model for as long as one question lasts."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._calls = 0
        self._cached = 0
        self._prompt = 0
        self._completion = 0
        self._contexts: list[int] = []

    @property
    def name(self) -> str:
        """The name of the model behind."""
        return self._model.name

    @property
    def was_asked(self) -> bool:
        """Whether anything was asked, with or without success."""
        return bool(self._contexts)

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply of the model behind."""
        self._contexts.append(usual_usage(request).prompt_tokens)
        return self._count(self._model.chat(request))

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The same, piece by piece."""
        self._contexts.append(usual_usage(request).prompt_tokens)
        for piece in self._model.stream(request):
            if piece.reply is not None:
                self._count(piece.reply)
            yield piece

    def _count(self, reply: ChatReply) -> ChatReply:
        self._calls += not reply.from_cache
        self._cached += reply.from_cache
        if not reply.from_cache:
            self._prompt += reply.usage.prompt_tokens
            self._completion += reply.usage.completion_tokens
        return reply

    def usage(self, *, planner: str, reason: str) -> ModelUsage:
        """What was used so far. The cost is for whoever knows the prices."""
        return ModelUsage(
            model=self.name,
            calls=self._calls,
            cached_calls=self._cached,
            prompt_tokens=self._prompt,
            completion_tokens=self._completion,
            contexts=tuple(self._contexts),
            planner=planner,
            reason=reason,
        )
