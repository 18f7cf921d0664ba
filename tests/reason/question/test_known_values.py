"""Values that follow from what a question says: radii, molar masses, charges of so many particles, the start."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mathrag.reason.question import read_question
from mathrag.reason.question.known_values import molar_mass, with_known_values
from mathrag.types.question import Given


def _known(text: str, kind: str) -> list[Given]:
    question = read_question(text)
    known = with_known_values(text, question.givens, question.targets)
    return [given for given in known if kind in given.kinds]


@pytest.mark.parametrize(
    ("formula", "mass"),
    [("H2O", "18.015"), ("CaCO3", "100.086"), ("(NH4)2SO4", "132.134"), ("Ca(OH)2", "74.092"), ("NaCl", "58.440")],
)
def test_molar_mass_of_a_formula(formula: str, mass: str) -> None:
    assert molar_mass(formula) == Decimal(mass)


@pytest.mark.parametrize("text", ["KE", "Xq2", "2H", "", "H2O)", "Pm"])
def test_what_is_no_chemical_formula(text: str) -> None:
    assert molar_mass(text) is None


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("How many moles are 12 g of KOH?", 56.105),
        ("How many moles are 12 g of sodium chloride?", 58.44),
        ("What amount is in 8 g of helium?", 4.0026),
        ("How many moles are in 3 g of C6H12O6?", 180.156),
    ],
)
def test_the_molar_mass_of_the_substance(text: str, grams: float) -> None:
    (given,) = _known(text, "molar_mass")
    assert given.readings[0].si_value == pytest.approx(grams / 1000)
    assert given.implied
    assert "IUPAC" in given.assumption


@pytest.mark.parametrize(
    "text",
    [
        "How many moles are 12 g of KOH, with a molar mass of 56 g/mol?",  # stated
        "How much NaCl forms from HCl and NaOH?",  # which?
        "An AC source of 12 V feeds a DC motor.",
        "How many moles are 12 g of oxygen?",  # atoms or molecules?
    ],
)
def test_no_molar_mass(text: str) -> None:
    assert not _known(text, "molar_mass")


@pytest.mark.parametrize(
    "text",
    ["A pipe 4.0 cm in diameter leaks.", "A 4.0-cm-diameter pipe leaks.", "The diameter of 4.0 cm is too small."],
)
def test_a_diameter_means_a_radius(text: str) -> None:
    (radius,) = _known(text, "radius")
    (diameter,) = _known(text, "diameter")
    assert radius.readings[0].si_value == pytest.approx(0.02)
    assert diameter.readings[0].si_value == pytest.approx(0.04)
    assert radius.covers == diameter.covers


def test_a_length_means_no_radius() -> None:
    assert not _known("A pipe 4.0 cm long leaks.", "radius")


def test_so_many_electrons_have_a_charge() -> None:
    (charge,) = _known("2.0e18 electrons pass each second.", "electric_charge")
    assert charge.readings[0].si_value == pytest.approx(0.32044, rel=1e-4)
    assert not _known("2.0e18 atoms pass each second.", "electric_charge")


def test_motion_begins_at_zero_unless_a_place_is_stated() -> None:
    assert _known("A cart moves at 3 m/s for 2 s. How far does it get?", "position")
    assert not _known("A cart at x = 2 m moves at 3 m/s for 2 s. How far does it get?", "position")
    assert not _known("A cart moves at 3 m/s over 6 m. What time does it take?", "position")
    assert not _known("A tank holds 3 L. How high is it?", "position")


@pytest.mark.parametrize(
    ("text", "across"),
    [
        ("a pipe of 400 mm diameter, 8 mm wall, pressure 12 bar", "400 mm"),
        ("a pipe of diameter 400 mm, wall 8 mm", "400 mm"),
        ("diameter 6 cm, height 9 cm", "6 cm"),
    ],
)
def test_a_diameter_is_the_value_that_it_names(text: str, across: str) -> None:
    assert {given.text for given in _known(text, "radius")} == {across}
