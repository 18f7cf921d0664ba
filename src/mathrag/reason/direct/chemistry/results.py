"""What answers about substances have in common: which formula a name means, amounts in moles and back with each step in
words, sources and figures. Reads no text."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from mathrag.compute.chemistry.formulas import (
    ChemicalFormula,
    ChemistryProblem,
    atom_counts,
    read_chemical_formula,
    same_substance,
)
from mathrag.compute.chemistry.masses import (
    WEIGHTS_SOURCE,
    mass_figures,
    mass_problem,
    mass_sum_text,
    molar_mass,
    shown_mass,
)
from mathrag.compute.chemistry.reactions import Reaction
from mathrag.knowledge.compounds import naming_table
from mathrag.knowledge.constants import constant
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.direct.chemistry.reading import Amount, Mentioned
from mathrag.reason.direct.result import (
    DirectFailure,
    DirectResult,
    DirectStatement,
    Stated,
    cleaned,
    exact_fraction,
    figures_for,
)
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

# Digits in lines of working, beyond what the result deserves.
WORKING_FIGURES = 6
# In SI units.
LITRE = Fraction(1, 1000)
ATMOSPHERE = Fraction(101_325)
_AVOGADRO = "avogadro_constant"
# With one atmosphere it is the older standard condition that school books mean by STP.
_ZERO_CELSIUS = Fraction(27_315, 100)
# The limits that the formulas of ideal gases state, too.
_LEAST_KELVIN = 20
_LEAST_MOLAR_VOLUME = Fraction(1, 10_000)  # m³/mol
_GAS = Fraction(constant("molar_gas_constant").value)
_STP_NOTE = (
    "STP is taken as 0 °C and 1 atm (22.414 L/mol of an ideal gas); "
    "at 1 bar, as newer books have it, it is 22.711 L/mol"
)


@dataclass(frozen=True, slots=True)
class GasConditions:
    """Temperature and pressure of gases in SI units, as stated, or by the name of standard conditions."""

    kelvin: Fraction = _ZERO_CELSIUS
    pascal: Fraction = ATMOSPHERE
    stated: tuple[Amount, ...] = ()

    @property
    def are_of_ideal_gas(self) -> bool:
        """Whether the molecules are far apart, and no gas has become a liquid."""
        return self.kelvin > _LEAST_KELVIN and self.kelvin * _GAS / self.pascal > _LEAST_MOLAR_VOLUME


@dataclass(slots=True)
class Working:
    """The lines, sources and assumptions of one answer, as they come up."""

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sources: list[Provenance] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    figures: list[int] = field(default_factory=list)
    elements: dict[str, None] = field(default_factory=dict)
    conditions: GasConditions = field(default_factory=GasConditions)

    def states(self, amount: Amount) -> None:
        """A value of the question is used."""
        self.stated.append(amount.stated)
        self.sources.append(Provenance("question", amount.text))

    def takes(self, mentioned: Mentioned, formula: ChemicalFormula) -> None:
        """A name is read as a formula."""
        if mentioned.note:
            self.notes.append(mentioned.note)
        elif str(formula) != mentioned.text and read_chemical_formula(mentioned.text) != formula:
            self.lines.append(f"{mentioned.text}: {formula}")

    def mass_of_a_mole(self, formula: ChemicalFormula) -> Fraction:
        """The molar mass in g/mol, with its line and source."""
        self.elements.update(dict.fromkeys(atom_counts(formula)))
        self.lines.append(f"M({formula}) = {mass_sum_text(formula)} g/mol")
        self.figures.append(mass_figures(formula))
        return Fraction(molar_mass(formula))

    def avogadro(self) -> Fraction:
        """The number of particles in a mole, with its source."""
        known = constant(_AVOGADRO)
        self.sources.append(Provenance("constant", known.name, known.source))
        return Fraction(known.value)

    def molar_volume(self) -> Fraction:
        """The volume of a mole of an ideal gas in m³, with the convention or the step."""
        gas, at = constant("molar_gas_constant"), self.conditions
        self.sources.append(Provenance("constant", gas.name, gas.source))
        volume = _GAS * at.kelvin / at.pascal
        for each in at.stated:
            self.states(each)
        if at.stated:
            shown_volume = f"{number_shown(volume * 1000)} L/mol"
            self.lines.append(
                f"V_m = R T / p = {shown_volume} at {number_shown(at.kelvin)} K and {number_shown(at.pascal)} Pa"
            )
            self.notes.append("gases are taken as ideal")
        else:
            self.notes.append(_STP_NOTE)
        return volume

    def result(
        self, text: str, value: Fraction, unit: Unit, *, expression: str, figures: int | None = None
    ) -> DirectResult:
        """The answer; `text` has `{}` where the number with its unit stands."""
        number = as_number(value)
        digits = figures or self.figures_of_result()
        return DirectResult(
            "chemistry",
            Quantity(number, unit),
            digits,
            expression,
            text=text.format(shown(value, unit, digits)),
            working=tuple(dict.fromkeys(self.lines)),
            provenance=self._all_sources(),
            notes=tuple(dict.fromkeys(self.notes)),
            lines=self.working_lines(),
        )

    def statement(self, text: str, *, expression: str) -> DirectStatement:
        """An answer that is no single number."""
        notes = tuple(dict.fromkeys((*self.notes, *self._sources_in_words())))
        return DirectStatement(text, expression, self.working_lines(), notes, kind="chemistry")

    def _sources_in_words(self) -> list[str]:
        return [f"{each.text}: {each.source}" for each in self._all_sources() if each.origin == "constant"]

    def _all_sources(self) -> tuple[Provenance, ...]:
        weights = f"atomic weight{'s' if len(self.elements) > 1 else ''} of {', '.join(self.elements)}"
        made = [Provenance("constant", weights, WEIGHTS_SOURCE)] if self.elements else []
        return tuple(dict.fromkeys((*self.sources, *made)))

    def working_lines(self) -> tuple[WorkingLine, ...]:
        """The lines so far, each once."""
        return tuple(WorkingLine(each) for each in dict.fromkeys(self.lines))

    def figures_of_result(self) -> int:
        """As many as the roughest value has that was used."""
        return min([figures_for(self.stated), *self.figures]) if self.stated else min(self.figures, default=4)


def as_number(value: Fraction) -> int | float:
    """A whole number as one, anything else as a float without dust."""
    return value.numerator if value.denominator == 1 and abs(value) < 10**15 else cleaned(float(value))


def shown(value: Fraction, unit: Unit = NO_UNIT, figures: int = WORKING_FIGURES) -> str:
    """A number with its unit: `0.0125 mol`, `3.011 × 10²³`."""
    return f"{number_shown(value, figures)} {'%' if unit.text == 'percent' else unit.text}".rstrip()


_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def number_shown(value: Fraction, figures: int = WORKING_FIGURES) -> str:
    """A number rounded for a person, with a power of ten where it is very large or small."""
    if value.denominator == 1 and abs(value) < 10**figures:
        return str(value.numerator)
    written = f"{float(value):.{figures}g}"
    mantissa, _, power = written.partition("e")
    return mantissa if not power else f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"


def figure(value: float | Fraction, figures: int = 4) -> str:
    """A number of working: rounded, with a power of ten where it is very large or small."""
    return number_shown(Fraction(value), figures)


def failure(problem: ChemistryProblem) -> DirectFailure:
    """A problem of chemistry as the outcome of a question."""
    return DirectFailure(problem.code, problem.message, "chemistry")


def settled(mentioned: Mentioned) -> ChemicalFormula | ChemistryProblem:
    """The one formula that a name means without a reaction; a problem where it is open or has no molar mass."""
    first = mentioned.formulas[0]
    atoms = sum(atom_counts(first).values())
    if len(mentioned.formulas) > 1 and atoms > 1:
        choices = " or ".join(map(str, mentioned.formulas))
        return ChemistryProblem("ambiguous", f"{mentioned.text} can mean {choices}; write the formula that is meant")
    return mass_problem(first) or first


def is_gas(formula: ChemicalFormula) -> bool:
    """Whether a substance is a gas at standard conditions, as far as the table knows."""
    known = map(read_chemical_formula, naming_table("gases")["formulas"])
    return any(isinstance(each, ChemicalFormula) and same_substance(each, formula) for each in known)


def species_in(reaction: Reaction, mentioned: Mentioned) -> ChemicalFormula | None:
    """The one species of the reaction that a mention means."""
    found = {
        each.formula
        for each in reaction.terms
        for formula in mentioned.formulas
        if same_substance(each.formula, formula)
    }
    return found.pop() if len(found) == 1 else None


def si_to(value: Fraction, unit: Unit) -> Fraction:
    """A value in SI units in another unit."""
    return value / exact_fraction(unit.scale)


def unit_named(text: str) -> Unit:
    """A unit of the table."""
    return read_canonical_unit(text)


def moles_of(amount: Amount, formula: ChemicalFormula, working: Working) -> Fraction | ChemistryProblem:
    """How many moles an amount of a substance is, with the step that shows it."""
    working.states(amount)
    match amount.measured:
        case "moles":
            working.lines.append(f"n({formula}) = {amount.text}")
            return amount.si
        case "mass":
            mass = working.mass_of_a_mole(formula)
            moles = amount.si * 1000 / mass
            grams = number_shown(amount.si * 1000)
            working.lines.append(
                f"n({formula}) = {grams} g / ({shown_mass(formula)} g/mol) = {number_shown(moles)} mol"
            )
            return moles
        case "particles":
            number = working.avogadro()
            particles = _particles_meant(amount, formula)
            if isinstance(particles, ChemistryProblem):
                return particles
            moles = amount.si / number
            working.lines.append(
                f"n({formula}) = {number_shown(amount.si)} / ({number_shown(number)} 1/mol) = {number_shown(moles)} mol"
            )
            return moles
        case "volume":
            if not is_gas(formula):
                return ChemistryProblem(
                    "undefined", f"a volume tells the amount of gases only, and {formula} is none known"
                )
            volume = working.molar_volume()
            moles = amount.si / volume
            litres = number_shown(amount.si * 1000)
            working.lines.append(
                f"n({formula}) = {litres} L / ({number_shown(volume * 1000)} L/mol) = {number_shown(moles)} mol"
            )
            return moles
        case _:
            return ChemistryProblem("undefined", f"{amount.text} is no amount of {formula}")


def _particles_meant(amount: Amount, formula: ChemicalFormula) -> ChemistryProblem | None:
    """Atoms are particles of single atoms; of a compound it is open which atoms are counted."""
    atoms = sum(atom_counts(formula).values())
    if amount.particles == "atoms" and atoms > 1:
        return ChemistryProblem("ambiguous", f"{formula} has {atoms} atoms in a particle; say which atoms are counted")
    return None
