"""A streamed reply that any thread can end. Holds the connection; reads nothing itself."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator

from mathrag.errors import ModelError
from mathrag.llm.endpoint.line import Line
from mathrag.llm.messages import ReplyPiece


class Hold:
    """What a stream and whoever reads for it share: the connection in use, and whether the stream has been closed.

    Apart from the stream, so that a stream nobody looks at any more is closed at once and not by the next collection.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._is_released = False

    @property
    def is_released(self) -> bool:
        """Whether the stream has been closed."""
        return self._is_released

    def attach(self, line: Line) -> None:
        """The connection that is used from now on. Where the stream was closed meanwhile, the request ends here."""
        with self._lock:
            self._line = line
        self.check(was_charged=False)

    def detach(self) -> None:
        """The reply is over; its connection may serve others, and is no longer ours to cut."""
        with self._lock:
            self._line = None

    def check(self, *, was_charged: bool) -> None:
        """Raises where the stream has been closed."""
        if self._is_released:
            raise ModelError("cancelled", "the request was cancelled", was_charged=was_charged)

    def release(self) -> None:
        """Cut the connection."""
        with self._lock:
            self._is_released = True
            if self._line is not None:
                self._line.cut("cancelled")


class ReplyStream(Iterator[ReplyPiece]):
    """Pieces of a reply. Closing it closes the connection at once, so that the server stops writing.

    A generator cannot be closed while another thread waits in it; this can.
    """

    def __init__(self, pieces: Generator[ReplyPiece, None, None], hold: Hold) -> None:
        self._pieces = pieces
        self._hold = hold

    def __iter__(self) -> ReplyStream:
        return self

    def __next__(self) -> ReplyPiece:
        if self._hold.is_released:
            raise StopIteration
        try:
            return next(self._pieces)
        except ValueError:
            # Another thread is closing the generator at this moment.
            if self._hold.is_released:
                raise StopIteration from None
            raise

    def __enter__(self) -> ReplyStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the request. A thread that waits for the next piece gets a `ModelError` with the code `cancelled`."""
        if self._hold.is_released:
            return
        self._hold.release()
        try:
            self._pieces.close()
        except ValueError:
            # Another thread waits in it, and is woken by the cut.
            return
