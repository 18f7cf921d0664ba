"""Descriptions instead of names, several names, how many arguments: what the wordings give before any library."""

from __future__ import annotations

import pytest

from mathrag.compute.openmath.mentions import argument_counts, mentioned_concepts
from mathrag.reason.direct.concept_wordings import arity_topic, compared, described, enumerated
from mathrag.retrieve.concept_descriptions import described_symbol
from mathrag.retrieve.concept_names import name_key
from mathrag.types.concept import Concept, ConceptProperty


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("What do you call the smallest integer not less than a number?", "ceiling"),
        ("What is a set that contains nothing called?", "emptyset"),
        ("Which function undoes the tangent?", "arctan"),
        ("what is the name for the middle value of a sorted list?", "median"),
        ("What do you call the energy of a moving body?", None),
        ("What do you call a friend of a friend?", None),
    ],
)
def test_a_description_means_a_symbol_or_none(question: str, symbol: str | None) -> None:
    description = described(question)
    assert description is not None
    assert described_symbol(description) == symbol


def test_names_are_listed_and_arguments_asked_for() -> None:
    assert enumerated("define union, intersection and set difference") == ("union", "intersection", "set difference")
    assert enumerated("define union") == ()
    assert arity_topic("How many arguments does floor take?") == "floor"
    assert arity_topic("how many apples does Tom have") is None


def test_a_comparison_needs_one_name_that_is_known() -> None:
    names = {name_key("union")}
    assert compared("difference between a union and a coproduct", names) == ("union", "coproduct")
    assert compared("difference between a wug and a coproduct", names) is None


def test_formulas_tell_what_they_mention_and_with_how_many_arguments() -> None:
    source = (
        '<OMOBJ xmlns="http://www.openmath.org/OpenMath"><OMA><OMS cd="relation1" name="eq"/>'
        '<OMA><OMS cd="toy1" name="twice"/><OMV name="x"/></OMA>'
        '<OMA><OMS cd="arith1" name="plus"/><OMV name="x"/><OMV name="x"/></OMA></OMA></OMOBJ>'
    )
    concept = Concept("toy1:twice", "toy1", "twice", "", properties=(ConceptProperty("formal", source=source),))
    assert mentioned_concepts(concept) == ("arith1:plus",)
    assert argument_counts(concept) == (1,)
