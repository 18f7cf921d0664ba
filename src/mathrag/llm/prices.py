"""What tokens cost and how many a text has at most. Prices come from the user; no list of them is kept here.

Tokens are counted without the model's own tokeniser, from the length of the text:

- *at most* one token a byte of UTF-8: tokenisers with bytes at their bottom never need more. Budgets reserve this much.
- *usually* one token for three characters (English prose has about four, formulas and code about three, other scripts
  one to two; a character beyond ASCII counts as one token). Estimates shown to people use this.

Both add some tokens for what servers put around messages and tools (templates, a system prompt of their own, a schema
told in words), and a fixed number for a picture.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from mathrag.llm.nouns import ChatRequest, Usage

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
