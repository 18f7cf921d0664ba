"""Oxidation numbers by the rules of a book: of all elements but one the number is known, and that one makes up the
charge. Where two are open, or the result is none that the element has, there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

from mathrag.compute.chemistry.formulas import (
    Atoms,
    ChemicalFormula,
    Part,
    atom_counts,
    read_chemical_formula,
)
from mathrag.compute.chemistry.naming import element_by_name
from mathrag.compute.chemistry.salts import salt_of
from mathrag.knowledge.compounds import cations, open_charges
from mathrag.knowledge.elements import highest_states

_FLUORINE, _OXYGEN, _HYDROGEN = "F", "O", "H"
_HALOGENS = frozenset(("Cl", "Br", "I"))
# With one of these hydrogen is the more positive one.
_MORE_NEGATIVE = frozenset(("C", "N", "O", "F", "P", "S", "Cl", "Se", "Br", "I"))
_LOWEST = {"C": -4, "Si": -4, "Ge": -4, "N": -3, "P": -3, "As": -3, "O": -2, "S": -2, "Se": -2, "Te": -2}


@cache
def metal_states() -> Mapping[str, int]:
    """The number of the metals that have one only."""
    several = {element_by_name()[name] for name in open_charges()}
    charges: dict[str, set[int]] = {}
    for each in cations().values():
        charges.setdefault(each.formula, set()).add(each.charge)
    single = set(element_by_name().values()) - several - {_HYDROGEN}
    return {symbol: min(found) for symbol, found in charges.items() if symbol in single and len(found) == 1}


def oxidation_number(formula: ChemicalFormula, symbol: str) -> tuple[int, Mapping[str, int]] | None:
    """The number of an element in a substance, and those of the other elements that it follows from."""
    own = _without_water(formula)
    if own is None or sum(1 for each in _symbols(own) if each == symbol) != 1 or "OO" in str(own):
        # Atoms that are bound in two ways have two numbers, and oxygen that is bound to itself has not its usual one.
        return None
    if len(atom_counts(own)) == 1 and not own.charge:
        return 0, {}
    found = _by_the_rest(own, symbol)
    salt = salt_of(own) if found is None else None
    if salt is None:
        return found
    ion = salt.cation if symbol in atom_counts(salt.cation) else salt.anion
    return None if ion == own else oxidation_number(ion, symbol)


def _without_water(formula: ChemicalFormula) -> ChemicalFormula | None:
    """A hydrate without its water."""
    water = read_chemical_formula("H2O")
    bound = (ChemicalFormula((type(each)(each.parts),)) for each in formula.portions[1:])
    if not formula.portions or any(each != water for each in bound):
        return None
    return ChemicalFormula(formula.portions[:1], formula.charge)


def _symbols(formula: ChemicalFormula) -> Iterator[str]:
    """The elements as they are written, each as often as it stands there."""
    pending: list[Part] = list(formula.portions)
    while pending:
        part = pending.pop()
        if isinstance(part, Atoms):
            yield part.symbol
        else:
            pending.extend(part.parts)


def _by_the_rest(formula: ChemicalFormula, symbol: str) -> tuple[int, Mapping[str, int]] | None:
    counts = atom_counts(formula)
    others: dict[str, int] = {}
    for each in counts:
        number = None if each == symbol else _known(each, counts, symbol)
        if each != symbol and number is None:
            return None
        if number is not None:
            others[each] = number
    left = formula.charge - sum(number * counts[each] for each, number in others.items())
    value = Fraction(left, counts[symbol])
    return (int(value), others) if value.denominator == 1 and _has(symbol, int(value)) else None


def _has(symbol: str, value: int) -> bool:
    """Whether an element has such a number."""
    if symbol == _FLUORINE:
        return value == -1
    if symbol in metal_states():
        return value == metal_states()[symbol]
    if symbol in _HALOGENS and not value:
        return False
    lowest = -1 if symbol in _HALOGENS | {_HYDROGEN} else _LOWEST.get(symbol, 0)
    return symbol in highest_states() and lowest <= value <= highest_states()[symbol]


def _known(symbol: str, counts: Mapping[str, int], open_one: str) -> int | None:
    """The number that an element has beside the others, by the rules; None where they leave it open."""
    if symbol == _FLUORINE:
        return -1
    if symbol == _OXYGEN:
        # In a peroxide it has another, which shows by what is left for the one that is open.
        return None if _FLUORINE in counts else -2
    if symbol == _HYDROGEN:
        return 1 if _MORE_NEGATIVE & counts.keys() else None
    if symbol in _HALOGENS:
        is_lowest = not counts.keys() & {_OXYGEN, _FLUORINE, "N", *(_HALOGENS - {symbol})} or open_one in metal_states()
        return -1 if is_lowest else None
    return metal_states().get(symbol)
