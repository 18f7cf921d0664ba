"""Words around formulas: names, sentences, conditions of validity, roles of subscripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.conditions import remark_of
from mathrag.extract.labels import find_keywords, intent_of
from mathrag.extract.phrases import clean_title, content_words, is_useless, last_sentence, tidy
from mathrag.extract.pipeline import extract
from mathrag.extract.sentence_names import first_clause, name_before
from mathrag.extract.symbol_roles import role_of
from mathrag.language.quantity_names import kinds_mentioned
from mathrag.types.expression import Comparison, Condition, Equation, Number, Symbol, multiply
from mathrag.types.library import SymbolMeaning


@pytest.mark.parametrize(
    ("title", "cleaned"),
    [
        ("3.2 Ohm's law", "Ohm's law"),
        ("Chapter 4: Heat", "Heat"),
        ("★ Kinetic energy:", "Kinetic energy"),
        ("  Work   and power. ", "Work and power"),
        ("2D motion", "2D motion"),
        ("", ""),
        ("---", ""),
    ],
)
def test_titles_are_cleaned(title: str, cleaned: str) -> None:
    assert clean_title(title) == cleaned


@pytest.mark.parametrize(
    "title",
    [
        *("Formulas", "Key Equations", "Worked examples", "", "7", "x", "Solution", "Notes:"),
        *("text/plain", "numpy.dot", "my_file.md", "`std::sqrt()`"),
    ],
)
def test_titles_that_name_nothing(title: str) -> None:
    assert is_useless(title)


@pytest.mark.parametrize(
    "title",
    [
        "Ohm's law",
        "Kinetic energy",
        "Drag",
        "Work",
        "Power of a machine",
        "Lens equation",
        "Speed/velocity",
        "half-life",
    ],
)
def test_titles_that_name_something(title: str) -> None:
    assert not is_useless(title)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("The kinetic energy of a moving body is", "kinetic energy of a moving body"),
        ("Newton's second law states that", "Newton's second law"),
        ("The formula for the density is given by", "density"),
        ("We use 3 N and find", ""),
        ("Substituting this into the first equation gives", ""),
    ],
)
def test_the_name_in_a_sentence(sentence: str, name: str) -> None:
    assert name_before(sentence) == name


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("Yields the kinetic energy KE, measured in joules", "kinetic energy KE"),
        ("Density is mass divided by volume. See above.", "Density"),
    ],
)
def test_the_name_in_a_describing_cell(cell: str, name: str) -> None:
    assert first_clause(cell) == name


def test_the_last_sentence() -> None:
    assert last_sentence("The first. The second, at 3.5 m. The third is") == "The third is"
    assert last_sentence("") == ""


def test_kinds_are_found_longest_first_and_not_inside_each_other() -> None:
    named = [item.id for item, _ in kinds_mentioned("the kinetic energy of a body and its mass")]
    assert "kinetic_energy" in named
    assert "mass" in named
    assert "energy" not in named


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60))
def test_words_of_any_text(text: str) -> None:
    for function in (clean_title, tidy, first_clause, last_sentence, name_before):
        assert isinstance(function(text), str)
    assert tidy(tidy(text)) == tidy(text)
    is_useless(text)
    kinds_mentioned(text)
    assert all(word == word.casefold() for word in content_words(text))


GAP = pytest.mark.xfail(strict=True, reason="any and all restrict nothing, but are taken to")
CONDITIONS = [
    ("For laminar flow the loss is $$h = k v$$", "laminar flow"),
    ("At constant temperature, $P_1 V_1 = P_2 V_2$.", "constant temperature"),
    ("$$v = \\sqrt{2 g h}$$ neglecting air resistance.", "neglecting air resistance"),
    ("$$s = v t$$ This holds only when the speed is constant.", "holds only when the speed is constant"),
    ("For an ideal gas $$P V = n R T$$", "ideal gas"),
    ("$$T = 2\\pi\\sqrt{L/g}$$ valid for small angles.", "small angles"),
    ("For a reversible adiabatic process $$P V^k = C$$", "adiabatic process"),
    ("$$Q = m c T$$ (isobaric)", "isobaric"),
    ("At equilibrium $$K = Q x$$", "equilibrium"),
    ("The force of a spring; holds within the elastic limit. $$F = k x$$", "holds within the elastic limit"),
    ("The speed at the bottom; air resistance is neglected. $$v = \\sqrt{2 g h}$$", "air resistance is neglected"),
    ("The shift of the line, as long as the field is weak. $$s = k B$$", "as long as the field is weak"),
    (
        "The wavelength of a particle, at speeds well below that of light. $$L = h / p$$",
        "at speeds well below that of light",
    ),
    ("The output, when nothing draws current from the divider. $$V = k U$$", "when nothing draws current"),
    ("The pressure of a vapour, far from condensing. $$P V = n R T$$", "far from condensing"),
    ("For a body of a mass that is always the same. $$F = m a$$", "a body of a mass that is always the same"),
]


@pytest.mark.parametrize(("text", "words"), CONDITIONS)
def test_conditions_in_words(text: str, words: str) -> None:
    found = extract(read_markdown(Source(name="a.md", data=f"# Physics\n\n{text}\n".encode())), document_id="d")
    conditions = [condition.text.casefold() for one in found.findings for condition in one.conditions]
    assert any(words in condition for condition in conditions), conditions


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The force for any body is $$F = m a$$", marks=GAP),
        "For example, $$F = m a$$",
        pytest.param("The formula holds for all bodies: $$F = m a$$", marks=GAP),
        "Look at the figure. $$F = m a$$",
    ],
)
def test_words_that_restrict_nothing(text: str) -> None:
    found = extract(read_markdown(Source(name="a.md", data=f"# Physics\n\n{text}\n".encode())), document_id="d")
    assert [condition.text for one in found.findings for condition in one.conditions] == []


def test_beside_a_condition_the_formula_is_shown_as_it_was_written() -> None:
    text = r"$$V_t = \mathcal{E} - I r \qquad \text{for } I \le 0.1 \sqrt{P}$$"
    found = extract(read_markdown(Source(name="a.md", data=f"# Cells\n\n{text}\n".encode())), document_id="d")
    (finding,) = found.findings
    assert finding.latex == r"V_t = \mathcal{E} - I r"
    assert [condition.text for condition in finding.conditions] == ["for I <= 0.1 sqrt(P)"]


def test_a_remark_names_a_condition_does_not() -> None:
    assert remark_of((Condition(text="(Ohm's law)"),)) == "Ohm's law"
    assert remark_of((Condition(text="(for small x)"),)) == ""
    assert remark_of((Condition((Comparison("<", Symbol("x"), Number(1)),), "x < 1"),)) == ""
    assert remark_of(()) == ""


@pytest.mark.parametrize(
    ("name", "others", "role"),
    [
        ("T_1", ("T_2",), "state_1"),
        ("T_2", ("T_1",), "state_2"),
        ("v_i", ("v_f",), "initial"),
        ("v_f", ("v_i",), "final"),
        ("v_0", ("v",), "initial"),
        ("T_h", ("T_c",), "hot"),
        ("T_c", ("T_h",), "cold"),
        ("v_max", (), "maximum"),
        ("m", ("M",), None),
        ("x_i", (), None),
        ("conc_H_plus", (), None),
        ("v_vec", (), None),
    ],
)
def test_roles_of_subscripts(name: str, others: tuple[str, ...], role: str | None) -> None:
    found = role_of(name, (name, *others))
    assert (None if found is None else found.id) == role


def test_keywords_and_intent() -> None:
    symbols = (
        SymbolMeaning("F", "net force", kind="force"),
        SymbolMeaning("m", "mass of the body", kind="mass"),
        SymbolMeaning("k", "constant", role="constant"),
    )
    equation = Equation(Symbol("F"), multiply(Symbol("k"), Symbol("m")))
    assert intent_of(equation, symbols) == "Compute net force from mass of the body"
    words = find_keywords("Newton's second law", ("Mechanics", "Dynamics"), symbols)
    assert {"newton", "second", "law", "net", "force", "mass", "body", "dynamics"} <= set(words)
    assert len(words) == len(set(words)) <= 40
