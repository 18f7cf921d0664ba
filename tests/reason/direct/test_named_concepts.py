"""Names of concepts with more around them, signs that are described, names asked for by a description, examples."""

from __future__ import annotations

import pytest

from mathrag.knowledge.glossary import glossary_entries
from mathrag.knowledge.notations import notations
from mathrag.reason.direct.concept_examples import answer_example, with_examples, without_wish
from mathrag.reason.direct.described_signs import _shape, answer_described_sign
from mathrag.reason.direct.framed_names import asked_of_it, framed_name, said_of_value
from mathrag.reason.direct.named_concepts import named_concept
from mathrag.reason.direct.reverse_dictionary import answer_description
from mathrag.types.answer import Reply


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("chain in a partially ordered set", "chain"),
        ("kernel of a group homomorphism", "kernel of a homomorphism"),
        ("image of a linear map", "image of a function"),
        ("range (image) of a function", "image of a function"),
        ("quotient ring R/I when I is an ideal of R", "quotient ring"),
        ("coset $gH$ of a subgroup $H$", "coset"),
        ("uniformly continuous", "uniform continuity"),
        ("absolutely convergent series", "absolute convergence"),
        ("linearly dependent", "linear dependence"),
        ("degree of a vertex in a graph", "degree of a vertex"),
        ("injective function (in the maths sense)", "injective function"),
    ],
)
def test_a_name_is_found_with_what_it_is_said_of(phrase: str, name: str) -> None:
    named = named_concept(phrase)
    assert named is not None
    assert [one.name for one in named.entries] == [name]


@pytest.mark.parametrize("phrase", ["power of a motor", "moment of a force", "limit of my patience", "range of a gun"])
def test_other_things_are_no_concepts(phrase: str) -> None:
    assert named_concept(phrase) is None


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Given a normal subgroup N of a group G, what is the quotient group G/N?", "quotient group"),
        ("Could you kindly explain me what is a Hasse diagram?", "Hasse diagram"),
        ("pairwise disjoint, what does that mean precisely", "pairwise disjoint sets"),
        ("I know the word from cooking, but what does idempotent mean in maths?", "idempotence"),
    ],
)
def test_a_name_is_found_in_its_frame(question: str, name: str) -> None:
    named = framed_name(question)
    assert named is not None
    assert [one.name for one in named.entries] == [name]


def test_what_was_named_before_is_meant() -> None:
    named = asked_of_it("My course begins on Monday and the plan says “null space”. Could you tell me what it means?")
    assert named is not None
    assert named.entries[0].name == "null space"
    assert asked_of_it("The shop sells “blue paint”. What does it mean?") is None
    assert said_of_value("what does it mean that the median of a data set is 7") == "median"
    assert said_of_value("what does it mean that the price of a car is 7") == ""


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what is the inverted A in maths?", "for all"),
        ("backward E symbol", "there exists"),
        ("what does the wiggly equals sign mean", "approximately"),
        ("what is the sign with three horizontal lines called", "congruent"),
        ("what does the dot above the y mean", "x dot"),
        ("In C △ D, what does the triangle mean?", "symmetric difference"),
        ("what does the little circle in g ∘ h mean", "composed"),
        ("If C and D are sets what does the notation D^C mean?", "functions from A to B"),
        ("what does |H| mean if H is a group?", "the order of G"),
    ],
)
def test_a_sign_is_found_by_its_looks_and_place(question: str, read: str) -> None:
    reply = answer_described_sign(question)
    assert reply is not None
    assert read in reply.text.split("\n")[0]


@pytest.mark.parametrize(
    "question", ["what is a cap", "what is a hat", "the upside down world", "what is a triangle", "in town what is new"]
)
def test_other_descriptions_are_no_signs(question: str) -> None:
    assert answer_described_sign(question) is None


def test_no_two_signs_look_alike() -> None:
    shapes: dict[frozenset[str], str] = {}
    for one in notations():
        for look in one.looks:
            assert shapes.setdefault(_shape(look), one.read) == one.read, look


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what do you call a rectangle with four equal sides?", "square"),
        ("How is called a permutation that has no fixed point?", "derangement"),
        ("what's the word for a polygon with seven sides", "heptagon"),
        ("what is a matrix that equals its transpose called", "symmetric matrix"),
        ("name for two integers whose greatest common divisor is 1", "coprime integers"),
    ],
)
def test_a_description_finds_its_name(question: str, name: str) -> None:
    reply = answer_description(question)
    assert reply is not None
    assert reply.glossary[0].name == name
    assert reply.glossary[0].definition in reply.text


@pytest.mark.parametrize(
    "question",
    [
        "what do you call a dog with four equal legs",
        "what do you call a ring without zero divisors",
        "what do you call a quadrilateral",
        "what is the name of the river",
    ],
)
def test_what_fits_no_definition_has_no_name(question: str) -> None:
    assert answer_description(question) is None


def test_examples_are_asked_for_and_given() -> None:
    rest, wish = without_wish("cyclic group meaning, with an example and a non-example")
    assert rest == "cyclic group meaning"
    assert wish is not None
    assert (wish.example, wish.counterexample) == (True, True)
    entry = next(one for one in glossary_entries() if one.name == "cyclic group")
    told = with_examples(Reply(rest, "It is.", glossary=(entry,)), wish)
    assert entry.example in told.text
    assert entry.counterexample in told.text
    assert without_wish("what is a sample")[1] is None
    found = answer_example("could you give me an example of a nilpotent matrix")
    assert found is not None
    assert "[[0, 1], [0, 0]]" in found.text
    assert answer_example("give me an example of a good breakfast") is None
