"""Replies kept in memory, and a cached reply as a stream. The file is `store/truth/replies.py`."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from mathrag.llm.messages import ChatReply, ReplyPiece
from mathrag.llm.reply_text import as_cached, read_reply
from mathrag.llm.seams import ReplyStore

_PIECE = 40


class MemoryReplies:
    """Keeps replies as long as it lives. For tests and for work without a library."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._replies: dict[str, str] = {}

    def get(self, digest: str) -> str | None:
        """The reply kept under a digest."""
        with self._lock:
            return self._replies.get(digest)

    def put(self, digest: str, reply: str, *, model: str, role: str) -> None:  # noqa: ARG002
        """Keep a reply; one that is already there stays."""
        with self._lock:
            self._replies.setdefault(digest, reply)

    def __len__(self) -> int:
        with self._lock:
            return len(self._replies)


def cached_reply(store: ReplyStore | None, digest: str) -> ChatReply | None:
    """The reply kept under a digest, marked as cached; None where there is none or it is damaged."""
    text = None if store is None else store.get(digest)
    reply = None if text is None else read_reply(text)
    return None if reply is None else as_cached(reply)


def stream_whole(reply: ChatReply) -> Iterator[ReplyPiece]:
    """A whole reply as if it came piece by piece."""
    for start in range(0, len(reply.text), _PIECE):
        yield ReplyPiece(reply.text[start : start + _PIECE])
    yield ReplyPiece(reply=reply)
