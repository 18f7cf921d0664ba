"""What a list of requests will cost, before the first of them is sent. Asks nobody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mathrag.llm.accounts import cost_text
from mathrag.llm.caching import cached_reply
from mathrag.llm.digests import request_digest
from mathrag.llm.nouns import ChatRequest, Json
from mathrag.llm.prices import Price, dollars, usual_usage
from mathrag.llm.seams import ReplyStore


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
