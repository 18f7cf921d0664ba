"""Salts as ions: which cation and anion a formula is made of, where the names of ions leave one way only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from mathrag.compute.chemistry.formulas import ChemicalFormula, atom_counts, read_ion
from mathrag.compute.chemistry.naming import element_by_name
from mathrag.knowledge.compounds import anions, cations, open_charges


@dataclass(frozen=True, slots=True)
class Salt:
    """The ions of a salt and how many of each are in a formula unit."""

    cation: ChemicalFormula
    cations: int
    anion: ChemicalFormula
    anions: int


@cache
def _ions() -> tuple[Mapping[tuple[str, int], None], Mapping[tuple[str, int], None]]:
    metals = {(each.formula, each.charge): None for each in cations().values() if each.formula != "H"}
    symbols = element_by_name()
    for name, charges in open_charges().items():
        metals |= dict.fromkeys((symbols[name], charge) for charge in charges)
    return metals, {(each.formula, each.charge): None for each in anions().values()}


@lru_cache(maxsize=256)
def salt_of(formula: ChemicalFormula) -> Salt | None:
    """The ions of a salt; None for what is none, or could be two."""
    if formula.charge or len(formula.portions) > 1:
        return None
    found = list(_ways(formula))
    return found[0] if len(found) == 1 else None


def _ways(formula: ChemicalFormula) -> Iterator[Salt]:
    counts = dict(atom_counts(formula))
    for text, charge in _ions()[0]:
        cation = read_ion(text, charge)
        for other, below in _ions()[1]:
            anion = read_ion(other, -below)
            # Neutral: so many cations for each anion; the element of one ion that the other lacks tells how many.
            ratio = Fraction(below, charge)
            own = atom_counts(cation)
            in_one = {
                symbol: own.get(symbol, 0) * ratio.numerator + number * ratio.denominator
                for symbol, number in {**dict.fromkeys(own, 0), **atom_counts(anion)}.items()
            }
            if in_one.keys() == counts.keys() and len({Fraction(counts[each], in_one[each]) for each in counts}) == 1:
                times = Fraction(counts[next(iter(counts))], in_one[next(iter(counts))])
                if times.denominator == 1 and (times == 1 or text == "Hg2"):
                    yield Salt(cation, ratio.numerator * int(times), anion, ratio.denominator * int(times))
