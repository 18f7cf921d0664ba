"""Reactions: balanced by the smallest whole coefficients, elements and charge conserved; or refused with the reason."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.chemistry.formulas import ChemicalFormula, ChemistryProblem, atom_counts, read_chemical_formula
from mathrag.compute.chemistry.reactions import (
    Reaction,
    Term,
    balance,
    balance_lines,
    is_balanced,
    reaction_among,
    read_reaction,
)
from mathrag.compute.chemistry.stoichiometry import course_of, moles_at


def reaction(text: str) -> Reaction:
    found = read_reaction(text)
    assert isinstance(found, Reaction), text
    return found


def formula(text: str) -> ChemicalFormula:
    found = read_chemical_formula(text)
    assert isinstance(found, ChemicalFormula)
    return found


@pytest.mark.parametrize(
    ("text", "balanced"),
    [
        ("Fe + O2 -> Fe2O3", "4 Fe + 3 O₂ → 2 Fe₂O₃"),
        ("2H2+O2->2H2O", "2 H₂ + O₂ → 2 H₂O"),
        ("1/2 N2 + 3/2 H2 = NH3", "N₂ + 3 H₂ → 2 NH₃"),
        ("NaOH(aq) + H2SO4(aq) → Na2SO4(aq) + H2O(l)", "2 NaOH + H₂SO₄ → Na₂SO₄ + 2 H₂O"),
        ("MnO4- + Fe2+ + H+ -> Mn2+ + Fe3+ + H2O", "MnO₄⁻ + 5 Fe²⁺ + 8 H⁺ → Mn²⁺ + 5 Fe³⁺ + 4 H₂O"),
        ("Cr2O7^2- + H+ + e- ⇌ Cr^3+ + H2O", "Cr₂O₇²⁻ + 14 H⁺ + 6 e⁻ → 2 Cr³⁺ + 7 H₂O"),
        ("Cu + HNO3 -> Cu(NO3)2 + NO + H2O", "3 Cu + 8 HNO₃ → 3 Cu(NO₃)₂ + 2 NO + 4 H₂O"),
    ],
)
def test_reactions_are_balanced(text: str, balanced: str) -> None:
    found = balance(reaction(text))
    assert str(found) == balanced


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("H2 + O2 -> CO2", "unsolved", "carbon (C) stands only among the products"),
        ("CO + CO2 + H2 -> CH4 + H2O", "ambiguous", "2 independent ways"),
        ("N2 + O2 -> NO + N2O", "ambiguous", "independent ways"),
        ("H2O -> H2O", "unsolved", "twice"),
        ("H2O + H2O2 -> H2O3", "unsolved", "positive"),
        ("Fe3+ -> Fe2+", "unsolved", "charge"),
    ],
)
def test_what_cannot_be_balanced_says_why(text: str, code: str, says: str) -> None:
    found = balance(reaction(text))
    assert isinstance(found, ChemistryProblem), str(found)
    assert found.code == code
    assert says in found.message


@pytest.mark.parametrize(
    "text", ["", "H2 + O2", "x = 3", "-> H2", "H2 ->", "H2 + -> H2O", "H2 -> O2 -> H2O", "a" * 5_000]
)
def test_other_texts_are_no_reactions(text: str) -> None:
    assert read_reaction(text) is None


def test_many_species_are_refused() -> None:
    long = " + ".join(["H2"] * 12)
    assert isinstance(read_reaction(f"{long} -> {long}"), ChemistryProblem)


_ATOMS = st.dictionaries(st.sampled_from(["C", "H", "O", "N"]), st.integers(1, 6), min_size=1, max_size=3)


@given(st.lists(_ATOMS, min_size=1, max_size=3), st.lists(_ATOMS, min_size=1, max_size=3))
def test_whatever_is_balanced_conserves_elements_with_coprime_coefficients(
    left: list[dict[str, int]], right: list[dict[str, int]]
) -> None:
    sides = [
        tuple(Term(formula("".join(f"{name}{number}" for name, number in each.items()))) for each in side)
        for side in (left, right)
    ]
    found = balance(Reaction(*sides))
    if isinstance(found, ChemistryProblem):
        assert found.message
        return
    numbers = [each.coefficient for each in found.terms]
    assert all(each is not None and each > 0 and each.denominator == 1 for each in numbers)
    assert math.gcd(*(int(each) for each in numbers if each is not None)) == 1
    assert _atoms(found.left) == _atoms(found.right)
    assert is_balanced(found)
    assert len(balance_lines(found)) == len(_atoms(found.left))


def _atoms(terms: tuple[Term, ...]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for term in terms:
        for symbol, number in atom_counts(term.formula).items():
            counted[symbol] += int(term.coefficient or 1) * number
    return counted


def test_the_only_reaction_of_some_substances() -> None:
    assert str(reaction_among([formula("H2"), formula("O2"), formula("H2O")])) == "2 H₂ + O₂ → 2 H₂O"
    assert reaction_among([formula("Zn"), formula("HCl"), formula("ZnCl2")]) is None
    assert reaction_among([formula("H2")]) is None


def test_the_reactant_that_gives_out_first() -> None:
    found = balance(reaction("N2 + H2 -> NH3"))
    assert isinstance(found, Reaction)
    course = course_of(found, {formula("N2"): Fraction(2), formula("H2"): Fraction(3)})
    assert course.limiting == formula("H2")
    assert moles_at(found, formula("NH3"), course.extent) == 2
    assert course_of(found, {formula("N2"): Fraction(1), formula("H2"): Fraction(3)}).limiting is None
