"""Questions about solutions: how much is dissolved in a volume and the reverse, neutralisation of an acid by a base, pH
and pOH of one acid or base. Mixtures, buffers and acids that give off proton by proton are left to the formulas."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from mathrag.compute.chemistry.acids import FEWEST_WITHOUT_WATER, PKW, ions_of_strong, ions_of_weak
from mathrag.compute.chemistry.formulas import ChemicalFormula, ChemistryProblem, read_chemical_formula
from mathrag.knowledge.compounds import naming_table
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.chemistry.amounts import in_unit
from mathrag.reason.direct.chemistry.asked import Asked, asked_of, is_understood, without
from mathrag.reason.direct.chemistry.reading import AMOUNT, SUBSTANCE, Amount, Measured, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import (
    Working,
    as_number,
    failure,
    moles_of,
    number_shown,
    same_substance,
    settled,
    si_to,
    unit_named,
)
from mathrag.reason.direct.question_text import core_of
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure
from mathrag.types.quantity import NO_UNIT

_CELSIUS = re.compile(rf",? at {AMOUNT}")
_ROOM = 25.0
# Beyond one mole in a liter, concentrations no longer stand for activities.
_LARGEST = 1.0
# What water adds to fewer ions than these shows in the second decimal.
_FEWEST_IONS = 1e-6
_LITRE = Fraction(1, 1000)


def answer_solutions(reading: Reading) -> AlgebraOutcome:
    """What a solution has or does; None for any other question."""
    if reading.reaction is not None or not reading.substances or not reading.amounts:
        return None
    return _acidity(reading) or _neutralised(reading) or _dissolved(reading)


# How much is dissolved.


@cache
def _molarity_asked() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:{any_of('chemistry.molarity')})(?: of (?:the |an? )?(?:{SUBSTANCE} )?solution)?(?!\w)"
    )


_OF_WATER = re.compile(rf"{AMOUNT}(?: of)?(?: pure)? {SUBSTANCE}")


def _dissolved(reading: Reading) -> AlgebraOutcome:
    measured = {each.measured: each for each in reading.amounts}
    if len(measured) != len(reading.amounts) or len(measured) != 2:
        return None
    solute = _solute(reading)
    if solute is None:
        return None
    found = _molarity_asked().search(reading.template)
    if found is not None and "volume" in measured:
        rest = without(reading.template, found)
        if is_understood(rest, words="chemistry.solutions"):
            return _molarity(solute, measured)
        return None
    question = asked_of(reading)
    if question is None or question.asked.kind != "amount" or question.asked.is_theoretical:
        return None
    if "molarity" not in measured or not is_understood(question.rest, words="chemistry.solutions"):
        return None
    if "volume" in measured and question.asked.unit not in ("L", "mL", "volume", "atoms"):
        return _contained(solute, measured, question.asked)
    return None


def _solute(reading: Reading) -> Mentioned | None:
    """The one substance that is dissolved; water may be named beside it, but a volume of water is none of solution."""
    water = read_chemical_formula("H2O")
    others = [each for each in reading.substances if water not in each.formulas]
    if not others or any(set(each.formulas) != set(others[0].formulas) for each in others):
        return None
    for found in _OF_WATER.finditer(reading.template):
        if water in reading.substance_at(found.end() - 1).formulas:
            return None
    return others[0]


def _molarity(solute: Mentioned, measured: dict[Measured, Amount]) -> AlgebraOutcome:
    working = Working()
    formula = settled(solute)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    working.takes(solute, formula)
    volume = measured["volume"]
    inside = next(each for key, each in measured.items() if key != "volume")
    if inside.measured not in ("mass", "moles") or volume.si <= 0:
        return None
    moles = moles_of(inside, formula, working)
    if isinstance(moles, ChemistryProblem):
        return failure(moles)
    working.states(volume)
    value = moles / (volume.si / _LITRE)
    working.lines.append(
        f"c({formula}) = {number_shown(moles)} mol / {number_shown(volume.si / _LITRE)} L = {number_shown(value)} mol/L"
    )
    text = f"The concentration of {formula} is {{}}."
    return working.result(text, value, unit_named("mol/L"), expression=f"c({formula})")


def _contained(solute: Mentioned, measured: dict[Measured, Amount], asked: Asked) -> AlgebraOutcome:
    working = Working()
    formula = settled(solute)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    if asked.substance is not None and formula not in asked.substance.formulas:
        return None
    working.takes(solute, formula)
    volume, molarity = measured["volume"], measured["molarity"]
    moles = _moles_in(volume, molarity, formula, working)
    return in_unit(moles, formula, working, asked=asked, like=None)


def _moles_in(volume: Amount, molarity: Amount, formula: ChemicalFormula, working: Working) -> Fraction:
    working.states(volume)
    working.states(molarity)
    moles = volume.si * molarity.si
    working.lines.append(
        f"n({formula}) = {number_shown(molarity.si * _LITRE)} mol/L × {number_shown(volume.si / _LITRE)} L "
        f"= {number_shown(moles)} mol"
    )
    return moles


# Neutralisation.


@dataclass(frozen=True, slots=True)
class _Part:
    """An acid or a base with what is stated of its solution."""

    formula: ChemicalFormula
    protons: int
    is_acid: bool
    volume: Amount | None = None
    molarity: Amount | None = None


_A = r"(?:an? |the )?"
_SOLUTION = re.compile(
    rf"(?:(?P<first>{AMOUNT}) (?:of )?{_A})?"
    rf"(?:(?P<second>{AMOUNT}) (?:(?:solution )?of |aqueous )*)?(?P<substance>{SUBSTANCE})"
)


def _neutralised(reading: Reading) -> AlgebraOutcome:
    words = frozenset(re.findall(r"[a-z]+", reading.template))
    if words.isdisjoint(word_class("chemistry.neutralises")) or len(reading.amounts) != 3:
        return None
    found = _molarity_asked().search(reading.template)
    question = None if found is not None else asked_of(reading)
    rest = without(reading.template, found) if found is not None else None if question is None else question.rest
    if rest is None or not is_understood(rest, words="chemistry.neutralising"):
        return None
    if question is not None and question.asked.unit not in ("L", "mL", "volume"):
        return None
    parts = _parts(reading)
    if parts is None:
        return None
    known = next((each for each in parts if each.volume is not None and each.molarity is not None), None)
    other = next((each for each in parts if each is not known), None)
    if known is None or other is None or known.is_acid == other.is_acid:
        return None
    return _equivalence(known, other, "" if question is None else question.asked.unit)


def _parts(reading: Reading) -> list[_Part] | None:
    """The acid and the base, each with its volume and concentration as far as they are stated."""
    parts: list[_Part] = []
    for found in _SOLUTION.finditer(reading.template):
        part = _protons(reading.substance_at(found.start("substance")))
        if part is None:
            return None
        amounts = [reading.amount_at(found.start(name)) for name in ("first", "second") if found[name]]
        place = next((index for index, each in enumerate(parts) if each.formula == part.formula), len(parts))
        part = parts.pop(place) if place < len(parts) else part
        for amount in amounts:
            if amount.measured == "volume" and part.volume is None:
                part = replace(part, volume=amount)
            elif amount.measured == "molarity" and part.molarity is None:
                part = replace(part, molarity=amount)
            else:
                return None
        parts.insert(place, part)
    stated = sum((each.volume is not None) + (each.molarity is not None) for each in parts)
    return parts if len(parts) == 2 and stated == len(reading.amounts) else None


def _protons(mentioned: Mentioned) -> _Part | None:
    for table, is_acid in (("protons_given", True), ("protons_taken", False)):
        for text, number in naming_table(table).items():
            known = read_chemical_formula(text)
            if isinstance(known, ChemicalFormula) and same_substance(known, mentioned.formulas[0]):
                return _Part(mentioned.formulas[0], number, is_acid)
    return None


def _equivalence(known: _Part, other: _Part, unit: str) -> AlgebraOutcome:
    working = Working()
    stated = other.volume or other.molarity
    if known.volume is None or known.molarity is None or stated is None or stated.si <= 0:
        return None
    if (other.volume is None) != bool(unit):
        return None
    moles = _moles_in(known.volume, known.molarity, known.formula, working)
    needed = moles * known.protons / other.protons
    working.states(stated)
    ratio = f"{known.protons}/{other.protons}"
    working.lines.append(f"n({other.formula}) = {ratio} × n({known.formula}) = {number_shown(needed)} mol")
    if known.protons > 1 or other.protons > 1:
        working.notes.append("all protons of the acid and all hydroxide ions of the base are taken to react")
    value = needed / stated.si
    if other.volume is None:
        wanted = unit_named("mL" if unit == "volume" else unit)
        text = f"{{}} of the {other.formula} solution neutralise it."
        working.lines.append(f"V = {number_shown(needed)} mol / ({number_shown(stated.si * _LITRE)} mol/L)")
        return working.result(text, si_to(value, wanted), wanted, expression=f"V({other.formula})")
    working.lines.append(f"c = {number_shown(needed)} mol / {number_shown(stated.si / _LITRE)} L")
    text = f"The concentration of {other.formula} is {{}}."
    return working.result(text, value * _LITRE, unit_named("mol/L"), expression=f"c({other.formula})")


# Acidity.


@cache
def _acidity_asked() -> re.Pattern[str]:
    a = r"(?:an? |the )?"
    of = rf"(?:{a}(?:aqueous )?solution of |{a}(?:aqueous )?solution that is )?"
    what = rf"{of}{a}{AMOUNT} (?:(?:aqueous )?solution of |of |in |aqueous )?{SUBSTANCE}(?: \(?(?:aq|solution)\)?)?"
    joint = r",? ?(?:\(|with|if|given|when|and|for which|whose)? ?(?:an? |the |its )?"
    constant = rf"{joint}(?P<constant>p?k[ab]) ?(?:=|of|is|:)? ?{AMOUNT}\)?"
    return re.compile(rf"(?P<scale>poh|ph) of {what}(?:{constant})?")


def _acidity(reading: Reading) -> AlgebraOutcome:
    core = core_of(reading.template)
    amounts = list(reading.amounts)
    warm = _CELSIUS.search(core)
    if warm is not None:
        place = core.count(AMOUNT, 0, warm.end() - 1)
        unit = amounts[place].unit
        if unit is None or unit.text not in ("degC", "°C") or float(amounts[place].si) != _ROOM:
            return None
        amounts.pop(place)
        core = core[: warm.start()] + core[warm.end() :]
    found = _acidity_asked().fullmatch(core.strip(" ,"))
    if found is None or amounts[0].measured != "molarity" or len(reading.substances) != 1:
        return None
    concentration = float(amounts[0].si * _LITRE)
    formula = settled(reading.substances[0])
    if isinstance(formula, ChemistryProblem) or not 0 < concentration <= _LARGEST:
        return None
    working = Working()
    working.takes(reading.substances[0], formula)
    working.states(amounts[0])
    if found["constant"]:
        if len(amounts) != 2 or amounts[1].measured != "number" or amounts[1].unit is not None:
            return None
        return _weak(formula, concentration, found, amounts[1], working)
    return _strong(reading.substances[0], formula, concentration, found["scale"], working)


def _strong(
    mentioned: Mentioned, formula: ChemicalFormula, concentration: float, scale: str, working: Working
) -> AlgebraOutcome:
    part = _protons(mentioned)
    if part is None:
        return None
    known = [read_chemical_formula(text) for text in naming_table("strong")["formulas"]]
    if not any(isinstance(each, ChemicalFormula) and same_substance(each, formula) for each in known):
        if part.protons == 1:
            return None
        said = (
            f"{formula} gives off its first proton wholly and the second only in part; state the constant of the second"
        )
        return DirectFailure("ambiguous", said, "chemistry")
    ions = ions_of_strong(part.protons * concentration)
    ion = "H⁺" if part.is_acid else "OH⁻"
    working.notes.append(f"{formula} is strong: each formula unit gives {part.protons} {ion}")
    if ions < FEWEST_WITHOUT_WATER:
        working.notes.append("the ions of water itself are counted")
    working.lines.append(f"[{ion}] = {ions:.6g} mol/L")
    return _on_scale(ions, ion, scale, formula, working)


def _on_scale(ions: float, ion: str, scale: str, formula: ChemicalFormula, working: Working) -> AlgebraOutcome:
    own = "ph" if ion == "H⁺" else "poh"
    names = {"ph": "pH", "poh": "pOH"}
    value = -math.log10(ions)
    working.lines.append(f"{names[own]} = −log₁₀[{ion}] = {value:.4f}")
    if own != scale:
        working.lines.append(f"{names[scale]} = {PKW:.2f} − {value:.4f} = {PKW - value:.4f}")
        working.notes.append("pH + pOH = 14.00, as in water at 25 °C")
        value = PKW - value
    text = f"The {names[scale]} of the {formula} solution is {value:.2f}."
    number = Fraction(repr(float(as_number(Fraction(value)))))
    figures = len(f"{abs(value):.2f}".replace(".", "").lstrip("0")) or 1
    return working.result(text, number, NO_UNIT, expression=names[scale], figures=figures)


def _weak(
    formula: ChemicalFormula, concentration: float, found: re.Match[str], amount: Amount, working: Working
) -> AlgebraOutcome:
    name = found["constant"]
    stated = float(amount.si)
    constant = 10.0**-stated if name.startswith("p") and abs(stated) < 30 else stated
    is_acid = name.endswith("a")
    if not 0 < constant < 1 or is_acid != _looks_acid(formula):
        return None
    ions = ions_of_weak(concentration, constant)
    if ions < _FEWEST_IONS:
        return None
    ion = "H⁺" if is_acid else "OH⁻"
    working.states(amount)
    letter = "K_a" if is_acid else "K_b"
    working.lines.append(f"{letter} = x² / (c − x), with {letter} = {constant:.4g} and c = {concentration:.4g} mol/L")
    working.lines.append(f"x = [{ion}] = {ions:.6g} mol/L (the exact root)")
    working.notes.append("only the stated equilibrium is counted, and concentrations stand for activities")
    return _on_scale(ions, ion, found["scale"], formula, working)


def _looks_acid(formula: ChemicalFormula) -> bool:
    """Whether a formula is written as an acid: hydrogen first, or with the group of organic acids."""
    text = str(formula)
    return (text.startswith("H") and not text.startswith("HO")) or text.endswith(("COOH", "O₂"))
