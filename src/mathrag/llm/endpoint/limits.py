"""How large a reply may be, given what was asked. Anything beyond is not read."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.llm.nouns import ChatRequest


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one reply of a chat."""

    bytes: int
    characters: int
    pieces: int
    tokens: int
    tool_calls: int = 64
    alternatives: int = 64


def limits_of(request: ChatRequest) -> Limits:
    """Generous to every honest server: many count tokens otherwise, or think aloud before they answer."""
    tokens = max(1, min(request.maximal_tokens, 1_000_000))
    entry = 400 * (request.alternatives + 1) if request.alternatives else 0
    return Limits(
        bytes=min(64_000_000, 2_000_000 + tokens * (1_000 + entry)),
        characters=200_000 + tokens * 40,
        pieces=20_000 + tokens * 4,
        tokens=4_000 + tokens * 4,
    )
