"""What the rooms that use a language model know of it: one or two methods, whoever stands behind.

Beside the seam stand its public fake, a model that plays a script, and the stream that whoever stands in between gives.
Real servers are in `endpoint`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Protocol

from mathrag.errors import ModelError
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


# A model that says what it was told to. For tests, demonstrations and recorded behaviour; needs no server.

Scripted = ChatReply | str | ModelError | Callable[[ChatRequest], ChatReply | str]


class ScriptedModel:
    """Plays a list of replies, one a request; a function in the list is asked with the request, an error is raised.

    `requests` keeps what it was asked. After the last line it says `last_words`, so that a loop can end.
    """

    def __init__(self, script: Iterable[Scripted], *, name: str = "scripted", last_words: str = "") -> None:
        self._script = iter(tuple(script))
        self._name = name
        self._last_words = last_words
        self.requests: list[ChatRequest] = []

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    def chat(self, request: ChatRequest) -> ChatReply:
        """The next line of the script."""
        self.requests.append(request)
        line = next(self._script, self._last_words)
        if isinstance(line, ModelError):
            raise line
        said = line(request) if callable(line) else line
        return ChatReply(said, model=self._name) if isinstance(said, str) else said

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The next line, word by word."""
        reply = self.chat(request)
        for index, word in enumerate(reply.text.split(" ")):
            yield ReplyPiece(word if index == 0 else f" {word}")
        yield ReplyPiece(reply=reply)


# A stream that reads another stream, which any thread can end. A generator alone cannot: it refuses while it waits.


class Beneath:
    """What the reading generator and whoever closes it share: the stream that is read, once there is one."""

    def __init__(self) -> None:
        self._stream: object = None
        self._is_closed = False

    def attach(self, stream: object) -> None:
        """The stream that is read from now on; `ModelError` where the reader was closed while it waited."""
        self._stream = stream
        if self._is_closed:
            raise ModelError("cancelled", "the request was cancelled before it was sent")

    def close(self) -> None:
        """End the stream that is read, which wakes whoever waits for its next piece."""
        self._is_closed = True
        close_part(self._stream)


class EndableStream(Iterator[ReplyPiece]):
    """Pieces from a generator. `close` ends it, also from another thread than the one that waits for a piece."""

    def __init__(self, pieces: Callable[[Beneath], Generator[ReplyPiece, None, None]]) -> None:
        self._beneath = Beneath()
        self._pieces = pieces(self._beneath)

    def __iter__(self) -> EndableStream:
        return self

    def __next__(self) -> ReplyPiece:
        return next(self._pieces)

    def close(self) -> None:
        """End the request. A thread that waits for the next piece gets a `ModelError`."""
        try:
            self._pieces.close()
        except ValueError:
            # Another thread waits in the generator.
            self._beneath.close()


def close_part(part: object) -> None:
    """Close what can be closed."""
    close = getattr(part, "close", None)
    if callable(close):
        close()
