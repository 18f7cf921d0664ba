"""Entries of a library as cards for people: a formula with its symbols, a constant, a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from mathrag.errors import readable
from mathrag.types.library import PURPOSE_TEXTS, Constant, Formula, Relation, Span, SymbolMeaning

if TYPE_CHECKING:
    from mathrag.library import DocumentCounts, DocumentInfo

# How what a symbol means came to be known; nothing need be said where the document says it.
_ORIGINS = {
    "document": "",
    "assumed": "assumed",
    "proposed": "proposed by a model",
    "inferred": "worked out",
    "edited": "corrected",
    "unknown": "unknown",
}
# A common formula stands in dozens of places; `--json` lists them all.
_MOST_PLACES = 5


def print_formula(formula: Formula, relations: Sequence[Relation], names: Mapping[str, str]) -> None:
    """A card: the formula, what its symbols mean, when it holds, where it stands, what it hangs together with."""
    click.echo(f"{formula.label or 'Formula without a name'}    [{formula.id}]")
    click.echo(f"  {formula.latex}" if not is_guess(formula) else f"  LaTeX guess: {formula.latex or '(none)'}")
    if formula.description and formula.description != formula.label:
        click.echo(f"  {formula.description}")
    if formula.status != "executable":
        click.echo(f"  {formula.status}: {formula.reason}")
    if not formula.is_general:
        click.echo(f"  {PURPOSE_TEXTS[formula.purpose]}; questions are not answered with it")
    _print_reading(formula)
    for span in formula.spans[:_MOST_PLACES]:
        click.echo(f"  found: {place_text(span, names)}")
    if len(formula.spans) > _MOST_PLACES:
        click.echo(f"  found: in {len(formula.spans) - _MOST_PLACES} more places")
    for relation in relations:
        if relation.source == formula.id:
            other = names.get(relation.target, relation.target)
            click.echo(f"  {relation.kind.replace('_', ' ')}: {other} ({relation.evidence})")
    for flag in formula.flags:
        click.echo(f"  note: {flag.message}")
    for correction in formula.corrections:
        said = f"  corrected: {correction.field} = {correction.value} by {correction.author} on {correction.time}"
        click.echo(f"{said}{': ' + correction.note if correction.note else ''}")


def _print_reading(formula: Formula) -> None:
    """How it was understood: its symbols, when it holds, what they may mean otherwise, examples worked with it."""
    for symbol in formula.symbols:
        click.echo(f"    {_symbol_line(symbol, is_target=symbol.name == formula.target)}")
    for condition in formula.conditions:
        click.echo(f"  holds: {condition.text}")
    for alternative in formula.alternatives:
        listed = ", ".join(f"{one.name} = {one.description or '?'} [{one.unit or '1'}]" for one in alternative.symbols)
        click.echo(f"  or ({alternative.prior:.0%}): {listed}")
    for instance in formula.instances:
        click.echo(
            f"  example: {instance.text} ({instance.verdict}{': ' + instance.reason if instance.reason else ''})"
        )


def is_guess(formula: Formula) -> bool:
    """Whether the LaTeX of a formula is a guess at what the page shows."""
    return formula.reason_code == "uncertain_reading"


def _symbol_line(symbol: SymbolMeaning, *, is_target: bool) -> str:
    unit = "?" if symbol.unit is None else symbol.unit or "1"
    origin = _ORIGINS[symbol.origin]
    notes = [
        note
        for note in ("result" if is_target else "", "constant" if symbol.role == "constant" else "", origin)
        if note
    ]
    return f"{symbol.name:<10} {symbol.description or '?'} [{unit}]{'  (' + ', '.join(notes) + ')' if notes else ''}"


def print_constant(constant: Constant, names: Mapping[str, str]) -> None:
    """A card of a constant."""
    click.echo(f"{constant.name or constant.symbol}    [{constant.id}]")
    spread = f" ± {constant.uncertainty}" if constant.uncertainty is not None else ""
    click.echo(f"  {constant.symbol or constant.name} = {constant.value}{spread} {constant.unit}".rstrip())
    for span in constant.spans[:_MOST_PLACES]:
        click.echo(f"  found: {place_text(span, names)}")


def print_document(info: DocumentInfo, counts: DocumentCounts | None, formulas: Sequence[Formula]) -> None:
    """A card of a document and the list of its formulas."""
    click.echo(f"{info.title or info.name}    [{info.id}]")
    click.echo(f"  file: {readable(info.key)}")
    if info.authors:
        click.echo(f"  authors: {', '.join(info.authors)}")
    if info.year is not None:
        click.echo(f"  year: {info.year}")
    click.echo(f"  read: {info.media_type}, {info.bytes} bytes, on {info.ingested_at}")
    if info.modified:
        click.echo(f"  file of: {info.modified}{', uploaded' if info.origin == 'upload' else ''}")
    if info.trust:
        click.echo(f"  trust: {info.trust}")
    if counts is not None:
        click.echo(
            f"  holds: {counts.formulas} formulas ({counts.executable} executable, {counts.declined} declined, "
            f"{counts.quarantined} quarantined), {counts.constants} constants, {counts.sections} sections, "
            f"{counts.tables} tables, {counts.images} images"
            f"{', ' + str(counts.pages) + ' pages' if counts.pages else ''}"
            f"{_rarer_counts(counts)}"
        )
    for note in info.notes[:10]:
        click.echo(f"  note: {note.message}{' (' + str(note.place) + ')' if str(note.place) else ''}")
    for formula in formulas:
        status = "a guess" if is_guess(formula) else formula.status
        mark = "" if formula.status == "executable" else f"  ({status})"
        click.echo(f"  {formula.id}  {formula.label or '-'}:  {_short(formula.latex)}{mark}")


def _rarer_counts(counts: DocumentCounts) -> str:
    """What only collections of solutions and dictionaries hold."""
    concepts = f", {counts.concepts} concepts" if counts.concepts else ""
    signatures = f", {counts.signatures} signatures of concepts" if counts.signatures else ""
    problems = f", {counts.problems} problems with {counts.solutions} solutions" if counts.problems else ""
    return f"{concepts}{signatures}{problems}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:89]}…"


def place_text(span: Span, names: Mapping[str, str]) -> str:
    """A place for people: document, page or line, headings."""
    place = str(span.place)
    headings = f" ({' > '.join(span.headings)})" if span.headings else ""
    return f"{names.get(span.document, span.document)}{', ' + place if place else ''}{headings}"


def formula_json(formula: Formula, relations: Sequence[Relation], names: Mapping[str, str]) -> dict[str, Any]:
    """A formula as data."""
    return {
        "id": formula.id,
        "label": formula.label,
        "labels": list(formula.labels),
        "latex": formula.latex,
        "status": formula.status,
        "reason_code": formula.reason_code,
        "reason": formula.reason,
        "is_guess": is_guess(formula),
        "description": formula.description,
        "intent": formula.intent,
        "keywords": list(formula.keywords),
        "target": formula.target,
        "purpose": formula.purpose,
        "symbols": [
            {
                "name": symbol.name,
                "letter": symbol.letter,
                "description": symbol.description,
                "unit": symbol.unit,
                "kind": symbol.kind,
                "role": symbol.role,
                "constant": symbol.constant,
                "state": symbol.state,
                "origin": symbol.origin,
            }
            for symbol in formula.symbols
        ],
        "alternatives": [
            {"prior": one.prior, "symbols": {symbol.name: symbol.unit for symbol in one.symbols}}
            for one in formula.alternatives
        ],
        "conditions": [condition.text for condition in formula.conditions],
        "instances": [
            {"text": one.text, "values": dict(one.values), "verdict": one.verdict, "reason": one.reason}
            for one in formula.instances
        ],
        "places": [span_json(span, names) for span in formula.spans],
        "relations": [
            {
                "kind": one.kind,
                "source": one.source,
                "target": one.target,
                "confidence": one.confidence,
                "evidence": one.evidence,
            }
            for one in relations
        ],
        "flags": [{"code": flag.code, "message": flag.message} for flag in formula.flags],
        "corrections": [
            {"field": one.field, "value": one.value, "author": one.author, "time": one.time, "note": one.note}
            for one in formula.corrections
        ],
    }


def constant_json(constant: Constant, names: Mapping[str, str]) -> dict[str, Any]:
    """A constant as data."""
    return {
        "id": constant.id,
        "symbol": constant.symbol,
        "name": constant.name,
        "value": str(constant.value),
        "unit": constant.unit,
        "uncertainty": None if constant.uncertainty is None else str(constant.uncertainty),
        "standard": constant.standard,
        "places": [span_json(span, names) for span in constant.spans],
    }


def span_json(span: Span, names: Mapping[str, str]) -> dict[str, Any]:
    """A place as data."""
    place = span.place
    return {
        "document": names.get(span.document, span.document),
        "document_id": span.document,
        "page": place.page,
        "line": place.line,
        "box": list(place.box) if place.box is not None else None,
        "path": place.path,
        "file": place.file,
        "quote": span.quote,
        "headings": list(span.headings),
    }
