"""Questions about one substance: its molar mass, the shares of its elements, how many atoms it has, and amounts of it
in grams, moles, particles and, of gases at standard conditions, liters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache

from mathrag.compute.chemistry.formulas import ChemicalFormula, ChemistryProblem, atom_counts, read_chemical_formula
from mathrag.compute.chemistry.masses import (
    mass_figures,
    mass_problem,
    mass_share,
    molar_mass,
    shown_mass,
)
from mathrag.knowledge.elements import atomic_weights, element_names
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.chemistry.asked import Asked, Question, asked_of, is_understood
from mathrag.reason.direct.chemistry.reading import AMOUNT, ANY, SUBSTANCE, Amount, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import (
    GasConditions,
    Working,
    failure,
    is_gas,
    moles_of,
    number_shown,
    settled,
    si_to,
    unit_named,
)
from mathrag.reason.direct.question_text import core_of
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure
from mathrag.types.quantity import NO_UNIT, Unit

_PERCENT = "percent"
_JOINING = "chemistry.joining"
_COUNTED = frozenset(("molecules", "atoms", "units"))


def answer_amounts(reading: Reading) -> AlgebraOutcome:
    """What one substance comes to; None for any other question."""
    if reading.reaction is not None or not reading.substances:
        return None
    core = core_of(reading.template)
    for pattern, answer in _forms():
        found = pattern.fullmatch(core)
        if found is not None:
            return answer(reading, found)
    return _converted(reading)


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[Reading, re.Match[str]], AlgebraOutcome]], ...]:
    mass, relative = any_of("chemistry.molar_mass"), any_of("chemistry.relative_mass")
    share, bare = any_of("chemistry.mass_percent"), any_of("chemistry.bare_percent")
    one = rf"(?:(?:the )?(?:{any_of('chemistry.one_unit')})(?: of)? )?"
    the = rf"(?:the )?(?:compound |substance |element |pure )?{one}"
    by_mass = r"(?: by (?:mass|weight))?"
    unit = r"(?:,? (?:in|expressed in) (?:g/mol|grams per mole|g mol-1|amu|u|daltons?))?"
    verb = r"(?:is|are|is found|are found|is contained|are contained|are there|is there|are present|is present)"
    total = r"(?:total )?"
    what = r"(?:(?:what|how much|how many) )?"
    of_what = rf"(?:{share})|(?:what )?(?:{bare}){by_mass}"
    in_percent = rf",? (?:by (?:mass|weight),? )?\(?(?:in|as an?) (?:{bare}|mass %){by_mass}\)?"
    forms: tuple[tuple[str, Callable[[Reading, re.Match[str]], AlgebraOutcome]], ...] = (
        (rf"(?:{mass}) (?:of|for) {the}{SUBSTANCE}{unit}", _molar_mass),
        (rf"{SUBSTANCE}(?:'s)? (?:{mass}){unit}", _molar_mass),
        (rf"(?:{relative}) (?:of|for) {the}{SUBSTANCE}", _relative_mass),
        (rf"(?:{of_what}) (?:of )?(?:the )?{SUBSTANCE}{by_mass} (?:{verb} )?in {the}{SUBSTANCE}{by_mass}", _share),
        (rf"{SUBSTANCE} content (?:of|in) {the}{SUBSTANCE}{in_percent}", _share),
        (rf"(?:mass|weight) fraction of {SUBSTANCE} in {the}{SUBSTANCE}", _fraction),
        (rf"{what}(?:{bare}){by_mass} of {the}{SUBSTANCE}{by_mass} is {SUBSTANCE}{by_mass}", _share_turned),
        (rf"{what}(?:{bare}) of the mass of {the}{SUBSTANCE} is (?:due to )?{SUBSTANCE}", _share_turned),
        (
            rf"(?:{any_of('chemistry.composition')}) (?:of|for) (?:each element in )?{the}{SUBSTANCE}{by_mass}",
            _composition,
        ),
        (rf"(?:{share}) of (?:each|every) element in {the}{SUBSTANCE}", _composition),
        (rf"how many {SUBSTANCE} atoms {verb} in {the}{SUBSTANCE}", _atoms_of_element),
        (rf"how many atoms of {SUBSTANCE} {verb} in {the}{SUBSTANCE}", _atoms_of_element),
        (rf"number of {SUBSTANCE} atoms (?:present )?in {the}{SUBSTANCE}", _atoms_of_element),
        (rf"number of atoms of {SUBSTANCE} (?:present )?in {the}{SUBSTANCE}", _atoms_of_element),
        (rf"how many {total}atoms {verb}(?: in total)? in {the}{SUBSTANCE}", _atoms),
        (rf"{total}number of atoms (?:present )?in {the}{SUBSTANCE}", _atoms),
    )
    return tuple((re.compile(text), answer) for text, answer in forms)


def _one(mentioned: Mentioned, working: Working) -> ChemicalFormula | ChemistryProblem:
    formula = settled(mentioned)
    if isinstance(formula, ChemicalFormula):
        working.takes(mentioned, formula)
    return formula


def _molar_mass(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    return _mass_of_formula(reading, "g/mol", "The molar mass of {} is")


def _relative_mass(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    return _mass_of_formula(reading, "", "The relative formula mass of {} is")


def _mass_of_formula(reading: Reading, unit: str, said: str) -> AlgebraOutcome:
    working = Working()
    formula = _one(reading.substances[0], working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    if formula.charge:
        working.notes.append("the mass of the electrons that make the charge is left out: it changes no digit shown")
    working.mass_of_a_mole(formula)
    for symbol, number in atom_counts(formula).items():
        working.lines.append(
            f"{symbol}: {number} × {atomic_weights()[symbol]} = {number * atomic_weights()[symbol]} g/mol"
        )
    return working.result(
        f"{said.format(formula)} {{}}.",
        Fraction(shown_mass(formula)),
        unit_named(unit) if unit else NO_UNIT,
        expression=f"M({formula})",
        figures=mass_figures(formula),
    )


def _share(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    return _share_of(*reading.substances[:2])


def _fraction(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    return _share_of(*reading.substances[:2], is_fraction=True)


def _share_turned(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    return _share_of(*reversed(reading.substances[:2]))


def _share_of(part: Mentioned, whole: Mentioned, *, is_fraction: bool = False) -> AlgebraOutcome:
    working = Working()
    formula = _one(whole, working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    counts = atom_counts(formula)
    found = _part(part, formula)
    if found is None:
        return None
    number, symbol = found
    if not number:
        return DirectFailure("undefined", f"{formula} has no {element_names()[symbol]}", "chemistry")
    mass = working.mass_of_a_mole(formula)
    if symbol:
        share = mass_share(formula, symbol)
        weight = atomic_weights()[symbol]
        working.figures.append(len(weight.as_tuple().digits))
        working.lines.append(
            f"w({symbol}) = {counts[symbol]} × {weight} / {shown_mass(formula)} × 100 % = {number_shown(share * 100)} %"
        )
        name = element_names()[symbol]
    else:
        inner = part.formulas[0]
        share = Fraction(molar_mass(inner)) * number / mass
        working.mass_of_a_mole(inner)
        working.lines.append(
            f"w({inner}) = {number} × {shown_mass(inner)} / {shown_mass(formula)} × 100 % "
            f"= {number_shown(share * 100)} %"
        )
        name = str(inner)
    if is_fraction:
        text = f"The mass fraction of {name} in {formula} is {{}}."
        return working.result(text, share, NO_UNIT, expression=f"w({name}) in {formula}")
    text = f"The mass percent of {name} in {formula} is {{}}."
    return working.result(text, share * 100, unit_named(_PERCENT), expression=f"mass percent of {name} in {formula}")


def _part(part: Mentioned, whole: ChemicalFormula) -> tuple[int, str] | None:
    """How often the part is in the whole, and its symbol where it is an element; of compounds, water in a hydrate."""
    if part.element:
        return atom_counts(whole).get(part.element, 0), part.element
    water = read_chemical_formula("H2O")
    if len(part.formulas) == 1 and part.formulas[0] == water and len(whole.portions) > 1:
        number = sum(
            each.number for each in whole.portions[1:] if ChemicalFormula((each,)) == _times(water, each.number)
        )
        return (number, "") if number else None
    return None


def _times(formula: ChemicalFormula | ChemistryProblem | None, number: int) -> ChemicalFormula | None:
    if not isinstance(formula, ChemicalFormula):
        return None
    first = formula.portions[0]
    return ChemicalFormula((type(first)(first.parts, number),))


def _composition(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    working = Working()
    formula = _one(reading.substances[0], working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    working.mass_of_a_mole(formula)
    said = []
    for symbol, number in atom_counts(formula).items():
        share = mass_share(formula, symbol) * 100
        weight = atomic_weights()[symbol]
        working.lines.append(f"{symbol}: {number} × {weight} / {shown_mass(formula)} × 100 % = {float(share):.2f} %")
        said.append(f"{float(share):.2f} % {element_names()[symbol]}")
    text = f"{formula} is, by mass, {', '.join(said[:-1])}{' and ' if said[1:] else ''}{said[-1]}."
    return working.statement(text, expression=f"composition of {formula}")


def _atoms_of_element(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    part, whole = reading.substances[:2]
    working = Working()
    formula = _one(whole, working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    symbol = part.element
    if not symbol or len(whole.formulas) > 1:
        return None
    number = atom_counts(formula).get(symbol, 0)
    working.lines.append(_counts_text(formula))
    name = element_names()[symbol]
    text = f"One formula unit of {formula} has {number} {'atom' if number == 1 else 'atoms'} of {name}."
    return _counted(working, text, number, f"atoms of {symbol} in {formula}")


def _atoms(reading: Reading, _: re.Match[str]) -> AlgebraOutcome:
    whole = reading.substances[0]
    working = Working()
    formula = _one(whole, working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    number = sum(atom_counts(formula).values())
    working.lines.append(_counts_text(formula))
    return _counted(working, f"One formula unit of {formula} has {number} atoms.", number, f"atoms in {formula}")


def _counts_text(formula: ChemicalFormula) -> str:
    counts = ", ".join(f"{number} {symbol}" for symbol, number in atom_counts(formula).items())
    return f"{formula} has {counts}"


def _counted(working: Working, text: str, number: int, expression: str) -> AlgebraOutcome:
    return working.result(
        text.replace("{", "").replace("}", ""), Fraction(number), NO_UNIT, expression=expression, figures=6
    )


# Amounts.


def _converted(reading: Reading) -> AlgebraOutcome:
    """The one amount that is stated in the unit that is asked for: of the same substance, or of an element in it."""
    if not reading.amounts or not 1 <= len(reading.substances) <= 2:
        return None
    reading, conditions = without_gas_conditions(reading)
    if len(reading.amounts) != 1:
        return None
    asked = asked_of(reading)
    if (
        asked is None
        or asked.asked.kind != "amount"
        or asked.asked.is_theoretical
        or not is_understood(asked.rest, words=_JOINING)
    ):
        return None
    amount, of = reading.amounts[0], _substance_of_amount(reading, asked)
    if of is None or not _is_measurable(amount, asked.asked, has_conditions=conditions is not None):
        return None
    part = asked.asked.substance
    others = [each for each in reading.substances if each is not of and each is not part]
    if others:
        return None
    if part is None or set(part.formulas) & set(of.formulas):
        return _same_in_other_unit(amount, of, asked.asked, conditions or GasConditions())
    return _element_in(amount, of, part, asked.asked, conditions or GasConditions())


@cache
def _standard_conditions() -> re.Pattern[str]:
    return re.compile(rf",?(?<!\w)(?:{any_of('chemistry.stp')})(?!\w),?")


_STATED_CONDITIONS = re.compile(
    rf",?(?: ?\(?(?:measured |collected )?(?:at|under))? ?(?:a temperature of )?{AMOUNT}(?:,? and|,) "
    rf"(?:a (?:pressure of )?)?{AMOUNT}(?: pressure)?\)?,?"
)


def without_gas_conditions(reading: Reading) -> tuple[Reading, GasConditions | None]:
    """The reading without the words and values that state conditions of gases, and these."""
    shorter = _standard_conditions().sub(" ", reading.template)
    if shorter != reading.template:
        return replace(reading, template=shorter), GasConditions()
    for found in _STATED_CONDITIONS.finditer(reading.template):
        place = reading.template.count(AMOUNT, 0, found.start())
        two = reading.amounts[place : place + 2]
        measured = {each.measured: each for each in two}
        if measured.keys() == {"temperature", "pressure"} and all(each.si > 0 for each in two):
            rest = f"{reading.template[: found.start()]} {reading.template[found.end() :]}"
            kept = (*reading.amounts[:place], *reading.amounts[place + 2 :])
            at = GasConditions(measured["temperature"].si, measured["pressure"].si, two)
            if at.are_of_ideal_gas:
                return replace(reading, template=rest, amounts=kept), at
    return reading, None


def _substance_of_amount(reading: Reading, asked: Question) -> Mentioned | None:
    """The substance that the amount is of: the one behind it, or the only one."""
    behind = re.search(rf"{AMOUNT}(?: (?:sample|of|{ANY}|pure|solid|liquid|gas|gaseous))* ?{SUBSTANCE}", asked.rest)
    if behind is not None:
        return reading.substance_at(behind.end() - 1)
    return reading.substances[0] if len(reading.substances) == 1 else None


def _is_measurable(amount: Amount, asked: Asked, *, has_conditions: bool) -> bool:
    """Whether the two are measures of an amount, and volumes stand under stated conditions."""
    if amount.measured not in ("mass", "moles", "particles", "volume"):
        return False
    has_volume = amount.measured == "volume" or asked.unit in ("L", "mL", "volume")
    return has_volume == has_conditions


def _same_in_other_unit(amount: Amount, of: Mentioned, asked: Asked, conditions: GasConditions) -> AlgebraOutcome:
    working = Working(conditions=conditions)
    formula = _one(of, working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    if _is_conversion(amount, asked):
        return None
    if asked.unit == "atoms" and asked.substance is not None and len(atom_counts(formula)) > 1:
        return None
    moles = moles_of(amount, formula, working)
    if isinstance(moles, ChemistryProblem):
        return failure(moles)
    return in_unit(moles, formula, working, asked=asked, like=amount)


def _is_conversion(amount: Amount, asked: Asked) -> bool:
    """Whether one unit is asked for another of its kind, which takes no substance."""
    if asked.unit in ("mass", "volume"):
        return amount.measured == asked.unit
    if amount.unit is None or asked.unit in ("", *_COUNTED):
        return False
    return unit_named(asked.unit).dimension == amount.unit.dimension


def _element_in(
    amount: Amount, of: Mentioned, part: Mentioned, asked: Asked, conditions: GasConditions
) -> AlgebraOutcome:
    """`How many oxygen atoms are in 9 g of water?`"""
    working = Working(conditions=conditions)
    formula = _one(of, working)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    symbol = part.element
    if not symbol or symbol not in atom_counts(formula) or len(atom_counts(formula)) < 2:
        return None
    if asked.unit in ("molecules", "units", "L", "mL", "volume"):
        return None
    moles = moles_of(amount, formula, working)
    if isinstance(moles, ChemistryProblem):
        return failure(moles)
    atom = read_chemical_formula(symbol)
    assert isinstance(atom, ChemicalFormula)
    inner = moles * atom_counts(formula)[symbol]
    working.lines.append(f"n({symbol}) = {atom_counts(formula)[symbol]} × n({formula}) = {number_shown(inner)} mol")
    return in_unit(inner, atom, working, asked=asked, like=amount)


def in_unit(
    moles: Fraction, formula: ChemicalFormula, working: Working, *, asked: Asked, like: Amount | None
) -> AlgebraOutcome:
    """So many moles of a substance in the unit that is asked for; where only a mass is, in grams or the unit stated."""
    if asked.unit in _COUNTED:
        return _particles(moles, formula, working, asked.unit)
    wanted = asked.unit
    if wanted == "volume":
        wanted = "L"
    if not wanted and like is not None and like.measured == "moles":
        wanted = "mol"
    if wanted in ("", "mass"):
        is_mass = like is not None and like.measured == "mass" and like.unit is not None
        wanted = like.unit.text if is_mass and like is not None and like.unit is not None else "g"
    unit = unit_named(wanted)
    if unit.dimension == unit_named("mol").dimension:
        return working.result(f"The amount of {formula} is {{}}.", si_to(moles, unit), unit, expression=f"n({formula})")
    if unit.dimension == unit_named("L").dimension:
        return _volume(moles, formula, working, unit)
    return _mass(moles, formula, working, unit)


def _mass(moles: Fraction, formula: ChemicalFormula, working: Working, unit: Unit) -> AlgebraOutcome:
    problem = mass_problem(formula)
    if problem is not None:
        return failure(problem)
    one = working.mass_of_a_mole(formula)
    grams = moles * one
    working.lines.append(
        f"m({formula}) = {number_shown(moles)} mol × {shown_mass(formula)} g/mol = {number_shown(grams)} g"
    )
    return working.result(
        f"The mass of {formula} is {{}}.", si_to(grams / 1000, unit), unit, expression=f"m({formula})"
    )


def _volume(moles: Fraction, formula: ChemicalFormula, working: Working, unit: Unit) -> AlgebraOutcome:
    if not is_gas(formula):
        return DirectFailure("undefined", f"{formula} is not known as a gas at standard conditions", "chemistry")
    one = working.molar_volume()
    volume = moles * one
    working.lines.append(
        f"V({formula}) = {number_shown(moles)} mol × {number_shown(one * 1000)} L/mol = {number_shown(volume * 1000)} L"
    )
    working.figures.append(4)
    return working.result(f"The volume of {formula} is {{}}.", si_to(volume, unit), unit, expression=f"V({formula})")


def _particles(moles: Fraction, formula: ChemicalFormula, working: Working, what: str) -> AlgebraOutcome:
    number = working.avogadro()
    atoms = sum(atom_counts(formula).values())
    each = atoms if what == "atoms" else 1
    total = moles * number * each
    counted = {"molecules": "molecules", "atoms": "atoms", "units": "formula units"}[what]
    times = f" × {each} atoms" if each > 1 else ""
    working.lines.append(f"N = {number_shown(moles)} mol × {number_shown(number)} 1/mol{times} = {number_shown(total)}")
    of = f"in the {formula}" if each > 1 else f"of {formula}"
    return working.result(f"There are {{}} {counted} {of}.", total, NO_UNIT, expression=f"N({formula})")
