"""What the number of an answer is called: always a quantity of its dimension, never a thing or an adjective."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mathrag.answer.cards.naming import result_name
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Quantity
from outcome_samples import TABLE


def named(description: str, unit: str, *, symbol: str = "T", kind: str | None = None, question: str = "?") -> str:
    step = TABLE.steps[0]
    formula = replace(step.formula, symbols=(SymbolMeaning(symbol, description, unit, kind=kind),))
    result = Quantity(2.5, read_canonical_unit(unit))
    return result_name(replace(step, formula=formula, target=symbol, result=result), question)


@pytest.mark.parametrize(
    ("description", "unit", "name"),
    [
        ("beam deflection", "m", "beam deflection"),
        ("beam deflection", "Pa", ""),
        ("intermittent", "", ""),
        ("tuned filter circuit", "ohm", ""),
        ("mean speed gas", "m/s", "mean speed"),
        ("decay constant and half-life", "1/s", "decay constant"),
        ("decay constant and half-life", "s", "half-life"),
        ("Wobbe index of the fuel", "", "Wobbe index of the fuel"),
        ("crop yield", "kg/m^2", "crop yield"),
        ("speed of the second cart", "m/s", "speed of the second cart"),
    ],
)
def test_a_name_is_of_a_quantity_of_that_dimension(description: str, unit: str, name: str) -> None:
    assert named(description, unit, symbol="Q_xy") == name


def test_the_question_says_what_the_document_does_not() -> None:
    question = "What is the bending stress in a plank of 3 m?"
    assert named("beam deflection", "Pa", symbol="Q_xy", question=question).startswith("bending stress")
    assert named("intermittent", "Pa", symbol="Q_xy", question=question).startswith("bending stress")
    # A word that nobody knows is a quantity where somebody asks for it as one, and an adjective before a noun is not.
    assert named("flumph", "kg", symbol="Q_xy", question="Find the flumph of 3 barrels.") == "flumph"
    assert named("flumph", "kg", symbol="Q_xy", question="A flumph lorry carries 3 barrels.") == ""


def test_without_other_words_the_kind_says_it() -> None:
    assert named("tuned filter circuit", "ohm", symbol="Q_xy", kind="impedance") == "impedance"
    assert named("intermittent", "Pa", symbol="Q_xy", kind="period") == ""


def test_a_case_that_the_question_is_not_about_is_left_out() -> None:
    description = "magnetic field inside a round capacitor"
    assert named(description, "T", question="What is the magnetic field near a wire?") == "magnetic field"
    assert named(description, "T", question="A round capacitor charges. Find the magnetic field.") == description


def test_a_name_ends_where_its_noun_ends() -> None:
    question = "What is the probability of exactly 4 tails in 7 tosses?"
    assert named("intermittent", "", symbol="Q_xy", question=question) in ("probability", "")
    assert named("beam deflection of at least", "m", symbol="Q_xy") == "beam deflection"
    assert (
        named("mass concentration in g/L, the salt content of the brine", "g/L", symbol="Q_xy") == "mass concentration"
    )


def test_the_question_says_it_nearer() -> None:
    assert (
        named("reactance", "ohm", question="Find the inductive reactance of a coil of 3 mH.") == "inductive reactance"
    )
    assert named("initial speed", "m/s", question="What is the final speed of the sledge?").startswith("final speed")


def test_a_thing_that_the_question_calls_otherwise_is_left_out() -> None:
    assert named("density of the fluid", "kg/m^3", question="What is the density of 300 g in 200 mL?") == "density"
    asked = "The fluid weighs 300 g. What is its density?"
    assert named("density of the fluid", "kg/m^3", question=asked) == "density of the fluid"
