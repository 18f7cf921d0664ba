"""Values that follow from what a question says by knowledge that nobody states: the radius from the diameter, the molar
mass from a chemical formula, the charge of so many electrons, that positions count from the start, how long it is
between two times of day. Each is marked with
the assumption that the answer shows, and stands beside the value it follows from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from mathrag.compute.chemistry import masses
from mathrag.compute.chemistry.formulas import ChemicalFormula, atom_counts, read_chemical_formula
from mathrag.compute.chemistry.masses import mass_problem
from mathrag.compute.chemistry.naming import named_substance
from mathrag.knowledge.constants import constant, constant_quantity
from mathrag.knowledge.elements import element_names
from mathrag.knowledge.kinds import all_kinds
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.word_classes import any_of
from mathrag.reason.question.clock_times import clock_span
from mathrag.types.quantity import Dimension, Quantity
from mathrag.types.question import Given, Target

_LENGTH = Dimension.of({"length": 1})
_TIME = Dimension.of({"time": 1})
_MOLAR_MASS = Dimension.of({"mass": 1, "amount": -1})
_MOVING = (Dimension.of({"length": 1, "time": -1}), Dimension.of({"length": 1, "time": -2}))
# How far from a value its name may stand.
_NEARBY = 24
_ACROSS = any_of("questions.across")
_ACROSS_BEHIND = re.compile(rf"[-\s]*(?:in[-\s]+)?(?:\w+[-\s]+)?(?:{_ACROSS})\b", re.IGNORECASE)
_ACROSS_BEFORE = re.compile(rf"\b(?:{_ACROSS})s?\s*(?:of|is|was|=|:|,|about|only)?\s*(?:about\s*)?$", re.IGNORECASE)
_CHARGED = re.compile(
    rf"\)?\s*(?:of\s+)?(?:(?:{any_of('questions.loose')})\s+)?(?P<what>{any_of('questions.charge_carriers')})\b",
    re.IGNORECASE,
)
_SPECIES = re.compile(
    r"(?<![\w.])(?:[A-Z][a-z]?\d{0,2}|\((?:[A-Z][a-z]?\d{0,2}){1,6}\)\d{0,2}){1,12}(?:[·•∙⋅*]\d{0,2}H2O)?(?![\w])"
)
_OF = re.compile(rf"\b(?:{any_of('questions.before_species')})\s+$", re.IGNORECASE)
_PAIRED = frozenset(("H", "N", "O", "F", "Cl", "Br", "I"))
_LONGEST_NAME = 3
_WATER = read_chemical_formula("H2O")


def with_known_values(text: str, givens: Sequence[Given], targets: Sequence[Target] = ()) -> tuple[Given, ...]:
    """The values of a question with those that follow from them, from the things it names and from what it asks."""
    found: list[Given] = []
    ends = sorted(given.end for given in givens)
    for given in givens:
        if _is_diameter(given, text, max((end for end in ends if end <= given.start), default=0)):
            found.extend(_with_radius(given))
        else:
            found.append(given)
            found.extend(_charge_of_so_many(given, text))
    return (*found, *_molar_masses(text, givens), *_start_of_motion(givens, targets), *_time_between(text, givens))


def _time_between(text: str, givens: Sequence[Given]) -> Iterator[Given]:
    """How long it is between two times of day, unless the question says so itself."""
    span = clock_span(text)
    stated = (each.si_value for given in givens for each in given.readings[:1] if each.dimension == _TIME)
    if span is None or any(span.agrees(seconds) for seconds in stated):
        return
    time = Quantity(span.minutes, read_canonical_unit("min"))
    yield Given(
        text[span.start : span.end],
        span.start,
        span.end,
        (time if span.minutes % 60 else Quantity(span.minutes // 60, read_canonical_unit("h")),),
        phrase="time taken",
        words=("time",),
        implied=True,
        assumption=f"from {span.first} to {span.last} it is {_hours(span.minutes)}",
    )


def _hours(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return " ".join(said for said in (f"{hours} h" if hours else "", f"{rest} min" if rest else "") if said)


@cache
def _diameters() -> tuple[str, ...]:
    return tuple(kind.id for kind in all_kinds() if kind.id.endswith("diameter") and kind.dimension == _LENGTH)


def _is_diameter(given: Given, text: str, earlier: int) -> bool:
    """Whether a length is called a diameter; `earlier` is where the value before it ends, whose name that may be."""
    if given.implied or given.symbol or given.covers or given.kinds or given.readings[0].dimension != _LENGTH:
        return False
    if _ACROSS_BEHIND.match(text[given.end : given.end + _NEARBY]):
        return True
    before = _ACROSS_BEFORE.search(text[max(earlier, given.start - _NEARBY) : given.start])
    # In "40 cm diameter, 2 cm wall" the first is across.
    is_of_earlier = bool(earlier) and _ACROSS_BEHIND.match(text[earlier : earlier + _NEARBY]) is not None
    return before is not None and not is_of_earlier


def _with_radius(given: Given) -> Iterator[Given]:
    """A diameter, which is no radius, and the radius it means; who takes the one has used the other."""
    yield replace(given, kinds=_diameters(), covers=(given.start,))
    halves = tuple(replace(each, value=each.value / 2) for each in given.readings if each.dimension == _LENGTH)
    yield replace(
        given,
        readings=halves,
        phrase="radius",
        words=("radius", *given.words),
        kinds=("radius",),
        covers=(given.start,),
        assumption=f"the radius is half of the diameter {given.text}",
    )


def _charge_of_so_many(given: Given, text: str) -> Iterator[Given]:
    """The charge of a stated number of electrons or protons."""
    first = given.readings[0]
    match = _CHARGED.match(text, given.end)
    if match is None or first.unit.text or given.symbol or given.implied:
        return
    one = constant_quantity(constant("elementary_charge"))
    total = Quantity(float(first.value) * float(one.value), one.unit)
    yield replace(
        given,
        readings=(total,),
        phrase="charge",
        words=("charge", *given.words),
        roles=(),
        implied=True,
        kinds=("electric_charge",),
        covers=(given.start,),
        assumption=f"{given.text} {match['what']} carry the charge {total.value:.4g} C, each {one.value} C",
    )


def _start_of_motion(givens: Sequence[Given], targets: Sequence[Target]) -> Iterator[Given]:
    """Where something moves, how far is asked and no place is stated, positions are counted from where it starts."""
    if not any(kind_of(each).dimension == _LENGTH for target in targets[:1] for each in target.kinds[:1]):
        return
    is_moving = any(quantity.dimension in _MOVING for given in givens for quantity in given.readings[:1])
    if not is_moving or any(_is_place(given) for given in givens):
        return
    yield Given(
        "",
        0,
        0,
        (Quantity(0, read_canonical_unit("m")),),
        phrase="initial position",
        roles=("initial",),
        implied=True,
        assumption="positions are counted from where the motion begins",
        kinds=("position",),
    )


def _is_place(given: Given) -> bool:
    return given.readings[0].dimension == _LENGTH and (bool(given.symbol) or "initial" in given.roles or given.implied)


# Molar masses.


@cache
def substance_tables() -> Mapping[str, Mapping[str, Any]]:
    """The tables of `data/substances.toml` by their names."""
    source = resources.files("mathrag.reason.question").joinpath("data", "substances.toml").read_text("utf-8")
    return tomllib.loads(source)


@cache
def _named_substances() -> dict[str, str]:
    elements = {name: symbol for symbol, name in element_names().items() if symbol not in _PAIRED}
    return {**elements, "aluminum": "Al", "cesium": "Cs", **substance_tables()["formulas"]}


def _molar_masses(text: str, givens: Sequence[Given]) -> Iterator[Given]:
    """The molar mass of the one substance that a question names; of several it is open which is meant."""
    if any(quantity.dimension == _MOLAR_MASS for given in givens for quantity in given.readings):
        return
    written = {match.group(): match for match in _SPECIES.finditer(text) if _is_species(match, text)}
    named = _substance_names(text) if not written else {}
    species = [*written, *named]
    if len(species) != 1:
        return
    formula = named.get(species[0], species[0])
    mass = molar_mass(formula)
    # Of what is weighed for a solution of another substance the amount is that of the other.
    if mass is None or compounds_named(text) - {read_chemical_formula(formula), _WATER}:
        return
    yield Given(
        species[0],
        0,
        0,
        (Quantity(float(mass), read_canonical_unit("g/mol")),),
        phrase=f"molar mass of {species[0]}",
        significant_figures=4,
        implied=True,
        assumption=f"the molar mass of {species[0]} is {mass} g/mol (IUPAC standard atomic weights)",
        kinds=("molar_mass",),
    )


def compounds_named(text: str) -> frozenset[ChemicalFormula]:
    """The compounds that a text names, by formulas or in words that leave no choice."""
    written = (read_chemical_formula(match.group()) for match in _SPECIES.finditer(text) if len(match.group()) > 2)
    words = re.findall(r"[a-z]+", text.casefold())
    names = (" ".join(words[at : at + length]) for length in (1, 2, 3) for at in range(len(words) - length + 1))
    told = (named_substance(name) for name in names)
    single = (each.formulas[0] for each in told if each is not None and len(each.formulas) == 1)
    found = (each for each in (*written, *single) if isinstance(each, ChemicalFormula))
    return frozenset(each for each in found if len(atom_counts(each)) > 1)


def _is_species(match: re.Match[str], text: str) -> bool:
    """Whether letters are a chemical formula: with digits, or of several elements behind "of"; `AC` is none."""
    word = match.group()
    if molar_mass(word) is None:
        return False
    has_number = any(sign.isdigit() for sign in word)
    is_mixed = any(sign.islower() for sign in word[1:]) and sum(sign.isupper() for sign in word) > 1
    is_behind_of = _OF.search(text[max(0, match.start() - _NEARBY) : match.start()]) is not None
    return (
        (has_number and len(word) > 2)
        or (has_number and is_behind_of)
        or (is_mixed and is_behind_of)
        or (is_behind_of and sum(sign.isupper() for sign in word) > 1)
    )


def _substance_names(text: str) -> dict[str, str]:
    """The substances named in words, the longest names first: carbon dioxide is not carbon."""
    words = re.findall(r"[a-z]+", text.casefold())
    known, found = _named_substances(), dict[str, str]()
    place = 0
    while place < len(words):
        for length in range(_LONGEST_NAME, 0, -1):
            name = " ".join(words[place : place + length])
            if name in known:
                found[name] = known[name]
                place += length
                break
        else:
            place += 1
    return found


def molar_mass(formula: str) -> Decimal | None:
    """The molar mass of a chemical formula in g/mol, with the digits that its elements have; None where it is none."""
    read = read_chemical_formula(formula)
    return masses.molar_mass(read) if isinstance(read, ChemicalFormula) and mass_problem(read) is None else None


def atoms_of_the_substance(text: str) -> int:
    """How many atoms a particle of the substance that a text speaks of has; the most, of several; 0 of none."""
    written = [match.group() for match in _SPECIES.finditer(text) if any(sign.isdigit() for sign in match.group())]
    return max((_atoms(each) for each in (*written, *_substance_names(text).values())), default=0)


def _atoms(formula: str) -> int:
    read = read_chemical_formula(formula)
    return sum(atom_counts(read).values()) if isinstance(read, ChemicalFormula) and mass_problem(read) is None else 0


def molecules_of(text: str) -> bool:
    """Whether the substance that a text speaks of consists of molecules: of several atoms, or of pairs of them."""
    pairs = {element_names()[symbol] for symbol in _PAIRED}
    return atoms_of_the_substance(text) > 1 or not pairs.isdisjoint(re.findall(r"[a-z]+", text.casefold()))


def named_elements(text: str) -> frozenset[str]:
    """The chemical elements that a text names in words."""
    return frozenset(element_names().values()) & frozenset(re.findall(r"[a-z]+", text.casefold()))
