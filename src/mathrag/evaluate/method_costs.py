"""What each method costs a question: interactions, tokens, seconds and dollars, as a table. Counts; asks nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.reason.agent.episode import EpisodeResult

_HEADER = ("method", "questions", "interactions", "prompt tokens", "completion tokens", "seconds", "US dollars")


@dataclass(frozen=True, slots=True)
class QuestionCost:
    """What one question took. `cost` is in US dollars, None where the price is unknown. Kept replies count as
    interactions, and cost nothing."""

    method: str
    interactions: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class MethodCost:
    """The means of one method over its questions. `cost` is None where the price of any question is unknown."""

    method: str
    questions: int
    interactions: float
    prompt_tokens: float
    completion_tokens: float
    seconds: float
    cost: float | None = None


def question_cost(method: str, result: EpisodeResult) -> QuestionCost:
    """What an episode took, by its own account."""
    usage = result.outcome.usage
    seconds = result.outcome.milliseconds / 1000
    if usage is None:
        return QuestionCost(method, 0, 0, 0, seconds, 0.0)
    interactions = usage.calls + usage.cached_calls
    return QuestionCost(method, interactions, usage.prompt_tokens, usage.completion_tokens, seconds, usage.cost)


def method_costs(costs: Iterable[QuestionCost]) -> tuple[MethodCost, ...]:
    """The means of every method, in the order in which the methods come up."""
    by_method: dict[str, list[QuestionCost]] = {}
    for each in costs:
        by_method.setdefault(each.method, []).append(each)
    return tuple(_means(method, found) for method, found in by_method.items())


def _means(method: str, costs: Sequence[QuestionCost]) -> MethodCost:
    count = len(costs)
    prices = [each.cost for each in costs if each.cost is not None]
    return MethodCost(
        method,
        count,
        sum(each.interactions for each in costs) / count,
        sum(each.prompt_tokens for each in costs) / count,
        sum(each.completion_tokens for each in costs) / count,
        sum(each.seconds for each in costs) / count,
        sum(prices) / count if len(prices) == count else None,
    )


def cost_table(costs: Sequence[MethodCost]) -> str:
    """The table as text, in columns; a question a line would be `method_costs` of each."""
    rows = [_HEADER, *map(_row, costs)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEADER))]
    lines = []
    for row in rows:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join((first, *rest)).rstrip())
    return "\n".join(lines)


def _row(cost: MethodCost) -> tuple[str, ...]:
    price = "unknown" if cost.cost is None else f"{cost.cost:.6f}"
    return (
        cost.method,
        str(cost.questions),
        f"{cost.interactions:.2f}",
        f"{cost.prompt_tokens:.0f}",
        f"{cost.completion_tokens:.0f}",
        f"{cost.seconds:.2f}",
        price,
    )


def cost_objects(costs: Sequence[MethodCost]) -> list[Json]:
    """The table as data, a question's means a method."""
    return [
        {
            "method": each.method,
            "questions": each.questions,
            "interactions": each.interactions,
            "prompt_tokens": each.prompt_tokens,
            "completion_tokens": each.completion_tokens,
            "seconds": round(each.seconds, 3),
            "cost": each.cost,
        }
        for each in costs
    ]
