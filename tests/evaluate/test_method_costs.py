"""The table of what each method costs: means a question, and nothing made up where a price is unknown."""

from __future__ import annotations

import json

import pytest

from mathrag.evaluate.method_costs import QuestionCost, cost_objects, cost_table, method_costs, question_cost
from mathrag.reason.agent.episode import EpisodeResult
from mathrag.types.answer import ModelUsage, Reply

COSTS = (
    QuestionCost("neusym", 5, 4000, 200, 3.0, 0.02),
    QuestionCost("classic", 1, 1000, 50, 1.0, 0.004),
    QuestionCost("neusym", 3, 2000, 100, 2.0, 0.01),
)


def test_means_are_those_of_each_method() -> None:
    first, second = method_costs(COSTS)
    assert (first.method, first.questions, first.interactions, first.prompt_tokens) == ("neusym", 2, 4.0, 3000.0)
    assert (first.completion_tokens, first.seconds) == (150.0, 2.5)
    assert first.cost == pytest.approx(0.015)
    assert (second.method, second.questions) == ("classic", 1)
    assert method_costs(()) == ()


def test_a_price_that_is_unknown_stays_unknown() -> None:
    (cost,) = method_costs((COSTS[0], QuestionCost("neusym", 1, 10, 1, 0.1, None)))
    assert cost.cost is None
    assert "unknown" in cost_table((cost,))
    assert cost_objects((cost,))[0]["cost"] is None


def test_the_table_reads_in_columns() -> None:
    lines = cost_table(method_costs(COSTS)).splitlines()
    assert lines[0].split("  ")[0] == "method"
    assert lines[1].split() == ["neusym", "2", "4.00", "3000", "150", "2.50", "0.015000"]
    assert len({line.index(line.split()[-1]) + len(line.split()[-1]) for line in lines[1:]}) == 1
    json.dumps(cost_objects(method_costs(COSTS)))


def test_an_episode_has_its_own_account() -> None:
    usage = ModelUsage("m", calls=2, cached_calls=1, prompt_tokens=30, completion_tokens=4, cost=0.5)
    reply = Reply("q", "t", milliseconds=1500, usage=usage)
    assert question_cost("classic", EpisodeResult(reply, ())) == QuestionCost("classic", 3, 30, 4, 1.5, 0.5)
    assert question_cost("classic", EpisodeResult(Reply("q", "t"), ())).interactions == 0
