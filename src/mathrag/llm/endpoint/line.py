"""One connection to a server, for one request at a time; any thread can cut it. Knows no prompts and no replies."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from mathrag.errors import ModelError
from mathrag.llm.endpoint import reply
from mathrag.llm.endpoint.address import Address
from mathrag.llm.endpoint.reply import Broken, Cut, Refused
from mathrag.types.json_value import Json

Service: TypeAlias = Literal["chat", "embeddings"]

_LONGEST_REFUSAL = 1 << 16
_CONNECT_SECONDS = 15.0
# Failures of encryption that another attempt would only repeat.
_SIGNS_OF_DISTRUST = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")
# What a request may say about us. The client adds more, partly from the environment: none of the server's business.
_HEADERS = frozenset(
    "host accept accept-encoding connection content-type content-length authorization idempotency-key "
    # By this one the client knows its own reply again.
    "x-stainless-raw-response".split()
)


class Line:
    """A client of its own with at most one connection, so that the socket of the running request is known.

    The client's own time-outs start anew with every byte; a server that drips would never be given up. So a timer
    shuts the socket down, which wakes the thread that waits for it.
    """

    def __init__(self, address: Address, *, key: str) -> None:
        self._has_key = bool(key)
        self._client = _make_client(address, key=key or "none", line=self)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._turn = 0
        self._is_running = False
        self._cut: Cut | None = None
        self._is_doomed = False
        self._was_sent = False

    def ask(self, service: Service, body: Mapping[str, Json], *, seconds: float, idempotency: str) -> Incoming:
        """Send a request and wait for the head of the reply."""
        import openai

        with self._lock:
            if self._is_doomed:
                raise Broken("cancelled", "")
            self._turn += 1
            self._is_running, self._cut, self._was_sent = True, None, False
            turn = self._turn
        timer = threading.Timer(seconds, self.cut, args=("timeout",), kwargs={"turn": turn})
        timer.daemon = True
        timer.start()
        create: Any = (
            self._client.chat.completions.with_streaming_response.create
            if service == "chat"
            else self._client.embeddings.with_streaming_response.create
        )
        try:
            manager = create(
                **body,
                timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
                extra_headers={"Idempotency-Key": idempotency},
            )
            response = manager.__enter__()
        except BaseException as error:
            timer.cancel()
            broken = self._explain(error, has_begun=False)
            self.close()
            if broken is None:
                raise
            raise broken from None
        return Incoming(self, response.http_response, timer=timer)

    def cut(self, reason: Cut, *, turn: int | None = None) -> None:
        """End the running request from any thread. Does nothing for a turn that is over.

        A line that is cancelled before its request is sent will not send it.
        """
        with self._lock:
            self._is_doomed = self._is_doomed or reason == "cancelled"
            if not self._is_running or (turn is not None and turn != self._turn):
                return
            self._cut = self._cut or reason
            _shut(self._socket)

    def rest(self) -> None:
        """The request is over; the connection may serve another."""
        with self._lock:
            self._is_running = False

    def close(self) -> None:
        """Give the connection up."""
        self.rest()
        with contextlib.suppress(Exception):
            self._client.close()

    def _explain(self, error: BaseException, *, has_begun: bool) -> Exception | None:
        """The error in our own words; None where it must pass as it is (Ctrl-C)."""
        if not isinstance(error, Exception):
            return None
        cause = error.__cause__ or error
        for own in (error, cause):
            # Versions of the client differ in whether they wrap what our hook raises.
            if isinstance(own, Refused):
                return own
        if self._cut is not None:
            return Broken(self._cut, "", was_sent=self._was_sent, has_begun=has_begun)
        if "Timeout" in type(error).__name__ or "Timeout" in type(cause).__name__:
            kind: Literal["connection", "timeout"] = "timeout" if self._was_sent else "connection"
            return Broken(kind, "it takes too long", was_sent=self._was_sent, has_begun=has_begun)
        if isinstance(error, TypeError | ValueError) and not self._was_sent:
            return Broken("unwritable", type(error).__name__)
        reason = str(cause).strip() or type(cause).__name__
        if "Protocol" in type(cause).__name__ and "disconnected" not in reason and not has_begun:
            # Something did come back. Who knows what it cost: it is not asked for again.
            return Broken("garbled", reason, was_sent=True, has_begun=True)
        if any(sign in reason for sign in _SIGNS_OF_DISTRUST) and not self._was_sent:
            return Broken("untrusted", reason)
        return Broken("connection", reason, was_sent=self._was_sent, has_begun=has_begun)

    def _watch(self, event: str, info: Mapping[str, Any]) -> None:
        stream: Any = info.get("return_value")
        if event.endswith(".complete") and hasattr(stream, "get_extra_info"):
            with self._lock:
                self._socket = stream.get_extra_info("socket")
                if self._cut is not None:
                    _shut(self._socket)
        elif event.endswith("send_request_body.complete"):
            self._was_sent = True

    def _prepare(self, request: Any) -> None:
        for name in [name for name in request.headers if name.lower() not in _HEADERS]:
            del request.headers[name]
        if not self._has_key:
            request.headers.pop("Authorization", None)
        request.headers["Accept-Encoding"] = "identity"
        request.headers["User-Agent"] = "mathrag"
        request.extensions["trace"] = self._watch


class Incoming:
    """A reply whose head has arrived. To be closed, whatever happens; read to its end, its line can be used again."""

    def __init__(self, line: Line, response: Any, *, timer: threading.Timer) -> None:
        self._line = line
        self._response = response
        self._timer = timer
        self._is_complete = False

    @property
    def media_type(self) -> str:
        """What the server says it is, without parameters."""
        text: str = self._response.headers.get("content-type", "")
        return text.split(";")[0].strip().lower()

    def chunks(self, *, limit: int) -> Iterator[bytes]:
        """The body, unpacked."""
        return reply.unpack(self._raw(), encoding=self._response.headers.get("content-encoding", ""), limit=limit)

    def close(self) -> bool:
        """Let go of the connection; true where it can serve another request."""
        self._timer.cancel()
        with contextlib.suppress(Exception):
            self._response.close()
        if self._is_complete:
            self._line.rest()
        else:
            self._line.close()
        return self._is_complete

    def _raw(self) -> Iterator[bytes]:
        try:
            yield from self._response.iter_raw()
        except Exception as error:
            broken = self._line._explain(error, has_begun=True)
            if broken is None:
                raise
            raise broken from None
        # Where the end of the connection is the end of the reply, a cut looks like one.
        if self._line._cut is not None:
            raise Broken(self._line._cut, "", was_sent=True, has_begun=True)
        self._is_complete = True


def _make_client(address: Address, *, key: str, line: Line) -> Any:
    try:
        import openai
    except ImportError as error:
        raise ModelError(
            "not_installed", "asking a language model needs a package more; pip install 'mathrag[llm]'"
        ) from error
    hooks: dict[str, list[Callable[..., Any]]] = {"request": [line._prepare], "response": [_refuse_other_than_success]}
    return openai.OpenAI(
        api_key=key,
        base_url=address.base,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(
            # A redirect would carry the question, and the key, to whoever the server names.
            follow_redirects=False,
            # A proxy of the environment is for other machines, not for a server on this one; nor are certificates,
            # which take longer to load than a small model takes to reply.
            trust_env=not address.is_on_this_machine,
            verify=not address.is_on_this_machine,
            event_hooks=hooks,
        ),
    )


def _refuse_other_than_success(response: Any) -> None:
    # Here and not later: the client would read an error of any size to its end before it raises its own.
    if response.status_code == 200:
        return
    headers = {name.lower(): value for name, value in response.headers.items()}
    try:
        body = reply.first(response.iter_raw(), encoding=headers.get("content-encoding", ""), limit=_LONGEST_REFUSAL)
    except Exception:
        # The status says enough where the explanation does not arrive.
        body = b""
    raise Refused(response.status_code, headers, body)


def _shut(connection: socket.socket | None) -> None:
    if connection is None:
        return
    with contextlib.suppress(OSError, ValueError):
        # The method of the plain socket: that of an encrypted one forgets the encryption under the reader's hands.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
