"""The card of an outcome as the templates need it: rows of values, the plan to compute again, links to sources.

Made from the public object alone. No number is made here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from mathrag.library.notebook_file import binding_keys

Object = dict[str, Any]
_LONGEST_QUOTE = 500
_MOST_TRACED = 60


def card_of(result: Mapping[str, Any], *, number: int | None = None) -> Object:
    """What the card shows besides the outcome itself. `number` is its place in the history of the session."""
    plan = plan_of(result)
    return {
        "number": number,
        "rows": [_row(result, key, bound) for key, bound in result["bindings"].items()],
        "plan": plan,
        "plan_text": _json(plan) if plan else "",
        "asked_text": _json(result["asked"]) if result.get("asked") else "",
        "varied": [_varied(row) for row in _editable(result)] if plan else [],
        "citations": [{**each, "href": source_address(each)} for each in result["citations"]],
        "steps": [_step(result, step) for step in result["steps"]],
        "trace": [trace_line(event) for event in (result.get("trace") or ())[:_MOST_TRACED]],
        "missing": [each for each in result["missing"] if each["symbol"]],
        "unnamed": [each["words"] for each in result["missing"] if not each["symbol"]],
    }


def plan_of(result: Mapping[str, Any]) -> Object | None:
    """The formulas of an answer and what goes into each, to be computed again with other values."""
    if result["outcome"] != "answered" or not result["steps"] or result["table"]:
        return None
    steps, values = [], {}
    for step in result["steps"]:
        inputs = {}
        for symbol, key in binding_keys(result, step).items():
            bound = result["bindings"][key]
            if bound["step"] is not None:
                inputs[symbol] = f"#{bound['step']}"
                continue
            if bound["value"] is None:
                return None
            inputs[symbol] = key
            values[key] = value_text(bound)
        steps.append({"formula": step["formula"], "target": step["target"], "inputs": inputs})
    return {"steps": steps, "values": values, "unit": result["unit"] or None}


def value_text(bound: Mapping[str, Any]) -> str:
    """A value as it can be typed: every digit, and its unit."""
    value = bound["value"]
    number = repr(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)
    return f"{number} {bound['unit'] or ''}".strip()


def _editable(result: Mapping[str, Any]) -> list[Object]:
    rows = [_row(result, key, bound) for key, bound in result["bindings"].items()]
    return [row for row in rows if row["is_editable"]]


def _row(result: Mapping[str, Any], key: str, bound: Mapping[str, Any]) -> Object:
    """A line of the table of values. What was computed on the way is not for changing."""
    return {
        "key": key,
        "description": bound["description"],
        "value": bound["value"],
        "unit": bound["unit"],
        "text": value_text(bound) if bound["value"] is not None else "",
        "from": bound["from"],
        "origin": bound["origin"],
        "is_editable": bound["value"] is not None and bound["step"] is None and bool(result.get("asked")),
        "quote": _quote(bound),
    }


def _quote(bound: Mapping[str, Any]) -> str:
    """The words of the question that gave the value."""
    if bound["origin"] != "question":
        return ""
    _, found, said = str(bound["from"]).partition(': "')
    return said.removesuffix('"') if found else ""


def _varied(row: Mapping[str, Any]) -> Object:
    """A value that can go through a range, and a range to begin with: from nothing to twice as much."""
    value, unit = float(row["value"]), row["unit"] or ""
    ends = (0.0, 10.0) if value == 0 else sorted((0.0, 2 * value))
    start, stop = (f"{end:.6g} {unit}".strip() for end in ends)
    return {**row, "start": start, "stop": stop}


def _step(result: Mapping[str, Any], step: Mapping[str, Any]) -> Object:
    formula = next((each for each in result["formulas"] if each["id"] == step["formula"]), None)
    return {**step, "latex": "" if formula is None else formula["latex"]}


def source_address(citation: Mapping[str, Any]) -> str:
    """The page that shows the place of a citation."""
    asked: dict[str, Any] = {"document": citation["document_id"]}
    for name in ("formula", "page", "line"):
        if citation.get(name) is not None:
            asked[name] = citation[name]
    if citation.get("box"):
        asked["box"] = ",".join(f"{side:.2f}" for side in citation["box"])
    if not citation.get("formula") and citation.get("quote"):
        asked["quote"] = citation["quote"][:_LONGEST_QUOTE]
    return f"/source?{urlencode(asked)}"


def trace_line(event: Mapping[str, Any]) -> Object:
    """One action and what came of it, in words."""
    observation = event.get("observation") or {}
    return {
        "action": str(event.get("action") or ""),
        "thought": str(event.get("thought") or ""),
        "succeeded": bool(observation.get("succeeded")),
        "message": str(observation.get("message") or ""),
        "milliseconds": event.get("milliseconds"),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
