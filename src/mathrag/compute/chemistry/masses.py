"""Molar masses and shares of elements, from the atomic weights of the table; exact, with their steps for a person."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula, ChemistryProblem, atom_counts
from mathrag.knowledge.elements import atomic_weights, element_names

WEIGHTS_SOURCE = "IUPAC standard atomic weights 2021, abridged"


def mass_problem(formula: ChemicalFormula) -> ChemistryProblem | None:
    """Why a formula has no molar mass."""
    lacking = [symbol for symbol in atom_counts(formula) if symbol not in atomic_weights()]
    if not lacking:
        return None
    name = element_names()[lacking[0]]
    said = f"{name} ({lacking[0]}) has no standard atomic weight: it has no isotopes of a usual mixture"
    return ChemistryProblem("undefined", said)


def molar_mass(formula: ChemicalFormula) -> Decimal:
    """In g/mol, as exact as the table; for formulas without a `mass_problem`."""
    weights = atomic_weights()
    return sum((weights[symbol] * number for symbol, number in atom_counts(formula).items()), Decimal(0))


def shown_mass(formula: ChemicalFormula) -> Decimal:
    """The molar mass to the decimals that all of its atomic weights have."""
    places = min((_places(atomic_weights()[symbol]) for symbol in atom_counts(formula)), default=0)
    return molar_mass(formula).quantize(Decimal(1).scaleb(-places))


def mass_figures(formula: ChemicalFormula) -> int:
    """How many digits of the molar mass count."""
    return len(shown_mass(formula).as_tuple().digits)


def _places(weight: Decimal) -> int:
    exponent = weight.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def mass_sum_text(formula: ChemicalFormula) -> str:
    """`40.078 + 12.011 + 3 × 15.999 = 100.086`."""
    weights = atomic_weights()
    counts = atom_counts(formula)
    terms = [f"{'' if number == 1 else f'{number} × '}{weights[symbol]}" for symbol, number in counts.items()]
    return f"{' + '.join(terms)} = {shown_mass(formula)}" if terms != [str(shown_mass(formula))] else terms[0]


def mass_share(formula: ChemicalFormula, symbol: str) -> Fraction:
    """The share of an element in the mass."""
    part = atomic_weights()[symbol] * atom_counts(formula).get(symbol, 0)
    return Fraction(part) / Fraction(molar_mass(formula))
