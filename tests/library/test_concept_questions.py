"""Questions about concepts: what dictionaries say, word for word, or that they say nothing; formulas come first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.cli.main import main
from mathrag.errors import UsageError
from mathrag.library import Library
from mathrag.library.ask.outcomes import outcome_object, render
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.reason.concept_material import concept_card
from mathrag.reason.direct.definitions import ConceptQuestion, concept_question
from mathrag.retrieve.concept_names import head_of, is_called
from mathrag.sources.dictionaries.concepts import is_about_software
from mathrag.types.answer import Answer, Refusal, Reply
from mathrag.types.concept import Concept, ConceptProperty, SampleCheck
from mathrag.types.solving import SolvingOptions

OBJECT = '<OMOBJ xmlns="http://www.openmath.org/OpenMath">{}</OMOBJ>'
SQUARE = '<OMA><OMS cd="arith1" name="power"/><OMV name="x"/><OMI>2</OMI></OMA>'
LETTER = '<OMV name="x"/>'
NICE = '<OMA><OMS cd="nowhere" name="is_nice"/><OMV name="x"/></OMA>'
TWICE = '<OMA><OMS cd="arith1" name="times"/><OMV name="x"/><OMV name="x"/></OMA>'


def equal(left: str, right: str) -> str:
    return OBJECT.format(f'<OMA><OMS cd="relation1" name="eq"/>{left}{right}</OMA>')


def dictionary(name: str, *definitions: str, status: str = "official") -> str:
    body = "".join(f"<CDDefinition>{each}</CDDefinition>" for each in definitions)
    return f"<CD><CDName>{name}</CDName><CDStatus>{status}</CDStatus>{body}</CD>"


def definition(symbol: str, description: str, more: str = "") -> str:
    return f"<Name>{symbol}</Name><Description>{description}</Description>{more}"


FILES = {
    "numbers1.ocd": dictionary(
        "numbers1",
        definition("gcd", "The largest whole number that divides all of its arguments without a rest."),
        definition(
            "power",
            "Multiplies a number by itself, as often as the exponent says.",
            f"<CMP>A square is a number times itself.</CMP><FMP>{equal(SQUARE, TWICE)}</FMP>"
            f"<FMP>{equal(SQUARE, LETTER)}</FMP><FMP>{OBJECT.format(NICE)}</FMP>"
            f"<Example>Three squared is nine. {equal('<OMI>9</OMI>', '<OMI>9</OMI>')}</Example>",
        ),
        definition("lcm", "The smallest number above zero that all of its arguments divide."),
        definition("e", "The base of natural growth."),
    ),
    "polynomials1.ocd": dictionary(
        "polynomials1",
        definition("gcd", "Of polynomials the one of highest degree that divides them all."),
        status="experimental",
    ),
    "sets1.ocd": dictionary(
        "sets1",
        definition("union", "All that is in one of the sets or in several."),
        definition("energy", "A set with a measure of its own."),
        definition("transpose", "A table of numbers mirrored at its diagonal."),
    ),
    "meta.ocd": dictionary("meta", definition("determinant", "No mathematics at all.")),
    "motion.md": "# Motion\n\nThe kinetic energy is $E_k = \\frac{1}{2} m v^2$, where $E_k$ is the kinetic energy in "
    "joules, $m$ the mass in kg and $v$ the speed in m/s.\n\n## Energy\n\nThe energy of a body at rest is $E = m c^2$, "
    "where $E$ is the energy in J, $m$ the mass in kg and $c$ the speed of light in m/s.\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("concepts")
    for name, text in FILES.items():
        (root / name).write_text(text, encoding="utf-8")
    with Library(root / "library") as library:
        library.ingest([root / name for name in FILES])
    return root


@pytest.fixture(scope="module")
def library(folder: Path) -> Iterator[Library]:
    with Library(folder / "library", create=False) as opened:
        yield opened


@pytest.fixture(scope="module")
def plain(folder: Path) -> Iterator[Library]:
    """A library without dictionaries."""
    with Library(folder / "plain") as opened:
        opened.ingest([folder / "motion.md"])
        yield opened


def replied(library: Library, question: str) -> Reply:
    outcome = library.ask(question)
    assert isinstance(outcome, Reply), outcome
    return outcome


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what is a gcd?", "numbers1:gcd"),
        ("What is the greatest common divisor?", "numbers1:gcd"),
        ("what's the highest common factor", "numbers1:gcd"),
        ("what is the gcd of two polynomials?", "polynomials1:gcd"),
        ("what is polynomials1:gcd?", "polynomials1:gcd"),
        ("define lcm", "numbers1:lcm"),
        ("what does lcm mean?", "numbers1:lcm"),
        ("definition of least common multiple", "numbers1:lcm"),
        ("please define the lcm in number theory", "numbers1:lcm"),
        ("tell me what a gcd is", "numbers1:gcd"),
        ("explain gcd", "numbers1:gcd"),
        ("how is the gcd defined?", "numbers1:gcd"),
        ("what is the union of two sets", "sets1:union"),
        ("define transpose in linear algebra", "sets1:transpose"),
        ("define energy", "sets1:energy"),
        ("define e", "numbers1:e"),
    ],
)
def test_a_concept_is_defined_by_its_dictionary(library: Library, question: str, name: str) -> None:
    reply = replied(library, question)
    assert reply.concept is not None
    assert reply.concept.name == name
    assert f"{name}: {reply.concept.description}" in reply.text
    assert len(reply.citations) == 1
    assert reply.citations[0].span.quote == reply.concept.description


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("lcm meaning", "numbers1:lcm"),
        ("gcd definition pls", "numbers1:gcd"),
        ("remind me what the transpose of a matrix is again", "sets1:transpose"),
        ("what do mathematicians call a lcm", "numbers1:lcm"),
        ("when do we say union", "sets1:union"),
        ("what does X ∪ Y mean?", "sets1:union"),
        (r"what is meant by $A \cup B$", "sets1:union"),
        ("define tranpose", "sets1:transpose"),
    ],
)
def test_free_wordings_find_the_concept_that_they_name(library: Library, question: str, name: str) -> None:
    reply = replied(library, question)
    assert reply.concept is not None
    assert reply.concept.name == name
    assert len(reply.citations) == 1


@pytest.mark.parametrize(
    "question",
    [
        "what's the difference between a gcd and an lcm?", "how do gcd and lcm differ", "gcd vs lcm",
        "compare gcd and lcm", "how does a gcd differ from an lcm?",
    ],
)  # fmt: skip
def test_two_concepts_are_set_side_by_side(library: Library, question: str) -> None:
    reply = replied(library, question)
    assert [one.name for one in reply.glossary] == ["greatest common divisor", "least common multiple"]


@pytest.mark.parametrize(
    "question",
    [
        "what is the difference between a gcd and a soup?",
        "what does the union of workers want",
        "what does X # Y mean?",
    ],
)
def test_what_is_not_wholly_about_concepts_is_not_defined(library: Library, question: str) -> None:
    outcome = library.ask(question)
    assert not (isinstance(outcome, Reply) and outcome.concept is not None)


def test_properties_tell_what_trying_them_gave(library: Library) -> None:
    reply = replied(library, "what are the properties of exponentiation?")
    assert reply.concept is not None
    assert len(reply.concept.properties) == 4
    text = render(reply, "text")
    assert "A square is a number times itself.  [stated in words, not checked]" in text
    assert "[holds at " in text
    assert "[fails at x = " in text
    assert "[not checked, because " in text
    assert "proves nothing" in text
    assert "Three squared is nine." in text
    for style in ("markdown", "latex", "html"):
        assert "Properties" in render(reply, style)  # type: ignore[arg-type]


def test_others_of_one_name_are_named(library: Library) -> None:
    reply = replied(library, "what is a gcd?")
    assert reply.also == ("polynomials1:gcd",)
    assert "Also called so: polynomials1:gcd" in " ".join(render(reply, "text").split())
    made = outcome_object(reply)
    assert made["concept"]["name"] == "numbers1:gcd"
    assert made["also"] == ["polynomials1:gcd"]
    json.dumps(made, allow_nan=False)


@pytest.mark.parametrize("question", ["what is a snorful function?", "define snorful function", "define bread"])
def test_what_no_dictionary_has_is_not_made_up(library: Library, question: str) -> None:
    reply = replied(library, question)
    assert reply.text.startswith("No concept of the library is called")
    assert reply.concept is None
    assert not reply.nearest
    assert "kinetic" not in render(reply, "text")


def test_what_only_dictionaries_about_dictionaries_have_is_no_concept(library: Library) -> None:
    assert replied(library, "what is a determinant?").concept is None


@pytest.mark.parametrize(
    "question",
    [
        "what is the kinetic energy of 2 kg at 3 m/s?",
        "what is the energy of 2 kg?",
        "what is energy?",
        "what is the kinetic energy",
        "what is pi?",
        "what is e?",
        "what is the gcd of 12 and 18?",
        "what is 2 to the power 5",
        "what is the speed of light?",
        "what is g?",
        "hello",
    ],
)
def test_what_formulas_and_arithmetic_answer_stays_theirs(library: Library, plain: Library, question: str) -> None:
    with_concepts, without = library.ask(question), plain.ask(question)
    assert type(with_concepts) is type(without)
    assert getattr(with_concepts, "concept", None) is None
    if isinstance(with_concepts, Answer) and isinstance(without, Answer):
        assert with_concepts.value == without.value


def test_without_dictionaries_it_is_said_how_to_get_them(plain: Library) -> None:
    reply = replied(plain, "what is a hyperbolic secant?")
    assert "mathrag ingest --openmath" in reply.text
    assert not reply.nearest
    # What is no concept by any name is left to the documents, as ever.
    outcome = plain.ask("what is a reference frame?")
    assert isinstance(outcome, Refusal)
    assert "ingest" not in outcome.reason


def test_the_command_shows_the_definition(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "what is a gcd?", "--library", str(folder / "library")]) == 0
    printed = capsys.readouterr().out
    assert printed.index("MathRAG glossary, number theory") < printed.index("numbers1:gcd: The largest whole number")
    assert "numbers1" in printed
    assert main(["ask", "define lcm", "--json", "--library", str(folder / "library")]) == 0
    assert json.loads(capsys.readouterr().out)["concept"]["symbol"] == "lcm"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is a ring?", ConceptQuestion("ring", is_indefinite=True)),
        ("What is the rank of a matrix", ConceptQuestion("rank", generic="of a matrix")),
        ("what does 'sum' mean", ConceptQuestion("sum", is_plain=True)),
        ("examples of a group", ConceptQuestion("group", "examples", is_plain=True, is_indefinite=True)),
        ("what is my energy", None),
        ("what is 5 mod 3", None),
        ("what is x^2", None),
        ("is 7 a prime number", None),
        ("what is " + "very " * 200 + "long", None),
        ("", None),
    ],
)
def test_the_form_of_the_question_decides(text: str, expected: ConceptQuestion | None) -> None:
    assert concept_question(text) == expected


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what does P ∪ Q (union) mean?", "sets1:union"),
        ("what is the transpose of the square matrix", "sets1:transpose"),
        ("explain the union on sets", "sets1:union"),
        ("definition of the transpose of the table?", "sets1:transpose"),
        ("union (of two sets) meaning", "sets1:union"),
    ],
)
def test_tails_and_notations_beside_a_name_are_left_out(library: Library, question: str, name: str) -> None:
    found = library.ask(question, planner="rules")
    assert isinstance(found, Reply)
    assert found.concept is not None
    assert found.concept.name == name


@pytest.mark.parametrize(
    "question",
    [
        "what is the difference between a flurb and a quiggle?",
        "difference between a flurb and a quiggle",
        "flurb vs quiggle",
    ],
)
def test_of_two_names_those_that_are_not_known_are_named(library: Library, question: str) -> None:
    found = library.ask(question, planner="rules")
    assert isinstance(found, Reply)
    assert "“flurb”" in found.text
    assert "“quiggle”" in found.text


def test_a_name_that_cannot_be_told_from_its_description_is_said_to_be_open(library: Library) -> None:
    found = library.ask("what do we call a hat that wears a smaller hat", planner="rules")
    assert isinstance(found, Reply)
    assert "describes no concept" in found.text


def test_names_are_compared_by_whole_words_and_neighbours_by_their_noun() -> None:
    bound = Concept("bounds1:limit", "bounds1", "limit", "")
    assert is_called(bound, "limits")
    assert not is_called(bound, "limitation")
    assert head_of("wobble set of a ring") == head_of("sets") != head_of("wobble")


def test_dictionaries_of_programs_answer_nothing() -> None:
    assert is_about_software("moreerrors")
    assert not is_about_software("limit1")


# ---- who says what is relevant, and what a model is shown


def test_the_reranker_that_is_set_says_what_comes_near(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library opened anew has the reranker that is set then; one that says nothing leaves nothing near."""
    question = "define smallest common multiple"
    assert replied(library, question).also == ("numbers1:lcm",)
    monkeypatch.setenv("MATHRAG_RERANKER", "none")
    with Library(library.folder, create=False) as opened:
        assert replied(opened, question).also == ()
    monkeypatch.setenv("MATHRAG_RERANKER", "nobody")
    with Library(library.folder, create=False) as opened, pytest.raises(UsageError, match="no reranker 'nobody'"):
        opened.ask(question)


def test_a_model_that_plans_is_shown_the_concepts_of_the_question(library: Library, plain: Library) -> None:
    question = "The greatest common divisor of the masses of two carts is 4 kg. What is the kinetic energy at 3 m/s?"
    shown = {}
    for opened in (library, plain):
        model = ScriptedModel(['Thought: no.\nAction: RESPOND\nAction Input: {"no": true}'] * 9)
        opened.ask(question, planner="react", models=Models({"reason": model, "judge": model}))
        shown[opened.folder.name] = model.requests[0].messages[1].text
    assert "CONCEPTS" in shown["library"]
    assert "The largest whole number that divides all of its arguments" in shown["library"]
    assert "CONCEPTS" not in shown["plain"]


def test_a_model_that_solves_in_steps_is_shown_them_too(library: Library) -> None:
    model = ScriptedModel(["Step 1: 12 / 4 = 3\nANSWER: 3"] * 9)
    options = SolvingOptions(material="raw")
    library.solve_steps(
        "Find the greatest common divisor of 12 and 9.",
        options=options,
        models=Models({"reason": model, "judge": model}),
    )
    assert "gcd (numbers1:gcd): The largest whole number" in model.requests[0].messages[1].text


def test_what_is_known_to_be_false_is_no_material() -> None:
    failing = ConceptProperty("formal", latex="x^2 = x", check=SampleCheck("fails", 1))
    stated = ConceptProperty("stated", "it is never negative")
    card = concept_card(Concept("n:square", "n", "square", "A number times itself.", properties=(failing, stated)))
    assert card == "square (n:square): A number times itself. Properties: it is never negative."
