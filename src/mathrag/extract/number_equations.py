"""Equations between numbers instead of quantities: "with t in years", "T in °C, p in hPa". Made explicit with units.

`A = P (1 + r)^t`, `e = 6.11 exp(17.6 T / (243 + T))` and `n = 120 f / p` hold for the numbers of the stated units only.
Where the text states those units and the equation cannot hold otherwise, each symbol is divided by its unit, so that
any unit may be put in. Where it states some of them only, nobody can know what the numbers mean: `unstated_units` says
for which symbols.

What tells an equation between numbers: dimensions that disagree beside a number or an exponent that only measurement
gives; a coefficient that is no simple number, though it becomes one, or has to, once the units are put in.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.known_relations import KnownMatch
from mathrag.extract.weights import weights
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    Flag,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    divide,
    equation_symbols,
    multiply,
    substitute,
    subtract,
    symbols_of,
    walk,
)
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import BASE_DIMENSIONS, NO_UNIT, Dimension, Unit, base_unit_text

NUMBERS = Flag("number_equation", "holds for the numbers of the stated units; each symbol is divided by its unit")
_NEAR = weights("number_equations")["near"]
_EXACT = weights("number_equations")["exact"]
# Powers of pi with the denominators and the largest numerator of the fractions that formulas have beside them.
_BESIDE_PI = (
    (0, (1, 2, 3, 4, 5, 6, 8, 10, 12), 16),
    (1, (1, 2, 3, 4), 8),
    (-1, (1, 2, 3, 4), 8),
    (2, (1, 2, 4), 4),
    (-2, (1, 2, 4), 4),
)
# Factors between everyday units of time, and of speed, which stand in a formula only to convert.
_CONVERSIONS = (60.0, 3600.0, 86400.0)
_OF_SPEEDS = 3.6
_TIME = Dimension.of({"time": 1})
_SPEED = Dimension.of({"length": 1, "time": -1})
_TURNS_A_TIME = {
    "rpm": ("1/min", 1.0 / 60.0),
    "rps": ("1/s", 1.0),
    "turn/s": ("1/s", 1.0),
    "turn/min": ("1/min", 1 / 60),
}
_MONEY = BASE_DIMENSIONS.index("currency")
# From a thousand on, a power of ten is there to convert.
_LEAST_TENS = 3
# Milligrams for each kilogram: nobody gives a part of a quantity in a unit so far from that of the whole.
_FAR_APART = 999.0
_ROOTS = (math.sqrt(2), math.sqrt(3))
# Whole numbers up to here are part of the form of a law; larger ones may convert a unit.
_LARGEST_IN_FORM = 12
_MOST_FEW = 4


def as_numbers(
    equation: Equation,
    units: Mapping[str, Unit],
    known: Mapping[str, Dimension],
    *,
    plain: Collection[str] = (),
    beside: Collection[str] = frozenset(),
) -> Equation | None:
    """The equation with stated units divided out, where only that makes it hold; None where it holds as it is.

    `known` are the dimensions of all symbols of which the document says what they are, `plain` the symbols that it
    calls a coefficient, a factor or the like, without a unit. `beside` are the symbols with their unit right behind
    them in the equation, which can mean nothing but the number of those units.
    """
    if percents := _percents(equation, units):
        shares = _divided(equation, {name: units[name] for name in percents})
        others = {name: NO_UNIT if name in percents else unit for name, unit in units.items()}
        return as_numbers(shares, others, known, plain=plain, beside=beside) or shares
    stated = _to_divide(equation, units)
    if not stated:
        return None
    if _converts_beside(equation, stated, beside):
        return _divided(equation, stated)
    missing = [
        name
        for name in equation_symbols(equation)
        if name not in units and name not in plain and not (name in known and known[name].is_dimensionless)
    ]
    if not missing and equation.target in beside and _is_per_unit(equation, stated):
        return _divided(equation, stated)
    if check_dimensions(equation, known).status != "inconsistent":
        return _in_quantities_or_numbers(equation, units, known, stated, missing)
    if set(stated) <= set(beside):
        return _divided(equation, stated)
    return _where_inconsistent(equation, stated, known, is_all_stated=not missing)


def _where_inconsistent(
    equation: Equation, stated: Mapping[str, Unit], known: Mapping[str, Dimension], *, is_all_stated: bool
) -> Equation | None:
    """As numbers where an exponent is one, or where all units are stated and something tells of numbers."""
    measured = {name: unit for name, unit in stated.items() if not unit.dimension.is_dimensionless}
    raised = {name: measured[name] for name in _in_exponents(equation) if name in measured}
    if raised:
        changed = _divided(equation, raised)
        if check_dimensions(changed, known).status != "inconsistent":
            return changed
    is_foreign = any(not _is_coherent(unit) for unit in measured.values())
    if is_all_stated and (_has_telling_number(equation) or is_foreign):
        return _divided(equation, stated)
    return None


def _in_quantities_or_numbers(
    equation: Equation,
    units: Mapping[str, Unit],
    known: Mapping[str, Dimension],
    stated: Mapping[str, Unit],
    missing: Sequence[str],
) -> Equation | None:
    """The equation with its units divided out, where it could hold between quantities and its coefficients tell that
    it holds between numbers."""
    # One unit may be left out where it is the coherent one: the coefficients are simple with that one only.
    coherent = {name: _coherent(known[name]) for name in missing[:1] if name in known}
    every = {**dict.fromkeys(units, NO_UNIT), **stated, **coherent}
    if len(missing) == len(coherent) and _converts(equation, every, is_certain=not missing):
        return _divided(equation, {**stated, **coherent})
    # Where the unit of the result is left open, a power of ten may be there for its sake.
    is_open = bool(missing) and _shifts_units(equation, units)
    percents = {} if is_open else _told_in_percent(equation, units)
    return _divided(equation, percents) if percents else None


def _told_in_percent(equation: Equation, units: Mapping[str, Unit]) -> dict[str, Unit]:
    """The symbols in percent that stand nowhere but over 100: what stands there is the number of percent."""
    over = Counter(
        node.numerator.name
        for node in _nodes(equation)
        if isinstance(node, Divide) and isinstance(node.numerator, Symbol) and node.denominator == Number(100)
    )
    counts = Counter(node.name for node in _nodes(equation) if isinstance(node, Symbol))
    return {
        name: units[name]
        for name, count in over.items()
        if name in units and units[name].text == "percent" and count == counts[name]
    }


def _converts_beside(equation: Equation, stated: Mapping[str, Unit], beside: Collection[str]) -> bool:
    """Whether a number of the equation may be there to convert its units (the 60 of mL/h and mg/min).

    Only where every symbol has its unit behind it, and some are no SI units: else there is nothing to convert.
    """
    if not all(name in beside for name in equation_symbols(equation)):
        return False
    if all(unit.scale == 1 and not unit.offset for unit in stated.values()):
        return False
    numbers = [
        node.value for side in (equation.left, equation.right) for node in walk(side) if isinstance(node, Number)
    ]
    return any(isinstance(value, Decimal) or abs(value) > _LARGEST_IN_FORM for value in numbers)


def _is_per_unit(equation: Equation, stated: Mapping[str, Unit]) -> bool:
    """Whether a result in a unit that stands at the formula is so much for each unit of something.

    A large whole number, or any number between quantities of one dimension in two units: `Dose (mg) = 15 w` with w in
    kg. Nobody writes a part of a quantity so.
    """
    exponents = exponents_of(equation)
    if exponents is None or all(abs(unit.scale - 1.0) < _NEAR for unit in stated.values()):
        return False
    if has_whole_factor(equation) and telling_number(equation) is not None:
        return True
    return _apart_in_size(equation, stated) >= _FAR_APART


def is_undecided(equation: Equation, units: Mapping[str, Unit], beside: Collection[str]) -> bool:
    """Whether a small number between quantities of one dimension may count units or not: `Gap (cm) = 2 w`, w in m."""
    return equation.target in beside and 1.0 < _apart_in_size(equation, units) < _FAR_APART


def _apart_in_size(equation: Equation, units: Mapping[str, Unit]) -> float:
    """How far apart the units of two quantities of one dimension are, one of which is a multiple of the other; or 1."""
    measured = [unit for unit in units.values() if not unit.dimension.is_dimensionless]
    terms = _terms(equation)
    if terms is None or len(terms) != 1 or terms[0].coefficient == 1.0 or len(measured) != 2:
        return 1.0
    if measured[0].dimension != measured[1].dimension or len(measured) != len(equation_symbols(equation)):
        return 1.0
    ratio = measured[0].scale / measured[1].scale
    return max(ratio, 1.0 / ratio)


def unstated_units(
    equation: Equation,
    units: Mapping[str, Unit],
    dimensions: Mapping[str, Dimension],
    said: Mapping[str, Dimension],
    *,
    beside: Collection[str] = (),
) -> tuple[str, ...]:
    """The symbols whose unit would have to be stated, where an equation holds for numbers only; none where it is sound.

    `dimensions` are those that were chosen for the symbols, `said` those that the document gives, `beside` the symbols
    with their unit right behind them.
    """
    missing = tuple(
        name
        for name in equation_symbols(equation)
        if name not in units and not said.get(name, dimensions.get(name, _TIME)).is_dimensionless
    )
    if not missing or any(isinstance(node, Measure) for node in _nodes(equation)):
        return ()
    if _are_compared(equation, missing):
        return ()
    if _is_percentage(equation, dimensions):
        return ()
    if _is_in_numbers_only(equation, units, said, beside) or _mixes_numbers(equation, dimensions):
        return missing
    if check_dimensions(equation, said).status == "inconsistent":
        return missing if _has_telling_number(equation) or _shifts_units(equation, units) else ()
    if _raises_by_measurement(equation, dimensions) or _shifts_units(equation, units):
        return missing
    return _unconverted(equation, missing, units, dimensions)


def _are_compared(equation: Equation, names: Collection[str]) -> bool:
    """Whether symbols are added to each other, so that they have one unit, and the form lets that cancel from the
    result: the thousand of `p = 1000 (a - b) / b` says what is counted, and converts nothing."""
    sums = ([_without_sign(term) for term in node.terms] for node in _nodes(equation) if isinstance(node, Add))
    added = ({bare.name for bare in terms if isinstance(bare, Symbol)} for terms in sums if _are_symbols(terms))
    if not any(added_here.issuperset(names) for added_here in added):
        return False
    result = check_dimensions(equation, {}).dimensions.get(equation.target or "")
    return result is not None and result.is_dimensionless


def _are_symbols(terms: Sequence[Expression]) -> bool:
    return all(isinstance(term, Symbol) for term in terms)


def _without_sign(term: Expression) -> Expression:
    return term.operand if isinstance(term, Negate) else term


def _shifts_units(equation: Equation, units: Mapping[str, Unit]) -> bool:
    """Whether a power of ten stands before a product of quantities in units of a trade: the 10 of `q = 10 A v` with A
    in cm2, which may be there for the sake of the unit of q alone."""
    measured = [unit for unit in units.values() if not unit.dimension.is_dimensionless]
    terms = _terms(equation, units) if any(not _is_coherent(unit) for unit in measured) else None
    return terms is not None and len(terms) == 1 and _moves_the_point(terms[0].coefficient)


def _moves_the_point(value: float) -> bool:
    return _is_decimal(value) and abs(value - 1.0) > _NEAR


def _is_in_numbers_only(
    equation: Equation, units: Mapping[str, Unit], said: Mapping[str, Dimension], beside: Collection[str]
) -> bool:
    """Whether a result in a unit that the equation itself states comes from quantities of which nobody says anything.

    A number beside them may convert or hold for certain units. Not beside money, which is counted in one unit.
    """
    target = equation.target
    unit = units.get(target or "")
    if target not in beside or unit is None or set(unit.dimension.exponents[:_MONEY]) == {0}:
        return False
    is_told = telling_number(equation) is not None or _has_plain_factor(equation)
    return is_told and any(name not in said for name in equation_symbols(equation))


def _has_plain_factor(equation: Equation) -> bool:
    """Whether a number above two stands in a product without pi: of a dose, so many milligrams for each kilogram."""
    if exponents_of(equation) is None or any(isinstance(node, MathConstant) for node in _nodes(equation)):
        return False
    raised = {id(part) for node in _nodes(equation) if isinstance(node, Power) for part in walk(node.exponent)}
    return any(isinstance(node, Number) and id(node) not in raised and _value(node) > 2 for node in _nodes(equation))


def _mixes_numbers(equation: Equation, dimensions: Mapping[str, Dimension]) -> bool:
    """Whether some symbols of a product with a whole number that may convert are quantities, and others unknown."""
    known = [dimensions.get(name) for name in equation_symbols(equation)]
    return None in known and any(one and not one.is_dimensionless for one in known) and has_whole_factor(equation)


def has_whole_factor(equation: Equation) -> bool:
    """Whether a product has a whole number that is too large for the form of a law: 60, 344, 1000."""
    if exponents_of(equation) is None:
        return False
    raised = {id(part) for node in _nodes(equation) if isinstance(node, Power) for part in walk(node.exponent)}
    return any(
        isinstance(node, Number) and id(node) not in raised and not isinstance(node.value, Decimal)
        and abs(node.value) > _LARGEST_IN_FORM
        for node in _nodes(equation)
    )  # fmt: skip


def _has_tens(equation: Equation) -> bool:
    number = telling_number(equation)
    return number is not None and _is_decimal(number) and abs(math.log10(number)) >= _LEAST_TENS


def is_percentage(equation: Equation) -> bool:
    """Whether the one large number is the 100 of a ratio."""
    numbers = {_value(node) for node in _nodes(equation) if isinstance(node, Number)}
    return {value for value in numbers if value and not _is_simple(value)} == {100.0}


def _is_percentage(equation: Equation, dimensions: Mapping[str, Dimension]) -> bool:
    """Whether the one telling number is the 100 of a ratio in percent, which needs no units."""
    target = equation.target
    is_ratio = target is not None and dimensions.get(target, Dimension()).is_dimensionless
    return is_ratio and is_percentage(equation)


def _unconverted(
    equation: Equation, missing: Sequence[str], units: Mapping[str, Unit], dimensions: Mapping[str, Dimension]
) -> tuple[str, ...]:
    """The symbols without a unit beside a coefficient that can only be there to convert."""
    terms = _terms(equation)
    if terms is None or not _has_telling_number(equation) or all(_is_simple(term.coefficient) for term in terms):
        return ()
    if any(not _is_plain(unit) and not _is_decimal(unit.scale) for unit in units.values()):
        return tuple(missing)
    if _has_tens(equation) and all(dimensions.get(name) is not None for name in missing):
        return tuple(missing)
    timed = tuple(name for name in missing if _has_time(dimensions.get(name)))
    factors = (*_CONVERSIONS, _OF_SPEEDS) if any(dimensions.get(one) == _SPEED for one in timed) else _CONVERSIONS
    return timed if any(_has_conversion(term.coefficient, factors) for term in terms) else ()


def in_usual_units(equation: Equation, units: Mapping[str, Unit], match: KnownMatch) -> Equation | None:
    """The equation with the units divided out in which a known relation between numbers holds.

    None where the document states a unit that is none of these: then it is another relation. None for a ratio in
    percent, too: it holds in all units.
    """
    if _is_percentage(equation, {name: place.dimension for name, place in match.places.items()}):
        return None
    usual = {
        name: counted_unit(read_canonical_unit(place.unit), None)
        for name, place in match.places.items()
        if place.unit != "1"
    }
    if any(name in units and units[name].dimension != unit.dimension for name, unit in usual.items()):
        return None
    stated = {name: unit for name, unit in units.items() if name in usual}
    # "Diameter (mm or inches)": the coefficient knows which.
    is_usual = _fits(equation, usual) and not _fits(equation, {**usual, **stated})
    return _divided(equation, usual if is_usual else {**usual, **stated})


def _fits(equation: Equation, units: Mapping[str, Unit]) -> bool:
    """Whether the coefficients are explained by the units alone."""
    terms = _terms(equation, units)
    return terms is not None and all(_is_simple(term.coefficient / term.scale) for term in terms)


def divided_by_units(equation: Equation, units: Mapping[str, Unit]) -> Equation:
    """The equation for numbers of these units, as an equation of quantities."""
    return _divided(equation, _to_divide(equation, units))


def _to_divide(equation: Equation, units: Mapping[str, Unit]) -> dict[str, Unit]:
    """The units whose numbers an equation can be about. Not those of angles in functions, which need no unit, and not
    a percentage that it is written for: a factor of 100 says that already."""
    inside = {
        name
        for node in _nodes(equation)
        if isinstance(node, Call)
        for part in node.arguments
        for name in symbols_of(part)
    }
    return {
        name: unit
        for name, unit in units.items()
        if not _is_plain(unit) and not (unit.dimension.is_dimensionless and (name in inside or name == equation.target))
    }


def counted_unit(unit: Unit, kind: QuantityKind | None) -> Unit:
    """The unit as the kind counts it: 1 rpm of a frequency is one turn a minute, of an angular speed 2 pi.

    Who gives a number of turns without saying of what counts turns.
    """
    if unit.text not in _TURNS_A_TIME or (kind is not None and not kind.counts_cycles):
        return unit
    text, scale = _TURNS_A_TIME[unit.text]
    return Unit(text, unit.dimension, scale)


def is_turns(unit: Unit) -> bool:
    """Whether it is a number of turns a time as people write it."""
    return unit.text in _TURNS_A_TIME


def is_counted(unit: Unit) -> bool:
    """Whether it is a number of turns a time as `counted_unit` gives it."""
    return unit.text in {text for text, _ in _TURNS_A_TIME.values()}


def shown_text(unit: Unit) -> str:
    """The unit as people write it: turns a minute are rpm."""
    return "rpm" if unit.text == "1/min" else unit.text


def _coherent(dimension: Dimension) -> Unit:
    return Unit(base_unit_text(dimension), dimension)


def _percents(equation: Equation, units: Mapping[str, Unit]) -> frozenset[str]:
    """The symbols in percent of which the equation takes a hundredth wherever they stand: numbers of percent."""
    names = {name for name, unit in units.items() if unit.text == "percent"} - {equation.target}
    if not names:
        return frozenset()
    found = [[name for name in _hundredths(node) if name in names] for node in _nodes(equation)]
    if any(len(each) > 1 for each in found):
        # Of two percentages and one hundred nobody knows which is meant.
        return frozenset()
    divided = [name for each in found for name in each]
    counts = Counter(node.name for node in _nodes(equation) if isinstance(node, Symbol))
    measured = {name for node in _nodes(equation) if _is_share(node) for name in symbols_of(node)}
    return frozenset(name for name in names - measured if divided.count(name) == counts[name] > 0)


def _hundredths(node: Expression) -> tuple[str, ...]:
    """The symbols that a product takes a hundredth of: `c / 100`, `0.01 c`, `(1 / 100) c`."""
    match node:
        case Divide(numerator, denominator) if Number(100) in _factors(denominator):
            return tuple(one.name for one in _factors(numerator) if isinstance(one, Symbol))
        case Multiply(factors) if any(_is_hundredth(one) for one in factors):
            return tuple(one.name for one in factors if isinstance(one, Symbol))
    return ()


def _is_hundredth(node: Expression) -> bool:
    if isinstance(node, Divide):
        return isinstance(node.numerator, Number) and node.denominator == Number(100)
    return isinstance(node, Number) and _value(node) == 0.01


def _factors(node: Expression) -> tuple[Expression, ...]:
    return node.factors if isinstance(node, Multiply) else (node,)


def _is_share(node: Expression) -> bool:
    return isinstance(node, Divide) and isinstance(node.denominator, Measure)


def _is_plain(unit: Unit) -> bool:
    return unit.dimension.is_dimensionless and unit.scale == 1.0


def _is_coherent(unit: Unit) -> bool:
    return unit.scale == 1.0 and unit.offset == 0.0


def _nodes(equation: Equation) -> Iterator[Expression]:
    for side in (equation.left, equation.right):
        yield from walk(side)


def _in_exponents(equation: Equation) -> set[str]:
    return {name for node in _nodes(equation) if isinstance(node, Power) for name in symbols_of(node.exponent)}


# Numbers that only measurement or a conversion gives.


def _has_telling_number(equation: Equation) -> bool:
    exponents = {id(part) for node in _nodes(equation) if isinstance(node, Power) for part in walk(node.exponent)}
    for node in _nodes(equation):
        if isinstance(node, Number) and id(node) not in exponents and node.value and not _is_simple(_value(node)):
            return True
        if isinstance(node, Power) and _is_measured_exponent(node.exponent):
            return True
    return False


def _is_measured_exponent(exponent: Expression) -> bool:
    """0.54 and 1.852 are found by measurement; 2, 1/2, 2/3 and 0.25 by reasoning."""
    number = exponent.operand if isinstance(exponent, Negate) else exponent
    if not isinstance(number, Number) or not isinstance(number.value, Decimal):
        return False
    return number.value * 4 != int(number.value * 4)


def _raises_by_measurement(equation: Equation, dimensions: Mapping[str, Dimension]) -> bool:
    """Whether a measured exponent stands over a quantity, beside a number that measurement gave as well."""
    is_raised = any(
        isinstance(node, Power)
        and isinstance(node.base, Symbol)
        and _is_measured_exponent(node.exponent)
        and not dimensions.get(node.base.name, Dimension()).is_dimensionless
        for node in _nodes(equation)
    )
    return is_raised and any(
        isinstance(node, Multiply | Divide)
        and any(isinstance(part, Number) and not _is_simple(_value(part)) for part in _parts(node))
        for node in _nodes(equation)
    )


def _parts(node: Multiply | Divide) -> Sequence[Expression]:
    return node.factors if isinstance(node, Multiply) else (node.numerator, node.denominator)


def _value(node: Number) -> float:
    return abs(float(node.value))


def _is_simple(value: float, near: float = _NEAR) -> bool:
    """Whether a number is one that reasoning gives: a small fraction, or a few times a power of pi."""
    if not math.isfinite(value) or value <= 0:
        return False
    for power, denominators, largest in _BESIDE_PI:
        for denominator in denominators:
            numerator = value / math.pi**power * denominator
            nearest = round(numerator)
            if 1 <= nearest <= largest and abs(numerator - nearest) <= near * nearest:
                return True
    return any(
        abs(value / (root * math.pi**power * factor) - 1.0) <= near / 2
        for root in _ROOTS
        for power in (0, 1)
        for factor in (0.25, 0.5, 1.0, 2.0)
    )


def _is_decimal(value: float) -> bool:
    """Whether a factor only moves the decimal point, as prefixes do."""
    exponent = math.log10(value) if value > 0 else 0.5
    return abs(exponent - round(exponent)) < 1e-6


def _has_conversion(value: float, factors: Sequence[float]) -> bool:
    return not _is_simple(value) and any(_is_few(value * one) or _is_few(value / one) for one in factors)


def _is_few(value: float) -> bool:
    """Whether a number is one to four, or one over that, beside a power of pi: 120 is 2 times 60, and 150 is not."""
    if not math.isfinite(value) or value <= 0:
        return False
    candidates = [value / math.pi**power for power in (-1, 0, 1)]
    counts = [count for one in candidates for count in (one, 1 / one)]
    return any(1 <= round(count) <= _MOST_FEW and abs(count - round(count)) <= _NEAR * count for count in counts)


def _has_time(dimension: Dimension | None) -> bool:
    return dimension is not None and dimension.exponents[_TIME.exponents.index(1)] != 0


# A sum of products: what coefficient stands before each, and how its units compare with those of the left side.


@dataclass(frozen=True, slots=True)
class _Term:
    """A product of powers of symbols: its coefficient, and the factor by which its units differ from coherent ones."""

    coefficient: float
    scale: float


def _converts(equation: Equation, units: Mapping[str, Unit], *, is_certain: bool) -> bool:
    """Whether the coefficients are there for the sake of the units: simple with them, or at odds without them.

    `is_certain`: all units are stated, so that they need not show in the coefficients.
    """
    if any(unit.offset for unit in units.values()):
        return False
    terms = _terms(equation, units)
    if terms is None or all(abs(term.scale - 1.0) < _NEAR for term in terms):
        return False
    if all(_is_simple(term.coefficient) for term in terms):
        # A tenth may be part of a law, too; it converts where the units that are stated leave nothing of it.
        return is_certain and _is_plainer_then(terms)
    # A unit that nobody states has to be told exactly: by chance one number in ten is near some simple one.
    near = _NEAR if is_certain else _EXACT
    are_simple_then = all(_is_simple(term.coefficient / term.scale, near) for term in terms)
    return are_simple_then or (is_certain and any(not _is_decimal(term.scale) for term in terms))


def _is_plainer_then(terms: Sequence[_Term]) -> bool:
    """Whether the coefficients become plainer once the units are put in, each of them simple before and after."""
    after = [term.coefficient / term.scale for term in terms]
    return all(_is_simple(value) for value in after) and sum(map(_cost, after)) < sum(
        _cost(term.coefficient) for term in terms
    )


def _cost(value: float) -> float:
    """How much there is to a simple number: 2 for 1, 3 for a half, 11 for a tenth."""
    costs = [math.inf]
    for power, denominators, largest in _BESIDE_PI:
        for denominator in denominators:
            numerator = value / math.pi**power * denominator
            nearest = round(numerator)
            if 1 <= nearest <= largest and abs(numerator - nearest) <= _NEAR * nearest:
                costs.append(nearest + denominator + abs(power))
    return min(costs)


def telling_number(equation: Equation) -> float | None:
    """The product of the numbers of a product that may be there to convert: beside what reasoning gives, powers of ten.

    None where there is none, and where the equation is no product.
    """
    terms = _terms(equation)
    others = _terms(_without_telling_numbers(equation))
    if terms is None or others is None or len(terms) != 1 or len(others) != 1:
        return None
    if not terms[0].coefficient or not others[0].coefficient:
        return None
    number = terms[0].coefficient / others[0].coefficient
    return None if abs(number - 1.0) < 1e-12 else number


def _without_telling_numbers(equation: Equation) -> Equation:
    return replace(equation, left=_freed(equation.left), right=_freed(equation.right))


def _freed(node: Expression) -> Expression:
    match node:
        case Number() if node.value and (not _is_simple(_value(node)) or _is_decimal(_value(node))):
            return Number(1)
        case Multiply():
            return multiply(*map(_freed, node.factors))
        case Divide():
            return divide(_freed(node.numerator), _freed(node.denominator))
    return node


def exponents_of(equation: Equation) -> dict[str, float] | None:
    """The exponents of the symbols in a product, over those of the left side; None where it is no product."""
    found: dict[str, float] = {}
    for name in equation_symbols(equation):
        terms = _terms(equation, {name: Unit("", NO_UNIT.dimension, 2.0)})
        if terms is None or len(terms) != 1:
            return None
        found[name] = math.log2(terms[0].scale)
    return found


def _terms(equation: Equation, units: Mapping[str, Unit] | None = None) -> list[_Term] | None:
    """The terms of the right side over the left side; None where a side is no such sum."""
    left = _product(equation.left, units or {})
    right = equation.right
    parts = right.terms if isinstance(right, Add) else (right,)
    found = [_product(part, units or {}) for part in parts]
    if left is None or not left.coefficient or any(one is None for one in found):
        return None
    return [_Term(abs(one.coefficient / left.coefficient), one.scale / left.scale) for one in found if one is not None]


def _product(node: Expression, units: Mapping[str, Unit]) -> _Term | None:
    match node:
        case Number():
            return _Term(float(node.value), 1.0)
        case MathConstant():
            return _Term(math.pi, 1.0)
        case Symbol():
            return _Term(1.0, units[node.name].scale if node.name in units else 1.0)
        case Negate():
            return _product(node.operand, units)
        case Multiply():
            return _joined([_product(factor, units) for factor in node.factors])
        case Divide():
            above, below = _product(node.numerator, units), _product(node.denominator, units)
            if above is None or below is None or not below.coefficient:
                return None
            return _Term(above.coefficient / below.coefficient, above.scale / below.scale)
        case Power():
            return _raised(node, units)
        case Add():
            return _bracket(node, units)
    return None


def _bracket(node: Add, units: Mapping[str, Unit]) -> _Term | None:
    """`(a + b)` counts as one symbol, where all of it has one unit and no number stands in it; so does one of plain
    numbers."""
    names = symbols_of(node)
    if all(name in units and units[name].dimension.is_dimensionless for name in names):
        return _Term(1.0, 1.0) if names else None
    terms = [_product(term, units) for term in node.terms]
    first = terms[0]
    return first if first == _Term(1.0, first.scale if first else 1.0) and set(terms) == {first} else None


def _raised(node: Power, units: Mapping[str, Unit]) -> _Term | None:
    base, exponent = _product(node.base, units), _product(node.exponent, {})
    if base is None or exponent is None or symbols_of(node.exponent) or base.coefficient <= 0:
        return None
    sign = -1.0 if isinstance(node.exponent, Negate) else 1.0
    if abs(exponent.coefficient) > 12:
        return None
    power = sign * exponent.coefficient
    return _Term(base.coefficient**power, base.scale**power)


def _joined(factors: Sequence[_Term | None]) -> _Term | None:
    coefficient = scale = 1.0
    for factor in factors:
        if factor is None:
            return None
        coefficient, scale = coefficient * factor.coefficient, scale * factor.scale
    return _Term(coefficient, scale)


# The equation of quantities.


def _divided(equation: Equation, units: Mapping[str, Unit]) -> Equation:
    left, right = equation.left, equation.right
    values: dict[str, Expression] = {name: _number_of(name, unit) for name, unit in units.items()}
    if isinstance(left, Symbol) and left.name in units and not units[left.name].offset:
        # The result keeps its place alone on the left: its unit goes to the other side.
        unit = units[left.name]
        others = {name: value for name, value in values.items() if name != left.name}
        return replace(equation, right=multiply(substitute(right, others), Measure(Number(1), unit.text)))
    return replace(equation, left=substitute(left, values), right=substitute(right, values))


def _number_of(name: str, unit: Unit) -> Expression:
    """The number of units in a quantity; for a temperature, from the zero of its scale."""
    if not unit.offset:
        return Divide(Symbol(name), Measure(Number(1), unit.text))
    base = base_unit_text(unit.dimension)
    above_zero = subtract(Symbol(name), Measure(Number(Decimal(repr(unit.offset))), base))
    return Divide(above_zero, Measure(Number(Decimal(repr(unit.scale))), base))
