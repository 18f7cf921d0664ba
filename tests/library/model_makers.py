"""Models that say what a test wants about a chunk, for the tests of reading with a model. Safe to use from threads."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

from mathrag.errors import ModelError
from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece, Usage

NOTHING: dict[str, list[Any]] = {"formulas": [], "constants": [], "relations": []}
Answer = Callable[[str], "dict[str, Any] | str | ModelError"]


def formula(**fields: Any) -> dict[str, Any]:
    """The record of a formula; what is not given is empty."""
    empty = dict.fromkeys("quote finding latex python label description intent".split(), "")
    return {**empty, "parameters": [], "keywords": [], "conditions": [], **fields}


def formulas(*records: dict[str, Any]) -> dict[str, Any]:
    """A reply with these formulas and nothing else."""
    return {**NOTHING, "formulas": list(records)}


def about_nothing(_: str) -> dict[str, Any]:
    """A model that finds nothing."""
    return NOTHING


class Talker:
    """Answers by what it is asked for: chunks by `chunk` (given what was first asked), the rest by fixed words."""

    def __init__(
        self,
        chunk: Answer = about_nothing,
        *,
        name: str = "talker",
        summary: Answer = lambda _: {"summary": "This part is about how things move."},
        picture: Answer = lambda _: {"latex": "", "confidence": 0.0},
        verdict: str = "DIFFERENT",
        usage: Usage | None = None,
    ) -> None:
        self._name = name
        self._answers: dict[str, Answer] = {"proposals": chunk, "summary": summary, "formula": picture}
        self._verdict = verdict
        self._usage = usage or Usage(100, 10)
        self._lock = threading.Lock()
        self.asked: list[ChatRequest] = []

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    @property
    def calls(self) -> int:
        """How often it was asked."""
        return len(self.asked)

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply to one request."""
        with self._lock:
            self.asked.append(request)
        if request.schema is None:
            return self._reply(self._verdict)
        said = self._answers[request.schema.name](request.messages[1].text)
        if isinstance(said, ModelError):
            raise said
        return self._reply(said if isinstance(said, str) else json.dumps(said))

    def _reply(self, text: str) -> ChatReply:
        return ChatReply(text, model=self._name, usage=self._usage)

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The whole reply as one piece."""
        yield ReplyPiece(reply=self.chat(request))
