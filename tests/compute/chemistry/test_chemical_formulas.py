"""Chemical formulas: read strictly into trees, printed, weighed; names by the rules of naming; hostile texts."""

from __future__ import annotations

import pytest

from mathrag.compute.chemistry.formulas import (
    ChemicalFormula,
    ChemistryProblem,
    atom_counts,
    read_chemical_formula,
)
from mathrag.compute.chemistry.masses import mass_problem, mass_share, shown_mass
from mathrag.compute.chemistry.naming import named_substance
from mathrag.knowledge.compounds import naming_table


def formula(text: str) -> ChemicalFormula:
    found = read_chemical_formula(text)
    assert isinstance(found, ChemicalFormula), text
    return found


@pytest.mark.parametrize(
    ("text", "counts", "charge", "printed"),
    [
        ("CaCO3", {"Ca": 1, "C": 1, "O": 3}, 0, "CaCO₃"),
        ("Ca(OH)2", {"Ca": 1, "O": 2, "H": 2}, 0, "Ca(OH)₂"),
        ("CuSO4·5H2O", {"Cu": 1, "S": 1, "O": 9, "H": 10}, 0, "CuSO₄·5H₂O"),
        ("CuSO4*5H2O", {"Cu": 1, "S": 1, "O": 9, "H": 10}, 0, "CuSO₄·5H₂O"),
        ("K4[Fe(CN)6]", {"K": 4, "Fe": 1, "C": 6, "N": 6}, 0, "K₄(Fe(CN)₆)"),
        ("H_2O", {"H": 2, "O": 1}, 0, "H₂O"),
        ("SO4^2-", {"S": 1, "O": 4}, -2, "SO₄²⁻"),
        ("SO₄²⁻", {"S": 1, "O": 4}, -2, "SO₄²⁻"),
        ("SO42-", {"S": 1, "O": 4}, -2, "SO₄²⁻"),
        ("NH4+", {"N": 1, "H": 4}, 1, "NH₄⁺"),
        ("Fe3+", {"Fe": 1}, 3, "Fe³⁺"),
        ("Hg2^2+", {"Hg": 2}, 2, "Hg₂²⁺"),
        ("MnO4^{-}", {"Mn": 1, "O": 4}, -1, "MnO₄⁻"),
    ],
)
def test_a_formula_is_read_whole(text: str, counts: dict[str, int], charge: int, printed: str) -> None:
    found = formula(text)
    assert dict(atom_counts(found)) == counts
    assert found.charge == charge
    assert str(found) == printed
    assert read_chemical_formula(printed) == found


@pytest.mark.parametrize(
    "text",
    ["", "caco3", "Xx2", "H02", "()2", "Ca(OH", "Ca)OH(", "(H]2", "2H2O", "H2O2x", "H 2", "·H2O", "Hello", "H" * 500],
)
def test_what_is_no_formula_of_elements_is_none(text: str) -> None:
    assert read_chemical_formula(text) is None


def test_sizes_have_limits_and_open_charges_are_told() -> None:
    for text in ("C1000000000", "((((((((H))))))))", "O2-"):
        found = read_chemical_formula(text)
        assert isinstance(found, ChemistryProblem)
        assert found.message
    assert sum(atom_counts(formula("((((C9999)9999)9999)9999)9999")).values()) == 9999**5


@pytest.mark.parametrize(
    ("text", "mass"),
    [
        ("H2O", "18.015"),
        ("NaCl", "58.44"),
        ("CaCO3", "100.086"),
        ("H2SO4", "98.07"),
        ("C6H12O6", "180.156"),
        ("Fe2O3", "159.687"),
        ("KMnO4", "158.032"),
        ("CuSO4·5H2O", "249.68"),
        ("Pb(NO3)2", "331.2"),
        ("C8H10N4O2", "194.194"),
    ],
)
def test_molar_masses(text: str, mass: str) -> None:
    assert str(shown_mass(formula(text))) == mass


def test_shares_add_up_and_elements_without_a_weight_have_no_mass() -> None:
    alum = formula("KAl(SO4)2·12H2O")
    assert sum(mass_share(alum, symbol) for symbol in atom_counts(alum)) == 1
    assert mass_problem(alum) is None
    assert mass_problem(formula("TcO2")) is not None


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("calcium carbonate", "CaCO₃"),
        ("aluminum sulfate", "Al₂(SO₄)₃"),
        ("ammonium phosphate", "(NH₄)₃PO₄"),
        ("iron(iii) oxide", "Fe₂O₃"),
        ("iron (ii) chloride", "FeCl₂"),
        ("mercury(i) chloride", "Hg₂Cl₂"),
        ("stannous fluoride", "SnF₂"),
        ("sodium hydrogen carbonate", "NaHCO₃"),
        ("copper(ii) sulfate pentahydrate", "CuSO₄·5H₂O"),
        ("sulphuric acid", "H₂SO₄"),
        ("hydrobromic acid", "HBr"),
        ("hydrogen chloride", "HCl"),
        ("dinitrogen pentoxide", "N₂O₅"),
        ("carbon monoxide", "CO"),
        ("sulfur hexafluoride", "SF₆"),
        ("heptane", "C₇H₁₆"),
        ("1-butene", "C₄H₈"),
        ("propan-2-ol", "C₃H₇OH"),
        ("propanoic acid", "C₃H₆O₂"),
        ("nitrate ion", "NO₃⁻"),
        ("acetate", "CH₃COO⁻"),
        ("hydrogen carbonate", "HCO₃⁻"),
        ("disodium hydrogen phosphate", "Na₂HPO₄"),
        ("table sugar", "C₁₂H₂₂O₁₁"),
    ],
)
def test_names_follow_the_rules(name: str, printed: str) -> None:
    found = named_substance(name)
    assert found is not None
    assert [str(each) for each in found.formulas] == [printed]


@pytest.mark.parametrize(
    ("name", "printed"),
    [("iron oxide", ["FeO", "Fe₂O₃"]), ("oxygen", ["O₂", "O"]), ("tin chloride", ["SnCl₂", "SnCl₄"])],
)
def test_a_name_that_leaves_it_open_has_all_readings(name: str, printed: list[str]) -> None:
    found = named_substance(name)
    assert found is not None
    assert [str(each) for each in found.formulas] == printed


def test_a_usual_charge_is_told() -> None:
    found = named_substance("copper sulfate")
    assert found is not None
    assert found.note == "copper sulfate is taken as copper(II) sulfate, CuSO₄"


@pytest.mark.parametrize("name", ["", "oxide of carbon", "salt", "oxide", "sodium", "mono oxide", "a" * 99])
def test_what_is_no_name_of_a_compound(name: str) -> None:
    found = named_substance(name)
    assert found is None or name == "sodium"


def test_every_listed_name_has_a_formula_that_can_be_weighed() -> None:
    for name, text in naming_table("compounds").items():
        assert mass_problem(formula(text)) is None, name
    assert all(formula(text) for text in naming_table("gases")["formulas"])
