"""The actions as a model is told of them: what each is for, the shape of its inputs, other names models use for it.

Pure data and renaming. Whether an action is legal, and whether its inputs hold, is for the gate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mathrag.llm.messages import Tool
from mathrag.reason.agent.seams import NO_PERMISSIONS, Permissions
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


_VALUES = {"type": "object", "additionalProperties": {"type": "string"}}
_ANY_TEXT_NAMES = {"text": "answer", "message": "answer", "response": "answer", "final_answer": "answer"}
_CALCULATED: Mapping[str, Any] = {"expression": _TEXT, "meaning": _TEXT, "quotes": _VALUES}
_CALLED_SO = {"expr": "expression", "formula": "expression", "calculation": "expression", "name": "meaning"}

FORMS: Mapping[str, ActionForm] = {
    "RETRIEVE_MATH_KNOWLEDGE": ActionForm(
        "Find formulas of the library by words of your own (the name of a law, the quantities it links). As often as "
        "you like; what was found stays.",
        {"query": _TEXT, "search_terms": _TEXTS},
        ("query",),
        "query",
        {"text": "query", "question": "query", "terms": "search_terms", "keywords": "search_terms"},
    ),
    "RETRIEVE_CONSTANT": ActionForm(
        "Look up constants of nature by name or symbol.",
        {"names": _TEXTS},
        ("names",),
        "query",
        {"name": "query", "constant": "query", "symbol": "query", "text": "query", "constants": "names"},
    ),
    "LOOK_UP": ActionForm(
        "Look up a property of a material or thing in the documents, as in: density of steel. Cells of tables become "
        "values; of sentences that state one, take it by DEFINE_VALUE with a quote of the sentence.",
        {"query": _TEXT},
        ("query",),
        "query",
        {"text": "query", "property": "query", "words": "query", "name": "query"},
    ),
    "DEFINE_VALUE": ActionForm(
        "Name a value that the question says in words or inside something: a dozen, half, twice, one revolution, a "
        "litre (1 L), a component of a vector, an ordinal, an implied zero (from rest; give its unit). quote is copied "
        "from any part of the question, or of a sentence that LOOK_UP found, exactly; the number is read from it, and "
        "value says which of several is meant.",
        {"quote": _TEXT, "value": {"type": "number"}, "unit": _TEXT},
        ("quote",),
        "quote",
        {"text": "quote", "words": "quote", "number": "value", "units": "unit", "name": "meaning"},
    ),
    "CREATE_DYNAMIC_TOOL": ActionForm(
        "Make a tool from a retrieved formula; target is the symbol it shall compute.",
        {"formula_id": _TEXT, "target": _TEXT},
        ("formula_id", "target"),
        "formula_id",
        {"formula": "formula_id", "id": "formula_id", "solve_for": "target", "symbol": "target", "variable": "target"},
    ),
    "CALL_TOOL": ActionForm(
        "Compute with one formula solved for target: formula_id and target (or the tool_name of a tool), and for each "
        "other symbol the name of its value. Constants of nature come by themselves.",
        {"formula_id": _TEXT, "target": _TEXT, "parameters": _VALUES, "tool_name": _TEXT},
        ("parameters",),
        "tool_name",
        {
            "tool": "tool_name",
            "name": "tool_name",
            "formula": "formula_id",
            "solve_for": "target",
            "params": "parameters",
            "arguments": "parameters",
            "args": "parameters",
            "inputs": "parameters",
            "input": "parameters",
            "values": "parameters",
        },
    ),
    "COMPUTE": ActionForm(
        "Arithmetic over named values: + - * / **, sqrt, sin, cos, tan, asin, acos, atan, exp, log, log10, abs, floor, "
        "min, max, mean, pi. Other numbers than 0, 1, 2 and small exponents need the words of the "
        'question that say them: quotes {"3": "third-order"}.',
        {**_CALCULATED, "unit": _TEXT},
        ("expression", "meaning"),
        "expression",
        _CALLED_SO,
    ),
    "SOLVE": ActionForm(
        "Solve several formulas together for one symbol. Symbols with the same name are the same quantity: use rename "
        "to part or join them (two states: v_1 and v_2). known gives values by name; unknowns that cancel are allowed; "
        "relations are further equations that the question states. A formula or relation with ≤ or ≥ is solved at its "
        "limit where limit copies the words of the question that ask for it (the minimum speed, at most). which names "
        "one of several solutions: least, greatest, positive, negative.",
        {
            "formulas": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"formula_id": _TEXT, "rename": _VALUES},
                    "required": ["formula_id"],
                },
            },
            "known": _VALUES,
            "target": _TEXT,
            "relations": _TEXTS,
            "meaning": _TEXT,
            "quotes": _VALUES,
            "limit": _TEXT,
            "which": _TEXT,
        },
        ("formulas", "known", "target"),
        "",
        {"knowns": "known", "values": "known", "solve_for": "target", "equations": "relations"},
    ),
    "DIFFERENTIATE": ActionForm(
        "The slope of a function that the question states: expression in variable, at a value.",
        {**_CALCULATED, "variable": _TEXT, "at": _TEXT},
        ("expression", "variable", "at"),
        "expression",
        _CALLED_SO,
    ),
    "INTEGRATE": ActionForm(
        "The integral of a function that the question states: expression in variable, from lower to upper.",
        {**_CALCULATED, "variable": _TEXT, "lower": _TEXT, "upper": _TEXT},
        ("expression", "variable", "lower", "upper"),
        "expression",
        {**_CALLED_SO, "from": "lower", "to": "upper"},
    ),
    "FIND_EXTREMUM": ActionForm(
        "Where a function that the question states is greatest or least (which: maximum or minimum).",
        {**_CALCULATED, "variable": _TEXT, "which": _TEXT},
        ("expression", "variable", "which"),
        "expression",
        _CALLED_SO,
    ),
    "CORRECT_MEANING": ActionForm(
        "Say which unit a symbol of a formula has in truth, where it was read wrongly; only for this question and "
        "where the dimensions of the formula then agree.",
        {"formula_id": _TEXT, "symbol": _TEXT, "unit": _TEXT, "meaning": _TEXT},
        ("formula_id", "symbol", "unit"),
        "",
        {"formula": "formula_id", "id": "formula_id"},
    ),
    "SAME_AS": ActionForm(
        "Answer the objection that something else was computed, or that no formula says this: the last result is what "
        "is asked. quote is a sentence that defines what is asked so (density is the mass per volume), copied from the "
        "question or from a document; it must be there and fit the calculation.",
        {"result": _TEXT, "quote": _TEXT},
        ("quote",),
        "quote",
        {"definition": "quote", "text": "quote", "words": "quote", "symbol": "result", "name": "result"},
    ),
    "ASSUME": ActionForm(
        "Take a usual value that stands nowhere; the answer says that you did, and why.",
        {"value": {"type": "number"}, "unit": _TEXT, "meaning": _TEXT, "reason": _TEXT},
        ("value", "unit", "meaning", "reason"),
    ),
    "PROPOSE_FORMULA": ActionForm(
        "Use a formula that no document states; the answer says so. symbols gives each symbol's meaning and unit.",
        {
            "name": _TEXT,
            "equation": _TEXT,
            "symbols": {
                "type": "object",
                "additionalProperties": {"type": "object", "properties": {"meaning": _TEXT, "unit": _TEXT}},
            },
        },
        ("name", "equation", "symbols"),
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
        {**_ANY_TEXT_NAMES, "reply": "answer"},
    ),
    "RESPOND": ActionForm(
        "End: either answer (a sentence that states the last result), or no (why there is no answer, without numbers "
        "of your own). To answer objections, say in because why the result is right.",
        {"answer": _TEXT, "no": _TEXT, "because": _TEXT},
        (),
        "answer",
        {**_ANY_TEXT_NAMES, "result": "answer", "refusal": "no", "reason_for_no": "no"},
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
    "REFUSE": "RESPOND",
    "CALCULATE": "COMPUTE",
    "CALCULATOR": "COMPUTE",
    "EVALUATE": "COMPUTE",
    "SOLVE_SYSTEM": "SOLVE",
    "LOOKUP": "LOOK_UP",
    "DERIVATIVE": "DIFFERENTIATE",
    "INTEGRAL": "INTEGRATE",
    "DEFINE": "DEFINE_VALUE",
}
_SEPARATORS = re.compile(r"[\s\-]+")
_LONGEST_NAME = 60
# Beside the inputs, models like to repeat what they think.
_THOUGHTS = ("thought", "reason", "reasoning", "rationale")


def allowed_actions(permissions: Permissions) -> tuple[str, ...]:
    """The actions that a model is told of: those that need leave only where it has that."""
    allowed = {"ASSUME": permissions.may_assume, "PROPOSE_FORMULA": permissions.may_propose}
    return tuple(name for name in ACTION_NAMES if allowed.get(name, True))


def action_tools(permissions: Permissions = NO_PERMISSIONS) -> tuple[Tool, ...]:
    """The actions as tools for servers that call them natively."""
    return tuple(_tool(name, FORMS[name]) for name in allowed_actions(permissions))


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
        own = ("tool_name", "parameters", "formula_id", "target")
        loose = {key: inputs.pop(key) for key in list(inputs) if key not in own}
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
