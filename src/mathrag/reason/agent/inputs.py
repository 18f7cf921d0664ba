"""The inputs of each action, read from JSON that may come from anyone. Says what is wrong; looks nothing up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mathrag.reason.agent.seams import Problem
from mathrag.reason.agent.stated_numbers import visible

LONGEST_STRING = 4_000
_LONGEST_LIST = 50
_MOST_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class Search:
    """Words to look formulas up by."""

    query: str
    terms: tuple[str, ...] = ()
    literals: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConstantSearch:
    """Names or symbols of constants."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A formula to make a tool of, and what to solve it for."""

    formula_id: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool with a value for each parameter, not looked at yet."""

    tool_name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text for the user; empty where the episode is to say it itself."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Translation:
    """The language to translate into; what is translated is always the question."""

    language: str = "English"


Inputs: TypeAlias = Search | ConstantSearch | ToolRequest | ToolCall | Sentence | Translation
_Raw: TypeAlias = Mapping[str, Any]


class _ShapeError(Exception):
    """A shape that does not fit; never leaves this module."""


def read_inputs(name: str, inputs: object) -> Inputs | Problem:
    """The inputs of a known action, checked for shape and size."""
    keys, read = _READERS[name]
    if not isinstance(inputs, Mapping):
        return Problem("malformed_inputs", f"{name} takes a JSON object, not {_kind(inputs)}")
    unknown = [str(key)[:40] for key in inputs if key not in keys]
    if unknown:
        allowed = ", ".join(keys)
        return Problem("malformed_inputs", f"{name} does not take {', '.join(unknown[:5])}; it takes {allowed}")
    try:
        return read(inputs)
    except _ShapeError as wrong:
        return Problem("malformed_inputs", f"{name}: {wrong}")


def _search(inputs: _Raw) -> Search:
    query, terms = _text(inputs, "query"), _texts(inputs, "search_terms")
    literals = inputs.get("literals", {})
    if not isinstance(literals, Mapping) or len(literals) > _LONGEST_LIST:
        raise _ShapeError("literals is an object with the lists numeric and categorical")
    for key, values in literals.items():
        if key not in ("numeric", "categorical") or not isinstance(values, list | tuple):
            raise _ShapeError("literals is an object with the lists numeric and categorical")
        if len(values) > _LONGEST_LIST or not all(_is_literal(value) for value in values):
            raise _ShapeError(f"literals.{key} is a short list of numbers or words")
    if not query and not terms:
        raise _ShapeError("give a query (a phrase) or search_terms (a list of words)")
    return Search(query, terms, {key: tuple(values) for key, values in literals.items()})


def _is_literal(value: object) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST_STRING)


def _constant(inputs: _Raw) -> ConstantSearch:
    query, names = _text(inputs, "query"), _texts(inputs, "names")
    words = tuple(dict.fromkeys((*((query,) if query else ()), *names)))
    if not words:
        raise _ShapeError("give a query (the name of a constant) or names (a list of them)")
    return ConstantSearch(words)


def _tool(inputs: _Raw) -> ToolRequest:
    formula_id = _text(inputs, "formula_id")
    if not formula_id:
        raise _ShapeError("formula_id is the id of a formula that was retrieved")
    return ToolRequest(formula_id, _text(inputs, "target") or None)


def _call(inputs: _Raw) -> ToolCall:
    name = _text(inputs, "tool_name")
    if not name:
        raise _ShapeError("tool_name is the name of a tool that was created")
    parameters = inputs.get("parameters", {})
    if not isinstance(parameters, Mapping) or not all(isinstance(key, str) for key in parameters):
        raise _ShapeError(f"parameters is an object from parameter names to values, not {_kind(parameters)}")
    if len(parameters) > _MOST_PARAMETERS:
        raise _ShapeError(f"no formula has {len(parameters)} parameters")
    return ToolCall(name, dict(parameters))


def _answer(inputs: _Raw) -> Sentence:
    return Sentence(visible(_text(inputs, "answer")).strip())


def _clarification(inputs: _Raw) -> Sentence:
    return Sentence(visible(_text(inputs, "question")).strip())


def _translation(inputs: _Raw) -> Translation:
    _text(inputs, "text")
    return Translation(_text(inputs, "target_lang") or "English")


def _text(inputs: _Raw, key: str) -> str:
    value = inputs.get(key, "")
    if not isinstance(value, str):
        raise _ShapeError(f"{key} is a text, not {_kind(value)}")
    if len(value) > LONGEST_STRING:
        raise _ShapeError(f"{key} has {len(value)} characters; at most {LONGEST_STRING} are read")
    return value.strip()


def _texts(inputs: _Raw, key: str) -> tuple[str, ...]:
    value = inputs.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _ShapeError(f"{key} is a list of texts")
    if len(value) > _LONGEST_LIST or any(len(item) > LONGEST_STRING for item in value):
        raise _ShapeError(f"{key} is too long")
    return tuple(item.strip() for item in value if item.strip())


def _kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list | tuple) else "an object"


_READERS: dict[str, tuple[tuple[str, ...], Callable[[_Raw], Inputs]]] = {
    "RETRIEVE_MATH_KNOWLEDGE": (("query", "search_terms", "literals"), _search),
    "RETRIEVE_CONSTANT": (("query", "names"), _constant),
    "CREATE_DYNAMIC_TOOL": (("formula_id", "target"), _tool),
    "CALL_TOOL": (("tool_name", "parameters"), _call),
    "TRANSLATE_INPUT": (("text", "target_lang"), _translation),
    "ASK_FOR_CLARIFICATION": (("question",), _clarification),
    "ANSWER_DIRECTLY": (("answer",), _answer),
    "RESPOND": (("answer",), _answer),
}
