"""Acids in water, equilibria and salts as ions: against laws that every answer must keep."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.chemistry.acids import WATER, dissolved, hydrogen_ions
from mathrag.compute.chemistry.equilibrium import Counted, settle
from mathrag.compute.chemistry.formulas import ChemicalFormula, read_chemical_formula
from mathrag.compute.chemistry.salts import salt_of
from mathrag.knowledge.equilibria import acids


def formula(text: str) -> ChemicalFormula:
    found = read_chemical_formula(text)
    assert isinstance(found, ChemicalFormula), text
    return found


@pytest.mark.parametrize(
    ("text", "forms", "free", "gives", "takes"),
    [
        ("HCl", [], 1, 1, 0),
        ("Ba(OH)2", [], -2, 0, 2),
        ("CH3COOH", ["CH₃COOH"], 0, 1, 0),
        ("NaC2H3O2", ["CH₃COO⁻"], 0, 0, 1),
        ("NH4Cl", ["NH₄⁺"], 0, 1, 0),
        ("(NH4)2CO3", ["NH₄⁺", "CO₃²⁻"], 0, 2, 2),
        ("H2SO4", ["HSO₄⁻"], 1, 2, 0),
        ("K2HPO4", ["HPO₄²⁻"], 0, 1, 2),
        ("CuSO4·5H2O", None, 0, 0, 0),
        ("Na2CO3·10H2O", ["CO₃²⁻"], 0, 0, 2),
        ("CaF2", None, 0, 0, 0),
        ("C3H6O2", None, 0, 0, 0),
    ],
)
def test_what_substances_become_in_water(text: str, forms: list[str] | None, free: int, gives: int, takes: int) -> None:
    found = dissolved(formula(text))
    if forms is None:
        assert found is None
        return
    assert found is not None
    assert [str(each) for each in found.forms] == forms
    assert (found.free_protons, found.to_give, found.to_take) == (free, gives, takes)


def test_isomers_are_told_apart_by_their_name() -> None:
    assert dissolved(formula("C3H6O2"), "propanoic acid") is not None
    assert dissolved(formula("C3H6O2"), "methyl acetate") is None


def test_every_acid_of_the_table_has_steps_that_rise_and_forms_that_can_be_read() -> None:
    for acid in acids():
        assert list(acid.pka) == sorted(acid.pka), acid.name
        assert len(acid.forms) == len(acid.pka) + 1, acid.name
        assert all(formula(text) for texts in acid.forms for text in texts)


@given(st.floats(-9, 0), st.floats(0, 1))
def test_more_base_never_makes_a_solution_more_acid(power: float, share: float) -> None:
    acid = acids()[0]
    amount = 10**power
    before = hydrogen_ions([(acid, amount)], 0.0)
    after = hydrogen_ions([(acid, amount)], share * amount)
    assert before is not None
    assert after is not None
    assert after <= before * (1 + 1e-9)
    assert before >= math.sqrt(WATER) * (1 - 1e-9)


@given(
    st.fractions(Fraction(1, 1000), 5),
    st.fractions(Fraction(0), 5),
    st.integers(1, 3),
    st.integers(1, 3),
    st.floats(-30, 30),
)
def test_an_equilibrium_has_its_constant_and_nothing_negative(
    reactant: Fraction, product: Fraction, below: int, above: int, power: float
) -> None:
    found = settle([Counted(Fraction(-below), reactant), Counted(Fraction(above), product)], 10**power)
    assert found is not None
    left, right = found.values
    assert left > 0
    assert right > 0
    assert above * math.log10(right) - below * math.log10(left) == pytest.approx(power, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "ions"),
    [
        ("CaF2", ("Ca²⁺", 1, "F⁻", 2)),
        ("Ag2CrO4", ("Ag⁺", 2, "CrO₄²⁻", 1)),
        ("Hg2Cl2", ("Hg₂²⁺", 1, "Cl⁻", 2)),
        ("Ca3(PO4)2", ("Ca²⁺", 3, "PO₄³⁻", 2)),
        ("PbO2", None),
        ("C6H12O6", None),
    ],
)
def test_salts_fall_apart_in_one_way(text: str, ions: tuple[str, int, str, int] | None) -> None:
    found = salt_of(formula(text))
    if ions is None:
        assert found is None
        return
    assert found is not None
    assert (str(found.cation), found.cations, str(found.anion), found.anions) == ions
