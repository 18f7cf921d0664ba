"""Whether a formula holds for the values put into it, and whether they make sense. Finds words; changes no number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.evaluate.floats import holds
from mathrag.compute.printers.plaintext import plain_comparison, plain_formula, plain_symbol
from mathrag.compute.printers.units import joined
from mathrag.knowledge.kinds import known_kind
from mathrag.knowledge.units import coherent_unit, convert, difference_of
from mathrag.language.stems import stem, stems
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing.worked_lines import plain_number, plain_quantity
from mathrag.types.answer import Step
from mathrag.types.expression import (
    UNITS_TAKEN,
    ZERO,
    Comparison,
    Divide,
    Equation,
    Expression,
    Measure,
    Multiply,
    Number,
    Symbol,
    symbols_of,
    walk,
)
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Dimension, Quantity, Unit
from mathrag.types.symbol_names import split_name

# What a symbol's meaning says about the numbers it takes: from absolute zero or a difference, turns, hundredths.
#
# Values are changed here from the way people state them to the way the formula counts, and results back again.

TEMPERATURE = Dimension.of({"temperature": 1})
# Turns alone, a time and a time squared: only of such a quantity it is open whether a turn counts as one or as 2 pi.
_ROTATIONS = tuple(Dimension.of({"time": -power} if power else {}) for power in range(3))
PERCENT = Unit("percent", Dimension(), 0.01)
_TURNS = re.compile(r"(?<![A-Za-z])(?:rpm|rps|turn)(?![A-Za-z])")
_PERCENT_WORDS = re.compile(r"(?i)percent|(?<![a-z])pct(?![a-z])|%")


@dataclass(frozen=True, slots=True)
class SymbolFacts:
    """A symbol of a formula with what decides how its values are taken."""

    name: str
    meaning: SymbolMeaning | None
    kind: QuantityKind | None
    is_difference: bool
    counts_cycles: bool
    counts_turns: bool
    counts_percent: bool


def facts_of(name: str, *, formula: Formula, equation: Equation) -> SymbolFacts:
    """What is known of a symbol of this equation of a formula."""
    meaning = next((each for each in formula.symbols if each.name == name), None)
    kind = known_kind(None if meaning is None else meaning.kind)
    is_difference = split_name(name).prefix == "Delta" or (kind is not None and kind.is_difference)
    return SymbolFacts(
        name,
        meaning,
        kind,
        is_difference,
        kind is not None and kind.counts_cycles,
        _counts_turns(meaning, kind),
        _counts_percent(name, equation, meaning, kind),
    )


def _counts_turns(meaning: SymbolMeaning | None, kind: QuantityKind | None) -> bool:
    """Whether a turn counts as one here: of frequencies, of what is no rotation (0.2 mm/turn is a feed), and where a
    document gives a number of turns without saying of what."""
    if kind is not None:
        return kind.counts_cycles or (kind.dimension not in _ROTATIONS and "rad" not in kind.unit)
    if meaning is None or meaning.dimension is None:
        return False
    return meaning.dimension not in _ROTATIONS or _TURNS.search(meaning.unit or "") is not None


def _counts_percent(name: str, equation: Equation, meaning: SymbolMeaning | None, kind: QuantityKind | None) -> bool:
    """Whether the equation gives a number of percent: a share written for its symbol with a bare factor of 100."""
    if equation.target != name or not _multiplies_by_hundred(equation, name):
        return False
    is_share = kind is not None and kind.dimension.is_dimensionless and ("percent" in kind.units or kind.maximum == 1)
    return is_share or _is_called_percentage(name, meaning)


def _is_called_percentage(name: str, meaning: SymbolMeaning | None) -> bool:
    described = "" if meaning is None else f"{name} {meaning.description} {meaning.unit or ''}"
    return _PERCENT_WORDS.search(described.replace("_", " ")) is not None


@lru_cache(maxsize=2048)
def _multiplies_by_hundred(equation: Equation, name: str) -> bool:
    """Whether the 100 stands alone: beside a percent sign it has its unit already."""
    side = equation.right if isinstance(equation.left, Symbol) and equation.left.name == name else equation.left
    factors = _factors(side)
    return Number(100) in factors and not any(isinstance(one, Measure) and one.unit == "percent" for one in factors)


def _factors(side: Expression) -> tuple[Expression, ...]:
    if isinstance(side, Divide):
        return _factors(side.numerator)
    return side.factors if isinstance(side, Multiply) else (side,)


def as_counted(quantity: Quantity, facts: SymbolFacts) -> Quantity:
    """A stated value as the formula counts it: 20 °C of a difference is 20 K, 1500 rpm of a frequency 1500 a minute."""
    unit = quantity.unit
    if unit.is_absolute_temperature:
        return replace(quantity, unit=difference_of(unit)) if facts.is_difference else quantity
    if facts.counts_turns and _TURNS.search(unit.text):
        return replace(quantity, unit=_in_turns(unit))
    if facts.counts_percent and unit.dimension.is_dimensionless and unit.text:
        return Quantity(
            quantity.si_value * 100.0,
            uncertainty=None if quantity.si_uncertainty is None else quantity.si_uncertainty * 100.0,
        )
    return quantity


def as_percentage(quantity: Quantity, facts: SymbolFacts, equation: Equation) -> Quantity | None:
    """A bare number for a symbol that the formula takes in percent: above one it is a number of percent.

    Up to one it may be a share as well, and nobody knows (None), unless people give the quantity as a share.
    """
    is_bare = not quantity.unit.text and quantity.dimension.is_dimensionless
    if not is_bare or not _is_divided_by_percent(equation, facts.name):
        return quantity
    if abs(quantity.value) > 1:
        return replace(quantity, unit=PERCENT)
    is_share = facts.kind is not None and facts.kind.maximum <= 1
    return quantity if is_share or not quantity.value else None


@lru_cache(maxsize=2048)
def _is_divided_by_percent(equation: Equation, name: str) -> bool:
    return any(
        isinstance(node, Divide)
        and node.numerator == Symbol(name)
        and isinstance(node.denominator, Measure)
        and node.denominator.unit == "percent"
        for side in (equation.left, equation.right)
        for node in walk(side)
    )


def _in_turns(unit: Unit) -> Unit:
    """The unit with the 2 pi of each turn divided out; its text still says what was written."""
    turns = 1 if unit.dimension.is_dimensionless else _power_of_turns(unit)
    return replace(unit, scale=unit.scale / (2.0 * math.pi) ** turns)


def _power_of_turns(unit: Unit) -> int:
    """1 for turns a time (rpm, turn/s), -1 where turns stand below the line."""
    above, _, below = unit.text.partition("/")
    return -1 if _TURNS.search(below) and not _TURNS.search(above) else 1


def unit_for_result(unit: Unit, facts: SymbolFacts) -> Unit:
    """The unit in which a result of this symbol is stated: turns and differences counted the symbol's way."""
    if unit.is_absolute_temperature and facts.is_difference:
        return difference_of(unit)
    if facts.counts_turns and _TURNS.search(unit.text):
        return _in_turns(unit)
    return unit


def as_stated(quantity: Quantity, facts: SymbolFacts) -> Quantity:
    """A computed value as people state it: a number of percent gets its unit."""
    if facts.counts_percent and quantity.dimension.is_dimensionless:
        return replace(quantity, unit=PERCENT)
    if (
        not quantity.unit.text
        and quantity.dimension.is_dimensionless
        and _is_called_percentage(facts.name, facts.meaning)
    ):
        return Quantity(quantity.value / PERCENT.scale, PERCENT)
    return quantity


def usual_unit(dimension: Dimension, facts: SymbolFacts) -> Unit:
    """The coherent unit by the name that the kind gives it (Hz, rad, N*m), or the named SI unit of the dimension."""
    kind = facts.kind
    if kind is None or kind.dimension != dimension or kind.takes_any_unit or not kind.unit:
        return coherent_unit(dimension)
    return Unit(kind.unit, dimension)


_TOLERANCE = 1e-9
_LONGEST = 200
_SHOWN_FIGURES = 3
# With these a condition in words goes on behind "holds".
_OPENS_A_PHRASE = (
    *("without ", "with ", "at ", "along ", "under ", "in ", "near ", "far from ", "away from ", "within ", "during "),
    *("as long as ", "so long as ", "provided ", "while ", "when ", "if ", "neglecting ", "ignoring "),
)
_SAYS_SO = re.compile(r"^(?:only\s+)?(?:valid|holds?|applies|applicable|true|works?)\s+(?:only\s+)?", re.IGNORECASE)
_IN_AIR = " in air"
_LONGER_WORD = re.compile(r"[^\W\d_]{3,}")
# How the left side may stand to the right: below, level, above.
_ORDERS = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}}


def validity_warnings(
    formula: Formula, equation: Equation, values: Mapping[str, Quantity], *, is_airless: bool = False
) -> tuple[str, ...]:
    """A sentence for each condition of the formula that these values break; without air, none of its limits counts."""
    found: list[str] = []
    for text, comparison in conditions_to_check(formula, equation):
        if is_met(comparison, values) is False:
            is_in_air = text.rstrip(" .;,").endswith(_IN_AIR)
            if is_in_air and is_airless:
                continue
            condition = plain_comparison(comparison)
            said = f" ({_short(text)})" if not is_in_air and _says_more(text, comparison) else _IN_AIR * is_in_air
            found.append(
                f"the formula holds for {condition}{said}, which these values do not meet{_sizes(comparison, values)}"
            )
    found += _fast_warnings(formula, values)
    found += _count_warnings(formula, values)
    return tuple(dict.fromkeys(found))


def _says_more(text: str, comparison: Comparison) -> bool:
    """Whether the words of a condition say more than its comparison does: "inside the sphere, r < R"."""
    shown = plain_comparison(comparison).casefold()
    names = "_".join((*symbols_of(comparison.left), *symbols_of(comparison.right))).casefold().split("_")
    words = _LONGER_WORD.findall(_short(text).casefold())
    return any(word not in shown and word not in names and word != "sqrt" for word in words)


def _sizes(comparison: Comparison, values: Mapping[str, Quantity]) -> str:
    """How large the two sides of a broken comparison are; nothing of a side that is a number itself."""
    said = []
    for side in (comparison.left, comparison.right):
        size = evaluate_quantity(side, values) if symbols_of(side) else None
        if isinstance(size, Quantity):
            given = values[side.name] if isinstance(side, Symbol) else convert(size, coherent_unit(size.dimension))
            shown = replace(given, uncertainty=None)
            said.append(f"{plain_formula(side)} is {plain_quantity(shown, _SHOWN_FIGURES)}")
    return f": {' and '.join(said)}" if said else ""


# Limits that hold for every formula of a sort, whether its document states them or not.

_PRESSURE = Dimension.of({"mass": 1, "length": -1, "time": -2})
_VOLUME, _TEMPERATURE = Dimension.of({"length": 3}), Dimension.of({"temperature": 1})
_NAMED_PRESSURE = frozenset((stem("pressure"),))
# A pressure that is said to be counted from somewhere, is a difference, or is read off no gauge.
_COUNTED_FROM = frozenset(map(stem, "gauge absolute difference drop change osmotic partial vapour vapor".split()))
_SPEED = Dimension.of({"length": 1, "time": -1})
# What obeys the laws of motion has a mass or an acceleration; waves and light may be as fast as they like.
_MECHANICAL = (Dimension.of({"mass": 1}), Dimension.of({"length": 1, "time": -2}))
_SPEED_OF_LIGHT = 299_792_458.0
_FAST = thresholds("regime")["fast"]
_WHOLE = thresholds("decision")["whole"]
_COUNT = re.compile(r"\b(odd|even|whole|integer)\b(?: \w+)? ?number\b|\b(integer)\b", re.IGNORECASE)


def _fast_warnings(formula: Formula, values: Mapping[str, Quantity]) -> Iterable[str]:
    """Bodies that no formula without the speed of light describes."""
    symbols = formula.symbols
    is_mechanical = any(quantity.dimension in _MECHANICAL for quantity in values.values())
    if not is_mechanical or any(_is_of_light(each) for each in symbols):
        return
    for each in symbols:
        quantity = values.get(each.name)
        if quantity is None or each.constant is not None or quantity.dimension != _SPEED:
            continue
        share = abs(quantity.si_value) / _SPEED_OF_LIGHT
        if share > _FAST:
            name = plain_symbol(each.name)
            yield f"the formula holds for speeds well below that of light; {name} is {share:.2g} of it"


def _is_of_light(symbol: SymbolMeaning) -> bool:
    return symbol.constant == "speed_of_light" or "light" in symbol.description.casefold().split()


def _count_warnings(formula: Formula, values: Mapping[str, Quantity]) -> Iterable[str]:
    """Numbers that the document says are whole, odd or even, and are not."""
    for each in formula.symbols:
        quantity, said = values.get(each.name), _COUNT.search(each.description)
        if quantity is None or said is None or not quantity.dimension.is_dimensionless:
            continue
        number, which = quantity.si_value, (said[1] or said[2]).casefold()
        whole = round(number) if math.isfinite(number) else 0
        is_other = (which == "odd" and whole % 2 == 0) or (which == "even" and whole % 2 == 1)
        if is_other or abs(number - whole) > _WHOLE:
            name = plain_symbol(each.name)
            yield f"{name} is {number:.6g}, but the formula holds for {each.description}"


def step_assumptions(step: Step) -> tuple[str, ...]:
    """What a computed step takes for granted: the conditions in words, and those that could not be checked."""
    values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
    values[step.target] = step.result
    found: list[str] = []
    for validity in step.formula.conditions:
        verdicts = [is_met(comparison, values) for comparison in validity.comparisons]
        if (not verdicts or None in verdicts) and validity.text.strip():
            found.append(_holds(validity.text))
    found.extend(
        _holds(condition.text)
        for condition in step.equation.conditions
        if not condition.comparisons and condition.text.strip()
    )
    found.extend(_absolute_pressures(step, values))
    found.extend(flag.message for flag in step.formula.flags if flag.code == UNITS_TAKEN)
    return tuple(dict.fromkeys(found))


def _absolute_pressures(step: Step, values: Mapping[str, Quantity]) -> Iterable[str]:
    """Laws of gases count pressures from vacuum; people read them off gauges, which count from the air around."""
    is_of_gas = any(quantity.dimension in (_TEMPERATURE, _VOLUME) for quantity in values.values())
    stated = {bound.symbol for bound in step.bindings if bound.provenance.origin == "question"}
    named = {each.name: frozenset(stems(each.description)) for each in step.formula.symbols}
    pressures = [
        each
        for each in step.formula.symbols
        if each.name in values and values[each.name].dimension == _PRESSURE and named[each.name] >= _NAMED_PRESSURE
    ]
    is_told = any(named[each.name] & _COUNTED_FROM for each in pressures)
    if is_of_gas and not is_told and any(each.name in stated for each in pressures):
        yield "pressures are taken as absolute, not as above that of the air around"


def conditions_to_check(formula: Formula, equation: Equation) -> tuple[tuple[str, Comparison], ...]:
    """The comparisons that must hold, each with its words, once each.

    A formula found in several places may have picked up the condition of its neighbour: one that contradicts the
    equation's own is left out, and of two that contradict each other, both.
    """
    own = [(condition.text, each) for condition in equation.conditions for each in condition.comparisons]
    found = [(validity.text, each) for validity in formula.conditions for each in validity.comparisons]
    kept = [
        (text, each)
        for text, each in found
        if not any(_contradicts(each, other) for _, other in own)
        and not any(_contradicts(each, other) for _, other in found)
    ]
    distinct = {comparison: text for text, comparison in (*reversed(kept), *own)}
    return tuple((text, comparison) for comparison, text in distinct.items())


def _contradicts(one: Comparison, other: Comparison) -> bool:
    if (one.left, one.right) == (other.left, other.right):
        return not _ORDERS[one.relation] & _ORDERS[other.relation]
    if (one.left, one.right) == (other.right, other.left):
        return not _ORDERS[one.relation] & {-order for order in _ORDERS[other.relation]}
    return False


def _holds(text: str) -> str:
    said = _SAYS_SO.sub("", " ".join(text.split()).rstrip(".;,")[:_LONGEST])
    said = f"{said[:1].lower()}{said[1:]}"
    if said.endswith("neglected"):
        return f"holds where {said}"
    if said.startswith(_OPENS_A_PHRASE):
        return f"holds {said}"
    return f"holds for {_short(said).removeprefix('of ')}"


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".;,")
    for opening in ("holds for ", "valid for ", "for ", "if ", "when ", "where "):
        if line.lower().startswith(opening):
            line = line[len(opening) :]
            break
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def is_met(comparison: Comparison, values: Mapping[str, Quantity]) -> bool | None:
    """Whether a comparison is true of the values; None where it cannot be told."""
    names = (*symbols_of(comparison.left), *symbols_of(comparison.right))
    if any(name not in values for name in names):
        return None
    left, right = (evaluate_quantity(side, values) for side in (comparison.left, comparison.right))
    if isinstance(left, Failure) or isinstance(right, Failure):
        return None
    if left.dimension != right.dimension and ZERO not in (comparison.left, comparison.right):
        return None
    first, second = left.si_value, right.si_value
    is_equal = abs(first - second) <= _TOLERANCE * max(abs(first), abs(second))
    if comparison.relation in ("<=", ">=", "=") and is_equal:
        return True
    if comparison.relation in ("<", ">", "!=") and is_equal:
        return False
    return holds(comparison.relation, first, second)


def plausibility_warnings(
    values: Mapping[str, Quantity], facts: Mapping[str, SymbolFacts], *, target: str
) -> tuple[str, ...]:
    """A sentence for each value that no quantity of its kind has: a negative mass, an efficiency above 1."""
    return tuple(
        sentence
        for name, quantity in values.items()
        if name in facts and (sentence := _implausible(facts[name], quantity, is_result=name == target))
    )


def _implausible(facts: SymbolFacts, quantity: Quantity, *, is_result: bool) -> str:
    kind = facts.kind
    if kind is None or kind.takes_any_unit or kind.dimension != quantity.dimension:
        return ""
    value = quantity.si_value / 100.0 if facts.counts_percent else quantity.si_value
    if kind.admits(value) or _is_beside(value, (kind.minimum, kind.maximum)):
        return ""
    subject = f"the result for {plain_symbol(facts.name)}" if is_result else plain_symbol(facts.name)
    shown = joined(plain_number(value, 3), Unit(kind.unit, kind.dimension))
    if value < 0 <= kind.minimum:
        return f"{subject} is {shown}, but a {kind.name} is not negative"
    if value == 0 and kind.sign == "positive":
        return f"{subject} is zero, but a {kind.name} is positive"
    bounds = (joined(plain_number(bound, 3), Unit(kind.unit, kind.dimension)) for bound in (kind.minimum, kind.maximum))
    return f"{subject} is {shown}, outside what is plausible for a {kind.name} ({' to '.join(bounds)})"


def _is_beside(value: float, bounds: Iterable[float]) -> bool:
    """A value a rounding error beyond a bound is on it."""
    return any(abs(value - bound) <= _TOLERANCE * abs(bound) for bound in bounds)
