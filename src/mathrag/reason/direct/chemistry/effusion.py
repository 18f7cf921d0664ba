"""How much faster one gas leaves through a small hole than another: by the square root of their molar masses."""

from __future__ import annotations

import math
from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula
from mathrag.compute.chemistry.masses import mass_problem, molar_mass
from mathrag.reason.direct.chemistry.reading import ANY, SUBSTANCE, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import Working, figure
from mathrag.reason.direct.chemistry.sheet import Sheet
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.quantity import NO_UNIT

_VERB = r"(?:effus|diffus)(?:es?|ed|ing|ion)(?!\w)"
_COMPARED = r"how (?:many times|much) (?P<way>faster|slower|quicker)|by what factor .*(?P<other>faster|slower|quicker)"
_GAS = rf"(?:{ANY} )?{SUBSTANCE}(?: gas| molecules)?"
_RATIO = (
    rf"ratio(?: of)?(?: the)? (?:rates? of )?{_VERB}(?: rates?)?(?: of| for)? {_GAS} ?(?:to|and|over|/|:) ?{_GAS}"
    rf"|{_VERB} rate ratio(?: of| for)? {_GAS} ?(?:to|and|over|/|:) ?{_GAS}"
)
_SUBJECT = rf"(?:do|does|did|will|would|is|are) {_GAS} (?={_VERB})"


def answer_effusion(reading: Reading) -> AlgebraOutcome:
    """The ratio of the rates at which two gases leave; None for any other question."""
    sheet = Sheet(reading)
    gases = _two_gases(reading)
    if reading.reaction is not None or reading.amounts or gases is None or not sheet.has(_VERB):
        return None
    ratio = sheet.take(_RATIO)
    compared = sheet.take(_COMPARED)
    subjects = sheet.take(_SUBJECT)
    sheet.take(_GAS)
    if len(ratio) + len(compared) != 1 or len(subjects) > 1 or not sheet.is_spent("chemistry.effusion"):
        return None
    light, heavy = sorted(gases, key=molar_mass)
    if ratio:
        first, second = (each.formulas[0] for each in ratio[0].substances)
    else:
        is_slower = "slower" in compared[0].words.values()
        first, second = (heavy, light) if is_slower else (light, heavy)
        if subjects and subjects[0].substances[0].formulas[0] != first:
            return None
        if is_slower:
            first, second = second, first
    return _told(first, second, reading, "" if ratio else "slower" if is_slower else "faster")


def _two_gases(reading: Reading) -> tuple[ChemicalFormula, ChemicalFormula] | None:
    """The two substances that are named; elements as their molecules."""
    found = list(dict.fromkeys(each.formulas[0] for each in reading.substances))
    if len(found) != 2 or any(mass_problem(each) is not None or each.charge for each in found):
        return None
    return found[0], found[1]


def _told(first: ChemicalFormula, second: ChemicalFormula, reading: Reading, way: str) -> AlgebraOutcome:
    working = Working()
    for formula in (first, second):
        mentioned: Mentioned = next(each for each in reading.substances if each.formulas[0] == formula)
        working.takes(mentioned, formula)
    masses = [working.mass_of_a_mole(each) for each in (first, second)]
    value = math.sqrt(masses[1] / masses[0])
    working.lines.append(f"rate({first}) / rate({second}) = √(M({second}) / M({first})) = {figure(value, 5)}")
    working.notes.append("Graham's law: both gases at the same temperature and pressure")
    said = {
        "faster": f"{first} effuses {{}} times as fast as {second}.",
        "slower": f"{second} effuses {{}} times more slowly than {first}.",
    }
    text = said.get(way, f"The rate of {first} is {{}} times that of {second}.")
    return working.result(text, Fraction(f"{value:.9g}"), NO_UNIT, expression="ratio of rates", figures=4)
