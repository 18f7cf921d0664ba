"""Amounts that react: how far a balanced reaction goes, which reactant ends it, what is formed and what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula
from mathrag.compute.chemistry.reactions import Reaction


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
