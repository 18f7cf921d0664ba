"""How much faster one gas leaves through a small hole than another: by the square root of their molar masses."""

from __future__ import annotations

import math
from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula
from mathrag.compute.chemistry.masses import mass_problem, molar_mass
from mathrag.reason.direct.chemistry.reading import ANY, SUBSTANCE, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import Working, figure, is_gas
from mathrag.reason.direct.chemistry.sheet import Sheet
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.quantity import NO_UNIT

_VERB = r"(?:effus|diffus)(?:es?|ed|ing|ion)(?!\w)"
_HOW_MANY = r"how (?:many times|much)|by (?:what|which|how large a) factor"
_COMPARED = (
    r"(?:more )?(?P<way>faster|slower|quicker|quickly|slowly|rapidly)|(?P<other>as fast|as quickly|as rapidly)"
    r"|(?P<rate>greater|higher|larger) than that of"
)
_GAS = rf"(?:{ANY} )?{SUBSTANCE}(?: gas| molecules)?"
_TO = r"(?:to|and|over|/|:)(?: that of)?"
_RATES = r"(?:(?:the )?rates? of )?(?:effusion|diffusion)(?: rates?)?"
_PAIR = rf"(?: of| for)? {_GAS} ?{_TO} ?{_GAS}"
_RELATIVE = rf"relative {_RATES} of {_GAS} (?:compared (?:to|with)|to) {_GAS}"
_RATIO = rf"{_RELATIVE}|ratio(?: of)?(?: the)? {_RATES}{_PAIR}|{_RATES} ratio{_PAIR}"
_SUBJECT = rf"{_GAS} (?={_VERB})|{_RATES} of {_GAS}"
_OTHER = rf"(?:than|as) {_GAS}"


def answer_effusion(reading: Reading) -> AlgebraOutcome:
    """The ratio of the rates at which two gases leave; None for any other question."""
    sheet = Sheet(reading)
    gases = _two_gases(reading)
    if reading.reaction is not None or reading.amounts or gases is None or not sheet.has(_VERB):
        return None
    if not (sheet.has("effus") or sheet.has(r"(?<!\w)gas(?:es)?(?![\w-])") or all(map(is_gas, gases))):
        # Through a liquid molecules diffuse by another law.
        return None
    ratio = sheet.take(_RATIO)
    asked, ways = sheet.take(_HOW_MANY), sheet.take(_COMPARED)
    subjects, others = sheet.take(_SUBJECT), sheet.take(_OTHER)
    sheet.take(_GAS)
    found = (len(ratio), len(asked), len(ways))
    if (
        found not in ((1, 0, 0), (0, 1, 1))
        or max(len(subjects), len(others)) > 1
        or not sheet.is_spent("chemistry.effusion")
    ):
        return None
    if ratio:
        first, second = (each.formulas[0] for each in ratio[0].substances)
        return _told(first, second, reading, "")
    light, heavy = sorted(gases, key=molar_mass)
    way = "slower" if ways[0].words.get("way", "").startswith("slow") else "faster"
    first, second = (heavy, light) if way == "slower" else (light, heavy)
    if any(each.substances[0].formulas[0] != first for each in subjects):
        return None
    if any(each.substances[0].formulas[0] != second for each in others):
        return None
    return _told(light, heavy, reading, way)


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
