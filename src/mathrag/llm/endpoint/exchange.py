"""Requests sent and replies begun: connections kept, attempts repeated, time bounded. Knows nothing of what is said."""

from __future__ import annotations

import math
import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime

from mathrag.errors import ModelError
from mathrag.llm.endpoint.address import Address
from mathrag.llm.endpoint.line import Incoming, Line, Service
from mathrag.llm.endpoint.refusals import is_worth_another_try
from mathrag.llm.endpoint.reply import Broken, Refused
from mathrag.types.json_value import Json

# When to try again and how long to wait before. Decides only; sleeps and clocks are given to it.

_FIRST_SECONDS = 0.5
_LONGEST_SECONDS = 30.0
LONGEST_ASKED_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to try again, and until when (by the clock that `Endpoint` has)."""

    retries: int
    until: float
    random: Callable[[], float]

    def delay(self, attempt: int, *, now: float, retry_after: float | None) -> float | None:
        """Seconds to wait after the attempt of that number (from 0); None to give up."""
        if attempt >= self.retries:
            return None
        backoff = min(_LONGEST_SECONDS, _FIRST_SECONDS * 2.0 ** min(attempt, 16)) * (0.5 + 0.5 * self.random())
        if retry_after is None:
            seconds = backoff
        elif retry_after > LONGEST_ASKED_SECONDS:
            return None
        else:
            # A little later than asked: a crowd that was sent away together must not come back together.
            seconds = retry_after + min(backoff, 1.0) * self.random()
        return seconds if now + seconds < self.until else None


def read_retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """What the server asks to wait, in seconds: a number, or a date to compare with the time of day."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        date = parsedate_to_datetime(text[:100])
        moment = date.replace(tzinfo=date.tzinfo or UTC).timestamp()
    except (TypeError, ValueError, OverflowError, OSError, IndexError):
        return None
    return max(0.0, moment - now)


def _number(text: str) -> float | None:
    try:
        value = float(text[:32])
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


# One attempt may take the time-out; all of them, with the waiting between, this many times as long.
_ALL_ATTEMPTS = 3.0


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Time and chance, so that tests need neither. `sleep` of None waits in a way that closing can end."""

    sleep: Callable[[float], object] | None = None
    monotonic: Callable[[], float] = time.monotonic
    time_of_day: Callable[[], float] = time.time
    random: Callable[[], float] = field(default_factory=lambda: random.random)


class Exchange:
    """The connections to one server. May be used from several threads; closing it ends what runs."""

    def __init__(
        self, address: Address, *, key: str, timeout_seconds: float, retries: int, clockwork: Clockwork
    ) -> None:
        self._address = address
        self._key = key
        self._timeout_seconds = timeout_seconds
        self._retries = retries
        self._clockwork = clockwork
        self._lock = threading.Lock()
        self._idle: list[Line] = []
        self._busy: set[Line] = set()
        self._closed = threading.Event()

    def send(
        self,
        service: Service,
        body: Mapping[str, Json],
        *,
        is_final: Callable[[Refused], bool],
        on_line: Callable[[Line], None] | None = None,
    ) -> tuple[Incoming, Line]:
        """Send until a reply begins. Raises `Refused` for what the caller must judge, `ModelError` for all else.

        `on_line` is told of the connection before each attempt, and may refuse it by raising a `ModelError`.
        """
        clockwork = self._clockwork
        patience = Patience(
            self._retries, clockwork.monotonic() + _ALL_ATTEMPTS * self._timeout_seconds, clockwork.random
        )
        # The same for every attempt: a server that knows the header does the work, and bills it, once.
        idempotency = f"mathrag-{uuid.uuid4()}"
        attempt, was_sent = 0, False
        while True:
            retry_after = None
            failure: Refused | Broken
            try:
                return self._once(service, body, idempotency=idempotency, on_line=on_line)
            except Refused as refused:
                if is_final(refused) or not is_worth_another_try(refused):
                    raise
                failure = refused
                retry_after = read_retry_after(refused.headers, now=clockwork.time_of_day())
            except Broken as broken:
                was_sent = was_sent or broken.was_sent
                if broken.kind != "connection":
                    raise self.explain(broken, was_sent=was_sent) from None
                failure = broken
            seconds = patience.delay(attempt, now=clockwork.monotonic(), retry_after=retry_after)
            if seconds is None:
                raise failure if isinstance(failure, Refused) else self.explain(failure, was_sent=was_sent)
            self._wait(seconds)
            attempt += 1

    def release(self, incoming: Incoming, line: Line) -> None:
        """A reply is done with; its connection is kept where it can be."""
        is_usable = incoming.close()
        with self._lock:
            self._busy.discard(line)
            if is_usable and not self._closed.is_set():
                self._idle.append(line)
                return
        line.close()

    def close(self) -> None:
        """End every running request as cancelled and close every connection. From any thread, any number of times."""
        self._closed.set()
        with self._lock:
            busy, idle = list(self._busy), self._idle
            self._idle = []
        for line in busy:
            line.cut("cancelled")
        for line in idle:
            line.close()

    def explain(self, broken: Broken, *, was_sent: bool) -> ModelError:
        """A failed connection as a sentence for a person."""
        where = self._address.shown
        if broken.kind == "cancelled" or self._closed.is_set():
            return ModelError("cancelled", "the request was cancelled", was_charged=was_sent)
        if broken.kind == "timeout":
            return ModelError(
                "timeout",
                f"the model server at {where} did not finish within {self._timeout_seconds:g} seconds; "
                "raise MATHRAG_LLM_TIMEOUT_SECONDS or ask for less",
                was_charged=was_sent,
            )
        if broken.kind == "unwritable":
            return ModelError("rejected", f"the request cannot be written for the server ({broken.detail})")
        if broken.kind == "untrusted":
            return ModelError("unreachable", _distrust(where, broken.detail))
        if broken.kind == "garbled":
            return ModelError(
                "bad_reply",
                f"what answers at {where} does not speak HTTP as a model server does; check MATHRAG_LLM_URL",
                was_charged=True,
            )
        if broken.has_begun:
            return ModelError(
                "bad_reply",
                f"the connection to the model server at {where} broke in the middle of its reply; ask again",
                was_charged=True,
            )
        if was_sent:
            return ModelError(
                "unreachable",
                f"the model server at {where} closed the connection without a reply; see its log",
                was_charged=True,
            )
        return ModelError(
            "unreachable",
            f"no model server answers at {where}; start it or set MATHRAG_LLM_URL ({_hide(broken.detail, self._key)})",
        )

    def _once(
        self,
        service: Service,
        body: Mapping[str, Json],
        *,
        idempotency: str,
        on_line: Callable[[Line], None] | None,
    ) -> tuple[Incoming, Line]:
        line = self._take()
        try:
            if on_line is not None:
                on_line(line)
            return line.ask(service, body, seconds=self._timeout_seconds, idempotency=idempotency), line
        except BaseException:
            line.close()
            with self._lock:
                self._busy.discard(line)
            raise

    def _take(self) -> Line:
        with self._lock:
            line = self._idle.pop() if self._idle else None
        line = line or Line(self._address, key=self._key)
        with self._lock:
            self._busy.add(line)
            is_closed = self._closed.is_set()
        if is_closed:
            line.close()
            raise ModelError("cancelled", "the connection to the model server has been closed")
        return line

    def _wait(self, seconds: float) -> None:
        if self._clockwork.sleep is None:
            self._closed.wait(seconds)
        else:
            self._clockwork.sleep(seconds)
        if self._closed.is_set():
            raise ModelError("cancelled", "the request was cancelled while it waited to be repeated")


def _distrust(where: str, detail: str) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in detail:
        return (
            f"the certificate of the model server at {where} is not trusted here; "
            "set SSL_CERT_FILE to a file with its issuer, or use http:// within your own network"
        )
    return f"what answers at {where} does not speak HTTPS; try http:// in MATHRAG_LLM_URL ({detail})"


def _hide(text: str, key: str) -> str:
    return text.replace(key, "***") if len(key) >= 4 else text
