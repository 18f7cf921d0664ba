"""A stream that reads another stream, which any thread can end. A generator alone cannot: it refuses while it waits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from mathrag.errors import ModelError
from mathrag.llm.messages import ReplyPiece


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
