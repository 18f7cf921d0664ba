"""Dictionaries and signatures as rows of the store: the views of one document, by table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mathrag.documents.media_type import DICTIONARY_TYPE, SIGNATURES_TYPE
from mathrag.documents.openmath import parse_dictionary, parse_signatures
from mathrag.documents.openmath.reader import signature_text
from mathrag.documents.seams import Source
from mathrag.sources.dictionaries.concepts import concepts_of, is_mathematical
from mathrag.store.truth.codec import Row, Value, place_columns, plain_json, storable
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty, SampleCheck
from mathrag.types.document import Place

_UNTRIED = SampleCheck("undecided")


def dictionary_rows(document: str, source: Source, media_type: str) -> Mapping[str, Sequence[Row]]:
    """The rows that a file gives, by table; none for a file of another type."""
    if media_type == DICTIONARY_TYPE:
        parsed = parse_dictionary(source)
        return concept_rows(document, concepts_of(parsed), status=parsed.status)
    if media_type == SIGNATURES_TYPE:
        found = parse_signatures(source)
        return {
            "concept_signatures": [
                {
                    **_row(document, "signature", position, f"{found.dictionary}:{one.symbol}", one.place),
                    "signature": storable(signature_text(one.source)),
                    "source": storable(one.source),
                }
                for position, one in enumerate(found.signatures)
            ]
        }
    return {}


def concept_rows(document: str, concepts: Sequence[Concept], *, status: str = "") -> dict[str, list[Row]]:
    """Concepts with their properties and examples, by table."""
    rows: dict[str, list[Row]] = {"concepts": [], "concept_properties": [], "concept_examples": []}
    for position, concept in enumerate(concepts):
        identifier = f"{document}/concept/{position}"
        rows["concepts"].append(
            {
                "id": identifier,
                "document": document,
                "position": position,
                "name": storable(concept.name),
                "dictionary": storable(concept.dictionary),
                "symbol": storable(concept.symbol),
                "description": storable(concept.description),
                "role": storable(concept.role),
                "status": storable(status),
                "is_mathematical": int(is_mathematical(concept.dictionary)),
                **place_columns(concept.place or Place()),
            }
        )
        for each in concept.properties:
            rows["concept_properties"].append(
                _property_row(document, len(rows["concept_properties"]), identifier, each)
            )
        for example in concept.examples:
            rows["concept_examples"].append(_example_row(document, len(rows["concept_examples"]), identifier, example))
    return rows


def _property_row(document: str, position: int, concept: str, one: ConceptProperty) -> Row:
    check = one.check or _UNTRIED
    return {
        **_row(document, "property", position, concept, one.place),
        "kind": one.kind,
        "text": storable(one.text),
        "latex": storable(one.latex),
        "source": storable(one.source),
        "outcome": None if one.check is None else check.outcome,
        "points": check.points,
        "numbers": storable(check.numbers),
        "counterexample": plain_json([list(pair) for pair in check.counterexample]),
        "reason": storable(check.reason),
    }


def _example_row(document: str, position: int, concept: str, example: ConceptExample) -> Row:
    return {
        **_row(document, "example", position, concept, example.place),
        "text": storable(example.text),
        "latex": plain_json(list(example.latex)),
    }


def _row(document: str, kind: str, position: int, concept: str, place: Place | None) -> dict[str, Value]:
    return {
        "id": f"{document}/{kind}/{position}",
        "document": document,
        "position": position,
        "concept": storable(concept),
        **place_columns(place or Place()),
    }
