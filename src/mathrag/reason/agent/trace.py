"""The trace of an episode as plain JSON. Whatever a planner or a tool put in comes out harmless and of bounded size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from mathrag.reason.agent.seams import FormulaCard, FoundConstant, Source
from mathrag.types.answer import Bound, Choice, Step
from mathrag.types.episode import Event
from mathrag.types.quantity import Quantity

_LONGEST_TEXT = 4_000
_LONGEST_LIST = 200
_DEEPEST = 12
_LARGEST_WHOLE = 2**63


# What an action does, for people who watch.
_DOING = {
    "RETRIEVE_MATH_KNOWLEDGE": "looks for formulas",
    "RETRIEVE_CONSTANT": "looks constants up",
    "LOOK_UP": "looks a value up in the documents",
    "DEFINE_VALUE": "takes a value from the words of the question",
    "CREATE_DYNAMIC_TOOL": "solves a formula for what is needed",
    "CALL_TOOL": "computes with a formula",
    "COMPUTE": "calculates with values it has",
    "SOLVE": "solves formulas together",
    "DIFFERENTIATE": "differentiates",
    "INTEGRATE": "integrates",
    "FIND_EXTREMUM": "looks for the greatest or least value",
    "CORRECT_MEANING": "takes a symbol for something else",
    "SAME_AS": "quotes what says that this is asked",
    "ASSUME": "assumes a value",
    "PROPOSE_FORMULA": "proposes a formula of its own",
    "TRANSLATE_INPUT": "translates the question",
    "ASK_FOR_CLARIFICATION": "asks back",
    "ANSWER_DIRECTLY": "answers without a formula",
    "RESPOND": "answers",
    "RetrieveFromVectorstore": "searches the documents",
    "RetrieveFromDatabase": "queries the tables",
    "ViewImage": "looks at a page",
    "CalculateExpr": "calculates",
    "GenerateAnswer": "answers",
}


def doing(action: str) -> str:
    """What an action does, in a few words; the action itself where there are none."""
    return _DOING.get(action, action)


def trace_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    """One object for each round: what was thought, done and observed."""
    return [event_json(event) for event in events]


def event_json(event: Event) -> dict[str, Any]:
    """One round, for whoever listens."""
    action, observation = event.action, event.observation
    made: dict[str, Any] = {
        "round": event.round,
        "thought": json_value(action.thought),
        "action": json_value(action.name),
        "doing": doing(json_value(action.name)),
        "inputs": json_value(action.inputs),
        "observation": {
            "succeeded": observation.succeeded,
            "code": observation.code,
            "message": observation.message,
            "data": json_value(observation.data),
            "next_actions": list(observation.next_actions),
        },
        "milliseconds": round(event.milliseconds, 3),
    }
    if action.use is not None:
        made["model"] = {
            "calls": action.use.calls,
            "cached_calls": action.use.cached_calls,
            "context_tokens": action.use.context_tokens,
            "prompt_tokens": action.use.prompt_tokens,
            "completion_tokens": action.use.completion_tokens,
        }
    return made


def json_value(value: object, depth: int = 0) -> Any:
    """A value that JSON can hold: strange things become their kind, endless ones are cut."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if len(value) <= _LONGEST_TEXT and value.isascii():
            return value
        # A lone surrogate could not be written to a file.
        text = value[:_LONGEST_TEXT] + ("…" if len(value) > _LONGEST_TEXT else "")
        return text.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, int):
        return value if -_LARGEST_WHOLE < value < _LARGEST_WHOLE else "a very long whole number"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        pairs = list(value.items())[:_LONGEST_LIST]
        return {json_value(str(key)[:200]): json_value(item, depth + 1) for key, item in pairs}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_value(item, depth + 1) for item in list(value)[:_LONGEST_LIST]]
    return f"<{type(value).__name__}>"


def quantity_json(quantity: Quantity) -> dict[str, Any]:
    """A quantity in observations."""
    return {"value": quantity.value, "unit": quantity.unit.text}


def bound_json(bound: Bound) -> dict[str, Any]:
    """A binding with its origin in observations."""
    made: dict[str, Any] = {} if bound.quantity is None else quantity_json(bound.quantity)
    made["from"] = bound.provenance.origin
    made["text"] = bound.provenance.words
    if bound.provenance.source:
        made["vintage"] = bound.provenance.source
    if bound.provenance.step is not None:
        made["step"] = bound.provenance.step
    return made


def choice_json(choice: Choice) -> dict[str, Any]:
    """A suggestion in observations: formulas, targets and bindings; never a result."""
    return {
        "confidence": choice.confidence,
        "steps": [
            {
                "formula_id": step.formula.id,
                "target": step.target,
                "bindings": {bound.symbol: bound_json(bound) for bound in step.bindings},
            }
            for step in choice.steps
        ],
        "missing": [{"symbol": each.symbol, "words": each.words, "unit": each.unit} for each in choice.missing],
        "unused": list(choice.unused),
        "assumptions": list(choice.assumptions),
    }


def ranked_json(choice: Choice) -> dict[str, Any]:
    """A ranked choice in traces: with what speaks for it and against it."""
    return {
        **choice_json(choice),
        "score": choice.score,
        "features": dict(choice.features),
        # The others tell what would come out, which a verdict may and a plan may not.
        "findings": [
            {"code": each.code, "text": each.reason if each.consequence == "unsure" else ""} for each in choice.findings
        ],
    }


def formula_json(card: FormulaCard) -> dict[str, Any]:
    """A formula in observations."""
    return {
        "formula_id": card.id,
        "label": card.label,
        "latex": card.latex,
        "description": card.description,
        "symbols": {name: {"description": words, "unit": unit} for name, words, unit in card.symbols},
    }


def constant_json(constant: FoundConstant, source: Source | None) -> dict[str, Any]:
    """A constant in observations, with the name by which a call may refer to it."""
    return {
        "constant_id": constant.id,
        "symbol": constant.symbol,
        "name": constant.name,
        **quantity_json(constant.quantity),
        "vintage": constant.provenance.source,
        "source": "" if source is None else source.id,
    }


def step_json(step: Step) -> dict[str, Any]:
    """The result of a call in observations."""
    return {
        "step": step.number,
        "source": f"result_{step.number}",
        "formula_id": step.formula.id,
        "target": step.target,
        "result": quantity_json(step.result),
        "significant_figures": step.significant_figures,
        "bindings": {bound.symbol: bound_json(bound) for bound in step.bindings},
        "working": list(step.working_text),
        "warnings": list(step.warnings),
    }
