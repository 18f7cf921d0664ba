"""Read the action in what a model wrote: `Thought:`, `Action:`, `Action Input:` and whatever models make of it.

Tolerant of form, not of content: the first action counts, what a model imagines to have observed is cut, and what
cannot be read is said to be so. No regular expression here can backtrack, and no text is read beyond a cap.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mathrag.llm.json_text import find_json, without_thoughts
from mathrag.llm.messages import ChatReply, ToolCall
from mathrag.reason.agent.react.action_forms import FORMS, action_name, tidy_inputs
from mathrag.types.episode import ACTION_NAMES

LONGEST_REPLY = 16_000
LONGEST_THOUGHT = 1_000
_LONGEST_ANSWER = 3_900
# A line that begins a part: `Action:`, `**Action 1:**`, `- action input =`.
_PART = re.compile(
    r"^[ \t>*#_`\-]{0,8}(?P<part>final answer|action inputs?|action parameters|action arguments|action|thoughts?|"
    r"observations?|inputs?|arguments|parameters|answer)[ \t]{0,4}\d{0,2}[ \t*_`]{0,6}[:=][ \t*_`]{0,6}",
    re.IGNORECASE | re.MULTILINE,
)
_INPUT_PARTS = ("action input", "action inputs", "action parameters", "action arguments", "input", "inputs",
                "arguments", "parameters")  # fmt: skip
_NAME_KEYS = ("action", "name", "tool", "function", "action_name")
_INPUT_KEYS = ("action_input", "input", "inputs", "arguments", "parameters", "args", "action input")
_FENCE = re.compile(r"```[A-Za-z]{0,12}")


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a model wants done. `problem` says why it cannot be told; then there is no name."""

    name: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    thought: str = ""
    problem: str = ""
    prose: str = ""


def read_text_action(text: str) -> ReadReply:
    """The first action of a reply. `prose` is kept where words came without any action."""
    return named(_read(text))


def named(read: ReadReply) -> ReadReply:
    """A reply that names its action; one that does not has a problem."""
    return read if read.name or read.problem else replace(read, problem="the action has no name")


def _read(text: str) -> ReadReply:
    said = without_thoughts(text[:LONGEST_REPLY]).strip()
    if not said:
        return ReadReply(problem="the reply is empty")
    parts = _parts(said)
    thought = _thought(said, parts)
    for place, (part, body, _start) in enumerate(parts):
        if part.startswith("observation"):
            break
        if part == "final answer" or (part == "answer" and place == len(parts) - 1):
            answer = _before_observation(body).strip()
            return ReadReply("RESPOND", {"answer": answer[:_LONGEST_ANSWER]}, thought)
        if part == "action":
            return _read_action(body, parts[place + 1 :], thought)
    return _without_labels(said, thought)


def _parts(text: str) -> list[tuple[str, str, int]]:
    """The labelled parts in order: label, body, place."""
    marks = list(_PART.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)][: len(marks)]
    return [
        (" ".join(mark.group("part").lower().split()), text[mark.end() : end], mark.start())
        for mark, end in zip(marks, ends, strict=True)
    ]


def _thought(text: str, parts: list[tuple[str, str, int]]) -> str:
    """What was thought before the first action; without a label, whatever stands before it."""
    for part, body, _ in parts:
        if part.startswith("thought"):
            return body.strip()[:LONGEST_THOUGHT]
        if part == "action":
            break
    before = text[: parts[0][2]] if parts else ""
    return _FENCE.sub(" ", before).strip()[:LONGEST_THOUGHT]


def _before_observation(text: str) -> str:
    place = re.search(r"^\s{0,8}observations?\s{0,4}:", text, re.IGNORECASE | re.MULTILINE)
    return text if place is None else text[: place.start()]


def _read_action(body: str, rest: list[tuple[str, str, int]], thought: str) -> ReadReply:
    """The name on the line of the action, its inputs there or in the part that follows."""
    line, _, below = _FENCE.sub("", body).strip().partition("\n")
    opening = re.search(r"[({\[]", line)
    name = action_name(line[: opening.start()] if opening is not None else line)
    if name not in ACTION_NAMES and name.split(" ")[0].upper() in ACTION_NAMES:
        name, below = name.split(" ")[0].upper(), f"{line[len(name.split(' ')[0]) :]}\n{below}"
    if not name and line.lstrip().startswith("{"):
        return _without_labels(f"{line}\n{below}", thought)
    tail = "" if opening is None else line[opening.start() :]
    if rest and rest[0][0] in _INPUT_PARTS:
        return _with_inputs(name, rest[0][1], thought)
    return _with_inputs(name, f"{tail}\n{below}".strip(), thought)


def _with_inputs(name: str, text: str, thought: str) -> ReadReply:
    bare = _FENCE.sub(" ", text).strip()
    if not bare:
        return ReadReply(name, {}, thought)
    if "{" in bare:
        value = first_object(bare)
        if value is None:
            return ReadReply(problem=f"the inputs of {name[:40]} are no JSON object", thought=thought)
        inputs, said = tidy_inputs(name, value)
        return ReadReply(name, inputs, thought or said)
    if name == "CALL_TOOL":
        return ReadReply(problem="the inputs of CALL_TOOL are no JSON object", thought=thought)
    plain = bare.split("\n\n")[0].strip(" \t\n\"'()[]")
    inputs, _ = tidy_inputs(name, plain[:_LONGEST_ANSWER] if name in FORMS else "")
    return ReadReply(name, inputs, thought)


def _without_labels(text: str, thought: str) -> ReadReply:
    """An action as one JSON object, or its bare name at the beginning of a line; else prose."""
    value = first_object(text) if "{" in text else None
    if value is not None:
        named = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
        if action_name(named) in ACTION_NAMES:
            given = next((value[key] for key in _INPUT_KEYS if key in value), None)
            if given is None:
                given = {key: item for key, item in value.items() if key not in _NAME_KEYS}
            inputs, said = tidy_inputs(action_name(named), given)
            outer = value.get("thought")
            return ReadReply(action_name(named), inputs, thought or said or (outer if isinstance(outer, str) else ""))
    for line_start in re.finditer(r"^[ \t>*#_`\-]{0,8}(?=[A-Z])", text, re.MULTILINE):
        at = line_start.end()
        for name in ACTION_NAMES:
            if text.startswith(name, at) and not text[at + len(name) : at + len(name) + 1].isalnum():
                before = thought or _FENCE.sub(" ", text[: line_start.start()]).strip()[:LONGEST_THOUGHT]
                return _with_inputs(name, _before_observation(text[at + len(name) :]).lstrip("*`: "), before)
    return ReadReply(problem="the reply names no action", thought=thought, prose=_before_observation(text).strip())


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, read tolerantly; None where there is none that can be read."""
    return next((value for value in find_json(text).values if isinstance(value, dict)), None)


# Read the action in a native tool call. What a model wrote as arguments is as hostile as any text of it.


def read_tool_call(reply: ChatReply) -> ReadReply | None:
    """The first tool call of a reply as an action; None where there is none and the text has to be read."""
    return _called(reply.tool_calls[0], reply.text) if reply.tool_calls else None


def read_further_calls(reply: ChatReply, names: Collection[str]) -> Iterator[ReadReply]:
    """The calls behind the first, as long as all of them, the first too, call actions of these names."""
    for place, call in enumerate(reply.tool_calls):
        read = _called(call, "")
        if read.problem or read.name not in names:
            return
        if place:
            yield read


def _called(call: ToolCall, text: str) -> ReadReply:
    name = action_name(call.name)
    thought = text.strip()[:LONGEST_THOUGHT]
    arguments = call.arguments.strip()
    if not arguments:
        return named(ReadReply(name, {}, thought))
    value = first_object(arguments) if len(arguments) <= LONGEST_REPLY else None
    if value is None:
        return ReadReply(problem=f"the arguments of {name[:40]} are no JSON object", thought=thought)
    inputs, said = tidy_inputs(name, value)
    return named(ReadReply(name, inputs, (said or thought)[:LONGEST_THOUGHT]))
