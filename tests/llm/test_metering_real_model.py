"""Metering, JSON and judging with a real model that is far too small to reason: shapes and limits, never its wisdom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from metered_models import asking

from mathrag.errors import BudgetError
from mathrag.llm.accounts import Price, largest_usage
from mathrag.llm.budgets import Budget
from mathrag.llm.concurrency import ask_each
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.judge import expected_score, same_or_different, yes_probabilities
from mathrag.llm.messages import Message, Schema
from mathrag.llm.metered import Models
from mathrag.llm.structured import ask_json
from mathrag.store.truth.replies import Replies

PERSON = Schema(
    "person",
    {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 20}, "age": {"type": "integer", "maximum": 150}},
        "required": ["name", "age"],
        "additionalProperties": False,
    },
)


def test_the_budget_stops_and_a_second_run_pays_only_for_the_rest(real_endpoint: Endpoint, tmp_path: Path) -> None:
    # A system message of our own is shorter than the one the model's template would put in.
    system = Message("system", "Be brief.")
    asked = [asking(f"Say {number}.", maximal_tokens=2) for number in range(3)]
    requests = [replace(one, messages=(system, *one.messages)) for one in asked]
    worst = Price(1.0, 1.0).picodollars(largest_usage(requests[0])) / 1e12
    budget = Budget(maximal_cost=1.02 * worst)
    models = Models.of(real_endpoint, store=Replies(tmp_path), budget=budget, price=Price(1.0, 1.0))
    estimate = models.estimate("reason", requests)
    batch = ask_each(lambda request: models.chat("reason").chat(request).text, requests, workers=1)
    assert isinstance(batch.stopped, BudgetError)
    first = sum(text is not None for text in batch.results)
    spent = models.account.snapshot().total
    assert 1 <= first < 3
    assert spent.cost is not None
    assert spent.cost <= 1.02 * worst
    assert spent.estimated == 0, "the server tells the tokens"
    assert estimate.calls == 3

    later = Models.of(real_endpoint, store=Replies(tmp_path), price=Price(1.0, 1.0))
    assert later.estimate("reason", requests).calls == 3 - first
    again = ask_each(lambda request: later.chat("reason").chat(request).text, requests, workers=1)
    total = later.account.snapshot().total
    assert (total.calls, total.cached) == (3 - first, first)
    assert again.results[:first] == batch.results[:first]
    for one in (models, later):
        one.meter.store.close()  # type: ignore[union-attr]


@pytest.mark.soak
def test_tokens_are_never_more_than_was_set_aside(real_endpoint: Endpoint) -> None:
    for text in ("x", "E = mc²; ∮ B·dA = 0; 質量とエネルギー 🚀" * 4, "\\frac{1}{2} m v^2 " * 10):
        request = asking(text, maximal_tokens=2)
        usage = real_endpoint.chat(request).usage
        assert not usage.is_estimated
        assert usage.prompt_tokens <= largest_usage(request).prompt_tokens
        assert usage.completion_tokens <= 2


@pytest.mark.soak
def test_a_stream_is_metered_and_kept(real_endpoint: Endpoint, tmp_path: Path) -> None:
    with Replies(tmp_path) as store:
        models = Models.of(real_endpoint, store=store)
        fresh = list(models.chat("reason").stream(asking("Count to five.", maximal_tokens=8)))
        kept = list(models.chat("reason").stream(asking("Count to five.", maximal_tokens=8)))
        assert "".join(piece.text for piece in fresh) == "".join(piece.text for piece in kept)
        assert (models.account.snapshot().total.calls, models.account.snapshot().total.cached) == (1, 1)


@pytest.mark.soak
def test_json_fits_the_schema_or_there_is_a_problem(real_endpoint: Endpoint) -> None:
    got = ask_json(real_endpoint, asking("Give me a person.", maximal_tokens=40), PERSON)
    assert len(got.replies) in (1, 2)
    if got.is_good:
        assert set(got.value) == {"name", "age"}  # type: ignore[arg-type]
    else:
        assert got.problem


@pytest.mark.soak
def test_judgements_have_their_shapes(real_endpoint: Endpoint) -> None:
    models = Models.of(real_endpoint, concurrency=2)
    model = models.chat("judge")
    batch = yes_probabilities(model, ["Water is wet.", "Two is larger than three."], workers=2)
    assert batch.stopped is None
    assert all(one is None or 0.0 <= one <= 1.0 for one in batch.results)
    grade = expected_score(model, "It is a whole sentence.", text="The dog barks.")
    assert grade is None or 1.0 <= grade <= 5.0
    assert same_or_different(model, "mass", "weight") in ("same", "different", "unknown")
    assert models.account.snapshot().role("judge").calls == 4
