"""One question being worked on: actions, observations and the trace they leave. Data only; the gate is elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

ActionName: TypeAlias = Literal[
    "RETRIEVE_MATH_KNOWLEDGE",
    "RETRIEVE_CONSTANT",
    "LOOK_UP",
    "DEFINE_VALUE",
    "CREATE_DYNAMIC_TOOL",
    "CALL_TOOL",
    "COMPUTE",
    "SOLVE",
    "DIFFERENTIATE",
    "INTEGRATE",
    "FIND_EXTREMUM",
    "CORRECT_MEANING",
    "SAME_AS",
    "ASSUME",
    "PROPOSE_FORMULA",
    "TRANSLATE_INPUT",
    "ASK_FOR_CLARIFICATION",
    "ANSWER_DIRECTLY",
    "RESPOND",
]
ACTION_NAMES: tuple[ActionName, ...] = get_args(ActionName)
# What a person must allow before a model may do it: take a value or a formula that stands nowhere.
ASKING_LEAVE: tuple[ActionName, ...] = ("ASSUME", "PROPOSE_FORMULA")


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What one round asked of a language model. `context_tokens` is the size of the request as we estimate it; the
    other counts are the server's own, where it told them."""

    calls: int = 0
    cached_calls: int = 0
    context_tokens: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Action:
    """What a planner wants done next, and why in a sentence. `inputs` is JSON: it may come from a model.

    `use` is set where a language model was asked for it.
    """

    name: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    thought: str = ""
    use: ModelUse | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """What came back: always a value, never an exception. `next_actions` names what is legal now."""

    succeeded: bool
    code: str
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)
    next_actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One round of an episode."""

    round: int
    action: Action
    observation: Observation
    milliseconds: float = 0.0
