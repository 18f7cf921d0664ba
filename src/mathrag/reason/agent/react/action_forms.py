"""The actions as a model is told of them: what each is for, the shape of its inputs, other names models use for it.

Pure data and renaming. Whether an action is legal, and whether its inputs hold, is for the gate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mathrag.llm.messages import Tool
from mathrag.types.episode import ACTION_NAMES

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


@dataclass(frozen=True, slots=True)
class ActionForm:
    """One action: `main` is the input meant where a model gives a bare text, `others` are names it gives to inputs."""

    purpose: str
    properties: Mapping[str, Any]
    required: tuple[str, ...] = ()
    main: str = ""
    others: Mapping[str, str] | None = None


FORMS: Mapping[str, ActionForm] = {
    "RETRIEVE_MATH_KNOWLEDGE": ActionForm(
        "Find formulas of the library. Needed once, before any tool.",
        {"query": _TEXT, "search_terms": _TEXTS},
        ("query",),
        "query",
        {"text": "query", "question": "query", "terms": "search_terms", "keywords": "search_terms"},
    ),
    "RETRIEVE_CONSTANT": ActionForm(
        "Look up constants by name or symbol.",
        {"names": _TEXTS},
        ("names",),
        "query",
        {"name": "query", "constant": "query", "symbol": "query", "text": "query", "constants": "names"},
    ),
    "CREATE_DYNAMIC_TOOL": ActionForm(
        "Make a tool from a retrieved formula; target is the symbol it shall compute.",
        {"formula_id": _TEXT, "target": _TEXT},
        ("formula_id", "target"),
        "formula_id",
        {"formula": "formula_id", "id": "formula_id", "solve_for": "target", "symbol": "target", "variable": "target"},
    ),
    "CALL_TOOL": ActionForm(
        "Compute with a tool. Every parameter is given by the name of a value, such as given_1 or result_1.",
        {
            "tool_name": _TEXT,
            "parameters": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        ("tool_name", "parameters"),
        "tool_name",
        {
            "tool": "tool_name",
            "name": "tool_name",
            "params": "parameters",
            "arguments": "parameters",
            "args": "parameters",
            "inputs": "parameters",
            "input": "parameters",
            "values": "parameters",
        },
    ),
    "TRANSLATE_INPUT": ActionForm("Translate a question that is not English.", {"target_lang": _TEXT}),
    "ASK_FOR_CLARIFICATION": ActionForm(
        "Ask the user for what is missing or unclear. Ends the episode.",
        {"question": _TEXT},
        ("question",),
        "question",
        {"text": "question", "message": "question", "clarification": "question", "answer": "question"},
    ),
    "ANSWER_DIRECTLY": ActionForm(
        "Reply in words to what asks for no number. Ends the episode.",
        {"answer": _TEXT},
        ("answer",),
        "answer",
        {"text": "answer", "message": "answer", "response": "answer", "final_answer": "answer", "reply": "answer"},
    ),
    "RESPOND": ActionForm(
        "Give the computed result in a sentence or two, or say without numbers why there is none. Ends the episode.",
        {"answer": _TEXT},
        ("answer",),
        "answer",
        {"text": "answer", "message": "answer", "response": "answer", "final_answer": "answer", "result": "answer"},
    ),
}
# What models call the actions when they remember the list badly.
_ALIASES = {
    "RETRIEVE": "RETRIEVE_MATH_KNOWLEDGE",
    "RETRIEVE_KNOWLEDGE": "RETRIEVE_MATH_KNOWLEDGE",
    "RETRIEVE_FORMULA": "RETRIEVE_MATH_KNOWLEDGE",
    "RETRIEVE_FORMULAS": "RETRIEVE_MATH_KNOWLEDGE",
    "SEARCH": "RETRIEVE_MATH_KNOWLEDGE",
    "RETRIEVE_CONSTANTS": "RETRIEVE_CONSTANT",
    "CREATE_TOOL": "CREATE_DYNAMIC_TOOL",
    "MAKE_TOOL": "CREATE_DYNAMIC_TOOL",
    "USE_TOOL": "CALL_TOOL",
    "TRANSLATE": "TRANSLATE_INPUT",
    "CLARIFY": "ASK_FOR_CLARIFICATION",
    "ASK_CLARIFICATION": "ASK_FOR_CLARIFICATION",
    "ANSWER": "RESPOND",
    "FINAL_ANSWER": "RESPOND",
    "FINISH": "RESPOND",
    "FINAL": "RESPOND",
}
_SEPARATORS = re.compile(r"[\s\-]+")
_LONGEST_NAME = 60
# Beside the inputs, models like to repeat what they think.
_THOUGHTS = ("thought", "reason", "reasoning", "rationale")


def action_tools() -> tuple[Tool, ...]:
    """The actions as tools for servers that call them natively."""
    return tuple(_tool(name, FORMS[name]) for name in ACTION_NAMES)


def _tool(name: str, form: ActionForm) -> Tool:
    properties = {"thought": {"type": "string", "description": "why, in a sentence"}, **form.properties}
    return Tool(name, form.purpose, {"type": "object", "properties": properties, "required": list(form.required)})


def action_name(text: str) -> str:
    """The action that a text names, however it is written; the text itself, cut, where it names none."""
    bare = _SEPARATORS.sub("_", text.strip(" \t*_`'\"[](){}<>.:;,#").strip()).upper()
    if bare in ACTION_NAMES:
        return bare
    return _ALIASES.get(bare, text.strip()[:_LONGEST_NAME])


def tidy_inputs(name: str, given: object) -> tuple[dict[str, Any], str]:
    """The inputs under the names that the action takes, and the thought that stood among them."""
    form = FORMS.get(name)
    if not isinstance(given, Mapping):
        key = "" if form is None else form.main
        return ({key: str(given)} if key and given not in (None, "") else {}), ""
    if form is None:
        return {str(key): value for key, value in given.items()}, ""
    others = form.others or {}
    inputs: dict[str, Any] = {}
    thought = ""
    for key, value in given.items():
        plain = str(key).strip().lower()
        if plain in _THOUGHTS and plain not in form.properties:
            thought = thought or (value if isinstance(value, str) else "")
            continue
        known = plain if plain in form.properties or plain == form.main else others.get(plain, "")
        inputs.setdefault(known or str(key), value)
    return _repaired(name, inputs), thought


def _repaired(name: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """Shapes that models get wrong in the same way again and again."""
    if name == "CALL_TOOL":
        parameters = inputs.get("parameters", {})
        loose = {key: inputs.pop(key) for key in list(inputs) if key not in ("tool_name", "parameters")}
        if isinstance(parameters, Mapping):
            inputs["parameters"] = {**parameters, **loose}
    if name in ("RETRIEVE_CONSTANT", "RETRIEVE_MATH_KNOWLEDGE"):
        for key in ("names", "search_terms"):
            if isinstance(inputs.get(key), str):
                inputs[key] = [inputs[key]]
    if name == "TRANSLATE_INPUT":
        # What is translated is the question, into the one language that is read here.
        return {"target_lang": "English"}
    return inputs
