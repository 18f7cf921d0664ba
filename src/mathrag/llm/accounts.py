"""What was asked and spent, per role and in all, and what requests will cost. Counts; decides nothing, asks nobody."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from mathrag.llm.kept_replies import cached_reply, request_digest
from mathrag.llm.messages import ChatRequest, Role, Usage
from mathrag.llm.seams import ReplyStore
from mathrag.types.json_value import Json

# What tokens cost and how many a text has at most. Prices come from the user; no list of them is kept here.
#
# Tokens are counted without the model's own tokeniser, from the length of the text:
#
# - *at most* one token a byte of UTF-8: tokenisers with bytes at their bottom never need more. Budgets reserve this;
# - *usually* one token for three characters (English prose has about four, formulas and code about three, other scripts
#   one to two; a character beyond ASCII counts as one token). Estimates shown to people use this.
#
# Both add some tokens for what servers put around messages and tools (templates, a system prompt of their own, a
# schema told in words), and a fixed number for a picture.

PICODOLLARS = 10**12
_CHARACTERS_A_TOKEN = 3


@dataclass(frozen=True, slots=True)
class _Extras:
    """Tokens beside those of the texts."""

    request: int
    message: int
    picture: int


_USUALLY = _Extras(request=16, message=8, picture=1_100)
_AT_MOST = _Extras(request=256, message=32, picture=3_000)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, those sent (`prompt`) and those written (`completion`)."""

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        if not all(math.isfinite(one) and one >= 0 for one in (self.prompt, self.completion)):
            raise ValueError("a price is a number of dollars, not below 0")

    def picodollars(self, usage: Usage) -> int:
        """What a call cost. Whole picodollars add up to the same sum in any order of threads."""
        return usage.prompt_tokens * _a_token(self.prompt) + usage.completion_tokens * _a_token(self.completion)


def _a_token(dollars_a_million: float) -> int:
    return math.ceil(round(dollars_a_million * 1e6, 3))


def dollars(picodollars: int) -> float:
    """An amount for people and JSON."""
    return picodollars / PICODOLLARS


def usual_usage(request: ChatRequest) -> Usage:
    """The tokens a request usually has; of the reply, the most it may have."""
    texts = sum(usual_tokens(text) for text in _texts(request))
    return Usage(_around(request, _USUALLY) + texts, max(0, request.maximal_tokens), is_estimated=True)


def largest_usage(request: ChatRequest) -> Usage:
    """The tokens a request has at most, with the longest reply it allows."""
    texts = sum(most_tokens(text) for text in _texts(request))
    return Usage(_around(request, _AT_MOST) + texts, max(0, request.maximal_tokens), is_estimated=True)


def usual_tokens(text: str) -> int:
    """The tokens a text usually has."""
    plain = len(text) if text.isascii() else sum(character < "\x80" for character in text)
    return math.ceil(plain / _CHARACTERS_A_TOKEN) + len(text) - plain


def most_tokens(text: str) -> int:
    """The tokens a text has at most."""
    return len(text.encode("utf-8", "surrogatepass"))


def _around(request: ChatRequest, extras: _Extras) -> int:
    pictures = sum(len(message.pictures) for message in request.messages)
    calls = sum(len(message.tool_calls) for message in request.messages)
    pieces = len(request.messages) + len(request.tools) + calls
    return extras.request + extras.message * pieces + extras.picture * pictures


def _texts(request: ChatRequest) -> list[str]:
    texts = [message.text for message in request.messages]
    texts += [one.name + one.arguments for message in request.messages for one in message.tool_calls]
    texts += [tool.name + tool.description + json.dumps(tool.parameters, default=dict) for tool in request.tools]
    if request.schema is not None:
        texts.append(request.schema.name + json.dumps(request.schema.schema, default=dict))
    return texts


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


# What a list of requests will cost, before the first of them is sent. Asks nobody.


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls to make and replies that are there already; tokens and US dollars of the calls.

    The tokens written are an upper bound (every reply as long as it may be); those sent are counted by characters; the
    repair of a reply that is no JSON would come on top. `cost` is None where no price is known.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Estimate(
            self.calls + other.calls,
            self.cached + other.cached,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            cost,
        )

    def sentence(self) -> str:
        """One line for a person."""
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        price = cost_text(self.cost) if self.cost is None else f"at most about {cost_text(self.cost)}"
        return (
            f"{calls} to make, {self.cached} replies are there already; about {self.prompt_tokens} tokens to send, "
            f"at most {self.completion_tokens} to be written; {price}"
        )

    def to_json(self) -> dict[str, Json]:
        """As a JSON object."""
        return {
            "calls": self.calls,
            "cached": self.cached,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": self.cost,
        }


def estimate_requests(
    requests: Iterable[ChatRequest], *, model: str, store: ReplyStore | None = None, price: Price | None = None
) -> Estimate:
    """What these requests would take now. Equal requests count once where replies are kept."""
    calls = cached = prompt = completion = amount = 0
    seen: set[str] = set()
    for request in requests:
        digest = request_digest(request, model=model)
        if store is not None and (digest in seen or cached_reply(store, digest) is not None):
            cached += 1
            continue
        seen.add(digest)
        usage = usual_usage(request)
        calls += 1
        prompt += usage.prompt_tokens
        completion += usage.completion_tokens
        amount += 0 if price is None else price.picodollars(usage)
    cost = None if price is None and calls else dollars(amount)
    return Estimate(calls, cached, prompt, completion, cost)
