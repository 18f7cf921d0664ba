"""In which unit a result is shown: the one asked for, the one the question works in, coherent SI with a prefix that
makes the number readable. Prints nothing; the quantity stays the same."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from mathrag.errors import UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.computing.validity import PERCENT, TEMPERATURE, SymbolFacts, usual_unit
from mathrag.types.answer import Bound
from mathrag.types.quantity import BASE_UNITS, Quantity, Unit

# Outside these a number is easier to read in another unit.
_SMALLEST, _LARGEST = 1e-3, 1e5
# Constants and what words imply come in SI, which says nothing about the units of the question.
_VOTING = frozenset(("question", "pinned", "document", "derived"))
_ANGLES = frozenset(("deg", "arcmin", "arcsec", "turn", "grad", "mrad"))


def unasked_unit(
    value: Quantity, facts: SymbolFacts, bindings: tuple[Bound, ...], others: Mapping[str, SymbolFacts]
) -> Unit:
    """The unit for a result where the question asks for none."""
    default = value.unit if value.unit == PERCENT else usual_unit(value.dimension, facts)
    shared = _shared_unit(value, facts, bindings, others)
    if shared is not None and _is_readable(value, shared, default):
        return shared
    composed = _composed_unit(value, default, bindings)
    if composed is not None and _is_handy(value.si_value / composed.scale, value.si_value / default.scale):
        return composed
    stated = _document_unit(value, facts)
    if stated is not None and stated.text != default.text and _is_readable(value, stated, default):
        return stated
    return _with_prefix(value, default)


def _shared_unit(
    value: Quantity, facts: SymbolFacts, bindings: tuple[Bound, ...], others: Mapping[str, SymbolFacts]
) -> Unit | None:
    """The one unit of all inputs that measure the same thing as the result, where it is not the default."""
    found: dict[str, Unit] = {}
    for bound in bindings:
        quantity = bound.quantity
        if quantity is None or quantity.dimension != value.dimension or bound.provenance.origin not in _VOTING:
            continue
        other = others.get(bound.symbol)
        if value.dimension == TEMPERATURE and other is not None and other.is_difference != facts.is_difference:
            continue
        # Among plain numbers only those stated as angles say how angles are meant.
        if not value.dimension.is_dimensionless or quantity.unit.text in _ANGLES:
            found[quantity.unit.text] = quantity.unit
    if len(found) != 1 or (value.dimension.is_dimensionless and not _is_angle(facts)):
        return None
    return next(iter(found.values()))


def _is_angle(facts: SymbolFacts) -> bool:
    return facts.kind is not None and facts.kind.unit == "rad"


def _document_unit(value: Quantity, facts: SymbolFacts) -> Unit | None:
    """The unit that the document states for the symbol, where it is the customary one of its kind."""
    meaning = facts.meaning
    if meaning is None or not meaning.unit or meaning.origin not in ("document", "edited"):
        return None
    try:
        unit = read_canonical_unit(meaning.unit)
    except UnitError:
        return None
    if unit.dimension != value.dimension or unit.dimension.is_dimensionless:
        return None
    is_customary = facts.kind is not None and unit.text in facts.kind.units[:1]
    return unit if is_customary or not _is_plain(value.si_value) else None


def _is_readable(value: Quantity, unit: Unit, default: Unit) -> bool:
    """Whether the number in the unit is one people read, or at least no worse than in the default unit."""
    number = (value.si_value - unit.offset) / unit.scale
    if unit.is_absolute_temperature or _is_plain(number):
        return True
    usual = value.si_value / default.scale
    return not _is_plain(usual) and abs(math.log10(abs(number))) <= abs(math.log10(abs(usual)))


def _is_handy(number: float, usual: float) -> bool:
    """Whether a number is of everyday size; one that is merely readable counts where the usual unit gives none: a car
    that goes in km/h stops within 14 m, not within 0.014 km."""
    return number == 0 or 0.1 <= abs(number) < 1e4 or (_is_plain(number) and not _is_plain(usual))


def _is_plain(number: float) -> bool:
    return number == 0 or _SMALLEST <= abs(number) < _LARGEST


# Base units of lengths, masses, times and money; temperatures have zeros of their own.
_COMPOSED = ("m", "kg", "s", "USD")
_ATOM = re.compile(r"[A-Za-z_]+")


def _composed_unit(value: Quantity, default: Unit, bindings: tuple[Bound, ...]) -> Unit | None:
    """The unit made of those that the question states: a decay of 0.03 a year lasts years, 3 cm by 4 cm is 12 cm².

    Only where SI has no name for the unit (nobody wants g*cm/s^2 for a force), and where each base unit in it was
    stated in one way throughout.
    """
    atoms = _ATOM.findall(default.text)
    if not atoms or any(atom not in _COMPOSED for atom in atoms):
        return None
    stated: dict[str, set[str]] = {}
    for base, text in _stated_atoms(bindings):
        stated.setdefault(base, set()).add(text)
    chosen = {atom: stated.get(atom, set()) for atom in atoms}
    if any(len(texts) != 1 for texts in chosen.values()):
        return None
    try:
        unit = read_canonical_unit(_ATOM.sub(lambda found: next(iter(chosen[found.group()])), default.text))
    except UnitError:
        return None
    return unit if unit.dimension == value.dimension else None


def unit_names(unit: Unit) -> frozenset[str]:
    """The names that a unit is put together from: mile and gallon of mile/gallon."""
    return frozenset(_ATOM.findall(unit.text))


def _stated_atoms(bindings: tuple[Bound, ...]) -> Iterator[tuple[str, str]]:
    """The base units that a person stated values in, by the SI unit of each; a litre or a joule speaks for all that it
    consists of."""
    for bound in bindings:
        if bound.quantity is None or bound.provenance.origin not in ("question", "pinned"):
            continue
        for text in _ATOM.findall(bound.quantity.unit.text):
            try:
                dimension = read_canonical_unit(text).dimension
            except UnitError:
                continue
            yield from ((base, text) for base, power in zip(BASE_UNITS, dimension.exponents, strict=True) if power)


# Powers of ten with their prefixes, and those that people use with a unit. Others are written with the power.
_PREFIXES = {-12: "p", -9: "n", -6: "u", -3: "m", 3: "k", 6: "M", 9: "G"}
_EVERY = (-12, -9, -6, -3, 3, 6, 9)
_USUAL_PREFIXES = {
    **dict.fromkeys(("F", "C", "A", "V", "W", "H", "ohm", "S", "Wb"), _EVERY),
    **dict.fromkeys(("J", "N", "Pa"), (-6, -3, 3, 6, 9)),
    **dict.fromkeys(("T", "s"), (-9, -6, -3)),
    "Hz": (3, 6, 9),
    "m": (-9, -6, -3, 3),
}
_GRAM = (("g", 1e-3), ("mg", 1e-6), ("ug", 1e-9))
_LEAST, _MOST = 1.0, 1e3
# Metres have no prefix above kilo that anybody uses; a million kilometres is a plain number still.
_MOST_KILOMETRES = 1e6


def _with_prefix(value: Quantity, default: Unit) -> Unit:
    """The unit with the prefix that brings a huge or tiny number to one between 1 and 1000; else as it is."""
    size = abs(value.si_value / default.scale)
    if default.offset or _is_plain(size) or not math.isfinite(size):
        return default
    if default.text == "kg":
        found = ((text, scale) for text, scale in _GRAM if _LEAST <= size / scale < _MOST)
        return next((Unit(text, default.dimension, scale) for text, scale in found), default)
    first, slash, below = default.text.partition("/")
    for power in _USUAL_PREFIXES.get(first, ()):
        scale = 10.0**power
        most = _MOST_KILOMETRES if (first, power) == ("m", 3) else _MOST
        if _LEAST <= size / scale < most and (first != "m" or not slash):
            return Unit(f"{_PREFIXES[power]}{first}{slash}{below}", default.dimension, default.scale * scale)
    return default
