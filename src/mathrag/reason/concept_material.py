"""What dictionaries of a library say of the concepts that a text is about, for a model: definition, properties, an
example. Only what a reranker calls relevant; nothing that is known to be false."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.knowledge.errata import remarked
from mathrag.retrieve.concepts import ConceptSearch
from mathrag.types.concept import Concept
from mathrag.types.solving import Material

MOST_CONCEPTS = 3
_MOST_PROPERTIES = 3
_LONGEST_PART = 200


def concept_material(search: ConceptSearch | None, text: str, *, most: int = MOST_CONCEPTS) -> tuple[Material, ...]:
    """A card for each concept that is relevant to a text, with its name and how relevant it is."""
    if search is None:
        return ()
    found = search.relevant(text, most=most)
    return tuple(
        Material(concept_card(one.found.concept), one.found.concept.name, min(1.0, one.score or 0.0)) for one in found
    )


def concept_card(concept: Concept) -> str:
    """One line of what a dictionary says, with remarks where it errs."""
    return " ".join(_parts(remarked(concept)))


def _parts(concept: Concept) -> Iterator[str]:
    yield f"{concept.symbol.replace('_', ' ')} ({concept.name}):"
    # A remark that something is false stands at the end of what it is about, so a description is never cut.
    yield " ".join(concept.description.split())
    true = [one for one in concept.properties if one.check is None or one.check.outcome != "fails"]
    stated = [_cut(one.text or one.latex) for one in true[:_MOST_PROPERTIES]]
    if stated:
        yield f"Properties: {'; '.join(stated)}."
    for example in concept.examples[:1]:
        yield f"Example: {_cut(' '.join((example.text, *example.latex)))}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_PART else f"{line[: _LONGEST_PART - 1]}…"
