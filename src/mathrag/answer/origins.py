"""Where a number came from, in words: the question, a constant with its vintage, a place, an earlier step."""

from __future__ import annotations

from typing import assert_never

from mathrag.types.answer import Citation, Provenance
from mathrag.types.library import Span


def origin_text(provenance: Provenance, citations: tuple[Citation, ...] = ()) -> str:
    """A short phrase for a person: `question: "2 kg"`, `constant: molar gas constant (CODATA 2022)`."""
    said = provenance.text.strip()
    match provenance.origin:
        case "question":
            # A value that was kept from an earlier question of a conversation says so.
            return _quoted(provenance.source or "question", said)
        case "implied":
            return _quoted("implied by the question", said)
        case "pinned":
            return _quoted("set by you", said)
        case "constant":
            return _with_source(_named("constant", said), provenance, citations)
        case "document":
            return _with_source(_named("document", said), provenance, citations)
        case "derived":
            step = f"derived in step {provenance.step}" if provenance.step is not None else "derived"
            # Whoever planned the step may have said just that.
            return step if said == step else _named(step, said)
        case "assumed":
            return _with_source(_named("assumed", said), provenance, citations)
    assert_never(provenance.origin)


def _quoted(kind: str, said: str) -> str:
    return f'{kind}: "{said}"' if said else kind


def _named(kind: str, said: str) -> str:
    return f"{kind}: {said}" if said else kind


def _with_source(text: str, provenance: Provenance, citations: tuple[Citation, ...]) -> str:
    places = [provenance.source] if provenance.source else []
    if provenance.span is not None:
        places.append(span_text(provenance.span, citations))
    return f"{text} ({'; '.join(places)})" if places else text


def document_name(document: str, citations: tuple[Citation, ...]) -> str:
    """The name of a document as the citations give it; its id where none does."""
    return next((each.name for each in citations if each.document == document and each.name), document)


def span_place(span: Span) -> str:
    """The place within its document: page or line, else the last heading above it."""
    place = str(span.place)
    return place or (span.headings[-1] if span.headings else "")


def span_text(span: Span, citations: tuple[Citation, ...] = ()) -> str:
    """Document and place: `mechanics.md, line 12`."""
    place = span_place(span)
    return f"{document_name(span.document, citations)}{', ' + place if place else ''}"
