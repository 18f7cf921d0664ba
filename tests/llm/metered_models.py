"""Models made for the tests of metering: they count, wait, fail and charge as told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from mathrag.errors import ModelError
from mathrag.llm.messages import ChatReply, ChatRequest, Message, ReplyPiece, Usage


def asking(text: str, *, maximal_tokens: int = 100, attempt: int = 0) -> ChatRequest:
    """A request with one message."""
    return ChatRequest((Message("user", text),), maximal_tokens=maximal_tokens, attempt=attempt)


class CountingModel:
    """Repeats what it is asked, counts calls, and notes how many ran at the same time."""

    def __init__(
        self,
        *,
        usage: Usage = Usage(10, 5),  # noqa: B008
        act: Callable[[ChatRequest], None] | None = None,
        name: str = "counting",
    ) -> None:
        self.name = name
        self.calls = 0
        self.most_at_once = 0
        self.closed = 0
        self._usage = usage
        self._act = act
        self._running = 0
        self._lock = threading.Lock()

    def chat(self, request: ChatRequest) -> ChatReply:
        with self._lock:
            self.calls += 1
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
        try:
            if self._act is not None:
                self._act(request)
            return ChatReply(f"said: {request.messages[-1].text}", usage=self._usage, model=self.name)
        finally:
            with self._lock:
                self._running -= 1

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        reply = self.chat(request)
        for word in reply.text.split(" "):
            yield ReplyPiece(word + " ")
        yield ReplyPiece(reply=reply)

    def close(self) -> None:
        self.closed += 1


class BreakingStream:
    """Streams some words and then breaks."""

    name = "breaking"

    def __init__(self, error: ModelError | None) -> None:
        self._error = error
        self.was_closed = False

    def chat(self, request: ChatRequest) -> ChatReply:
        raise NotImplementedError

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        self.asked = request
        try:
            yield ReplyPiece("one two three ")
            yield ReplyPiece("four five six")
            if self._error is not None:
                raise self._error
        finally:
            self.was_closed = True


def run_threads(*jobs: Callable[[], object]) -> None:
    """Run all at once and wait for them."""
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread waits for ever"
