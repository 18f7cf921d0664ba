"""Names of substances to formulas, by the rules of naming: salts from ions whose charges balance, acids, binary
compounds of nonmetals, hydrates, straight chains of carbon, and the list of names that follow no rule. A name that
leaves its formula open has several readings; which one is meant is for whoever asks to decide."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from mathrag.compute.chemistry.formulas import ChemicalFormula, atom_counts, read_chemical_formula
from mathrag.knowledge.compounds import Ion, anions, cations, naming_table, open_charges
from mathrag.knowledge.elements import element_names

LONGEST_NAME_WORDS = 5
_LONGEST = 60
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8}
_NUMBERED = re.compile(r"(?P<metal>[a-z]+) ?\((?:(?P<roman>[iv]{1,4})|(?P<digit>[1-8])\+)\)")
_LOCANT = re.compile(r"^(?:n-|\d-)|-\d(?=-)")
_ION = re.compile(r"(?P<name>.+?) (?:ion|anion|cation)s?")
_ACID = " acid"
_HYDRATE = "hydrate"


@dataclass(frozen=True, slots=True)
class NamedSubstance:
    """A name with the formulas it can mean, the usual one first; `note` says what was taken for granted."""

    name: str
    formulas: tuple[ChemicalFormula, ...]
    note: str = ""


@lru_cache(maxsize=2048)
def named_substance(text: str) -> NamedSubstance | None:
    """What a name in small letters means, all of it; None for anything else."""
    if not text or len(text) > _LONGEST:
        return None
    name = _respelled(text)
    for rule in _RULES:
        found = rule(name)
        if found is not None:
            return found
    return None


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b{re.escape(other)}"), usual) for other, usual in naming_table("spellings").items())


def _respelled(text: str) -> str:
    for pattern, usual in _spellings():
        text = pattern.sub(usual, text)
    return text.replace("sulph", "sulf")


def _one(name: str, formula: str, note: str = "") -> NamedSubstance | None:
    read = read_chemical_formula(formula)
    return NamedSubstance(name, (read,), note) if isinstance(read, ChemicalFormula) else None


def _listed(name: str) -> NamedSubstance | None:
    formula = naming_table("compounds").get(name)
    return None if formula is None else _one(name, formula)


@cache
def element_by_name() -> dict[str, str]:
    """The symbol of every element by its name."""
    return {name: symbol for symbol, name in element_names().items()}


def _element(name: str) -> NamedSubstance | None:
    symbol = element_by_name().get(name)
    if symbol is None:
        return None
    molecule, solid = naming_table("molecules").get(name), naming_table("solid_molecules").get(name)
    texts = (molecule, symbol) if molecule else (symbol, solid) if solid else (symbol,)
    read = [read_chemical_formula(text) for text in texts]
    return NamedSubstance(name, tuple(each for each in read if isinstance(each, ChemicalFormula)))


def _ion(name: str) -> NamedSubstance | None:
    """`sulfate ion`, `iron(III) ion`."""
    found = _ION.fullmatch(name)
    if found is None:
        return None
    anion = anions().get(found["name"])
    if anion is not None:
        return _one(name, f"{anion.formula}^{anion.charge}-")
    charged = _cations_named(found["name"])
    return _one(name, f"{charged[0].formula}^{charged[0].charge}+") if len(charged) == 1 else None


def _bare_ion(name: str) -> NamedSubstance | None:
    """`acetate`, `ammonium`: an ion of several elements by its name alone."""
    found = _ion(f"{name} ion") if name not in element_by_name() else None
    return found if found is not None and len(atom_counts(found.formulas[0])) > 1 else None


def _hydrate(name: str) -> NamedSubstance | None:
    """`copper(II) sulfate pentahydrate`."""
    salt, _, last = name.rpartition(" ")
    if not salt or not last.endswith(_HYDRATE):
        return None
    number = naming_table("numbers").get(last.removesuffix(_HYDRATE))
    inner = named_substance(salt)
    if number is None or inner is None or len(inner.formulas) != 1:
        return None
    return _one(name, f"{inner.formulas[0]}·{'' if number == 1 else number}H2O", inner.note)


def _acid(name: str) -> NamedSubstance | None:
    """`sulfuric acid`: the anion with as many hydrogen ions as it has charges."""
    if not name.endswith(_ACID):
        return None
    first = name.removesuffix(_ACID)
    anion = next((each for each in anions().values() if each.acid == first), None)
    if anion is not None:
        return _one(name, _salt_text(Ion("H", 1), anion))
    chain = next((root for root in naming_table("chains") if first == f"{root}anoic"), None)
    if chain is None:
        return None
    carbons = naming_table("chains")[chain]
    return _one(name, f"C{carbons}H{2 * carbons}O2".replace("C1H", "CH"))


def _salt(name: str) -> NamedSubstance | None:
    """`calcium nitrate`, `iron(III) oxide`: as many of each ion as make the charges balance."""
    if name in anions():
        return None
    for anion_name, anion in anions().items():
        if not name.endswith(f" {anion_name}"):
            continue
        metal = name.removesuffix(f" {anion_name}")
        if metal == "hydrogen" and not anion.acid:
            continue
        charged = _cations_named(metal)
        usual = naming_table("usual_charges").get(name)
        if usual is not None:
            charged = [each for each in charged if each.charge == usual]
        texts = [_salt_text(each, anion) for each in charged] or _counted_salt(metal, anion)
        read = [read_chemical_formula(text) for text in texts]
        formulas = tuple(each for each in read if isinstance(each, ChemicalFormula))
        if formulas:
            roman = {number: sign for sign, number in _ROMAN.items()}
            note = f"{name} is taken as {metal}({roman[usual].upper()}) {anion_name}, {formulas[0]}" if usual else ""
            return NamedSubstance(name, formulas, note)
    return None


def _counted_salt(word: str, anion: Ion) -> list[str]:
    """`disodium`: the cation with how often it occurs, where that is as often as the charges want."""
    for prefix, number in naming_table("numbers").items():
        for each in _cations_named(word.removeprefix(prefix)) if word.startswith(prefix) else ():
            if math.lcm(each.charge, anion.charge) == number * each.charge:
                return [_salt_text(each, anion)]
    return []


def _cations_named(name: str) -> list[Ion]:
    """The cations that a word can mean: several where a metal has several charges."""
    plain = name.replace(" (", "(")
    if plain in cations():
        return [cations()[plain]]
    if plain in open_charges():
        return [Ion(element_by_name()[plain], charge) for charge in open_charges()[plain]]
    numbered = _NUMBERED.fullmatch(name)
    if numbered is None:
        return []
    symbol = element_by_name().get(numbered["metal"])
    charge = int(numbered["digit"] or _ROMAN.get(numbered["roman"], 0))
    return [Ion(symbol, charge)] if symbol is not None and charge else []


def _salt_text(cation: Ion, anion: Ion) -> str:
    together = math.lcm(cation.charge, anion.charge)
    return _so_many(cation.formula, together // cation.charge) + _so_many(anion.formula, together // anion.charge)


def _so_many(formula: str, number: int) -> str:
    if number == 1:
        return formula
    return f"{formula if formula in element_names() else f'({formula})'}{number}"


def _binary(name: str) -> NamedSubstance | None:
    """`dinitrogen tetroxide`: the numbers are in the name."""
    first, _, second = name.partition(" ")
    one, other = _counted_element(first), _counted_anion(second)
    if one is None or other is None:
        return None
    return _one(name, "".join(f"{symbol}{'' if number == 1 else number}" for symbol, number in (one, other)))


def _counted_element(word: str) -> tuple[str, int] | None:
    if word in element_by_name():
        return element_by_name()[word], 1
    for prefix, number in naming_table("numbers").items():
        if word.startswith(prefix) and word.removeprefix(prefix) in element_by_name():
            return element_by_name()[word.removeprefix(prefix)], number
    return None


def _counted_anion(word: str) -> tuple[str, int] | None:
    for prefix, number in naming_table("numbers").items():
        for start in (prefix, prefix.rstrip("ao")):
            anion = anions().get(word.removeprefix(start)) if word.startswith(start) else None
            if anion is not None and anion.formula in element_names():
                return anion.formula, number
    return None


def _chain(name: str) -> NamedSubstance | None:
    """`propane`, `1-butene`, `propan-2-ol`: straight chains; isomers have one formula."""
    plain = _LOCANT.sub("", name).replace("-", "")
    endings: dict[str, Callable[[int], str]] = {
        "ane": lambda n: f"C{n}H{2 * n + 2}",
        "ene": lambda n: f"C{n}H{2 * n}" if n > 1 else "",
        "yne": lambda n: f"C{n}H{2 * n - 2}" if n > 1 else "",
        "anol": lambda n: f"C{n}H{2 * n + 1}OH",
    }
    for root, carbons in naming_table("chains").items():
        ending = plain.removeprefix(root)
        if plain.startswith(root) and ending in endings:
            return _one(name, endings[ending](carbons).replace("C1H", "CH"))
    return None


def is_fuel(formula: ChemicalFormula) -> bool:
    """Whether complete combustion leaves carbon dioxide and water alone: carbon and hydrogen, perhaps oxygen."""
    symbols = set(atom_counts(formula))
    return {"C", "H"} <= symbols <= {"C", "H", "O"} and not formula.charge


_RULES: tuple[Callable[[str], NamedSubstance | None], ...] = (
    _listed,
    _element,
    _hydrate,
    _acid,
    _salt,
    _binary,
    _chain,
    _ion,
    _bare_ion,
)
