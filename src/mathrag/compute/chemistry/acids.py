"""Acids and bases in water at 25 °C: what a substance becomes there, and the acidity of any mixture of them from the
balance of charges, which has one root. Activities are taken as concentrations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from mathrag.compute.chemistry.formulas import (
    SUBSCRIPTS_AS_DIGITS,
    ChemicalFormula,
    atom_counts,
    charge_text,
    read_chemical_formula,
    read_ion,
)
from mathrag.compute.solve.numeric import brent
from mathrag.knowledge.equilibria import AcidSteps, acids, spectators

# The ion product of water at 25 °C in mol²/L².
WATER = 1e-14
PKW = 14.0
_MOST_ACID, _LEAST_ACID = 2.0, -17.0


@dataclass(frozen=True, slots=True)
class Form:
    """So many units of an acid that has given off so many of its protons."""

    acid: AcidSteps
    lost: int
    number: int = 1

    @property
    def charge(self) -> int:
        """Of one unit."""
        return self.acid.charge - self.lost

    def __str__(self) -> str:
        return form_text(self.acid, self.lost)


@dataclass(frozen=True, slots=True)
class Dissolved:
    """What one formula unit becomes in water: forms of acids, which react on, and ions that only have a charge.

    `spectators` is the charge of these ions together; `is_hard`: one of them has two charges and leaves the water with
    anions that have several.
    """

    forms: tuple[Form, ...]
    spectators: int
    is_hard: bool = False

    @property
    def free_protons(self) -> int:
        """Protons given off wholly; negative for hydroxide ions."""
        return -self.spectators - sum(each.number * each.charge for each in self.forms)

    @property
    def to_give(self) -> int:
        """How many protons a strong base can take from it."""
        return max(0, self.free_protons) + sum(each.number * (len(each.acid.pka) - each.lost) for each in self.forms)

    @property
    def to_take(self) -> int:
        """How many protons a strong acid can give to it."""
        return max(0, -self.free_protons) + sum(each.number * each.lost for each in self.forms)


def form_text(acid: AcidSteps, lost: int) -> str:
    """A form as people print it: `CH₃COO⁻`."""
    found = read_chemical_formula(acid.form_text(lost))
    return f"{found}{charge_text(acid.charge - lost)}"


def dissolved(formula: ChemicalFormula, name: str = "") -> Dissolved | None:
    """What a substance becomes in water, as far as the tables know. Isomers have the same atoms, so that a molecule
    must be written as its acid or base is, or be called by its name."""
    if formula.portions[1:]:
        water = read_chemical_formula("H2O")
        inner = [ChemicalFormula((replace(each, number=1),)) for each in formula.portions[1:]]
        return None if any(each != water for each in inner) else dissolved(ChemicalFormula(formula.portions[:1]), name)
    known = _written().get(formula) or _named().get(name.strip().lower())
    if known is not None:
        return known
    if formula.charge:
        return None
    candidates = _salts().get(frozenset(atom_counts(formula).items()), ())
    if len(candidates) > 1 or any(each.charge > 0 for one in candidates for each in one.forms):
        candidates = tuple(each for each in candidates if _is_written_in(each, formula))
    return candidates[0] if len(candidates) == 1 else None


def _is_written_in(found: Dissolved, formula: ChemicalFormula) -> bool:
    written = str(formula).translate(SUBSCRIPTS_AS_DIGITS)
    return all(any(each in written for each in one.acid.forms[one.lost]) for one in found.forms)


@cache
def _written() -> Mapping[ChemicalFormula, Dissolved]:
    """Molecules and ions by each way to write them; the ions that go with an ion have the opposite charge."""
    found = {}
    for acid in acids():
        for lost, texts in enumerate(acid.forms):
            form = Form(acid, lost)
            for text in texts:
                found[read_ion(text, form.charge)] = Dissolved((form,), -form.charge)
    return found


@cache
def _named() -> Mapping[str, Dissolved]:
    return {
        name: Dissolved((Form(acid, acid.charge),), 0)
        for acid in acids()
        if acid.charge >= 0
        for name in (acid.name, *acid.also)
    }


_Ion = tuple[str, int, Form | None]


def _ions(sign: int) -> Iterator[_Ion]:
    kind, own = ("cations", "H") if sign > 0 else ("anions", "OH")
    yield own, 1, None
    for text, charge in spectators(kind).items():
        yield text, charge, None
    for acid in acids():
        for lost, texts in enumerate(acid.forms):
            if (acid.charge - lost) * sign > 0:
                yield texts[0], abs(acid.charge - lost), Form(acid, lost)


@cache
def _salts() -> Mapping[frozenset[tuple[str, int]], tuple[Dissolved, ...]]:
    """Acids that fall apart wholly, strong bases and salts, by their atoms."""
    found: dict[frozenset[tuple[str, int]], tuple[Dissolved, ...]] = {}
    for cation, above, one in _ions(1):
        for anion, below, other in _ions(-1):
            is_proton = cation == "H"
            # A proton and the anion of a weak acid are a form of that acid; of calcium salts the soluble ones count.
            if is_proton and (anion == "OH" or (other is not None and other.lost)):
                continue
            if above == 2 and (below > 1 or anion == "F"):
                continue
            together = math.lcm(above, below)
            left, right = together // above, together // below
            formula = read_chemical_formula(f"({cation}){left}({anion}){right}".replace(")1", ")"))
            if not isinstance(formula, ChemicalFormula):
                continue
            forms = [replace(form, number=times) for form, times in ((one, left), (other, right)) if form is not None]
            charge = (0 if one or is_proton else above * left) - (0 if other or anion == "OH" else below * right)
            made = Dissolved(tuple(forms), charge, is_hard=above == 2)
            key = frozenset(atom_counts(formula).items())
            found[key] = (*found.get(key, ()), made)
    return found


def hydrogen_ions(systems: Sequence[tuple[AcidSteps, float]], spectator_charge: float) -> float | None:
    """[H⁺] in mol/L where the charges balance: acids with their whole concentration in all forms, and the charge that
    other ions bring. The sum rises with [H⁺], so that there is one root."""

    def charge(power: float) -> float:
        ions = math.pow(10.0, power)
        held = sum(
            amount * share * (acid.charge - lost)
            for acid, amount in systems
            for lost, share in enumerate(shares(acid, ions))
        )
        return ions - WATER / ions + held + spectator_charge

    power = brent(charge, _LEAST_ACID, _MOST_ACID)
    return None if power is None else math.pow(10.0, power)


def shares(acid: AcidSteps, ions: float) -> list[float]:
    """Which part of an acid is in each form at so many hydrogen ions."""
    weights = [1.0]
    for step in acid.pka:
        weights.append(weights[-1] * math.pow(10.0, -step) / ions)
    return [each / sum(weights) for each in weights]


def ions_of_weak(concentration: float, constant: float) -> float:
    """The concentration x of the ion of a weak acid or base: x² / (c − x) = K, without what water adds, in mol/L."""
    # The same as (−K + √(K² + 4 K c)) / 2, without the difference of near numbers.
    return 2 * concentration / (1 + math.sqrt(1 + 4 * concentration / constant))
