"""An outcome as the public JSON object: every number in full precision, with where it came from. Not for people's eyes.

The fields of an answer, of a refusal and of a reply are the same; what does not apply is null or empty. No value is
ever NaN or infinite: JSON has neither.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from mathrag.answer.cards.concepts import concept_data, entry_data
from mathrag.answer.cards.content import document_name, origin_text, outcome_sentence, refusal_sentence, span_place
from mathrag.types.answer import (
    Answer,
    Bound,
    Citation,
    Missing,
    ModelUsage,
    Nearest,
    Outcome,
    PlannedStep,
    Provenance,
    Refusal,
    Reply,
    Row,
    Step,
    WorkingLine,
)
from mathrag.types.finding import Finding
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity

Object = dict[str, Any]

# Python itself refuses to write longer whole numbers; other readers of JSON refuse sooner.
_LONGEST_INTEGER_BITS = 14_000


def outcome_object(outcome: Outcome) -> Object:
    """The public object of an outcome; plain values only, ready for `json.dumps(..., allow_nan=False)`."""
    match outcome:
        case Answer():
            return _answer_object(outcome)
        case Refusal():
            return _refusal_object(outcome)
        case Reply():
            return _reply_object(outcome)
    assert_never(outcome)


def object_text(value: Mapping[str, Any]) -> str:
    """One line of JSON. What a terminal could obey or a reader could be misled by is escaped; nothing is lost."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return json.dumps(character)[1:-1]


def _answer_object(answer: Answer) -> Object:
    warnings = [*answer.warnings, *_without_repeats(answer.warnings, (step.warnings for step in answer.steps))]
    value = json_number(answer.value)
    if value is None:
        warnings.append("the number is too large for JSON; its digits are in `exact`, where they are known")
    return {
        "outcome": "answered",
        "value": value,
        "unit": answer.unit,
        "text": outcome_sentence(answer),
        "formulas": _formula_objects(_formulas_used(answer), answer.citations),
        "bindings": binding_objects(answer.steps, answer.citations),
        "steps": [_step_object(step, answer.citations) for step in answer.steps],
        "missing": [],
        "confidence": json_number(answer.confidence),
        "warnings": warnings,
        "milliseconds": _milliseconds(answer.milliseconds),
        "uncertainty": _optional_number(answer.quantity.uncertainty),
        "significant_figures": answer.significant_figures,
        "exact": answer.exact,
        "reason": None,
        "assumptions": list(answer.assumptions),
        "citations": [_citation_object(citation) for citation in answer.citations],
        "table": [_row_object(row) for row in answer.rows],
        "sources": [_provenance_object(each, answer.citations) for each in answer.provenance],
        "agreeing": list(answer.agreeing),
        "disagreeing": [{"formula": name, **quantity_object(value)} for name, value in answer.disagreeing],
        "further": [outcome_object(each) for each in answer.further],
        "nearest": [],
        "suggestions": [],
        "proposal": [],
        "findings": [],
        "working": _working_objects(answer.working),
        "origin": answer.origin if answer.steps else None,
        "question": answer.question,
        "explanation": answer.explanation,
        "usage": _usage_object(answer.usage),
    }


def _refusal_object(refusal: Refusal) -> Object:
    return {
        "outcome": "refused",
        "value": None,
        "unit": None,
        "text": refusal_sentence(refusal),
        "formulas": [],
        "bindings": {},
        "steps": [],
        "missing": [_missing_object(each) for each in refusal.missing],
        "confidence": json_number(refusal.confidence),
        "warnings": list(refusal.warnings),
        "milliseconds": _milliseconds(refusal.milliseconds),
        "uncertainty": None,
        "significant_figures": None,
        "exact": "",
        "reason": {"code": refusal.code, "text": refusal.reason},
        "assumptions": [],
        "citations": [_citation_object(citation) for citation in refusal.citations],
        "table": [],
        "sources": [],
        "agreeing": [],
        "disagreeing": [],
        "further": [],
        "nearest": [_nearest_object(each) for each in refusal.nearest],
        "suggestions": list(refusal.suggestions),
        "proposal": [_planned_object(step, refusal.citations) for step in refusal.proposal],
        "findings": [_finding_object(each, refusal.question) for each in refusal.findings],
        "working": [],
        "origin": refusal.origin,
        "question": refusal.question,
        "explanation": "",
        "usage": _usage_object(refusal.usage),
    }


def _finding_object(finding: Finding, question: str) -> Object:
    """What speaks against a plan, with the words of the question that it goes by."""
    return {
        "code": finding.code,
        "text": finding.reason,
        "weight": finding.weight,
        "symbols": list(finding.symbols),
        "quotes": [{"start": start, "end": end, "text": question[start:end]} for start, end in finding.spans],
    }


def _reply_object(reply: Reply) -> Object:
    return {
        "outcome": "chat",
        "value": None,
        "unit": None,
        "text": reply.text,
        "formulas": [],
        "bindings": {},
        "steps": [],
        "missing": [],
        "confidence": None,
        "warnings": list(reply.warnings),
        "milliseconds": _milliseconds(reply.milliseconds),
        "uncertainty": None,
        "significant_figures": None,
        "exact": "",
        "reason": None,
        "assumptions": [],
        "citations": [_citation_object(citation) for citation in reply.citations],
        "table": [],
        "sources": [],
        "agreeing": [],
        "disagreeing": [],
        "further": [],
        "nearest": [_nearest_object(each) for each in reply.nearest],
        "suggestions": [],
        "proposal": [],
        "findings": [],
        "working": _working_objects(reply.working),
        "origin": None,
        "question": reply.question,
        "explanation": "",
        "usage": _usage_object(reply.usage),
        **_about_concept(reply),
        **_looked_up(reply),
    }


def _looked_up(reply: Reply) -> Object:
    """The number of a document, in replies that have one."""
    if reply.looked_up is None:
        return {}
    found = reply.looked_up
    return {"looked_up": {"text": found.text, "value": _optional_number(found.value), "unit": found.unit}}


def _about_concept(reply: Reply) -> Object:
    """What the glossary and a dictionary say, in replies about concepts alone."""
    glossed: Object = {"glossary": [entry_data(one) for one in reply.glossary]} if reply.glossary else {}
    if reply.concept is None and not reply.also:
        return glossed
    return {
        "concept": None if reply.concept is None else concept_data(reply.concept),
        "also": list(reply.also),
        **glossed,
    }


def _working_objects(lines: tuple[WorkingLine, ...]) -> list[Object]:
    """Working without a formula of the library: each line as text, and as LaTeX where it is mathematics."""
    return [{"text": each.text, "latex": each.latex} for each in lines]


def _usage_object(usage: ModelUsage | None) -> Object | None:
    """What a language model had to do with it; null where none was asked."""
    if usage is None:
        return None
    return {
        "model": usage.model,
        "planner": usage.planner,
        "reason": usage.reason,
        "calls": usage.calls,
        "cached_calls": usage.cached_calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost": _optional_number(usage.cost),
        "context": {"largest": max(usage.contexts, default=0), "requests": list(usage.contexts)},
    }


def json_number(value: float | int) -> float | int | None:
    """A number that JSON can carry, in full precision; None for what it cannot."""
    if isinstance(value, int):
        return value if value.bit_length() <= _LONGEST_INTEGER_BITS else None
    return value if math.isfinite(value) else None


def _optional_number(value: float | None) -> float | int | None:
    return None if value is None else json_number(value)


def _milliseconds(value: float) -> float:
    return round(value, 3) if math.isfinite(value) else 0.0


def quantity_object(quantity: Quantity) -> Object:
    """A quantity as data; the unit in canonical text."""
    return {
        "value": json_number(quantity.value),
        "unit": quantity.unit.text,
        "uncertainty": _optional_number(quantity.uncertainty),
    }


def binding_objects(steps: Iterable[Step], citations: tuple[Citation, ...] = ()) -> Object:
    """Every symbol that got a value, over all steps.

    A symbol of two steps with two values keeps its plain name in the later step (that of the answer); the earlier is
    called `step1.m`. The result of an earlier step is not listed by itself, only where a later step uses it.
    """
    results: dict[int, Quantity] = {}
    found: dict[str, tuple[int, Object]] = {}
    for step in steps:
        for bound in step.bindings:
            made = _bound_object(bound, results, citations)
            earlier = found.get(bound.symbol)
            if earlier is not None and not _same_value(earlier[1], made):
                found[f"step{earlier[0]}.{bound.symbol}"] = earlier
            found[bound.symbol] = (step.number, made)
        results[step.number] = step.result
    return {name: made for name, (_, made) in found.items()}


def _same_value(first: Object, second: Object) -> bool:
    return bool(first["value"] == second["value"] and first["unit"] == second["unit"])


def _bound_object(bound: Bound, results: Mapping[int, Quantity], citations: tuple[Citation, ...]) -> Object:
    quantity = bound.quantity
    if quantity is None and bound.provenance.step is not None:
        quantity = results.get(bound.provenance.step)
    return {
        "value": None if quantity is None else json_number(quantity.value),
        "unit": None if quantity is None else quantity.unit.text,
        "from": origin_text(bound.provenance, citations),
        "origin": bound.provenance.origin,
        "uncertainty": None if quantity is None else _optional_number(quantity.uncertainty),
        "description": bound.description,
        "step": bound.provenance.step,
    }


def _formulas_used(answer: Answer) -> list[Formula]:
    """The formulas of the library that the steps rest on, and those that a model proposed, by their mark."""
    used = [formula for step in answer.steps for formula in step.sources]
    return [formula for formula in used if not formula.is_made or formula.is_proposed]


def _formula_objects(formulas: Iterable[Formula], citations: tuple[Citation, ...]) -> list[Object]:
    unique = {formula.id: formula for formula in formulas}
    return [_formula_object(formula, citations) for formula in unique.values()]


def _formula_object(formula: Formula, citations: tuple[Citation, ...]) -> Object:
    cited = next((each.span for each in citations if each.formula == formula.id), None)
    span = cited if cited is not None else formula.spans[0] if formula.spans else None
    return {
        "id": formula.id,
        "label": formula.label,
        "latex": formula.latex,
        "document": None if span is None else document_name(span.document, citations),
        "place": None if span is None else span_place(span),
        **({} if span is None or span.place.page is None else {"page": span.place.page}),
        **_box(span),
    }


def _box(span: Span | None) -> Object:
    """Left, top, right, bottom in points on the page, for formats that have pages."""
    box = None if span is None else span.place.box
    return {} if box is None else {"box": [round(side, 2) for side in box]}


def _step_object(step: Step, citations: tuple[Citation, ...]) -> Object:
    return {
        "number": step.number,
        "formula": step.formula.id,
        "label": step.formula.label,
        "target": step.target,
        **quantity_object(step.result),
        "significant_figures": step.significant_figures,
        "method": step.method,
        "rearranged": step.rearranged,
        "bindings": {bound.symbol: origin_text(bound.provenance, citations) for bound in step.bindings},
        "working": list(step.working),
        "working_text": list(step.working_text),
        "others": [quantity_object(other) for other in step.others],
        "warnings": list(step.warnings),
    }


def _planned_object(step: PlannedStep, citations: tuple[Citation, ...]) -> Object:
    """What would be computed: the formula and the values, never a result."""
    return {
        "formula": _formula_object(step.formula, citations),
        "target": step.target,
        "bindings": {bound.symbol: _bound_object(bound, {}, citations) for bound in step.bindings},
    }


def _missing_object(missing: Missing) -> Object:
    return {"symbol": missing.symbol, "words": missing.words, "unit": missing.unit}


def _nearest_object(nearest: Nearest) -> Object:
    return {
        "id": nearest.formula,
        "label": nearest.label,
        "latex": nearest.latex,
        "document": nearest.document or None,
        "needs": list(nearest.needs),
    }


def _citation_object(citation: Citation) -> Object:
    place = citation.span.place
    return {
        "document": citation.name or citation.document,
        "document_id": citation.document,
        "formula": citation.formula or None,
        "label": citation.label,
        "place": span_place(citation.span),
        "page": place.page,
        "line": place.line,
        **_box(citation.span),
        "quote": citation.span.quote,
        "headings": list(citation.span.headings),
        **{name: value for name in ("origin", "modified", "read", "trust") if (value := getattr(citation, name))},
    }


def _provenance_object(provenance: Provenance, citations: tuple[Citation, ...]) -> Object:
    return {"from": origin_text(provenance, citations), "origin": provenance.origin, "source": provenance.source}


def _row_object(row: Row) -> Object:
    return {"values": dict(row.values), **quantity_object(row.result)}


def _without_repeats(known: Iterable[str], groups: Iterable[Iterable[str]]) -> list[str]:
    seen = set(known)
    fresh = dict.fromkeys(each for group in groups for each in group)
    return [each for each in fresh if each not in seen]
