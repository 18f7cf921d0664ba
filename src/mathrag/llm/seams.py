"""What the rooms that use a language model know of it: one or two methods, whoever stands behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from mathrag.llm.messages import ChatReply, ChatRequest, Embeddings, ReplyPiece


class ChatModel(Protocol):
    """A model that can be asked. Every failure is a `ModelError` of `errors.py`, whoever stands behind."""

    @property
    def name(self) -> str:
        """What the server calls the model; part of what replies are kept under."""
        ...

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply."""
        ...

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The reply piece by piece; the last piece carries the whole. Closing the iterator ends the request."""
        ...


class EmbeddingModel(Protocol):
    """A model that turns texts into vectors."""

    @property
    def name(self) -> str:
        """What the server calls the model."""
        ...

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """A vector for every text."""
        ...


class ReplyStore(Protocol):
    """Where replies are kept. Safe to use from several threads and processes."""

    def get(self, digest: str) -> str | None:
        """The reply kept under a digest, as JSON."""
        ...

    def put(self, digest: str, reply: str, *, model: str, role: str) -> None:
        """Keep a reply; one that is already there stays."""
        ...
