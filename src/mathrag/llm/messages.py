"""What is said to a language model and what comes back. Plain values, the same for every server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.types.json_value import Json

Role: TypeAlias = Literal["extract", "reason", "judge", "embed", "vision"]
ROLES: tuple[Role, ...] = ("extract", "reason", "judge", "embed", "vision")
Speaker: TypeAlias = Literal["system", "user", "assistant", "tool"]
Ability: TypeAlias = Literal["schema", "tools", "logprobs", "images"]
Finish: TypeAlias = Literal["stop", "length", "tool_calls", "filtered", "unknown"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that goes along with a message."""

    data: bytes = field(repr=False)
    media_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants called. `arguments` is the text it wrote, which may or may not be JSON."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `tool_calls` belong to the assistant; `tool_call_id` names the call that a tool's turn answers."""

    speaker: Speaker
    text: str
    pictures: tuple[Picture, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Schema:
    """The form a reply must have, as a JSON schema with a name that servers can show."""

    name: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request. The same request to the same model is the same content: replies are kept under its digest.

    `alternatives` asks for the log-probabilities of the chosen tokens, with that many others beside each (0: none).
    `attempt` tells repeated requests apart where another reply is wanted for the same words. `is_worth_keeping` says
    whether a reply is of use: one that cannot be read is asked for anew the next time.
    """

    messages: tuple[Message, ...]
    schema: Schema | None = None
    tools: tuple[Tool, ...] = ()
    must_call: bool = False
    maximal_tokens: int = 1024
    temperature: float = 0.0
    seed: int | None = 0
    stop: tuple[str, ...] = ()
    alternatives: int = 0
    attempt: int = 0
    is_worth_keeping: Callable[[ChatReply], bool] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TokenChance:
    """A token of the reply with its log-probability, and the likeliest others in its place."""

    text: str
    log_probability: float
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `is_estimated` where the server did not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_estimated: bool = False


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model said. `lacking` names what was asked for and the server cannot do (it was then asked without)."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    usage: Usage = field(default_factory=Usage)
    tokens: tuple[TokenChance, ...] = ()
    model: str = ""
    lacking: frozenset[Ability] = frozenset()
    from_cache: bool = False


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """A piece of a streamed reply; the last one carries the whole."""

    text: str = ""
    reply: ChatReply | None = None


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors for some texts, in their order."""

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    from_cache: bool = False
