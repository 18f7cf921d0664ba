"""Ask for JSON in a given form: find it in the reply, check it, and let the model repair it once.

Text that is of no use is a value with the problem, never an error. What the JSON says is for others to judge.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from mathrag.errors import ModelError
from mathrag.llm.json_text import JsonFound, find_json
from mathrag.llm.messages import ChatReply, ChatRequest, Message, Schema
from mathrag.llm.seams import ChatModel
from mathrag.types.json_value import Json

# Check a JSON value against a JSON schema (Draft 2020-12) and say in sentences what is wrong. Fetches nothing.

_MOST_MESSAGES = 6
_MOST_ERRORS = 100
_LONGEST_MESSAGE = 240


def schema_problems(value: Json, schema: Schema) -> tuple[str, ...]:
    """What is wrong with a value, each with its place; empty where it fits."""
    validator = _validator(json.dumps(schema.schema, sort_keys=True, default=dict))
    try:
        found = islice(validator.iter_errors(value), _MOST_ERRORS)
        errors = sorted(found, key=lambda error: [str(one) for one in error.absolute_path])
    except RecursionError:
        return ("the value is nested too deeply",)
    return tuple(_sentence(error) for error in errors[:_MOST_MESSAGES])


@lru_cache(maxsize=32)
def _validator(text: str) -> Any:
    try:
        from jsonschema import Draft202012Validator
    except ImportError as error:
        raise ModelError(
            "not_installed", "asking for JSON needs the package jsonschema: pip install 'mathrag[llm]'"
        ) from error
    schema = json.loads(text)
    _refuse_remote(schema)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _refuse_remote(schema: Json) -> None:
    """References stay inside the schema: nothing is ever looked up elsewhere."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            for name in ("$ref", "$dynamicRef"):
                if not str(part.get(name, "#")).startswith("#"):
                    raise ValueError(f"the schema refers to {part[name]!r}; only references inside it are allowed")
            if "$id" in part:
                raise ValueError("a schema of ours has no $id")
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _sentence(error: Any) -> str:
    place = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in error.absolute_path).lstrip(".")
    message = str(error.message)
    if len(message) > _LONGEST_MESSAGE:
        # The value is quoted at the beginning; what is wrong with it stands at the end.
        message = f"{message[:80]} … {message[-120:]}"
    return f"at {place[:120]}: {message}" if place else message


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
