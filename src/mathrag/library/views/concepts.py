"""Concepts of dictionaries as data and in words: what they are, what is stated of them, and what trying that gave.

What was tried at points is never called proved; what could not be tried says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mathrag.answer.cards.concepts import entry_data, sample_words
from mathrag.compute.openmath.mentions import mentioned_concepts
from mathrag.knowledge.errata import remarked
from mathrag.library.views.entries import span_object
from mathrag.library.views.mathml import mathml_of_latex
from mathrag.retrieve.glossary import glossary_called
from mathrag.store.index.words import search_words
from mathrag.store.truth.concepts import StoredConcept, concepts_by_ids, concepts_named, formulas_of_concept
from mathrag.types.concept import ConceptProperty
from mathrag.types.document import Place
from mathrag.types.library import Span

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary

NOT_PROVED = "checked numerically, not proved"
# So many are looked at when words are given; further ones share hardly a word with them.
_MOST_FOUND = 500
_MOST_FORMULAS = 50


def concept_address(name: str) -> str:
    """The page of a concept."""
    return f"/concepts/{quote(name, safe=':')}"


def glossary_summaries(name: str) -> tuple[dict[str, Any], ...]:
    """What the glossary of the package has under a name, as plain values."""
    return tuple(map(entry_data, glossary_called(name)))


def concept_summary(stored: StoredConcept) -> dict[str, Any]:
    """A concept in a list."""
    concept = remarked(stored.concept)
    return {
        "id": stored.id,
        "name": concept.name,
        "dictionary": concept.dictionary,
        "symbol": concept.symbol,
        "description": concept.description,
        "signature": concept.signature,
        "status": stored.status,
        "is_mathematical": stored.is_mathematical,
        "href": concept_address(concept.name),
    }


def concept_object(stored: StoredConcept, names: Mapping[str, str]) -> dict[str, Any]:
    """A whole concept. `names` are those of documents, by id."""
    concept = remarked(stored.concept)
    return {
        **concept_summary(stored),
        "role": concept.role,
        "see_also": list(mentioned_concepts(concept)),
        "properties": [property_object(one) for one in concept.properties],
        "examples": [
            {"text": one.text, "formulas": [{"latex": each, "mathml": mathml_of_latex(each)} for each in one.latex]}
            for one in concept.examples
        ],
        "place": span_object(Span(stored.document, concept.place or Place(), ""), names),
    }


def property_object(one: ConceptProperty) -> dict[str, Any]:
    """A property with what came of trying it; words have a check only where they are known to be false."""
    check = one.check
    return {
        "kind": one.kind,
        "text": one.text,
        "latex": one.latex,
        "mathml": mathml_of_latex(one.latex),
        "source": one.source,
        "line": None if one.place is None else one.place.line,
        "check": None
        if one.kind == "stated" and check is None
        else {
            "outcome": "undecided" if check is None else check.outcome,
            "points": 0 if check is None else check.points,
            "numbers": "" if check is None else check.numbers,
            "counterexample": {} if check is None else dict(check.counterexample),
            "reason": "" if check is None else check.reason,
            "text": sample_words(check),
        },
    }


def browse_concepts(
    library: OpenLibrary, *, words: str = "", dictionary: str | None = None, limit: int = 50, offset: int = 0
) -> tuple[tuple[StoredConcept, ...], int]:
    """A page of concepts, by name or best first, and how many there are. Those about OpenMath itself come last."""
    if words.strip():
        hits = search_words(library.database, words, table="concepts", limit=_MOST_FOUND)
        ids = [hit.id for hit in hits]
        with library.database.reading() as connection:
            named = [one.id for one in concepts_named(connection, words.strip())]
        ids = list(dict.fromkeys((*named, *ids)))
    else:
        within = "WHERE dictionary = ?" if dictionary else ""
        question = f"SELECT id FROM concepts {within} ORDER BY is_mathematical DESC, name, id"  # noqa: S608 - our words
        with library.database.reading() as connection:
            ids = [row[0] for row in connection.execute(question, (dictionary,) if dictionary else ())]
    return _in_order(library, ids[offset : offset + limit]), len(ids)


def seen_with(library: OpenLibrary, stored: StoredConcept) -> list[dict[str, Any]]:
    """Other concepts of the library that the formulas of a concept mention."""
    with library.database.reading() as connection:
        known = [concepts_named(connection, name) for name in mentioned_concepts(stored.concept)]
    return [concept_summary(found[0]) for found in known if found]


def formulas_using(library: OpenLibrary, name: str) -> tuple[list[dict[str, Any]], int]:
    """Some formulas that use a concept, and how many do."""
    with library.database.reading() as connection:
        ids, count = formulas_of_concept(connection, name, limit=_MOST_FORMULAS)
        rows = [
            connection.execute("SELECT id, label, latex FROM formulas WHERE id = ?", (each,)).fetchone() for each in ids
        ]
    return [{"id": row[0], "label": row[1], "latex": row[2]} for row in rows if row is not None], count


def concept_lines(stored: StoredConcept, names: Mapping[str, str]) -> list[str]:
    """A concept as a card of lines, for a terminal."""
    concept = remarked(stored.concept)
    lines = [f"{concept.name}    [{stored.id}]"]
    lines += [f"  {line}" for line in concept.description.splitlines() if line]
    if concept.signature:
        lines.append(f"  signature: {concept.signature}")
    if concept.role:
        lines.append(f"  role: {concept.role}")
    for one in concept.properties:
        if one.kind == "stated":
            lines.append(f"  stated: {one.text}")
            lines += [f"    {sample_words(one.check)}"] if one.check is not None else []
        else:
            lines.append(f"  formula: {one.latex or one.source}")
            lines.append(f"    {sample_words(one.check)}")
    for example in concept.examples:
        said = " ".join((*example.text.split(), *(f"${each}$" for each in example.latex)))
        lines.append(f"  example: {said}")
    if any(one.check is not None and one.check.outcome != "undecided" for one in concept.properties):
        lines.append(f"  ({NOT_PROVED})")
    if seen := mentioned_concepts(concept):
        lines.append(f"  see also: {', '.join(seen)}")
    place = str(concept.place or "")
    lines.append(f"  found: {names.get(stored.document, stored.document)}{f', {place}' if place else ''}")
    return lines


def _in_order(library: OpenLibrary, ids: Sequence[str]) -> tuple[StoredConcept, ...]:
    with library.database.reading() as connection:
        found = {one.id: one for one in concepts_by_ids(connection, ids)}
    return tuple(found[each] for each in ids if each in found)
