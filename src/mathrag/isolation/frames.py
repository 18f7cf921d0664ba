"""Messages on a pipe: a length in eight bytes, then that much JSON. Knows nothing of what they say."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from mathrag.types.json_value import Json

HEADER = 8


class FrameError(Exception):
    """Bytes that are no message, or one longer than allowed."""


def frame(message: Json) -> bytes:
    """A message as it goes over the pipe."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return len(body).to_bytes(HEADER, "big") + body


def frame_length(header: bytes) -> int:
    """How many bytes follow a header."""
    return int.from_bytes(header, "big")


class FrameBuffer:
    """Collects bytes as they arrive and gives out the messages that are complete."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._bytes = bytearray()

    @property
    def has_begun(self) -> bool:
        """Whether part of a message is here."""
        return bool(self._bytes)

    def feed(self, data: bytes) -> Iterator[Json]:
        """Add bytes; yields each message they complete. Raises `FrameError` as soon as one is too long."""
        self._bytes += data
        while len(self._bytes) >= HEADER:
            length = frame_length(bytes(self._bytes[:HEADER]))
            if length > self.longest:
                raise FrameError(f"a message of {length} bytes")
            if len(self._bytes) < HEADER + length:
                return
            body = bytes(self._bytes[HEADER : HEADER + length])
            del self._bytes[: HEADER + length]
            try:
                message = json.loads(body)
            except (ValueError, RecursionError) as error:
                raise FrameError("a message that is no JSON") from error
            yield message


def strict_json(value: Json) -> Json:
    """The same data without numbers that JSON has no word for, and with text that UTF-8 can carry.

    Between our own processes neither is needed; what goes on to strangers must hold to it.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {str(key): strict_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [strict_json(each) for each in value]
    return value
