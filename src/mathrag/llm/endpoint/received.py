"""Bytes of a reply, within limits: unpacked, cut into events, read as JSON. Knows nothing of models."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing

from mathrag.llm.endpoint.faults import Unreadable
from mathrag.llm.nouns import Json

_PIECE = 1 << 16
_LONGEST_EVENT = 1 << 22


def unpack(chunks: Iterator[bytes], *, encoding: str, limit: int) -> Iterator[bytes]:
    """The bytes that were meant, never more than `limit` of them, however small they were packed."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        plain = chunks
    elif encoding in ("gzip", "x-gzip", "deflate"):
        plain = _inflate(chunks)
    else:
        raise Unreadable("it is packed in a way that was not asked for")
    size = 0
    for chunk in plain:
        size += len(chunk)
        if size > limit:
            raise Unreadable(f"it is larger than the {limit:,} bytes that such a reply may have")
        yield chunk


def _inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=47)
    try:
        for chunk in chunks:
            rest = chunk
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
    except zlib.error as error:
        raise Unreadable("it is packed, and the packing is damaged") from error
    if not unpacker.eof:
        raise Unreadable("it ends too early")


def events(chunks: Iterator[bytes]) -> Iterator[str]:
    """The data of each server-sent event, in order; comments and other fields are left out."""
    buffer = bytearray()
    lines: list[bytes] = []
    for chunk in chunks:
        # Searching from where the last search ended keeps a line that comes byte by byte from costing its square.
        start = len(buffer)
        buffer += chunk
        while (end := buffer.find(b"\n", start)) >= 0:
            line = bytes(buffer[:end]).rstrip(b"\r")
            del buffer[: end + 1]
            start = 0
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif not line and lines:
                yield _text(b"\n".join(lines))
                lines.clear()
        if len(buffer) + sum(map(len, lines)) > _LONGEST_EVENT:
            raise Unreadable("one of its pieces is too large")
    if buffer.startswith(b"data:"):
        lines.append(bytes(buffer[5:]).removeprefix(b" "))
    if lines:
        yield _text(b"\n".join(lines))


def whole(chunks: Iterator[bytes]) -> bytes:
    """All bytes as one."""
    return b"".join(chunks)


def first(chunks: Iterator[bytes], *, encoding: str, limit: int) -> bytes:
    """The first bytes of a reply that may be of any size; empty where they cannot be unpacked."""
    taken = bytearray()
    try:
        with closing(unpack(chunks, encoding=encoding, limit=limit)) as pieces:  # type: ignore[type-var]
            for piece in pieces:
                taken += piece
    except Unreadable:
        pass
    return bytes(taken[:limit])


def read_json(data: bytes | str) -> Json:
    """JSON as strangers send it: nothing but `Unreadable` comes of nonsense, depth or size."""
    try:
        return json.loads(data, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Unreadable("it is not JSON, or not all of it arrived") from error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
