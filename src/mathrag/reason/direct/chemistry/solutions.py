"""Questions about solutions: how much is dissolved in a volume and the reverse, neutralisation of an acid by a base."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from mathrag.compute.chemistry.acids import Dissolved, dissolved
from mathrag.compute.chemistry.formulas import ChemicalFormula, ChemistryProblem, read_chemical_formula
from mathrag.compute.chemistry.salts import salt_of
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.chemistry.amounts import in_unit
from mathrag.reason.direct.chemistry.asked import Asked, asked_of, is_understood, without
from mathrag.reason.direct.chemistry.dilutions import answer_dilution
from mathrag.reason.direct.chemistry.reading import AMOUNT, ANY, SUBSTANCE, Amount, Measured, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import (
    LITRE,
    Working,
    failure,
    moles_of,
    number_shown,
    settled,
    si_to,
    unit_named,
)
from mathrag.reason.direct.result import AlgebraOutcome

# A strong base takes every proton of acids whose steps all lie below this, a strong acid fills every place above that.
_GIVEN_BELOW, _TAKEN_ABOVE = 7, 6


def answer_solutions(reading: Reading) -> AlgebraOutcome:
    """What a solution has or does; None for any other question."""
    if reading.reaction is not None or not reading.substances or not reading.amounts:
        return None
    return (
        _neutralised(reading)
        or _diluted(reading)
        or answer_dilution(reading)
        or _molality(reading)
        or _dissolved(reading)
    )


# How much is dissolved.


_PER_LITRE = r"m|mol/l|mol/dm3|mol dm-3|moles? per lit(?:er|re)"


@cache
def _molarity_asked() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:{any_of('chemistry.molarity')})(?!\w)"
        rf"(?:,? (?:\((?:in )?(?:{_PER_LITRE})\)|in (?:{_PER_LITRE})(?!\w)))?"
        rf"(?: of (?:{ANY} )?(?:{SUBSTANCE} )?solution(?!\w))?"
    )


_OF_WATER = re.compile(rf"{AMOUNT}(?: of)?(?: pure)? {SUBSTANCE}")


def _dissolved(reading: Reading) -> AlgebraOutcome:
    measured = {each.measured: each for each in reading.amounts}
    if len(measured) != len(reading.amounts) or len(measured) != 2:
        return None
    solute = _solute(reading) or _hydrate(reading)
    if solute is None:
        return None
    found = _molarity_asked().search(reading.template)
    if found is not None and "volume" in measured and _solute(reading) is not None:
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


_PART = re.compile(
    rf"(?:(?P<into>in|into|to|with) )?{AMOUNT} (?:of )?(?:{ANY} )?(?P<substance>{SUBSTANCE})"
    rf"(?:,? \(?(?:(?:its )?molar mass(?: of| is|:)?|m ?=)? ?(?P<mass>{AMOUNT})\)?)?"
)


def _molality(reading: Reading) -> AlgebraOutcome:
    """The amount of what is dissolved in a mass of solvent; a molar mass that is stated goes before the table's."""
    asked = re.search(r"(?<!\w)molality(?: of the solution)?(?!\w)", reading.template)
    parts = list(_PART.finditer(reading.template))
    if asked is None or len(parts) != 2:
        return None
    taken = [(reading.substance_at(each.start("substance")), reading.amount_at(each.start() + each[0].index(AMOUNT)))
             for each in parts]  # fmt: skip
    water = read_chemical_formula("H2O")
    solvents = [
        place
        for place, each in enumerate(parts)
        if water in taken[place][0].formulas or each["into"] not in (None, "with")
    ]
    masses = [reading.amount_at(each.start("mass")) for each in parts if each["mass"]]
    is_taken = len(reading.amounts) == 2 + len(masses) and len(reading.substances) == 2
    rest = without(reading.template, asked)
    if len(solvents) != 1 or not is_taken or not is_understood(rest, words="chemistry.mixing"):
        return None
    (solute, amount), (_, solvent) = taken[1 - solvents[0]], taken[solvents[0]]
    formula = settled(solute)
    if isinstance(formula, ChemistryProblem):
        return failure(formula)
    if solvent.measured != "mass" or amount.measured not in ("mass", "moles") or min(amount.si, solvent.si) <= 0:
        return None
    if any(each.measured != "molar_mass" for each in masses) or bool(masses) > bool(parts[1 - solvents[0]]["mass"]):
        return None
    return _molality_told(formula, solute, amount, solvent, masses)


def _molality_told(
    formula: ChemicalFormula, solute: Mentioned, amount: Amount, solvent: Amount, masses: list[Amount]
) -> AlgebraOutcome:
    working = Working()
    if masses:
        working.states(amount)
        working.states(masses[0])
        moles = amount.si if amount.measured == "moles" else amount.si / masses[0].si
        working.lines.append(f"n = {amount.text} / ({masses[0].text}) = {number_shown(moles)} mol")
    else:
        working.takes(solute, formula)
        found = moles_of(amount, formula, working)
        if isinstance(found, ChemistryProblem):
            return failure(found)
        moles = found
    working.states(solvent)
    value = moles / solvent.si
    working.lines.append(
        f"b = {number_shown(moles)} mol / {number_shown(solvent.si)} kg = {number_shown(value)} mol/kg"
    )
    return working.result("The molality is {}.", value, unit_named("mol/kg"), expression="b")


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


def _hydrate(reading: Reading) -> Mentioned | None:
    """The hydrate that is weighed for a solution of its salt: a mole of it holds a mole of the salt."""
    named = {each.formulas[0]: each for each in reading.substances if len(each.formulas) == 1}
    if len(named) != 2 or len(named) < len({each.formulas for each in reading.substances}):
        return None
    salt, hydrate = sorted(named, key=lambda each: len(each.portions))
    water = read_chemical_formula("H2O")
    bound = [ChemicalFormula((replace(each, number=1),)) for each in hydrate.portions[1:]]
    is_of_salt = bool(bound) and hydrate.portions[:1] == salt.portions and all(each == water for each in bound)
    return named[hydrate] if is_of_salt else None


_DILUTED_TO = re.compile(rf"dilut\w* (?:[a-z]+ |{SUBSTANCE} )*to {AMOUNT}")


def _diluted(reading: Reading) -> AlgebraOutcome:
    """The concentration once so much water has come to so much of a solution."""
    found = _molarity_asked().search(reading.template)
    by_kind = sorted(each.measured for each in reading.amounts)
    if found is None or by_kind != ["molarity", "volume", "volume"] or _DILUTED_TO.search(reading.template):
        return None
    words = frozenset(re.findall(r"[a-z]+", reading.template))
    water = read_chemical_formula("H2O")
    rest = without(reading.template, found)
    if words.isdisjoint(word_class("chemistry.thins")) or not is_understood(rest, words="chemistry.thinning"):
        return None
    poured = [
        reading.amount_at(each.start())
        for each in _OF_WATER.finditer(reading.template)
        if reading.substance_at(each.end() - 1).formulas == (water,)
    ]
    others = {each.formulas for each in reading.substances if each.formulas != (water,)}
    of = re.match(rf" (?:of|in) (?:the )?{SUBSTANCE}", reading.template[found.end() :])
    if of is not None and reading.substance_at(found.end() + of.end() - 1).formulas == (water,):
        return None
    if len(poured) != 1 or poured[0].measured != "volume" or len(others) > 1:
        return None
    molarity = next(each for each in reading.amounts if each.measured == "molarity")
    volume = next(each for each in reading.amounts if each.measured == "volume" and each is not poured[0])
    return _with_more(volume, molarity, poured[0]) if min(volume.si, poured[0].si, molarity.si) > 0 else None


def _with_more(volume: Amount, molarity: Amount, water: Amount) -> AlgebraOutcome:
    working = Working()
    for each in (molarity, volume, water):
        working.states(each)
    parts = [number_shown(each.si / LITRE) for each in (volume, water)]
    working.lines.append(
        f"c = {number_shown(molarity.si * LITRE)} mol/L × {parts[0]} L / ({parts[0]} L + {parts[1]} L)"
    )
    working.notes.append("the volumes are taken to add up")
    value = molarity.si * volume.si / (volume.si + water.si) * LITRE
    return working.result("The concentration is {} then.", value, unit_named("mol/L"), expression="c")


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
    value = moles / (volume.si / LITRE)
    working.lines.append(
        f"c({formula}) = {number_shown(moles)} mol / {number_shown(volume.si / LITRE)} L = {number_shown(value)} mol/L"
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
        f"n({formula}) = {number_shown(molarity.si * LITRE)} mol/L × {number_shown(volume.si / LITRE)} L "
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
    quantity: Amount | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is told how much there is of it."""
        return self.quantity is not None or (self.volume is not None and self.molarity is not None)


_A = rf"(?:{ANY} )?"
_SOLUTION = re.compile(
    rf"(?:(?P<first>{AMOUNT}) (?:sample )?(?:of )?{_A})?"
    rf"(?:(?P<second>{AMOUNT}) (?:(?:solution )?of |aqueous )*)?(?P<substance>{SUBSTANCE})"
    rf"(?: ?\((?P<behind>{AMOUNT})\))?"
)


_ACTS = re.compile(rf"{SUBSTANCE} (?:(?:can|will|would|does|do|completely|exactly|fully) )*neutrali[sz]es?(?!\w)")

# What an acid needs of a base, or a base of an acid, neutralises it.
_NEEDS = re.compile(rf"(?:{SUBSTANCE}|acid|base|solution) (?:need|require|consume|take|took)(?:s|d|ed)?(?!\w)")


def _neutralised(reading: Reading) -> AlgebraOutcome:
    words = frozenset(re.findall(r"[a-z]+", reading.template))
    is_so = not words.isdisjoint(word_class("chemistry.neutralises")) or _NEEDS.search(reading.template) is not None
    if not is_so or not 2 <= len(reading.amounts) <= 3:
        return None
    found = _molarity_asked().search(reading.template)
    question = None if found is not None else asked_of(reading)
    rest = without(reading.template, found) if found is not None else None if question is None else question.rest
    if rest is None or not is_understood(rest, words="chemistry.neutralising"):
        return None
    parts = _parts(reading)
    known = next((each for each in parts or () if each.is_known), None)
    other = next((each for each in parts or () if each is not known), None)
    if known is None or other is None or known.is_acid == other.is_acid or other.is_known:
        return None
    if found is not None and not _is_of(reading, found, other):
        return None
    # What a solution holds is another question than what it needs.
    is_needed = not words.isdisjoint(word_class("chemistry.consumed")) or _ACTS.search(reading.template) is not None
    if other.volume is other.molarity is None and not is_needed:
        return None
    return _equivalence(known, other, None if question is None else question.asked)


_OF_WHICH = re.compile(
    rf" of (?:{ANY} )?(?:unknown |original )?(?:(?P<role>acid|base)(?!\w)|(?P<substance>{SUBSTANCE}))"
)


def _is_of(reading: Reading, asked: re.Match[str], part: _Part) -> bool:
    """Whether the concentration that is asked for is that of a part, if it is said of which it is."""
    of = _OF_WHICH.search(reading.template, asked.start())
    if of is None or of.start() > asked.end():
        return True
    if of["role"]:
        return (of["role"] == "acid") == part.is_acid
    return part.formula in reading.substance_at(of.start("substance")).formulas


def _parts(reading: Reading) -> list[_Part] | None:
    """The acid and the base, each with its volume and concentration as far as they are stated."""
    parts: list[_Part] = []
    for found in _SOLUTION.finditer(reading.template):
        part = _protons(reading.substance_at(found.start("substance")))
        if part is None:
            return None
        amounts = [reading.amount_at(found.start(name)) for name in ("first", "second", "behind") if found[name]]
        place = next((index for index, each in enumerate(parts) if each.formula == part.formula), len(parts))
        part = parts.pop(place) if place < len(parts) else part
        for amount in amounts:
            if amount.measured == "volume" and part.volume is None:
                part = replace(part, volume=amount)
            elif amount.measured == "molarity" and part.molarity is None:
                part = replace(part, molarity=amount)
            elif amount.measured in ("mass", "moles") and part.quantity is None:
                part = replace(part, quantity=amount)
            else:
                return None
        parts.insert(place, part)
    _take_used(reading, parts)
    stated = sum(each is not None for one in parts for each in (one.volume, one.molarity, one.quantity))
    has_both = any(each.quantity is not None and (each.volume or each.molarity) for each in parts)
    return parts if len(parts) == 2 and stated == len(reading.amounts) and not has_both else None


_USED = re.compile(
    rf"(?:used|needed|required|took|added|delivered|consumed) (?:up )?(?P<used>{AMOUNT})"
    rf"(?! (?:of )?{_A}[{AMOUNT}{SUBSTANCE}])"
)


def _take_used(reading: Reading, parts: list[_Part]) -> None:
    """A volume that was used, of the one solution of known concentration that has none."""
    found = [reading.amount_at(each.start("used")) for each in _USED.finditer(reading.template)]
    without_volume = [place for place, each in enumerate(parts) if each.molarity is not None and each.volume is None]
    is_one = len(found) == len(without_volume) == 1 and found[0].measured == "volume"
    if is_one and all(found[0] is not each.volume for each in parts):
        parts[without_volume[0]] = replace(parts[without_volume[0]], volume=found[0])


def _protons(mentioned: Mentioned) -> _Part | None:
    """An acid or base of one kind; of acids with weak steps it is open where the neutralisation ends."""
    formula = mentioned.formulas[0]
    found = dissolved(formula, mentioned.text) or _insoluble(formula)
    if found is None or bool(found.to_give) == bool(found.to_take):
        return None
    is_acid = bool(found.to_give)
    steps = [pka for each in found.forms if len(each.acid.pka) > 1 for pka in each.acid.pka]
    if any(pka > _GIVEN_BELOW if is_acid else pka < _TAKEN_ABOVE for pka in steps):
        return None
    return _Part(formula, found.to_give or found.to_take, is_acid)


def _insoluble(formula: ChemicalFormula) -> Dissolved | None:
    """A salt that only dissolves as its anion is used up: chalk in an acid."""
    salt = salt_of(formula)
    anion = None if salt is None else dissolved(salt.anion)
    if salt is None or anion is None or dissolved(salt.cation) is not None:
        return None
    forms = tuple(replace(each, number=salt.anions) for each in anion.forms)
    return Dissolved(forms, -sum(each.number * each.charge for each in forms))


_VOLUMES = ("", "L", "mL", "volume")


def _equivalence(known: _Part, other: _Part, asked: Asked | None) -> AlgebraOutcome:
    """How much of the other is needed, or its concentration, where nothing is asked but that."""
    working = Working()
    moles = _moles_of(known, working)
    if isinstance(moles, ChemistryProblem):
        return failure(moles)
    needed = moles * known.protons / other.protons
    ratio = f"{known.protons}/{other.protons}"
    working.lines.append(f"n({other.formula}) = {ratio} × n({known.formula}) = {number_shown(needed)} mol")
    if known.protons > 1 or other.protons > 1:
        working.notes.append("all protons of the acid and all hydroxide ions of the base are taken to react")
    stated = other.volume or other.molarity
    if stated is None:
        is_of_it = asked is not None and (asked.substance is None or other.formula in asked.substance.formulas)
        if asked is None or not is_of_it or asked.unit in _VOLUMES or asked.unit == "atoms":
            return None
        return in_unit(needed, other.formula, working, asked=asked, like=None)
    if stated.si <= 0 or (other.volume is None) != (asked is not None):
        return None
    working.states(stated)
    return _of_solution(needed, other, stated, working, "" if asked is None else asked.unit)


def _moles_of(part: _Part, working: Working) -> Fraction | ChemistryProblem:
    if part.quantity is not None:
        return moles_of(part.quantity, part.formula, working)
    assert part.volume is not None
    assert part.molarity is not None
    return _moles_in(part.volume, part.molarity, part.formula, working)


def _of_solution(needed: Fraction, other: _Part, stated: Amount, working: Working, unit: str) -> AlgebraOutcome:
    """The volume of a solution of known concentration, or the reverse."""
    if other.volume is None and unit not in _VOLUMES:
        return None
    value = needed / stated.si
    if other.volume is None:
        # How much of a solution: its volume.
        wanted = unit_named("mL" if unit in ("", "volume") else unit)
        text = f"{{}} of the {other.formula} solution neutralise it."
        working.lines.append(f"V = {number_shown(needed)} mol / ({number_shown(stated.si * LITRE)} mol/L)")
        return working.result(text, si_to(value, wanted), wanted, expression=f"V({other.formula})")
    working.lines.append(f"c = {number_shown(needed)} mol / {number_shown(stated.si / LITRE)} L")
    text = f"The concentration of {other.formula} is {{}}."
    return working.result(text, value * LITRE, unit_named("mol/L"), expression=f"c({other.formula})")
