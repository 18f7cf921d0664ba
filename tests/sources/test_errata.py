"""What dictionaries that come along state and is false: every remark finds its place, and is shown there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from mathrag.answer.cards.concepts import concept_data
from mathrag.compute.openmath import latex_of, read_object
from mathrag.documents.openmath import parse_dictionary
from mathrag.documents.openmath.dictionary import Definition
from mathrag.documents.registry import source_at
from mathrag.knowledge import errata
from mathrag.knowledge.errata import Erratum, all_errata, remarked
from mathrag.library import Library
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty


@cache
def _definitions(dictionary: str) -> tuple[Definition, ...]:
    return parse_dictionary(source_at(Library.openmath_folder() / f"{dictionary}.ocd")).definitions


def _written(definition: Definition) -> Iterator[str]:
    """All that a definition says, as it would be shown."""
    yield definition.description
    yield from (one.text for one in definition.examples)
    for one in definition.statements:
        yield one.source if one.kind == "stated" else latex_of(read_object(one.source))


@pytest.mark.parametrize("one", all_errata(), ids=lambda one: f"{one.concept} {one.says[:30]}")
def test_every_remark_is_of_something_that_a_dictionary_says(one: Erratum) -> None:
    dictionary, _, symbol = one.concept.partition(":")
    written = [text for each in _definitions(dictionary) if each.symbol == symbol for text in _written(each)]
    assert any(one.says in " ".join(text.split()) for text in written)


def test_what_is_false_is_told_where_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    false = (
        Erratum("toys1:half", "a half of 4 is 3", "A half of 4 is 2.", is_formal=True),
        Erratum("toys1:half", "4 h(x) = x", "Right is 2 h(x) = x."),
    )
    monkeypatch.setattr(errata, "_errata", lambda: {"toys1:half": false})
    concept = Concept(
        "toys1:half",
        "toys1",
        "half",
        "One of two equal parts; a half of 4 is 3. Halves are many.",
        properties=(
            ConceptProperty("stated", text="so a half\n of 4 is 3"),
            ConceptProperty("formal", latex="h(4) = 3"),
            ConceptProperty("stated", text="two halves are a whole"),
            ConceptProperty("formal", latex="4 h(x) = x"),
        ),
        examples=(ConceptExample("a half of 4 is 3"), ConceptExample("a half of 6 is 3")),
    )
    said = remarked(concept)
    assert said.description == (
        "One of two equal parts; a half of 4 is 3. [This is false as it stands: A half of 4 is 2.] Halves are many."
    )
    assert [one.text.endswith("is 2.]") for one in said.examples] == [True, False]
    shown = concept_data(concept)["properties"]
    assert [one["is_false"] for one in shown] == [True, True, False, True]
    assert shown[0]["checked"] == "false as it stands: A half of 4 is 2."
    assert shown[2]["checked"] == "stated in words, not checked"
    assert remarked(Concept("toys1:other", "toys1", "other", "a half of 4 is 3")).description == "a half of 4 is 3"
