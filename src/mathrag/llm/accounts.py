"""What was asked and spent, per role and in all. Counts; decides nothing."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from mathrag.llm.nouns import Json, Role, Usage
from mathrag.llm.prices import dollars


@dataclass(frozen=True, slots=True)
class RoleSpending:
    """The sums of one role (or of all).

    `calls` were sent to a server; `failed` are those of them that brought no reply; `cached` replies were not sent for.
    `cost` is in US dollars and None where a price is unknown. `estimated` counts the calls whose tokens the server did
    not say. `largest_prompt` and `mean_prompt` are the size of the context in tokens, over cached replies too.
    """

    calls: int = 0
    cached: int = 0
    failed: int = 0
    estimated: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    replies: int = 0
    context_tokens: int = 0
    largest_prompt: int = 0

    @property
    def mean_prompt(self) -> float:
        """The mean size of what was sent, in tokens."""
        return self.context_tokens / self.replies if self.replies else 0.0

    @property
    def tokens(self) -> int:
        """All tokens, sent and written."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: RoleSpending) -> RoleSpending:
        sums = {one: getattr(self, one) + getattr(other, one) for one in _COUNTS if one != "largest_prompt"}
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return RoleSpending(**sums, largest_prompt=max(self.largest_prompt, other.largest_prompt), cost=cost)

    def __sub__(self, earlier: RoleSpending) -> RoleSpending:
        """What was added since an earlier state of the same account; the largest prompt is that of the whole."""
        sums = {one: getattr(self, one) - getattr(earlier, one) for one in _COUNTS if one != "largest_prompt"}
        cost = None if self.cost is None or earlier.cost is None else max(0.0, self.cost - earlier.cost)
        return RoleSpending(**sums, largest_prompt=self.largest_prompt, cost=cost)

    def to_json(self) -> dict[str, Json]:
        """As a JSON object."""
        counts = {one: getattr(self, one) for one in _COUNTS}
        return {**counts, "mean_prompt": round(self.mean_prompt, 1), "cost": self.cost}

    @classmethod
    def from_json(cls, value: Json) -> RoleSpending:
        """Back from `to_json`."""
        return cls(**{one: int(value[one]) for one in _COUNTS}, cost=value["cost"])


_COUNTS = tuple(one.name for one in fields(RoleSpending) if one.name != "cost")


@dataclass(frozen=True, slots=True)
class Spending:
    """What was spent so far. Spendings of several runs can be added; JSON and back."""

    roles: Mapping[Role, RoleSpending] = field(default_factory=dict)

    @property
    def total(self) -> RoleSpending:
        """The sum over the roles."""
        return sum(self.roles.values(), RoleSpending())

    def role(self, role: Role) -> RoleSpending:
        """The sums of one role."""
        return self.roles.get(role, RoleSpending())

    def __add__(self, other: Spending) -> Spending:
        return Spending({role: self.role(role) + other.role(role) for role in sorted({*self.roles, *other.roles})})

    def __sub__(self, earlier: Spending) -> Spending:
        return Spending({role: self.role(role) - earlier.role(role) for role in self.roles})

    def sentence(self) -> str:
        """One line for a person."""
        total = self.total
        calls = "1 call" if total.calls == 1 else f"{total.calls} calls"
        failed = f" ({total.failed} failed)" if total.failed else ""
        about = "about " if total.estimated else ""
        return (
            f"{calls}{failed} and {total.cached} cached replies; {about}{total.prompt_tokens} tokens sent, "
            f"{total.completion_tokens} written; {cost_text(total.cost)}"
        )

    def to_json(self) -> dict[str, Json]:
        """As a JSON object: the total and each role."""
        roles = {role: spending.to_json() for role, spending in self.roles.items()}
        return {"total": self.total.to_json(), "roles": roles}

    @classmethod
    def from_json(cls, value: Json) -> Spending:
        """Back from `to_json`."""
        return cls({role: RoleSpending.from_json(spending) for role, spending in value["roles"].items()})


def cost_text(cost: float | None) -> str:
    """An amount for a person; says so where it cannot be known."""
    if cost is None:
        return "cost unknown (set MATHRAG_LLM_PRICE_INPUT and MATHRAG_LLM_PRICE_OUTPUT)"
    if 0 < cost < 1e-6:
        return "less than $0.000001"
    if cost >= 1:
        return f"${cost:.2f}"
    return f"$0.{f'{cost:.6f}'.partition('.')[2].rstrip('0'):0<2}"


@dataclass(slots=True)
class _Sums:
    calls: int = 0
    cached: int = 0
    failed: int = 0
    estimated: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    picodollars: int = 0
    is_price_unknown: bool = False
    replies: int = 0
    context_tokens: int = 0
    largest_prompt: int = 0


class Account:
    """Counts calls as they end. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[Role, _Sums] = {}

    def add_call(self, role: Role, usage: Usage | None, *, picodollars: int | None, has_failed: bool = False) -> None:
        """A call that was sent. `usage` is None where nothing was charged; `picodollars` where no price is known."""
        with self._lock:
            sums = self._sums.setdefault(role, _Sums())
            sums.calls += 1
            sums.failed += has_failed
            if usage is None:
                return
            sums.estimated += usage.is_estimated
            sums.prompt_tokens += usage.prompt_tokens
            sums.completion_tokens += usage.completion_tokens
            if picodollars is None:
                sums.is_price_unknown = True
            else:
                sums.picodollars += picodollars
            if not has_failed:
                _add_context(sums, usage)

    def add_cached(self, role: Role, usage: Usage) -> None:
        """A reply that was already there, with the tokens it cost when it was made."""
        with self._lock:
            sums = self._sums.setdefault(role, _Sums())
            sums.cached += 1
            _add_context(sums, usage)

    def snapshot(self) -> Spending:
        """What was spent so far."""
        with self._lock:
            return Spending({role: _spending(self._sums[role]) for role in sorted(self._sums)})


def _add_context(sums: _Sums, usage: Usage) -> None:
    sums.replies += 1
    sums.context_tokens += usage.prompt_tokens
    sums.largest_prompt = max(sums.largest_prompt, usage.prompt_tokens)


def _spending(sums: _Sums) -> RoleSpending:
    cost = None if sums.is_price_unknown else dollars(sums.picodollars)
    return RoleSpending(**{one: getattr(sums, one) for one in _COUNTS}, cost=cost)
