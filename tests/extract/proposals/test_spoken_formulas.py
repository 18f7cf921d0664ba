"""Formulas said in words: what they can mean, and that nothing else is read into them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import mutations

from mathrag.compute.canonical import canonical_key
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.proposals.equations import says_the_same
from mathrag.extract.proposals.spoken import Phrase, phrase_of_text, spoken_equations
from mathrag.types.expression import (
    PI,
    Declined,
    Equation,
    Expression,
    Number,
    Symbol,
    add,
    call,
    divide,
    multiply,
    power,
    subtract,
)

NAMES = {
    "p": "pressure",
    "F": "force",
    "A": "area",
    "m": "mass",
    "v": "velocity",
    "E": "kinetic energy",
    "t": "time",
    "d": "distance",
    "W": "work",
    "T": "period",
    "L": "length",
    "g": "gravitational acceleration",
    "R": "total resistance",
    "R_1": "first resistance",
    "R_2": "second resistance",
    "v_0": "initial velocity",
    "a": "acceleration",
    "f": "frequency",
    "w": "wave speed",
    "l": "wavelength",
    "q": "heat",
}


def _phrases(*names: str) -> dict[str, Phrase]:
    return {name: phrase_of_text(NAMES[name]) for name in names or NAMES}


def _equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert not isinstance(reading, Declined)
    return reading.equations[0]


@pytest.mark.parametrize(
    ("words", "formula"),
    [
        ("The pressure is the force divided by the area.", "p = F/A"),
        ("Pressure equals force over area", "p = F/A"),
        ("Pressure on a plate is defined as the force acting on it divided by the area of the plate.", "p = F/A"),
        ("The pressure can be calculated by dividing the force by the area.", "p = F/A"),
        ("Dividing the force by the area gives the pressure.", "p = F/A"),
        ("To find the pressure, divide the force by the area.", "p = F/A"),
        ("The force divided by the area is called the pressure.", "p = F/A"),
        ("The pressure $p$ is the force $F$ per unit area $A$.", "p = F/A"),
        ("It turns out that the pressure is the ratio of the force to the area, where the area is in m2.", "p = F/A"),
        ("The car's kinetic energy is half of the product of its mass and the square of its velocity.", "E = m*v**2/2"),
        ("The work done is the force multiplied by the distance moved.", "W = F*d"),
        ("The total resistance is the sum of the first resistance and the second resistance.", "R = R_1 + R_2"),
        ("The speed of a wave is its frequency times its wavelength.", "w = f*l"),
        ("The distance is one half of the acceleration times the square of the time.", "d = a*t**2/2"),
        ("The frequency is the reciprocal of the period.", "f = 1/T"),
        ("The area is pi times the length squared.", "A = pi*L**2"),
        ("The kinetic energy of a body is half the mass times the velocity squared.", "E = m*v**2/2"),
        ("Recall that work is the force times the distance covered, whereas heat is something else.", "W = F*d"),
        ("The force is the sum of the mass, the time and the heat.", "F = m + t + q"),
        ("The velocity is obtained by subtracting the initial velocity from the wave speed.", "v = w - v_0"),
        ("The area is the length to the power of 3.", "A = L**3"),
        ("The force is three times the mass.", "F = 3*m"),
        ("The force is two thirds of the mass.", "F = 2*m/3"),
    ],
)
def test_words_that_mean_one_thing(words: str, formula: str) -> None:
    readings = spoken_equations(words, _phrases())
    assert readings
    wanted = _equation(formula)
    assert any(says_the_same(one, wanted) for one in readings)
    others = [one for one in readings if not says_the_same(one, wanted)]
    # Only what a square reaches may be left open.
    assert not others or "square of" in words


@pytest.mark.parametrize(
    ("words", "meant", "also"),
    [
        ("The area is the sum of the length and the distance squared.", "A = (L + d)**2", "A = L + d**2"),
        ("The total resistance is the sum of the first resistance and the second resistance divided by two.",
         "R = (R_1 + R_2)/2", "R = R_1 + R_2/2"),
        ("The total resistance is the difference between the first resistance and the second resistance.",
         "R = R_1 - R_2", "R = R_2 - R_1"),
        ("The period is two pi times the square root of the length divided by the gravitational acceleration.",
         "T = 2*pi*sqrt(L/g)", "T = 2*pi*sqrt(L)/g"),
        ("The velocity is the initial velocity plus the acceleration times the time.",
         "v = v_0 + a*t", "v = (v_0 + a)*t"),
    ],
)  # fmt: skip
def test_words_that_mean_several_things(words: str, meant: str, also: str) -> None:
    readings = spoken_equations(words, _phrases())
    assert readings is not None
    for formula in (meant, also):
        assert any(says_the_same(one, _equation(formula)) for one in readings)


@pytest.mark.parametrize(
    "words",
    [
        "The pressure is proportional to the force divided by the area.",
        "The pressure is not the force divided by the area.",
        "It is a mistake to think that the pressure is the force times the area.",
        "The pressure is about the force divided by the area.",
        "The pressure is the change in force divided by the area.",
        "The pressure is the force.",
        "The pressure is high.",
        "The osmotic pressure is the force divided by the area.",
        "Divide, and the pressure is the force divided by the area, multiplied by the mass",
        "The force is divided by the area.",
        "Is the pressure the force divided by the area?",
        "the " * 100 + "pressure is the force divided by the area",
        "",
    ],
)
def test_words_that_say_no_formula(words: str) -> None:
    assert spoken_equations(words, _phrases("p", "F", "A", "m")) == ()


OTHERS = {
    "n": "net pay", "g": "gross pay", "t": "tare", "G": "gross weight", "N": "net weight", "i": "income", "r": "rent",
    "x": "tax", "b": "balance", "w": "width", "h": "height", "d": "diagonal", "k": "load constant", "l": "lift",
    "m": "total load", "m_c": "load of the crate", "m_l": "load of the lid", "e": "fee per parcel",
    "c": "count of parcels",
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "formula"),
    [
        ("The net pay is 80 per cent of the gross pay.", "n = 80/100*g"),
        ("The net pay is the gross pay reduced by 15 %.", "n = g*(1 - 15/100)"),
        ("The net pay amounts to the gross pay increased by a quarter.", "n = g*(1 + 1/4)"),
        ("The width is twice as large as the height.", "w = 2*h"),
        ("The width is five times as long as the height.", "w = 5*h"),
        ("Subtract the tare from the gross weight to get the net weight.", "N = G - t"),
        ("The net weight is the tare subtracted from the gross weight.", "N = G - t"),
        ("The balance is the income minus the rent minus the tax.", "b = i - r - x"),
        ("The balance is what is left of the income once the rent has been paid.", "b = i - r"),
        ("The balance is the excess of the income over the rent.", "b = i - r"),
        ("The diagonal is the square root of the sum of the squares of the width and the height.",
         "d = sqrt(w**2 + h**2)"),
        ("The height is the average of the width and the diagonal.", "h = (w + d)/2"),
        ("The lift is the width raised to the power 1.5.", "l = w**1.5"),
        ("The lift is inversely proportional to the square of the width, with the load constant as the factor.",
         "l = k/w**2"),
        ("The total load is that of the crate plus that of the lid.", "m = m_c + m_l"),
        ("The total load is the sum of the loads of the crate and the lid.", "m = m_c + m_l"),
        ("The tax is the fee per parcel times the count of parcels.", "x = e*c"),
        ("The lift is the income divided by the width and by the height.", "l = i/(w*h)"),
        ("The lift is the income plus the rent, all divided by the width.", "l = (i + r)/w"),
    ],
)  # fmt: skip
def test_more_ways_to_say_it(words: str, formula: str) -> None:
    names = {name: phrase_of_text(said) for name, said in OTHERS.items()}
    readings = spoken_equations(words, names)
    assert readings
    assert says_the_same(readings[0], _equation(formula))
    assert "all divided" in words or all(says_the_same(one, readings[0]) for one in readings)


@pytest.mark.parametrize(
    "words",
    [
        "The lift is inversely proportional to the width.",
        "The lift is proportional to the width, which is constant.",
        "The total load is the sum of the loads of the crate, the rope and the lid.",
        "The net pay is 80 per cent.",
        "The total load is that of the crate.",
        "The net pay is the gross pay and the rent.",
    ],
)
def test_words_that_leave_something_open(words: str) -> None:
    assert spoken_equations(words, {name: phrase_of_text(said) for name, said in OTHERS.items()}) == ()


def test_a_pronoun_stands_for_what_the_sentence_before_was_about() -> None:
    names = {name: phrase_of_text(said) for name, said in OTHERS.items()}
    words = "Divide it by the height and you have the lift."
    (reading,) = spoken_equations(words, names, before="The width is measured at the top. ") or ()
    assert says_the_same(reading, _equation("l = w/h"))
    assert spoken_equations(words, names) == ()


def test_a_word_that_denies_may_be_part_of_a_name() -> None:
    names = {"r": phrase_of_text("relative error"), "e": phrase_of_text("absolute error"), "w": phrase_of_text("width")}
    assert spoken_equations("The relative error is the absolute error divided by the width.", names)
    assert not spoken_equations("It is an error that the relative error is the absolute error over the width.", names)


def test_too_many_readings_are_none() -> None:
    words = "The pressure is " + " plus ".join(["the mass times the force"] * 8)
    assert spoken_equations(words, _phrases()) is None


LEAVES = ("F", "A", "m", "t", "d", "L", "f", "l")


def _leaf(name: str) -> tuple[str, Expression]:
    return f"the {NAMES[name]}", Symbol(name)


@st.composite
def _spoken(draw: st.DrawFn) -> tuple[str, Expression]:
    first, second = draw(st.permutations(LEAVES))[:2]
    (said, one), (named, other) = _leaf(first), _leaf(second)
    return draw(
        st.sampled_from(
            [
                (f"{said} divided by {named}", divide(one, other)),
                (f"{said} times {named}", multiply(one, other)),
                (f"the product of {said} and {named}", multiply(one, other)),
                (f"the sum of {said} and {named}", add(one, other)),
                (f"{said} minus {named}", subtract(one, other)),
                (f"the ratio of {said} to {named}", divide(one, other)),
                (f"half of {said}", divide(one, Number(2))),
                (f"twice {said}", multiply(Number(2), one)),
                (f"pi times the square of {said}", multiply(PI, power(one, Number(2)))),
                (f"the square root of {said}", call("sqrt", one)),
                (f"{said} cubed", power(one, Number(3))),
            ]
        )
    )


@settings(deadline=None, max_examples=15)
@given(_spoken(), st.sampled_from(["is", "equals", "is defined as", "is equal to", "can be found by"]))
def test_what_is_said_is_read_and_nothing_else(spoken: tuple[str, Expression], verb: str) -> None:
    words, expression = spoken
    if verb.endswith("by"):
        verb = "is given by"
    readings = spoken_equations(f"The pressure {verb} {words}.", _phrases())
    meant = Equation(Symbol("p"), expression)
    assert readings
    assert {canonical_key(one) for one in readings} == {canonical_key(meant)}
    for _, wrong in mutations(meant):
        if not says_the_same(wrong, meant):
            assert not any(says_the_same(one, wrong) for one in readings)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_or_not(text: str) -> None:
    for one in spoken_equations(text, _phrases()) or ():
        assert one.target in NAMES


WORDS = (
    "the of and is divided by times plus minus squared half product sum , pressure force area mass root square per "
    "ratio to difference between"
).split()


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_pile_of_operators_ends_soon(words: list[str]) -> None:
    spoken_equations(" ".join(words), _phrases("p", "F", "A", "m"))
