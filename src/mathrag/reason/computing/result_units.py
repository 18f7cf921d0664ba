"""In which unit a result is shown where none is asked for: one of the question's, one that its units make by the
algebra of the formula, the document's, coherent SI with a prefix that makes the number readable. Prints nothing; the
quantity stays the same."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from mathrag.compute.solve.tidy import constant_of
from mathrag.errors import UnitError
from mathrag.knowledge.units import factors_of, product_of, read_canonical_unit
from mathrag.reason.computing.validity import PERCENT, TEMPERATURE, SymbolFacts, usual_unit
from mathrag.types.answer import Bound
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
)
from mathrag.types.quantity import BASE_UNITS, Quantity, Unit

# Outside these a number is easier to read in another unit.
_SMALLEST, _LARGEST = 1e-3, 1e5
_MOST_EASY, _LARGEST_POWER = 1e4, 1e9
_SHORT = 1e3
_LARGEST_STATED = 1e7
# Constants and what words imply come in SI, which says nothing about the units of the question.
_VOTING = frozenset(("question", "pinned", "document", "derived"))
_ANGLES = frozenset(("deg", "arcmin", "arcsec", "turn", "grad", "mrad"))


def unasked_unit(
    value: Quantity,
    facts: SymbolFacts,
    bindings: tuple[Bound, ...],
    others: Mapping[str, SymbolFacts],
    expression: Expression | None = None,
) -> Unit:
    """The unit for a result where the question asks for none; `expression` is what gave the value."""
    default = value.unit if value.unit == PERCENT else _told_unit(value, facts)
    own = _trade_unit(value, facts)
    if own is not None:
        return own
    made = _made_unit(value, default, facts, bindings, expression)
    if made is not None:
        # 5200 mL/min are 5.2 L/min to the document that counts in litres.
        stated = _document_unit(value, facts)
        is_shorter = stated is not None and 1 <= abs(value.si_value / stated.scale) < _SHORT <= abs(
            value.si_value / made.scale
        )
        return stated if stated is not None and is_shorter else made
    shared = _shared_unit(value, facts, bindings, others)
    if shared is not None and _is_readable(value, shared, default):
        # 0.072 GPa are 72 MPa, and 0.004 A are 4 mA.
        is_easy = shared.offset or shared.text in _ANGLES or _is_easy(value.si_value / shared.scale)
        other = _with_prefix(value, default)
        return other if not is_easy and (shared.text == default.text or other.text != default.text) else shared
    composed = _composed_unit(value, default, bindings)
    if composed is not None and _is_handy(value.si_value / composed.scale, value.si_value / default.scale):
        return composed
    stated = _document_unit(value, facts) or default
    is_handy = _is_handy(value.si_value / stated.scale, value.si_value / default.scale)
    if stated.text != default.text and is_handy:
        return stated
    return _as_in_question(value, default, bindings) or _with_prefix(value, default)


def _told_unit(value: Quantity, facts: SymbolFacts) -> Unit:
    """The usual unit; what is called an angle is told in degrees."""
    usual, kind = usual_unit(value.dimension, facts), facts.kind
    is_angle = kind is not None and usual.text == "rad" and "deg" in kind.units and "angle" in kind.name.split()
    return read_canonical_unit("deg") if is_angle else usual


def _is_easy(number: float) -> bool:
    """Whether a number needs no prefix."""
    return number == 0 or 0.1 <= abs(number) < _MOST_EASY


def _as_in_question(value: Quantity, default: Unit, bindings: tuple[Bound, ...]) -> Unit | None:
    """The usual unit with a prefix that the question has with its first name, where the number is too long without: a
    moment of loads in kN in kN*m."""
    first = next(iter(_ATOM.findall(default.text)), "")
    if not first or first in _COMPOSED or _is_easy(value.si_value / default.scale):
        return None
    stated = {
        name for bound in bindings if bound.quantity and _is_stated(bound) for name in unit_names(bound.quantity.unit)
    }
    for name in stated:
        if name != first and name.endswith(first) and name[: -len(first)] in _PREFIXES.values():
            unit = read_canonical_unit(name + default.text[len(first) :])
            if unit.dimension == value.dimension and _is_easy(value.si_value / unit.scale):
                return unit
    return None


def _is_stated(bound: Bound) -> bool:
    """Whether a person chose the unit of a value; half of a stated diameter has the unit of the diameter."""
    origin = bound.provenance
    return origin.origin in _VOTING or (origin.origin == "assumed" and origin.place is not None)


def _shared_unit(
    value: Quantity, facts: SymbolFacts, bindings: tuple[Bound, ...], others: Mapping[str, SymbolFacts]
) -> Unit | None:
    """The one unit of all inputs that measure the same thing as the result, where it is not the default."""
    found: dict[str, Unit] = {}
    for bound in bindings:
        quantity = bound.quantity
        if quantity is None or quantity.dimension != value.dimension or not _is_stated(bound):
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
    """The unit that the document states for the symbol."""
    meaning = facts.meaning
    if meaning is None or not meaning.unit or meaning.origin not in ("document", "edited"):
        return None
    try:
        unit = read_canonical_unit(meaning.unit)
    except UnitError:
        return None
    fits = unit.dimension == value.dimension and not unit.dimension.is_dimensionless
    return unit if fits and not unit.offset else None


def _trade_unit(value: Quantity, facts: SymbolFacts) -> Unit | None:
    """The unit in which a document says that the symbol is told, where that is one of its trade and no coherent one:
    picks per hour, mL/h, CFU/mL."""
    meaning = facts.meaning
    if meaning is None or not meaning.is_unit_stated:
        return None
    unit = _document_unit(value, facts)
    number = 0.0 if unit is None else abs(value.si_value / unit.scale)
    return (
        unit if unit is not None and unit.scale != 1 and (not number or _SMALLEST <= number < _LARGEST_STATED) else None
    )


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
    size = abs(number)
    if not _is_plain(usual):
        # 7.2e6 mm^4 rather than 7.2e-6 m^4.
        return _is_plain(number) or (abs(usual) < 1 <= size < _LARGEST_POWER)
    # A box of 40 cm by 30 cm by 25 cm has 30000 cm^3.
    return number == 0 or 0.1 <= size < (1e6 if abs(usual) < 1 else _MOST_EASY)


def _is_plain(number: float) -> bool:
    return number == 0 or _SMALLEST <= abs(number) < _LARGEST


# The unit that the formula makes of the question's units, as it makes the result of the values.

_Factors = dict[str, Fraction]


def _made_unit(
    value: Quantity, default: Unit, facts: SymbolFacts, bindings: tuple[Bound, ...], expression: Expression | None
) -> Unit | None:
    """mg/kg times kg is mg, drops per mL times mL per minute are drops a minute, W times h is a thousandth of a kWh.

    Only a unit that people use: a name by itself, one of the kind's, or one put together where SI has no name either.
    """
    if expression is None or value.dimension == TEMPERATURE or not any(map(_is_stated, bindings)):
        return None
    made = _product_of_units(expression, bindings)
    if made is None or made.dimension != value.dimension or made.text == default.text:
        return None
    if made.text not in unit_names(made):
        if not all(atom in _COMPOSED for atom in _ATOM.findall(default.text)):
            # 1880 C are read as easily as 0.522 A*h.
            made = None if _is_easy(value.si_value / default.scale) else _customary(made, default, facts)
        elif _is_product(made) or not (_is_plainly_made(made) or _is_of_two(made, default)):
            made = None
    if made is None:
        return None
    ladder = (read_canonical_unit(each) for each in (*_usual_for(made, facts), made.text, *_next_to(made)))
    easy = (unit for unit in ladder if _is_easy(value.si_value / unit.scale))
    is_handy = _is_handy(value.si_value / made.scale, value.si_value / default.scale)
    is_best = is_handy and _with_prefix(value, default).text == default.text
    return next(easy, made if is_best else None)


def _product_of_units(expression: Expression, bindings: tuple[Bound, ...]) -> Unit | None:
    units = {bound.symbol: bound.quantity.unit for bound in bindings if bound.quantity is not None}
    try:
        factors = _unit_algebra(expression, units)
        reduced = None if factors is None else _reduced(factors)
        return None if reduced is None else product_of(reduced)
    except UnitError:
        return None


def _is_product(unit: Unit) -> bool:
    """Whether several names stand above the line: nobody gives a momentum in g*m/s."""
    return "*" in unit.text.partition("/")[0]


def _is_plainly_made(made: Unit) -> bool:
    """Whether each name in it measures a length, a time, a mass, … and no two measure the same: mL/min, not rpm*cm."""
    names = unit_names(made)
    bases = {name: next((place for place, power in enumerate(_exponents(name)) if power), None) for name in names}
    return all(map(_measures_one, names)) and len(set(bases.values())) == len(names)


def _exponents(name: str) -> tuple[Fraction, ...]:
    return read_canonical_unit(name).dimension.exponents


def _measures_one(name: str) -> bool:
    """Whether a name is that of a length (or a power of it), a time, a mass, …: L, not Hz or J."""
    powers = [power for power in _exponents(name) if power]
    return len(powers) == 1 and powers[0] > 0


def _is_of_two(made: Unit, default: Unit) -> bool:
    """Whether it is one name for each other one, though both measure lengths: miles a gallon, but no litres a cm^2,
    which are a length."""
    is_pair = "*" not in made.text and "(" not in made.text and len(unit_names(made)) == 2
    return is_pair and len(_ATOM.findall(default.text)) != 1 and all(map(_measures_one, unit_names(made)))


def _usual_for(made: Unit, facts: SymbolFacts) -> tuple[str, ...]:
    """The unit of the kind that begins like a quotient that nobody uses: km/h for km/min."""
    units = () if facts.kind is None else (facts.kind.unit, *facts.kind.units)
    above, slash, _ = made.text.partition("/")
    return tuple(unit for unit in units if slash and made.text not in units and unit.startswith(f"{above}/"))


# Units that go over into each other as the number grows: 14000 mg are 14 g.
_LADDERS = (("ug", "mg", "g", "kg"), ("uL", "mL", "L"), ("ms", "s"), ("min", "h"))


def _next_to(unit: Unit) -> tuple[str, ...]:
    return next((ladder for ladder in _LADDERS if unit.text in ladder), ())


def _unit_algebra(expression: Expression, units: Mapping[str, Unit]) -> _Factors | None:
    """The units of an expression as factors with their powers; None where they are no product of units."""
    match expression:
        case Number() | MathConstant():
            return {}
        case Measure(_, text):
            return _powers(read_canonical_unit(text))
        case Symbol(name):
            return _powers(units[name]) if name in units else None
        case Multiply(parts) | Add(parts):
            return _joined([_unit_algebra(part, units) for part in parts], is_sum=isinstance(expression, Add))
        case Divide(numerator, denominator):
            return _joined([_unit_algebra(numerator, units), _raised(_unit_algebra(denominator, units), Fraction(-1))])
        case Power(base, exponent):
            inside, power = _unit_algebra(base, units), constant_of(exponent)
            return _raised(inside, power or Fraction(0)) if power is not None or not inside else None
        case Call("sqrt", (operand,)):
            return _raised(_unit_algebra(operand, units), Fraction(1, 2))
        case Negate(operand):
            return _unit_algebra(operand, units)
        case Call():
            return {}
        case _:
            return None


def _joined(parts: Sequence[_Factors | None], *, is_sum: bool = False) -> _Factors | None:
    """The product of factors, or of a sum those that all terms share."""
    known = [each for each in parts if each is not None]
    if len(known) < len(parts):
        return None
    if is_sum:
        return known[0] if all(each == known[0] for each in known) else None
    total: _Factors = {}
    for name, power in (pair for each in known for pair in each.items()):
        total[name] = total.get(name, Fraction(0)) + power
    return {name: power for name, power in total.items() if power}


def _raised(factors: _Factors | None, power: Fraction) -> _Factors | None:
    return None if factors is None else {name: each * power for name, each in factors.items() if power}


def _powers(unit: Unit) -> _Factors:
    """The factors of a unit; percent and degrees say how a number is written, and change no unit."""
    return {name: power for name, power in factors_of(unit) if not read_canonical_unit(name).dimension.is_dimensionless}


def _reduced(factors: _Factors) -> _Factors | None:
    """The factors with what measures the same thing cancelled: km/h times minutes are kilometres. Of (km/h)^2 over
    m/s^2 nobody can say whether metres remain or kilometres."""
    left = dict(factors)
    for one in factors:
        for other in factors:
            first, second = left.get(one, Fraction(0)), left.get(other, Fraction(0))
            if first > 0 > second and read_canonical_unit(one).dimension == read_canonical_unit(other).dimension:
                if first != -second:
                    return None
                del left[one], left[other]
    return left


def _customary(made: Unit, default: Unit, facts: SymbolFacts) -> Unit | None:
    """The unit of the kind that is a power of ten of the one made: kWh of W*h, but nothing of N*cm, which is joules."""
    if facts.kind is None or _is_decimal(made.scale / default.scale):
        return None
    units = map(read_canonical_unit, facts.kind.units)
    return next((unit for unit in units if not unit.offset and _is_decimal(made.scale / unit.scale)), None)


def _is_decimal(ratio: float) -> bool:
    power = math.log10(ratio)
    return abs(power - round(power)) < _EXACT


_EXACT = 1e-9


# Base units of lengths, masses, times and money; temperatures have zeros of their own.
_COMPOSED = ("m", "kg", "s", "USD")
_ATOM = re.compile(r"[A-Za-z_]+")


def _composed_unit(value: Quantity, default: Unit, bindings: tuple[Bound, ...]) -> Unit | None:
    """The unit made of those that the question states: a decay of 0.03 a year lasts years, 3 cm by 4 cm is 12 cm².

    Only where SI has no name for the unit (nobody wants g*cm/s^2 for a force), and where each base unit in it was
    stated in one way throughout.
    """
    atoms = _ATOM.findall(default.text)
    if not atoms or _is_product(default) or any(atom not in _COMPOSED for atom in atoms):
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
        if bound.quantity is None or bound.provenance.origin in ("document", "derived") or not _is_stated(bound):
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
_LEAST, _LEAST_SMALLEST, _MOST = 1.0, 0.1, 1e3
# 0.004 A is 4 mA; what has no prefix stays.
_LEAST_BARE = 1e-2
# Metres have no prefix above kilo that anybody uses; a million kilometres is a plain number still.
_MOST_KILOMETRES = 1e6


def _with_prefix(value: Quantity, default: Unit) -> Unit:
    """The unit with the prefix that brings a huge or tiny number to one between 1 and 1000; else as it is."""
    size = abs(value.si_value / default.scale)
    if default.offset or size == 0 or _LEAST_BARE <= size < _LARGEST or not math.isfinite(size):
        return default
    if default.text == "kg":
        found = ((text, scale) for text, scale in _GRAM if _LEAST <= size / scale < _MOST)
        return next((Unit(text, default.dimension, scale) for text, scale in found), default)
    first, slash, below = default.text.partition("/")
    powers = _USUAL_PREFIXES.get(first, ())
    for power in powers:
        scale = 10.0**power
        most = _MOST_KILOMETRES if (first, power) == ("m", 3) else _MOST
        # Below the smallest prefix in use a first decimal is still read easily: 0.53 nm.
        least = _LEAST_SMALLEST if power == min(powers) else _LEAST
        if least <= size / scale < most and (first != "m" or not slash):
            return Unit(f"{_PREFIXES[power]}{first}{slash}{below}", default.dimension, default.scale * scale)
    return default
