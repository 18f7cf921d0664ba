"""Metering over a real connection to a server that fails: what the server charges is counted, and kept is only what is
whole."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from faulty_server import (
    Behaviour,
    FaultyServer,
    behave,
    complaint,
    reset_after_head,
    reset_before_reply,
    reset_in_stream,
    silent,
    status,
    truncated_body,
    truncated_json,
    truncated_stream,
)
from metered_models import asking, run_threads

from mathrag.errors import BudgetError, ModelError
from mathrag.llm.accounts import Price
from mathrag.llm.budgets import Budget
from mathrag.llm.concurrency import ask_each
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.judge import yes_probability
from mathrag.llm.messages import Schema
from mathrag.llm.metered import Models
from mathrag.llm.structured import ask_json
from mathrag.store.truth.replies import Replies

KEY = "sk-very-secret-0123456789"
PRICE = Price(1.0, 1.0)


def _models(
    server: FaultyServer, folder: Path, *, budget: Budget | None = None, retries: int = 4, seconds: float = 30.0
) -> Models:
    endpoint = Endpoint(server.url, "m", key=KEY, retries=retries, timeout_seconds=seconds, sleep=lambda _: None)
    return Models.of(endpoint, store=Replies(folder), budget=budget, price=PRICE)


def test_a_reply_after_refusals_is_one_call_and_one_charge(tmp_path: Path) -> None:
    script = [status(429, headers={"Retry-After": "0"}), status(503), reset_before_reply]
    with FaultyServer(script) as server, _models(server, tmp_path) as models:
        assert models.chat("reason").chat(asking("a")).text
        assert models.chat("reason").chat(asking("a")).from_cache
        total = models.account.snapshot().total
        assert (total.calls, total.cached, total.failed, total.prompt_tokens) == (1, 1, 0, 9)
        assert len(server.requests) == 4
        assert len(server.charged) == 1


BROKEN: dict[str, tuple[Behaviour, bool]] = {
    "truncated JSON": (truncated_json, True),
    "truncated body": (truncated_body, True),
    "reset after the head": (reset_after_head, True),
    "too slow": (silent, True),
    "a wrong key": (complaint(401, "wrong key"), False),
    "refused": (complaint(404, "no such model"), False),
}


@pytest.mark.parametrize(("behaviour", "is_charged"), BROKEN.values(), ids=BROKEN)
def test_what_may_have_been_charged_is_counted_and_nothing_is_kept(
    tmp_path: Path, behaviour: Behaviour, is_charged: bool
) -> None:
    seconds = 2.0 if behaviour is silent else 30.0
    with FaultyServer([behaviour]) as server, _models(server, tmp_path, retries=0, seconds=seconds) as models:
        with pytest.raises(ModelError) as caught:
            models.chat("reason").chat(asking("a"))
        assert KEY not in str(caught.value)
        total = models.account.snapshot().total
        assert (total.calls, total.failed) == (1, 1)
        assert bool(total.cost) == bool(server.charged) == is_charged
        again = models.chat("reason").chat(asking("a"))
        assert not again.from_cache
    assert KEY.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("behaviour", [truncated_stream, reset_in_stream])
def test_a_stream_that_breaks_is_counted_as_far_as_it_came(tmp_path: Path, behaviour: Behaviour) -> None:
    with FaultyServer([behaviour]) as server, _models(server, tmp_path) as models:
        pieces = []
        with pytest.raises(ModelError):
            pieces.extend(models.chat("reason").stream(asking("a")))
        total = models.account.snapshot().total
        assert (total.calls, total.failed, total.estimated) == (1, 1, 1)
        assert 0 < total.completion_tokens < 20
        whole = list(models.chat("reason").stream(asking("a")))[-1].reply
        assert whole is not None
        assert not whole.from_cache
        assert models.chat("reason").chat(asking("a")).from_cache


def test_a_stream_that_is_left_ends_the_request(tmp_path: Path) -> None:
    with FaultyServer() as server, _models(server, tmp_path) as models:
        pieces = models.chat("reason").stream(asking("a"))
        assert next(pieces).text
        pieces.close()  # type: ignore[attr-defined]
        assert models.account.snapshot().total.failed == 1
        assert models.chat("reason").chat(asking("a")).text


def test_another_thread_can_end_a_stream_that_waits(tmp_path: Path) -> None:
    with FaultyServer([silent]) as server, _models(server, tmp_path) as models:
        pieces = models.chat("reason").stream(asking("a"))
        codes: list[str] = []

        def read() -> None:
            try:
                list(pieces)
            except ModelError as error:
                codes.append(error.code)

        def end() -> None:
            while not server.charged:
                time.sleep(0.005)
            pieces.close()  # type: ignore[attr-defined]

        run_threads(read, end)
        assert codes == ["cancelled"]
        total = models.account.snapshot().total
        assert (total.calls, total.failed, total.estimated) == (1, 1, 1)
        assert models.chat("reason").chat(asking("a")).text


def test_a_stream_that_waits_for_its_turn_can_be_ended(tmp_path: Path) -> None:
    with FaultyServer() as server, _models(server, tmp_path) as models:
        held = models.chat("reason").stream(asking("a"))
        next(held)
        waiting = models.chat("reason").stream(asking("a"))
        codes: list[str] = []

        def read() -> None:
            try:
                list(waiting)
            except ModelError as error:
                codes.append(error.code)

        def end() -> None:
            time.sleep(0.1)
            waiting.close()  # type: ignore[attr-defined]
            held.close()  # type: ignore[attr-defined]

        run_threads(read, end)
        assert codes == ["cancelled"]
        assert len(server.requests) == 1


def test_the_budget_holds_while_many_threads_ask_a_failing_server(tmp_path: Path) -> None:
    script = [behave, truncated_json, status(500), behave, silent, truncated_body] * 20
    budget = Budget(maximal_cost=0.004)
    with FaultyServer(script) as server, _models(server, tmp_path, budget=budget, retries=1, seconds=1.0) as models:
        batch = ask_each(
            lambda number: models.chat("judge").chat(asking(str(number))).text, list(range(200)), workers=6
        )
        assert isinstance(batch.stopped, BudgetError)
        total = models.account.snapshot().total
        assert total.cost is not None
        assert total.cost <= 0.004
        kept = sum(result is not None for result in batch.results)
        assert kept > 0
        assert models.meter.store is not None
        assert isinstance(models.meter.store, Replies)
        assert models.meter.store.status().entries == kept
    with FaultyServer() as server, _models(server, tmp_path, budget=Budget(maximal_calls=0)) as models:
        answered = [number for number, result in enumerate(batch.results) if result is not None]
        assert all(models.chat("judge").chat(asking(str(number))).from_cache for number in answered)
        assert not server.requests


def test_one_request_of_many_threads_is_charged_once(tmp_path: Path) -> None:
    with FaultyServer([status(503), behave]) as server, _models(server, tmp_path) as models:
        run_threads(*(lambda: models.chat("judge").chat(asking("the same")) for _ in range(8)))
        assert len(server.charged) == 1
        total = models.account.snapshot().total
        assert (total.calls, total.cached) == (1, 7)


def test_json_and_judging_over_the_connection(tmp_path: Path) -> None:
    schema = Schema("count", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    with FaultyServer() as server, _models(server, tmp_path) as models:
        assert ask_json(models.chat("extract"), asking("count"), schema).value == {"n": 4}
        assert yes_probability(models.chat("judge"), "it is true") is None, "it says Four, which is no verdict"
        assert server.requests[1].body["top_logprobs"] > 1
