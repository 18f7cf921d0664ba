"""The budget is hard: whatever the order of threads, no more is spent than allowed, and no more calls are made."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from metered_models import CountingModel, asking, run_threads

from mathrag.errors import BudgetError, ModelError, UsageError
from mathrag.llm.accounts import Price, largest_usage, usual_usage
from mathrag.llm.budgets import Budget
from mathrag.llm.kept_replies import MemoryReplies
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Picture, Schema, Tool, Usage
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel

PRICE = Price(prompt=3.0, completion=15.0)


def _cost_at_most(request: ChatRequest) -> float:
    return PRICE.picodollars(largest_usage(request)) / 1e12


def test_the_call_that_could_exceed_the_budget_is_not_made() -> None:
    model = CountingModel(usage=Usage(280, 100))
    allowed = 2.5 * _cost_at_most(asking("1"))
    models = Models.of(model, price=PRICE, budget=Budget(maximal_cost=allowed), store=MemoryReplies())
    chat = models.chat("reason")
    chat.chat(asking("1"))
    chat.chat(asking("2"))
    with pytest.raises(BudgetError, match=r"--max-cost") as caught:
        chat.chat(asking("3"))
    assert caught.value.code == "budget"
    assert "run the same command again" in str(caught.value)
    assert "2 calls" in str(caught.value)
    assert model.calls == 2
    assert chat.chat(asking("1")).from_cache, "kept replies need no budget"


def test_calls_are_limited_and_kept_replies_do_not_count() -> None:
    model = CountingModel()
    models = Models.of(model, budget=Budget(maximal_calls=2), store=MemoryReplies())
    for text in ("1", "1", "2", "1", "2"):
        models.chat("extract").chat(asking(text))
    with pytest.raises(BudgetError, match=r"all 2 calls that --max-calls allows"):
        models.chat("judge").chat(asking("3"))
    assert model.calls == 2
    assert models.account.snapshot().total.failed == 0, "a call that was not made has not failed"


def test_a_budget_of_nothing_allows_kept_replies_alone() -> None:
    store = MemoryReplies()
    Models.of(CountingModel(), store=store).chat("judge").chat(asking("1"))
    models = Models.of(CountingModel(), store=store, budget=Budget(maximal_calls=0))
    assert models.chat("judge").chat(asking("1")).from_cache
    with pytest.raises(BudgetError):
        models.chat("judge").chat(asking("2"))


def test_a_limit_of_cost_needs_a_price() -> None:
    with pytest.raises(UsageError, match="MATHRAG_LLM_PRICE_INPUT and MATHRAG_LLM_PRICE_OUTPUT"):
        Models.of(CountingModel(), budget=Budget(maximal_cost=1.0))


def test_a_model_that_costs_nothing_never_meets_the_limit_of_cost() -> None:
    models = Models.of(CountingModel(), price=Price(0, 0), budget=Budget(maximal_cost=0.0))
    assert models.chat("judge").chat(asking("1")).text
    assert models.account.snapshot().total.cost == 0.0


def test_failures_that_may_be_charged_use_up_the_budget() -> None:
    lines = [ModelError("timeout", "too late", was_charged=True) for _ in range(50)]
    model = ScriptedModel(lines)
    models = Models.of(model, price=PRICE, budget=Budget(maximal_cost=3.5 * _cost_at_most(asking("a"))))
    codes = []
    for _ in range(6):
        with pytest.raises(ModelError) as caught:
            models.chat("judge").chat(asking("a"))
        codes.append(caught.value.code)
    assert codes == ["timeout"] * 3 + ["budget"] * 3
    assert len(model.requests) == 3


def test_a_call_waits_for_money_that_is_set_aside_and_not_needed() -> None:
    """Two worst cases do not fit at once, two real costs do: both calls are made, one after the other."""
    begun = threading.Event()
    go_on = threading.Event()

    def act(request: ChatRequest) -> None:
        begun.set()
        go_on.wait(30)

    model = CountingModel(usage=Usage(1, 1), act=act)
    models = Models.of(model, price=PRICE, budget=Budget(maximal_cost=1.5 * _cost_at_most(asking("1"))))

    def second() -> None:
        begun.wait(30)
        threading.Timer(0.02, go_on.set).start()
        models.chat("judge").chat(asking("2"))

    run_threads(lambda: models.chat("judge").chat(asking("1")), second)
    assert model.calls == 2
    assert model.most_at_once == 1


def test_a_stream_left_open_does_not_make_its_own_thread_wait() -> None:
    models = Models.of(CountingModel(), price=PRICE, budget=Budget(maximal_cost=1.5 * _cost_at_most(asking("1"))))
    pieces = models.chat("judge").stream(asking("1"))
    next(pieces)
    with pytest.raises(BudgetError):
        models.chat("judge").chat(asking("2"))
    assert list(pieces)[-1].reply is not None
    assert models.chat("judge").chat(asking("2")).text


CALL = st.tuples(
    st.integers(min_value=0, max_value=200),  # characters
    st.integers(min_value=1, max_value=400),  # maximal tokens
    st.floats(min_value=0, max_value=1),  # the part of the worst case that it takes
    st.sampled_from(["fine", "fine", "fine", "lost", "refused"]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    calls=st.lists(CALL, min_size=1, max_size=24),
    threads=st.integers(min_value=1, max_value=6),
    maximal_cost=st.floats(min_value=0, max_value=0.05),
    maximal_calls=st.one_of(st.none(), st.integers(min_value=0, max_value=20)),
)
def test_no_order_of_threads_spends_more_than_allowed(
    calls: list[tuple[int, int, float, str]], threads: int, maximal_cost: float, maximal_calls: int | None
) -> None:
    charged: list[Usage] = []

    def answer(request: ChatRequest) -> ChatReply:
        part, outcome = plans[request.messages[0].text]
        largest = largest_usage(request)
        used = Usage(max(1, int(largest.prompt_tokens * part)), int(largest.completion_tokens * part))
        if outcome == "refused":
            raise ModelError("busy", "later")
        charged.append(used)
        if outcome == "lost":
            raise ModelError("timeout", "lost", was_charged=True)
        return ChatReply("", usage=used)

    requests = []
    plans = {}
    for number, (characters, tokens, part, outcome) in enumerate(calls):
        text = f"{number} " + "x" * characters
        plans[text] = (part, outcome)
        requests.append(asking(text, maximal_tokens=tokens))
    model = ScriptedModel([answer] * len(requests))
    models = Models.of(model, price=PRICE, budget=Budget(maximal_cost, maximal_calls), concurrency=threads)

    def work(mine: list[ChatRequest]) -> None:
        for request in mine:
            try:
                models.chat("reason").chat(request)
            except ModelError:
                continue

    run_threads(*(lambda n=n: work(requests[n::threads]) for n in range(threads)))  # type: ignore[misc]
    truly = sum(PRICE.picodollars(usage) for usage in charged) / 1e12
    total = models.account.snapshot().total
    assert truly <= maximal_cost + 1e-12
    assert total.cost is not None
    assert truly <= total.cost + 1e-12, "what may have been charged is counted"
    assert total.cost <= maximal_cost + 1e-12
    assert maximal_calls is None or len(model.requests) <= maximal_calls
    assert total.calls == len(model.requests)


# ---- how tokens are counted


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.text(max_size=300))
def test_the_worst_case_is_never_below_the_usual_case(text: str) -> None:
    request = ChatRequest(
        (Message("user", text, pictures=(Picture(b"x"),)),),
        schema=Schema("s", {"type": "object"}),
        tools=(Tool("t", text, {}),),
    )
    usual, largest = usual_usage(request), largest_usage(request)
    assert usual.prompt_tokens <= largest.prompt_tokens
    assert len(text.encode("utf-8", "surrogatepass")) <= largest.prompt_tokens


def test_prices_are_exact_for_the_usual_ones() -> None:
    assert Price(0.15, 0.6).picodollars(Usage(1_000_000, 0)) == 150_000_000_000
    assert Price(2.5, 10).picodollars(Usage(1, 1)) == 12_500_000
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="price"):
            Price(wrong, 0)
