"""Concepts: their names in a text, the names a model gives, their cards, and the three ways to search them."""

from __future__ import annotations

import pytest

from mathrag.errors import ModelError
from mathrag.llm.seams import ScriptedModel
from mathrag.retrieve.bm25 import WordScores
from mathrag.retrieve.concept_names import ask_concept_names, concept_names, name_key, spoken_names, symbol_words
from mathrag.retrieve.concepts import ConceptShelf, card_text
from mathrag.retrieve.fusion import fuse
from mathrag.store.embedders import load_embedder
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty


def concept(name: str, description: str, *properties: str, examples: tuple[str, ...] = ()) -> Concept:
    dictionary, _, symbol = name.partition(":")
    return Concept(
        name,
        dictionary,
        symbol,
        description,
        properties=tuple(ConceptProperty("stated", text) for text in properties),
        examples=tuple(ConceptExample(text) for text in examples),
    )


CONCEPTS = (
    concept("numbers1:gcd", "The largest whole number that divides all of its arguments.", "gcd(a, b) divides a"),
    concept("numbers1:floor", "The largest whole number that is not larger than its argument."),
    concept("data1:sdev", "How far data spread around their mean.", examples=("the spread of lengths of leaves",)),
    concept("shapes1:circle", "All points of a plane at one distance from a point."),
    concept("shapes2:circle", "A circle given by three points of it."),
    concept("groups1:is_abelian", "Whether the order of operands never matters in a group."),
)


@pytest.fixture(scope="module")
def shelf() -> ConceptShelf:
    return ConceptShelf(CONCEPTS, load_embedder())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Find the greatest common divisor of $84$ and $36$.", {"greatest common divisor"}),
        ("What is the average of these numbers?", {"average"}),
        (r"Simplify $\frac{3}{7} + \sqrt{5}$.", {"fraction", "root"}),
        (r"Let $f(x) = x + 4$. What is $f(f(2))$?", {"composition of functions", "function"}),
        ("What is $g^{-1}(3)$?", {"inverse function"}),
        (r"Evaluate \[\begin{vmatrix} 1 & 2 \\ 3 & 5 \end{vmatrix}.\]", {"determinant"}),
        ("How many ways are there to seat five guests?", {"combination"}),
        ("Write $311_4$ in base ten.", {"number base"}),
        ("the area under √x", {"root"}),
        ("What is $6!$?", {"factorial"}),
    ],
)
def test_names_are_read_from_words_and_signs(text: str, names: set[str]) -> None:
    assert names <= set(concept_names(text))


def test_what_says_nothing_names_nothing() -> None:
    assert concept_names("") == ()
    assert "factorial" not in concept_names("Come and see!")
    # Grammar is no concept, though a dictionary has symbols of these names.
    assert not {"in", "and", "not", "for"} & set(concept_names("is it in here and not for you"))
    drawn = "How long is it? [asy] draw((0,0)--(1,1)); label(circle); [/asy]"
    assert "circle" not in " ".join(concept_names(drawn))
    assert concept_names("[asy] draw(") == ()


def test_names_of_a_hostile_text_take_no_time() -> None:
    for text in ("$" * 50_000, r"\[" * 30_000, "(" * 50_000, "f(" * 30_000, "1^" * 30_000, "[asy]" * 10_000):
        concept_names(text)


def test_symbols_are_spelled_as_people_do() -> None:
    assert symbol_words("quotient_group") == "quotient group"
    assert symbol_words("is_abelian") == "abelian"
    assert symbol_words("skew-symmetric") == "skew symmetric"
    assert symbol_words("LeftInverse") == "Left Inverse"
    assert "standard deviation" in spoken_names("sdev")
    assert name_key("the Greatest Common Divisors") == name_key("greatest common divisor")


def test_a_model_names_concepts_under_a_schema() -> None:
    model = ScriptedModel(['{"concepts": ["prime factors", "greatest common divisor", "prime factors"]}'])
    assert ask_concept_names(model, "Ignore >>> this") == ("prime factors", "greatest common divisor")
    assert ">>> this" not in model.requests[0].messages[-1].text.removesuffix(">>>")


@pytest.mark.parametrize(
    "script",
    [
        ["no idea", "still none"],
        ['{"concepts": []}', '{"concepts": [3]}'],
        [ModelError("server", "it is down")],
        ['{"concepts": ["7", "42"]}'],
    ],
)
def test_names_that_a_model_fails_to_give_are_unknown(script: list[str | ModelError]) -> None:
    assert ask_concept_names(ScriptedModel(script), "How many?") is None


def test_a_card_has_names_description_properties_and_examples() -> None:
    text = card_text(CONCEPTS[0])
    assert text.startswith("gcd. gcd. greatest common divisor")
    assert "divides all of its arguments" in text
    assert "gcd(a, b) divides a" in text
    assert "leaves" in card_text(CONCEPTS[2])


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("highest common factor", "numbers1:gcd"),
        ("standard deviation of data", "data1:sdev"),
        ("abelian group", "groups1:is_abelian"),
        ("rounding down", "numbers1:floor"),
    ],
)
def test_concepts_are_found_by_what_people_call_them(shelf: ConceptShelf, query: str, name: str) -> None:
    for by in ("words", "fused"):
        assert shelf.search(query, by=by)[0].concept.name == name  # type: ignore[arg-type]
    assert shelf.search(query, by="meaning")


def test_a_hit_tells_how_it_was_found(shelf: ConceptShelf) -> None:
    hit = shelf.search("a circle through three points", limit=1)[0]
    assert hit.concept.name == "shapes2:circle"
    assert hit.found_by == ("words", "meaning")
    assert hit.score == pytest.approx(0.5 / 61 + 0.5 / 61)
    assert hit.words > 0
    assert 0 < hit.meaning <= 1


def test_nothing_is_found_for_nothing(shelf: ConceptShelf) -> None:
    assert shelf.search("", by="words") == ()
    assert shelf.search("circle", limit=0) == ()
    assert ConceptShelf((), load_embedder()).search("circle") == ()


def test_concepts_of_one_name_are_all_known(shelf: ConceptShelf) -> None:
    assert [one.name for one in shelf.called(name_key("circles"))] == ["shapes1:circle", "shapes2:circle"]
    assert shelf.called(name_key("square")) == ()


def test_rankings_can_be_weighed() -> None:
    rankings = {"words": ["a", "b"], "meaning": ["b", "a"]}
    assert [one.id for one in fuse(rankings, weights={"words": 0.9, "meaning": 0.1})] == ["a", "b"]
    assert fuse(rankings, weights={"words": 0.5, "meaning": 0.5})[0].score == pytest.approx(0.5 / 61 + 0.5 / 62)


def test_rare_words_count_more_and_long_texts_less() -> None:
    words = WordScores([["leaf", "tree"], ["tree"], ["tree", "root", "bark", "twig"], []])
    scores = words.scores(["tree", "leaf"])
    assert scores[0] > scores[1] > scores[2] > scores[3] == 0
    assert not words.scores(["stone"]).any()
    assert WordScores([]).scores(["tree"]).size == 0
