"""Metering: every call is counted, kept and paid for once, whatever the threads do and however it ends."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from metered_models import BreakingStream, CountingModel, asking, run_threads

from mathrag.errors import BudgetError, LibraryError, ModelError, UsageError
from mathrag.llm.accounts import Price, RoleSpending, Spending, cost_text
from mathrag.llm.budgets import Budget
from mathrag.llm.concurrency import Slots, Turns
from mathrag.llm.kept_replies import MemoryReplies
from mathrag.llm.messages import ROLES, ChatReply, ChatRequest, Embeddings, ReplyPiece, Usage
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.store.truth.replies import Replies

PRICE = Price(prompt=1.0, completion=2.0)


def test_a_call_is_counted_for_its_role_and_in_all() -> None:
    models = Models.of(CountingModel(usage=Usage(1000, 500)), price=PRICE)
    models.chat("extract").chat(asking("a"))
    models.chat("extract").chat(asking("b"))
    models.chat("judge").chat(asking("c"))
    spending = models.account.snapshot()
    extract = spending.role("extract")
    assert (extract.calls, extract.prompt_tokens, extract.completion_tokens) == (2, 2000, 1000)
    assert extract.cost == pytest.approx(0.004)
    assert spending.role("judge").calls == 1
    assert spending.total.cost == pytest.approx(0.006)
    assert spending.role("vision") == RoleSpending()


def test_an_unknown_price_is_said_and_not_counted_as_nothing() -> None:
    models = Models.of(CountingModel())
    assert models.account.snapshot().total.cost == 0.0
    models.chat("reason").chat(asking("a"))
    spending = models.account.snapshot()
    assert spending.total.cost is None
    assert "MATHRAG_LLM_PRICE_INPUT" in spending.sentence()


def test_tokens_that_the_server_does_not_tell_are_estimated() -> None:
    models = Models.of(ScriptedModel(["twelve tokens or so in this reply, perhaps"]), price=PRICE)
    reply = models.chat("reason").chat(asking("How long is this?"))
    total = models.account.snapshot().total
    assert reply.usage.is_estimated
    assert total.estimated == 1
    assert total.prompt_tokens > 5
    assert 5 < total.completion_tokens < 40


def test_usage_that_cannot_be_right_is_estimated_too() -> None:
    lines = [ChatReply("a reply", usage=Usage(-5, -7)), ChatReply("another", usage=Usage(10**30, 10**30))]
    models = Models.of(ScriptedModel(lines), store=MemoryReplies())
    models.chat("reason").chat(asking("x"))
    total = models.account.snapshot().total
    assert total.prompt_tokens > 0
    assert total.completion_tokens > 0
    models.chat("reason").chat(asking("y"))
    assert models.chat("reason").chat(asking("y")).from_cache, "what was kept can be read"


def test_the_same_request_is_asked_once_and_answered_from_the_cache() -> None:
    model = CountingModel()
    models = Models.of(model, store=MemoryReplies(), price=PRICE)
    first = models.chat("extract").chat(asking("a"))
    second = models.chat("judge").chat(asking("a"))
    assert (first.from_cache, second.from_cache) == (False, True)
    assert first.text == second.text
    assert model.calls == 1
    spending = models.account.snapshot()
    assert (spending.role("judge").calls, spending.role("judge").cached, spending.role("judge").cost) == (0, 1, 0.0)


def test_without_a_store_everything_is_asked() -> None:
    model = CountingModel()
    models = Models.of(model)
    models.chat("extract").chat(asking("a"))
    models.chat("extract").chat(asking("a"))
    assert model.calls == 2


def test_the_context_size_counts_cached_replies_too() -> None:
    models = Models.of(CountingModel(usage=Usage(300, 5)), store=MemoryReplies())
    models.chat("reason").chat(asking("a"))
    models.chat("reason").chat(asking("a"))
    total = models.account.snapshot().total
    assert (total.largest_prompt, total.mean_prompt, total.prompt_tokens) == (300, 300.0, 300)


def test_two_threads_with_the_same_request_cause_one_call() -> None:
    begun = threading.Event()
    go_on = threading.Event()

    def act(request: ChatRequest) -> None:
        begun.set()
        go_on.wait(30)

    model = CountingModel(act=act)
    models = Models.of(model, store=MemoryReplies())
    replies: list[ChatReply] = []

    def ask() -> None:
        replies.append(models.chat("reason").chat(asking("a")))

    def release() -> None:
        begun.wait(30)
        go_on.set()

    run_threads(ask, ask, ask, release)
    assert model.calls == 1
    assert sorted(reply.from_cache for reply in replies) == [False, True, True]


def test_after_a_failure_the_waiting_thread_asks_itself() -> None:
    lines = [ModelError("server", "it failed"), "fine"]
    models = Models.of(ScriptedModel(lines), store=MemoryReplies())
    outcomes: list[str] = []

    def ask() -> None:
        try:
            outcomes.append(models.chat("reason").chat(asking("a")).text)
        except ModelError as error:
            outcomes.append(error.code)

    run_threads(ask, ask)
    assert sorted(outcomes) == ["fine", "server"]
    total = models.account.snapshot().total
    assert (total.calls, total.failed) == (2, 1)


def test_no_more_calls_run_at_once_than_allowed() -> None:
    pause = threading.Event()
    model = CountingModel(act=lambda _: pause.wait(0.005) and None)
    models = Models.of(model, concurrency=3)
    run_threads(*(lambda n=n: models.chat(ROLES[n % 3]).chat(asking(str(n))) for n in range(12)))  # type: ignore[misc]
    assert model.calls == 12
    assert model.most_at_once <= 3


def test_a_failed_call_counts_and_costs_only_if_it_may_have_been_charged() -> None:
    lines = [ModelError("busy", "later"), ModelError("timeout", "too late", was_charged=True)]
    models = Models.of(ScriptedModel(lines), price=PRICE)
    with pytest.raises(ModelError, match="later"):
        models.chat("reason").chat(asking("a"))
    assert models.account.snapshot().total.cost == 0.0
    with pytest.raises(ModelError, match="too late"):
        models.chat("reason").chat(asking("a", maximal_tokens=100))
    total = models.account.snapshot().total
    assert (total.calls, total.failed, total.completion_tokens, total.estimated) == (2, 2, 100, 1)
    assert total.cost is not None
    assert total.cost > 0.0002
    assert total.replies == 0


def test_what_was_never_sent_is_no_call() -> None:
    models = Models.of(ScriptedModel([ModelError("not_installed", "install it"), "yes"]), budget=Budget(None, 1))
    with pytest.raises(ModelError, match="install it"):
        models.chat("reason").chat(asking("a"))
    assert models.account.snapshot().total.calls == 0
    assert models.chat("reason").chat(asking("a")).text == "yes"


def test_an_interrupted_call_is_booked_and_frees_its_place() -> None:
    def interrupt(request: ChatRequest) -> None:
        if request.messages[0].text == "stop":
            raise KeyboardInterrupt

    models = Models.of(CountingModel(act=interrupt), store=MemoryReplies(), concurrency=1)
    with pytest.raises(KeyboardInterrupt):
        models.chat("reason").chat(asking("stop"))
    assert models.account.snapshot().total.failed == 1
    assert models.chat("reason").chat(asking("go")).text == "said: go"


def test_a_reply_is_in_the_store_before_it_is_handed_out(tmp_path: Path) -> None:
    """Another process that opens the file at that moment finds it: a run that is killed then loses nothing."""
    models = Models.of(CountingModel(), store=Replies(tmp_path))
    models.chat("extract").chat(asking("a"))
    with Replies(tmp_path) as other:
        assert other.status().entries == 1
    again = CountingModel()
    with Models.of(again, store=Replies(tmp_path)) as later:
        assert later.chat("extract").chat(asking("a")).from_cache
    assert again.calls == 0
    models.close()


def test_a_reply_that_cannot_be_kept_stops_the_run_but_is_counted() -> None:
    class FullStore(MemoryReplies):
        def put(self, *_: object, **__: object) -> None:
            raise LibraryError("the disk is full")

    models = Models.of(CountingModel(), store=FullStore())
    with pytest.raises(LibraryError, match="disk is full"):
        models.chat("extract").chat(asking("a"))
    total = models.account.snapshot().total
    assert (total.calls, total.failed, total.prompt_tokens) == (1, 0, 10)


# ---- streaming


def test_a_stream_is_kept_and_streamed_from_the_cache() -> None:
    model = CountingModel()
    models = Models.of(model, store=MemoryReplies())
    first = list(models.chat("reason").stream(asking("one two")))
    second = list(models.chat("reason").stream(asking("one two")))
    whole = models.chat("reason").chat(asking("one two"))
    assert model.calls == 1
    assert first[-1].reply is not None
    assert second[-1].reply is not None
    assert second[-1].reply.from_cache
    assert whole.from_cache
    assert "".join(piece.text for piece in second) == whole.text == first[-1].reply.text
    assert models.account.snapshot().total.cached == 2


@pytest.mark.parametrize(
    "error", [None, ModelError("bad_reply", "broke"), ModelError("bad_reply", "broke", was_charged=True)]
)
def test_a_stream_that_breaks_is_counted_and_not_kept(error: ModelError | None) -> None:
    store = MemoryReplies()
    model = BreakingStream(error)
    models = Models.of(model, store=store, price=PRICE)
    with pytest.raises(ModelError, match="broke"):
        list(models.chat("reason").stream(asking("a", maximal_tokens=5000)))
    total = models.account.snapshot().total
    assert (total.calls, total.failed, total.estimated) == (1, 1, 1)
    assert 6 <= total.completion_tokens <= 20
    assert len(store) == 0
    assert model.was_closed


def test_a_stream_that_is_closed_early_ends_the_request_and_is_counted() -> None:
    store = MemoryReplies()
    model = BreakingStream(None)
    models = Models.of(model, store=store, concurrency=1)
    pieces = models.chat("reason").stream(asking("a"))
    next(pieces)
    assert not model.was_closed
    pieces.close()  # type: ignore[attr-defined]
    assert model.was_closed
    total = models.account.snapshot().total
    assert (total.failed, total.completion_tokens) == (1, 5)
    assert len(store) == 0


def test_a_thread_with_an_open_stream_does_not_wait_for_itself() -> None:
    models = Models.of(
        CountingModel(), store=MemoryReplies(), concurrency=1, price=PRICE, budget=Budget(maximal_cost=1.0)
    )
    pieces = models.chat("reason").stream(asking("a"))
    next(pieces)
    assert models.chat("reason").chat(asking("b")).text == "said: b"
    assert models.chat("reason").chat(asking("a")).text == "said: a"
    assert [piece.reply for piece in pieces][-1] is not None


def test_a_stream_closed_by_another_thread_lets_the_next_one_in() -> None:
    model = CountingModel()
    models = Models.of(model, store=MemoryReplies(), concurrency=1)
    pieces = models.chat("reason").stream(asking("a"))
    next(pieces)
    run_threads(pieces.close, lambda: models.chat("reason").chat(asking("a")))  # type: ignore[attr-defined]
    assert model.calls == 2


def test_nobody_waits_for_ever_for_a_stream_that_was_left_open() -> None:
    turns, slots = Turns(patience=0.01), Slots(1, patience=0.01)
    assert turns.take("a")
    slots.take()
    outcomes: list[object] = []

    def other() -> None:
        outcomes.append(turns.take("a"))
        try:
            slots.take()
        except ModelError as error:
            outcomes.append(error.code)

    run_threads(other)
    assert outcomes == [False, "busy"]


# ---- roles


def test_a_role_without_a_model_says_what_to_set() -> None:
    models = Models({"judge": CountingModel()})
    assert models.has("judge")
    assert not models.has("vision")
    assert not models.has("embed")
    for ask in (lambda: models.chat("vision"), models.embedding, lambda: models.estimate("extract", [])):
        with pytest.raises(ModelError, match="MATHRAG_LLM_MODEL") as caught:
            ask()
        assert caught.value.code == "not_configured"


def test_closing_closes_each_model_once() -> None:
    model = CountingModel()
    Models.of(model).close()
    assert model.closed == 1


class Embedder:
    name = "vectors"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def chat(self, request: ChatRequest) -> ChatReply:
        raise NotImplementedError

    def stream(self, request: ChatRequest) -> list[ReplyPiece]:
        raise NotImplementedError

    def embed(self, texts: list[str]) -> Embeddings:
        self.asked.append(list(texts))
        return Embeddings(tuple((float(len(text)), 1.0) for text in texts), Usage(7))


def test_vectors_are_kept_text_by_text() -> None:
    model = Embedder()
    models = Models.of(model, store=MemoryReplies(), price=PRICE)  # type: ignore[arg-type]
    assert models.embedding().embed(["a", "bb", "a"]).vectors == ((1.0, 1.0), (2.0, 1.0), (1.0, 1.0))
    assert models.embedding().embed(["bb", "ccc"]).vectors == ((2.0, 1.0), (3.0, 1.0))
    assert models.embedding().embed(["bb"]).from_cache
    assert models.embedding().embed([]).vectors == ()
    assert model.asked == [["a", "bb"], ["ccc"]]
    spending = models.account.snapshot().role("embed")
    assert (spending.calls, spending.prompt_tokens, spending.cached) == (2, 14, 2)


def test_vectors_need_budget_too() -> None:
    models = Models.of(Embedder(), price=PRICE, budget=Budget(maximal_cost=1e-6))  # type: ignore[arg-type]
    with pytest.raises(BudgetError):
        models.embedding().embed(["far too long for this budget"])


# ---- estimates


def test_an_estimate_asks_nobody_and_leaves_out_what_is_kept() -> None:
    model = CountingModel()
    models = Models.of(model, store=MemoryReplies(), price=PRICE)
    models.chat("extract").chat(asking("one"))
    estimate = models.estimate("extract", [asking("one"), asking("two"), asking("two"), asking("three")])
    assert model.calls == 1
    assert (estimate.calls, estimate.cached, estimate.completion_tokens) == (2, 2, 200)
    assert estimate.cost == pytest.approx(estimate.prompt_tokens * 1e-6 + 200 * 2e-6)
    assert (estimate + estimate).calls == 4
    assert "2 calls to make" in estimate.sentence()


def test_an_estimate_without_a_price_says_so() -> None:
    estimate = Models.of(CountingModel()).estimate("extract", [asking("one")])
    assert estimate.cost is None
    assert "unknown" in estimate.sentence()
    assert Models.of(CountingModel()).estimate("extract", []).cost == 0.0


# ---- spendings as values


def test_spendings_add_up_and_go_through_json() -> None:
    models = Models.of(CountingModel(usage=Usage(100, 10)), price=PRICE, store=MemoryReplies())
    models.chat("judge").chat(asking("a"))
    before = models.account.snapshot()
    models.chat("reason").chat(asking("b"))
    models.chat("judge").chat(asking("a"))
    after = models.account.snapshot()
    assert Spending.from_json(after.to_json()) == after
    assert (after - before).total.calls == 1
    assert (after - before).role("judge").cached == 1
    twice = after + after
    assert twice.total.calls == 4
    assert twice.total.largest_prompt == 100
    assert twice.total.mean_prompt == 100
    assert (after + Spending()) == after


def test_an_unknown_cost_makes_the_sum_unknown() -> None:
    unknown = Spending({"judge": RoleSpending(calls=1, cost=None)})
    known = Spending({"judge": RoleSpending(calls=1, cost=1.0)})
    assert (unknown + known).total.cost is None


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (0.0, "$0.00"),
        (0.1, "$0.10"),
        (0.00125, "$0.00125"),
        (1e-9, "less than $0.000001"),
        (12.3456, "$12.35"),
        (1.0, "$1.00"),
        (None, "cost unknown (set MATHRAG_LLM_PRICE_INPUT and MATHRAG_LLM_PRICE_OUTPUT)"),
    ],
)
def test_amounts_for_people(cost: float | None, text: str) -> None:
    assert cost_text(cost) == text


def test_limits_that_are_none_are_refused() -> None:
    for budget in ({"maximal_cost": -1.0}, {"maximal_cost": float("nan")}, {"maximal_calls": -1}):
        with pytest.raises(UsageError):
            Budget(**budget)  # type: ignore[arg-type]
