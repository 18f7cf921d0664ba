"""A model that follows what it is shown, for tests that ask a library: it reads the message like a model would."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mathrag.llm.messages import ChatRequest
from mathrag.llm.seams import Scripted

_SUGGESTION = re.compile(r"^1\. (\S+) for (\S+?)(?: with ([^(;\n]*))?(?: \(|;|$)", re.MULTILINE)


def act(name: str, thought: str = "so", **inputs: Any) -> str:
    """An action as a model writes it."""
    return f"Thought: {thought}\nAction: {name}\nAction Input: {json.dumps(inputs)}"


def suggested(request: ChatRequest) -> tuple[str, str, dict[str, str]]:
    """Formula, target and bindings of the rules' first suggestion, as shown."""
    found = _SUGGESTION.search(request.messages[1].text)
    assert found is not None, request.messages[1].text
    pairs = [pair.strip().partition("=") for pair in (found.group(3) or "").split(",") if "=" in pair]
    return found.group(1), found.group(2), {name: value for name, _, value in pairs}


def create(request: ChatRequest) -> str:
    """Make the tool of the first suggestion."""
    formula, target, _ = suggested(request)
    return act("CREATE_DYNAMIC_TOOL", formula_id=formula, target=target)


def last_tool(request: ChatRequest) -> str:
    """The tool made last."""
    return re.findall(r"^(\w+)\(.*\) computes ", request.messages[1].text, re.MULTILINE)[-1]


def call(request: ChatRequest) -> str:
    """Call it with the bindings of the first suggestion."""
    return act("CALL_TOOL", tool_name=last_tool(request), parameters=suggested(request)[2])


def respond(request: ChatRequest) -> str:
    """State the last result."""
    result = re.findall(r"^result_\d+: (.*)$", request.messages[1].text, re.MULTILINE)[-1]
    return act("RESPOND", answer=f"By the formula that was found, {result}.")


RETRIEVE = act("RETRIEVE_MATH_KNOWLEDGE", query="formula")
FOLLOW: tuple[Scripted, ...] = (RETRIEVE, create, call, respond)


def by(label: str, target: str, parameters: Mapping[str, str], *, query: str = "formula") -> tuple[Scripted, ...]:
    """Use the formula with this label, with these values in these places."""

    def make(request: ChatRequest) -> str:
        shown = re.search(rf"^(\S+): {re.escape(label)}[^:\n]*: ", request.messages[1].text, re.MULTILINE)
        return act("CREATE_DYNAMIC_TOOL", formula_id=shown.group(1) if shown else label, target=target)

    def use(request: ChatRequest) -> str:
        return act("CALL_TOOL", tool_name=last_tool(request), parameters=dict(parameters))

    return (act("RETRIEVE_MATH_KNOWLEDGE", query=query), make, use, act("RESPOND"))
