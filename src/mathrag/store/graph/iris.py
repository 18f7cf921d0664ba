"""Names of things in the graph, made from their content alone: the same library gives the same names anywhere."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

from mathrag.store.graph.vocabulary import MATHRAG
from mathrag.types.library import Correction, Relation, Span

_BASE = "urn:mathrag:"
LIBRARY = _BASE + "library"


def iri(kind: str, *parts: str | int) -> str:
    """`urn:mathrag:KIND:PART:PART`, with every character that could end a part escaped."""
    shown = (str(part) if isinstance(part, int) else quote(part, safe="-._~", errors="replace") for part in parts)
    return f"{_BASE}{kind}:{':'.join(shown)}"


def digest(*parts: str) -> str:
    """Twenty hexadecimal digits that stand for some text."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]


def span_iri(span: Span) -> str:
    """A mention: the same words at the same place are the same mention, whoever refers to them."""
    place = span.place
    parts = (span.document, repr(place.line), repr(place.end_line), repr(place.page), repr(place.box), place.path)
    return iri("mention", digest(*parts, place.file, span.quote, *span.headings))


def relation_iri(relation: Relation) -> str:
    """A relation, by what it relates and how."""
    return iri("relation", digest(relation.kind, relation.source, relation.target))


def correction_iri(correction: Correction, position: int) -> str:
    """A correction, by its place in the order in which corrections were made, which decides when two disagree."""
    return iri("correction", position, digest(correction.formula, correction.field))


def relation_property(kind: str) -> str:
    """The property that states a relation directly: `derived_from` is `mathrag:derivedFrom`."""
    first, *rest = kind.split("_")
    return MATHRAG + first + "".join(part.capitalize() for part in rest)
