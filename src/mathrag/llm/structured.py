"""Ask for JSON in a given form: find it in the reply, check it, and let the model repair it once.

Text that is of no use is a value with the problem, never an error. What the JSON says is for others to judge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mathrag.llm.json_text import JsonFound, find_json
from mathrag.llm.nouns import ChatReply, ChatRequest, Json, Message, Schema
from mathrag.llm.schemas import schema_problems
from mathrag.llm.seams import ChatModel

_SHOWN_REPLY = 3_000


@dataclass(frozen=True, slots=True)
class Structured:
    """The value that fits the schema, or the problem why there is none; with every reply that was given.

    `value` may be None because JSON's null fits the schema: `problem` tells.
    """

    value: Json | None
    problem: str = ""
    replies: tuple[ChatReply, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether there is a value."""
        return not self.problem


def ask_json(model: ChatModel, request: ChatRequest, schema: Schema) -> Structured:
    """Ask under a schema, with one round of repair. `ModelError` passes through."""
    request = replace(request, schema=schema)
    first = model.chat(request)
    read = read_structured(first.text, schema)
    if read.is_good or first.finish == "filtered":
        return replace(read, replies=(first,))
    second = model.chat(_repair(request, first, read.problem))
    return replace(read_structured(second.text, schema), replies=(first, second))


def read_structured(text: str, schema: Schema) -> Structured:
    """The one value in a text that fits the schema, or what is wrong with it."""
    found: JsonFound = find_json(text)
    if not found.values:
        return Structured(None, found.problem)
    judged = [(value, schema_problems(value, schema)) for value in found.values]
    fitting = [value for value, problems in judged if not problems]
    if not fitting:
        # The value with the fewest complaints is the one that was meant; of equals the last, as drafts come first.
        problems = min((problems for _, problems in reversed(judged)), key=len)
        return Structured(None, "; ".join(problems))
    if any(value != fitting[0] for value in fitting):
        return Structured(None, "the reply holds several different JSON values; write exactly one")
    return Structured(fitting[0])


def _repair(request: ChatRequest, reply: ChatReply, problem: str) -> ChatRequest:
    shown = reply.text
    if len(shown) > _SHOWN_REPLY:
        shown = f"{shown[: _SHOWN_REPLY // 2]}\n…\n{shown[-_SHOWN_REPLY // 2 :]}"
    cut = " It was cut off at the largest length: write less." if reply.finish == "length" else ""
    complaint = (
        f"This reply cannot be used: {problem}.{cut} Reply again with the corrected JSON alone: one value that fits "
        "the schema, no other words. Do not invent anything to fill it; leave out what you do not know."
    )
    turns = (Message("assistant", shown or "(nothing)"), Message("user", complaint))
    return replace(request, messages=(*request.messages, *turns))
