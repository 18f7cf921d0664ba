"""A server that fails in every way we know: no lost work, no double charge, and a sentence that says what to do."""

from __future__ import annotations

import threading
import time
from collections import deque
from email.utils import formatdate

import pytest
from faulty_server import (
    Behaviour,
    FaultyServer,
    answers,
    behave,
    bomb,
    complaint,
    drip,
    endless,
    endless_stream,
    packed,
    raw,
    refuses,
    reply_for,
    reset_after_head,
    reset_before_reply,
    reset_in_stream,
    silent,
    slow_stream,
    status,
    streams,
    truncated_body,
    truncated_json,
    truncated_stream,
)

from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.endpoint.exchange import Clockwork
from mathrag.llm.messages import ChatRequest, Message, ReplyPiece

REQUEST = ChatRequest((Message("user", "What is two and two?"),), maximal_tokens=20)
SAID = "Four is two and two."
KEY = "sk-very-secret-0123456789"
PAGE = {"Content-Type": "text/html"}


def _endpoint(server: FaultyServer, *, retries: int = 4, timeout_seconds: float = 20) -> Endpoint:
    return Endpoint(server.url, "m", key=KEY, retries=retries, timeout_seconds=timeout_seconds, sleep=lambda _: None)


def _said(endpoint: Endpoint) -> str:
    return endpoint.chat(REQUEST).text


def _streamed(endpoint: Endpoint) -> str:
    pieces = list(endpoint.stream(REQUEST))
    assert pieces[-1].reply is not None
    assert "".join(piece.text for piece in pieces) == pieces[-1].reply.text
    return pieces[-1].reply.text


ASKING = pytest.mark.parametrize("ask", [_said, _streamed], ids=["whole", "streamed"])


# What passes: the work is done once, and paid once.


@ASKING
@pytest.mark.parametrize(
    "faults",
    [
        [status(429)],
        [status(429, headers={"Retry-After": "2"}), status(429, headers={"Retry-After": "1"})],
        [status(500, b"oops"), status(502, b"<html>", headers=PAGE), complaint(503, "loading model")],
        [status(408), status(409), status(504)],
        [reset_before_reply, reset_before_reply],
        [reset_before_reply, status(429), status(500), reset_before_reply],
    ],
    ids=["limited", "limited with a time", "faults", "timeouts of a proxy", "resets", "a bad day"],
)  # fmt: skip
def test_passing_faults_are_waited_out(faults: list[Behaviour], ask) -> None:  # type: ignore[no-untyped-def]
    with FaultyServer(faults) as server, _endpoint(server) as endpoint:
        assert ask(endpoint) == SAID
        assert len(server.requests) == len(faults) + 1
        assert len(server.charged) == 1
        assert len({seen.headers["idempotency-key"] for seen in server.requests}) == 1
        assert all(seen.body == server.requests[0].body for seen in server.requests)


def test_a_reply_that_was_packed_unasked_is_unpacked() -> None:
    with FaultyServer([packed]) as server, _endpoint(server) as endpoint:
        assert _said(endpoint) == SAID
        assert server.requests[0].headers["accept-encoding"] == "identity"


def test_connections_are_used_again() -> None:
    with FaultyServer() as server, _endpoint(server) as endpoint:
        for _ in range(3):
            assert _said(endpoint) == SAID
        assert len(server.connections) == 1


# What does not pass: one clear error, no second payment.


@ASKING
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (reset_after_head, "bad_reply"),
        (truncated_body, "bad_reply"),
        (truncated_json, "bad_reply"),
        (endless, "bad_reply"),
        (bomb, "bad_reply"),
        (raw(b"\x15\x03\x01\x00\x02\x02\x16\r\n\r\n"), "bad_reply"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n{}"), "bad_reply"),
        (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), "bad_reply"),
        (answers(b"<html><body>Log in to the network</body></html>", headers=PAGE), "bad_reply"),
        (answers(b"OK", headers={"Content-Type": "text/plain"}), "bad_reply"),
        (answers(b""), "bad_reply"),
        (answers(b"\x1f\x8b\x08damaged", headers={"Content-Encoding": "gzip"}), "bad_reply"),
        (answers(b"?", headers={"Content-Encoding": "br"}), "bad_reply"),
        (answers({"error": {"message": "out of memory", "code": 500}}), "server"),
        (status(204), "bad_reply"),
    ],
    ids=[
        "reset after the head", "half the bytes", "half the object", "endless", "bomb", "another protocol",
        "bad length", "bad chunks", "page of a proxy", "plain text", "empty", "damaged packing", "unknown packing",
        "error as a reply", "no content",
    ],
)  # fmt: skip
def test_a_reply_that_cannot_be_used_is_not_asked_for_twice(fault: Behaviour, code: str, ask) -> None:  # type: ignore[no-untyped-def]
    with FaultyServer([fault]) as server, _endpoint(server) as endpoint:
        with pytest.raises(ModelError) as caught:
            ask(endpoint)
        assert caught.value.code == code
        assert len(server.requests) == 1
        assert caught.value.was_charged == bool(server.charged)
        assert _said(endpoint) == SAID


@pytest.mark.parametrize(
    ("fault", "code", "heard"),
    [
        (reset_in_stream, "bad_reply", "Four is two"),
        (truncated_stream, "bad_reply", "Four is two"),
        (endless_stream, "bad_reply", None),
        (streams({"choices": [{"delta": {"content": "Four"}}]}, {"error": {"message": "CUDA"}}), "server", "Four"),
        (streams({"choices": [{"delta": {"content": "Four"}}]}, "{half"), "bad_reply", "Four"),
        (streams("[DONE]"), "bad_reply", ""),
        (streams({"choices": [{"delta": ["Four"]}]}), "bad_reply", ""),
    ],
    ids=["reset", "truncated", "endless", "error", "half an object", "nothing", "nonsense"],
)
def test_a_stream_that_breaks_keeps_what_was_heard(fault: Behaviour, code: str, heard: str | None) -> None:
    with FaultyServer([fault]) as server, _endpoint(server) as endpoint:
        pieces: list[ReplyPiece] = []
        with pytest.raises(ModelError) as caught:
            # One by one: what came before the fault must have been handed on.
            deque(map(pieces.append, endpoint.stream(REQUEST)))
        assert caught.value.code == code
        assert caught.value.was_charged
        assert len(server.requests) == len(server.charged) == 1
        assert all(piece.reply is None for piece in pieces)
        if heard is not None:
            assert "".join(piece.text for piece in pieces) == heard


@pytest.mark.parametrize(
    ("fault", "code", "says"),
    [
        (complaint(401, f"Incorrect API key provided: {KEY}"), "key_refused", "MATHRAG_LLM_KEY"),
        (status(403, b"<html>", headers=PAGE), "key_refused", "MATHRAG_LLM_KEY"),
        (complaint(404, 'model "m" not found, try pulling it first'), "not_found", "MATHRAG_LLM_MODEL"),
        (complaint(404, "The model `m` does not exist", code="model_not_found"), "not_found", "MATHRAG_LLM_MODEL"),
        (status(404, b"404 page not found", headers={"Content-Type": "text/plain"}), "not_found", "MATHRAG_LLM_URL"),
        (complaint(400, "This model's maximum context length is 8192 tokens"), "too_long", "less text"),
        (complaint(400, "request (5031 tokens) exceeds the available context size (2048 tokens)"), "too_long", "less"),
        (status(413, b""), "too_long", "less text"),
        (complaint(429, "You exceeded your current quota", code="insufficient_quota"), "rejected", "credit"),
        (complaint(402, "Payment required"), "rejected", "credit"),
        (complaint(451, f"Not in your country, {KEY}"), "rejected", "Not in your country, ***"),
        (status(302, headers={"Location": "http://elsewhere.example/v1?x=1"}), "rejected", "elsewhere.example"),
        (status(418, b""), "rejected", "418"),
    ],
    ids=[
        "wrong key", "forbidden", "no model (Ollama)", "no model (OpenAI)", "no such path", "context (OpenAI)",
        "context (llama.cpp)", "too large", "quota", "payment", "law", "redirect", "teapot",
    ],
)  # fmt: skip
def test_refusals_say_what_to_do_and_are_not_repeated(fault: Behaviour, code: str, says: str) -> None:
    with FaultyServer(otherwise=fault) as server, _endpoint(server) as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(ChatRequest(REQUEST.messages, seed=None, temperature=0))
        assert caught.value.code == code
        assert says in str(caught.value)
        assert KEY not in str(caught.value)
        assert not caught.value.was_charged
        assert server.charged == []
        if code != "rejected":
            assert len(server.requests) == 1


def test_a_limit_that_does_not_pass_is_reported_with_its_time() -> None:
    with FaultyServer(otherwise=status(429, headers={"Retry-After": "7"})) as server:
        with _endpoint(server, retries=2) as endpoint, pytest.raises(ModelError) as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "busy"
        assert caught.value.retry_after == 7
        assert "in 7 seconds" in str(caught.value)
        assert len(server.requests) == 3


def test_a_server_that_stays_down_is_reported() -> None:
    with FaultyServer(otherwise=status(500, {"error": "disk full"})) as server:
        with _endpoint(server, retries=2) as endpoint, pytest.raises(ModelError, match="disk full") as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "server"
        assert len(server.requests) == 3


def test_nobody_there() -> None:
    with FaultyServer() as server:
        url = server.url
    with Endpoint(url, "m", retries=1, sleep=lambda _: None) as endpoint:
        with pytest.raises(ModelError, match="start it or set MATHRAG_LLM_URL") as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "unreachable"
        assert not caught.value.was_charged
        with pytest.raises(ModelError, match="no model server answers"):
            endpoint.embed(["text"])


def test_a_server_that_always_hangs_up_may_have_charged() -> None:
    with FaultyServer(otherwise=reset_before_reply) as server, _endpoint(server, retries=1) as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(REQUEST)
        assert (caught.value.code, caught.value.was_charged) == ("unreachable", True)


def test_a_redirect_is_not_followed_and_the_key_stays_here() -> None:
    with FaultyServer() as other, FaultyServer([status(307, headers={"Location": f"{other.url}/v1/chat"})]) as server:
        with _endpoint(server) as endpoint, pytest.raises(ModelError, match="final address"):
            endpoint.chat(REQUEST)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert other.requests == []


# Time.


@ASKING
@pytest.mark.parametrize(
    "fault",
    [
        silent,
        drip(b"HTTP/1.1 200 OK\r\nX-Slow: "),
        drip(b"HTTP/1.1 500 Oh\r\nContent-Length: 5000\r\n\r\n"),
        drip(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"),
        slow_stream,
    ],
    ids=["silent", "slow head", "slow refusal", "slow body", "slow stream"],
)
def test_a_server_that_drips_is_given_up(fault: Behaviour, ask) -> None:  # type: ignore[no-untyped-def]
    with FaultyServer(otherwise=fault) as server, _endpoint(server, timeout_seconds=0.3, retries=0) as endpoint:
        with pytest.raises(ModelError) as caught:
            ask(endpoint)
        assert caught.value.code in ("timeout", "server")
        assert len(server.requests) == 1


class _Clock:
    """Time that passes by sleeping only."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def monotonic(self) -> float:
        return sum(self.slept)

    def clockwork(self) -> Clockwork:
        return Clockwork(self.sleep, self.monotonic, lambda: 1_800_000_000.0 + self.monotonic(), lambda: 0.5)


def _waits(*faults: Behaviour, retries: int = 6, timeout_seconds: float = 120) -> tuple[list[float], str]:
    clock = _Clock()
    with (
        FaultyServer(faults) as server,
        Endpoint(
            server.url, "m", retries=retries, timeout_seconds=timeout_seconds, clockwork=clock.clockwork()
        ) as endpoint,
    ):
        try:
            outcome = endpoint.chat(REQUEST).text
        except ModelError as error:
            outcome = error.code
    return clock.slept, outcome


def test_waits_double() -> None:
    slept, said = _waits(*[status(503)] * 5)
    assert slept == [0.375, 0.75, 1.5, 3.0, 6.0]
    assert said == SAID


def test_the_server_says_how_long_to_wait() -> None:
    date = formatdate(1_800_000_030, usegmt=True)
    slept, said = _waits(
        status(429, headers={"Retry-After": "9"}),
        status(503, headers={"Retry-After": date}),
        status(429, headers={"Retry-After-Ms": "1500"}),
        status(429, headers={"Retry-After": "soon"}),
        status(429, headers={"Retry-After": "-5"}),
    )
    assert said == SAID
    assert 9 <= slept[0] <= 10
    assert 30 - slept[0] <= slept[1] <= 31 - slept[0]
    assert 1.5 <= slept[2] <= 2.5
    assert slept[3:] == [3.0, 6.0]


@pytest.mark.parametrize("asked", ["3600", "1e300", "Fri, 31 Dec 9999 23:59:59 GMT", "inf"])
def test_nobody_waits_an_hour(asked: str) -> None:
    slept, outcome = _waits(*[status(429, headers={"Retry-After": asked})] * 2, retries=1)
    assert outcome == "busy"
    assert sum(slept) < 10


def test_all_attempts_together_are_bounded() -> None:
    slept, outcome = _waits(*[status(429, headers={"Retry-After": "20"})] * 50, retries=50, timeout_seconds=30)
    assert outcome == "busy"
    assert sum(slept) <= 90


# Cancelling.


def test_closing_a_stream_frees_the_server() -> None:
    with FaultyServer([slow_stream]) as server, _endpoint(server) as endpoint:
        stream = endpoint.stream(REQUEST)
        assert next(stream).text == "slow "
        stream.close()
        assert server.hung_up.wait(10)
        assert list(stream) == []
        stream.close()
        assert _said(endpoint) == SAID


def test_leaving_a_stream_frees_the_server() -> None:
    with FaultyServer([slow_stream]) as server, _endpoint(server) as endpoint:
        for piece in endpoint.stream(REQUEST):
            assert piece.text == "slow "
            break
        assert server.hung_up.wait(10)


@ASKING
def test_closing_the_endpoint_wakes_who_waits(ask) -> None:  # type: ignore[no-untyped-def]
    with FaultyServer([silent]) as server, _endpoint(server) as endpoint:
        outcome: list[str] = []

        def wait() -> None:
            try:
                ask(endpoint)
            except ModelError as error:
                outcome.append(error.code)

        thread = threading.Thread(target=wait)
        thread.start()
        while not server.requests:
            time.sleep(0.005)
        endpoint.close()
        thread.join(10)
        assert outcome == ["cancelled"]
        with pytest.raises(ModelError) as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "cancelled"


@pytest.mark.parametrize("fault", [slow_stream, silent], ids=["between pieces", "before the first"])
def test_another_thread_can_close_a_stream(fault: Behaviour) -> None:
    with FaultyServer([fault]) as server, _endpoint(server) as endpoint:
        stream = endpoint.stream(REQUEST)
        outcome: list[str] = []

        def read() -> None:
            try:
                outcome.extend("" for _ in stream)
                outcome.append("ended")
            except ModelError as error:
                outcome.append(error.code)

        thread = threading.Thread(target=read)
        thread.start()
        while not server.requests:
            time.sleep(0.005)
        stream.close()
        thread.join(10)
        assert not thread.is_alive()
        assert outcome[-1] in ("cancelled", "ended")


def test_closing_ends_the_wait_for_another_try() -> None:
    with FaultyServer(otherwise=status(429, headers={"Retry-After": "100"})) as server:
        endpoint = Endpoint(server.url, "m")
        outcome: list[str] = []

        def wait() -> None:
            try:
                endpoint.chat(REQUEST)
            except ModelError as error:
                outcome.append(error.code)

        thread = threading.Thread(target=wait)
        thread.start()
        while not server.requests:
            time.sleep(0.005)
        endpoint.close()
        thread.join(10)
        assert outcome == ["cancelled"]
        assert len(server.requests) == 1


# Many at once.


def test_many_threads_with_many_faults_lose_nothing() -> None:
    faults = [status(429), reset_before_reply, behave, status(500), behave, reset_before_reply] * 8
    with FaultyServer(faults) as server, _endpoint(server, retries=50) as endpoint:
        said: list[str] = []
        threads = [threading.Thread(target=lambda: said.extend(_said(endpoint) for _ in range(4))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert said == [SAID] * 24
        assert len(server.charged) == len(set(server.charged)) == 24


def test_other_faults_of_a_refusal_do_not_hide_an_ability() -> None:
    faults = [status(429), refuses("seed", message="Unknown parameter: {}"), status(500), behave]
    with FaultyServer(faults, otherwise=refuses("seed")) as server, _endpoint(server) as endpoint:
        assert _said(endpoint) == SAID
        assert "seed" not in server.requests[-1].body
        assert len(server.charged) == 1


def test_a_reply_of_another_shape_still_counts() -> None:
    reply = reply_for({"model": "m"})
    with FaultyServer([answers(reply), streams(*[reply])]) as server, _endpoint(server) as endpoint:
        assert _said(endpoint) == SAID
        assert _said(endpoint) == SAID
