"""Entries of a library as data for programs: formulas, constants, documents, places, conflicts. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mathrag.library.views.mathml import mathml_of, mathml_of_latex
from mathrag.store.truth.records import DocumentCounts, DocumentInfo, FailedDocument
from mathrag.types.library import Conflict, Constant, Correction, Formula, Instance, Relation, Span, SymbolMeaning

Object = dict[str, Any]


def span_object(span: Span, names: Mapping[str, str]) -> Object:
    """A place in a document."""
    place = span.place
    return {
        "document": span.document,
        "document_name": names.get(span.document, span.document),
        "place": str(place),
        "page": place.page,
        "line": place.line,
        "end_line": place.end_line,
        "box": None if place.box is None else [round(side, 2) for side in place.box],
        "path": place.path,
        "file": place.file,
        "quote": span.quote,
        "headings": list(span.headings),
    }


def symbol_object(symbol: SymbolMeaning, names: Mapping[str, str]) -> Object:
    """What a symbol stands for, and where that is said."""
    return {
        "name": symbol.name,
        "letter": symbol.letter,
        "mathml": mathml_of_latex(symbol.letter or symbol.name),
        "description": symbol.description,
        "unit": symbol.unit,
        "kind": symbol.kind,
        "role": symbol.role,
        "constant": symbol.constant,
        "state": symbol.state,
        "origin": symbol.origin,
        "evidence": None if symbol.evidence is None else span_object(symbol.evidence, names),
    }


def instance_object(instance: Instance, names: Mapping[str, str]) -> Object:
    """A worked example."""
    return {
        "text": instance.text,
        "values": dict(instance.values),
        "verdict": instance.verdict,
        "reason": instance.reason,
        "place": span_object(instance.span, names),
    }


def correction_object(number: int | None, correction: Correction) -> Object:
    """What a person said; the number takes it back."""
    return {
        "number": number,
        "field": correction.field,
        "value": correction.value,
        "author": correction.author,
        "time": correction.time,
        "note": correction.note,
    }


def formula_object(
    formula: Formula, names: Mapping[str, str], *, corrections: Iterable[tuple[int, Correction]] = ()
) -> Object:
    """A whole formula. `names` are those of documents, by id."""
    return {
        "id": formula.id,
        "label": formula.label,
        "labels": list(formula.labels),
        "latex": formula.latex,
        "mathml": mathml_of(formula),
        "status": formula.status,
        "reason_code": formula.reason_code,
        "reason": formula.reason,
        "is_guess": formula.reason_code == "uncertain_reading",
        "description": formula.description,
        "intent": formula.intent,
        "keywords": list(formula.keywords),
        "target": formula.target,
        "number": formula.number,
        "purpose": formula.purpose,
        "symbols": [symbol_object(symbol, names) for symbol in formula.symbols],
        "alternatives": [
            {"prior": one.prior, "symbols": {symbol.name: symbol.unit for symbol in one.symbols}}
            for one in formula.alternatives
        ],
        "conditions": [condition.text for condition in formula.conditions],
        "instances": [instance_object(one, names) for one in formula.instances],
        "places": [span_object(span, names) for span in formula.spans],
        "flags": [{"code": flag.code, "message": flag.message} for flag in formula.flags],
        "corrections": [correction_object(number, one) for number, one in corrections],
    }


def relation_object(relation: Relation, labels: Mapping[str, str]) -> Object:
    """How two entries hang together."""
    return {
        "kind": relation.kind,
        "source": relation.source,
        "source_label": labels.get(relation.source, ""),
        "target": relation.target,
        "target_label": labels.get(relation.target, ""),
        "confidence": relation.confidence,
        "evidence": relation.evidence,
    }


def constant_object(constant: Constant, names: Mapping[str, str]) -> Object:
    """A constant; its value keeps the digits that are written in the document, so it is text."""
    return {
        "id": constant.id,
        "symbol": constant.symbol,
        "letter": constant.letter,
        "mathml": mathml_of_latex(constant.letter or constant.symbol),
        "name": constant.name,
        "value": str(constant.value),
        "unit": constant.unit,
        "uncertainty": None if constant.uncertainty is None else str(constant.uncertainty),
        "description": constant.description,
        "standard": constant.standard,
        "places": [span_object(span, names) for span in constant.spans],
    }


def document_object(info: DocumentInfo, counts: DocumentCounts | None) -> Object:
    """A document and what it gave. The path on the server's machine is not part of it."""
    numbers = {} if counts is None else {name: value for name, value in asdict(counts).items() if name != "document"}
    return {
        "id": info.id,
        "name": info.name,
        "title": info.title,
        "authors": list(info.authors),
        "year": info.year,
        "abstract": info.abstract,
        "media_type": info.media_type,
        "bytes": info.bytes,
        "hash": info.hash,
        "origin": info.origin,
        "modified": info.modified,
        "ingested_at": info.ingested_at,
        "trust": info.trust or None,
        "notes": [{"code": note.code, "message": note.message, "place": str(note.place)} for note in info.notes],
        "counts": numbers,
    }


def failure_object(failure: FailedDocument) -> Object:
    """A file that could not be read."""
    return {
        "name": failure.name,
        "code": failure.code,
        "reason": failure.reason,
        "time": failure.time,
        "attempts": failure.attempts,
    }


def conflict_object(conflict: Conflict, names: Mapping[str, str], labels: Mapping[str, str]) -> Object:
    """Entries that cannot all be right."""
    return {
        "kind": conflict.kind,
        "subject": conflict.subject,
        "entries": [{"id": entry, "label": labels.get(entry, "")} for entry in conflict.entries],
        "message": conflict.message,
        "places": [span_object(span, names) for span in conflict.spans],
    }


def entry_labels(formulas: Sequence[Formula] = (), constants: Sequence[Constant] = ()) -> dict[str, str]:
    """What entries are called, by their ids."""
    found = {formula.id: formula.label or formula.latex for formula in formulas}
    return found | {constant.id: constant.name or constant.symbol for constant in constants}
