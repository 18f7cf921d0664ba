"""One connection to a server, for one request at a time; any thread can cut it. Knows no prompts and no replies.

It stands on httpx and not on OpenAI's own client, of which nothing was used: its retries, time-outs, headers, parsing
and errors all had to be replaced by ours.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mathrag.errors import ModelError
from mathrag.llm.endpoint import reply
from mathrag.llm.endpoint.address import Address
from mathrag.llm.endpoint.reply import Broken, Cut, Refused
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    # Loading it takes longer than most commands; it waits for the first request.
    import httpx2

Service: TypeAlias = Literal["chat/completions", "embeddings", "rerank", "score"]

_LONGEST_REFUSAL = 1 << 16
_CONNECT_SECONDS = 15.0
# Failures of encryption that another attempt would only repeat.
_SIGNS_OF_DISTRUST = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")


class Line:
    """A client of its own with at most one connection, so that the socket of the running request is known.

    The client's own time-outs start anew with every byte; a server that drips would never be given up. So a timer
    shuts the socket down, which wakes the thread that waits for it.
    """

    def __init__(self, address: Address, *, key: str) -> None:
        self._address = address
        self._client = _make_client(address, key=key)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._turn = 0
        self._is_running = False
        self._cut: Cut | None = None
        self._is_doomed = False
        self._was_sent = False

    def ask(self, service: Service, body: Mapping[str, Json], *, seconds: float, idempotency: str) -> Incoming:
        """Send a request and wait for the head of the reply."""
        import httpx2

        with self._lock:
            if self._is_doomed:
                raise Broken("cancelled", "")
            self._turn += 1
            self._is_running, self._cut, self._was_sent = True, None, False
            turn = self._turn
        timer = threading.Timer(seconds, self.cut, args=("timeout",), kwargs={"turn": turn})
        timer.daemon = True
        timer.start()
        try:
            request = self._client.build_request(
                "POST",
                f"{self._address.base}/{service}",
                json=body,
                headers={"Idempotency-Key": idempotency},
                timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
                extensions={"trace": self._watch},
            )
            response = self._client.send(request, stream=True)
            _refuse_other_than_success(response)
        except BaseException as error:
            timer.cancel()
            # A refusal passes as it is, and so does Ctrl-C.
            is_ours = isinstance(error, Refused) or not isinstance(error, Exception)
            broken = error if is_ours else self._explain(error, has_begun=False)
            self.close()
            raise broken from None
        return Incoming(self, response, timer=timer)

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

    def _explain(self, error: BaseException, *, has_begun: bool) -> Broken:
        """The error in our own words."""
        import httpx2

        if self._cut is not None:
            return Broken(self._cut, "", was_sent=self._was_sent, has_begun=has_begun)
        if isinstance(error, httpx2.TimeoutException):
            kind: Literal["connection", "timeout"] = "timeout" if self._was_sent else "connection"
            return Broken(kind, "it takes too long", was_sent=self._was_sent, has_begun=has_begun)
        if isinstance(error, TypeError | ValueError) and not self._was_sent:
            return Broken("unwritable", type(error).__name__)
        reason = str(error).strip() or type(error).__name__
        if isinstance(error, httpx2.ProtocolError) and "disconnected" not in reason and not has_begun:
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


class Incoming:
    """A reply whose head has arrived. To be closed, whatever happens; read to its end, its line can be used again."""

    def __init__(self, line: Line, response: httpx2.Response, *, timer: threading.Timer) -> None:
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
            raise self._line._explain(error, has_begun=True) from None
        # Where the end of the connection is the end of the reply, a cut looks like one.
        if self._line._cut is not None:
            raise Broken(self._line._cut, "", was_sent=True, has_begun=True)
        self._is_complete = True


def _make_client(address: Address, *, key: str) -> httpx2.Client:
    try:
        import httpx2
    except ImportError as error:
        raise ModelError(
            "not_installed", "asking a language model needs a package more; pip install 'mathrag[llm]'"
        ) from error
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "mathrag"}
    return httpx2.Client(
        headers=headers | ({"Authorization": f"Bearer {key}"} if key else {}),
        # A redirect would carry the question, and the key, to whoever the server names.
        follow_redirects=False,
        # A proxy of the environment is for other machines, not for a server on this one; nor are certificates, which
        # take longer to load than a small model takes to reply.
        trust_env=not address.is_on_this_machine,
        verify=not address.is_on_this_machine,
    )


def _refuse_other_than_success(response: httpx2.Response) -> None:
    if response.status_code == 200:
        return
    headers = {name.lower(): value for name, value in response.headers.items()}
    try:
        # Not to its end: an error may be of any size.
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
