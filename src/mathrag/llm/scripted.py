"""A model that says what it was told to. For tests, demonstrations and recorded behaviour; needs no server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mathrag.errors import ModelError
from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece

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
