"""Connections that may not dawdle: whoever opens one and does not send a whole head of a request in time is cut off."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class HttpConnection(H11Protocol):
    """The usual connection with a clock that runs while the head of a request is awaited."""

    header_seconds: float = 10.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clock: asyncio.TimerHandle | None = None

    @classmethod
    def limited(cls, seconds: float) -> type[HttpConnection]:
        """The same with another time."""
        return type("LimitedHttpConnection", (cls,), {"header_seconds": seconds})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected: the clock starts."""
        super().connection_made(transport)
        self._clock = self.loop.call_later(self.header_seconds, self._cut_off)

    def data_received(self, data: bytes) -> None:
        """Take in what has come; between requests the clock starts with the first byte of the next one."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_clock()
        elif self._clock is None and not self.transport.is_closing() and self.conn.trailing_data[0]:
            self._clock = self.loop.call_later(self.header_seconds, self._cut_off)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for any more."""
        self._stop_clock()
        super().connection_lost(exc)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _cut_off(self) -> None:
        self._clock = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self.transport.close()
