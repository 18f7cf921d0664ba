"""Amounts that react: how far a balanced reaction goes, which reactant ends it, what is formed and what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula, read_chemical_formula
from mathrag.compute.chemistry.naming import is_fuel
from mathrag.compute.chemistry.reactions import Reaction, Term, balance


@dataclass(frozen=True, slots=True)
class Course:
    """How far a reaction goes (`extent`, in moles of the reaction as written) and the reactant that ends it; None where
    several give out together."""

    extent: Fraction
    limiting: ChemicalFormula | None


def extent_of(reaction: Reaction, formula: ChemicalFormula, moles: Fraction) -> Fraction:
    """How far the reaction goes where so many moles of one species react or form."""
    return moles / reaction.coefficient_of(formula)


def course_of(reaction: Reaction, moles: Mapping[ChemicalFormula, Fraction]) -> Course:
    """How far the reaction goes from so many moles of reactants; those not named are there in plenty."""
    extents = {formula: extent_of(reaction, formula, amount) for formula, amount in moles.items()}
    extent = min(extents.values())
    ending = [formula for formula, each in extents.items() if each == extent]
    return Course(extent, ending[0] if len(ending) == 1 or len(extents) == 1 else None)


def moles_at(reaction: Reaction, formula: ChemicalFormula, extent: Fraction) -> Fraction:
    """How many moles of a species react or form over an extent."""
    return reaction.coefficient_of(formula) * extent


def complete_combustion(fuel: ChemicalFormula) -> Reaction | None:
    """What becomes of a fuel and oxygen when only carbon dioxide and water are left; None for what is no fuel."""
    oxygen, dioxide, water = (read_chemical_formula(text) for text in ("O2", "CO2", "H2O"))
    assert isinstance(oxygen, ChemicalFormula)
    assert isinstance(dioxide, ChemicalFormula)
    assert isinstance(water, ChemicalFormula)
    if not is_fuel(fuel):
        return None
    found = balance(Reaction((Term(fuel), Term(oxygen)), (Term(dioxide), Term(water))))
    return found if isinstance(found, Reaction) else None
