"""Arithmetic with or without units: text to tree to value, exact wherever it can be. Looks up no formula."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from mathrag.compute.evaluate import Failure, evaluate, evaluate_quantity, evaluate_surely
from mathrag.compute.latex import read_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import MathragError, UnitError
from mathrag.knowledge.units import coherent_unit, convert, read_canonical_unit
from mathrag.reason.direct.arithmetic_text import Arithmetic, read_arithmetic
from mathrag.reason.direct.levels import level_problem
from mathrag.reason.direct.result import (
    PLAIN_FIGURES,
    DirectFailure,
    DirectKind,
    DirectOutcome,
    DirectResult,
    Stated,
    as_number,
    exact_text,
    figures_for,
    stated,
    whole_if_so,
    with_unit,
)
from mathrag.types.answer import Provenance
from mathrag.types.expression import (
    Add,
    Call,
    Declined,
    Divide,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
    symbols_of,
    walk,
)
from mathrag.types.quantity import NO_UNIT, Quantity, Unit

# Sines, cosines and tangents that are exact: those of simple parts of a turn. Everything else is left to floats.

# The only rational values at rational parts of a turn, in degrees (Niven's theorem).
_SINES = {0: Fraction(0), 30: Fraction(1, 2), 90: Fraction(1), 150: Fraction(1, 2), 180: Fraction(0)}
_TANGENTS = {0: Fraction(0), 45: Fraction(1), 135: Fraction(-1)}


def with_exact_angles(tree: Expression) -> Expression:
    """The same tree with `sin(30 deg)` as 1/2. Trees of readers are shallow enough for recursion."""
    match tree:
        case Call(("sin" | "cos" | "tan") as function, (argument,)):
            degrees = _degrees(argument)
            value = None if degrees is None else _exact(function, degrees)
            return tree if value is None else _fraction(value)
        case Call(function, arguments):
            return call(function, *map(with_exact_angles, arguments))
        case Add(terms):
            return add(*map(with_exact_angles, terms))
        case Multiply(factors):
            return multiply(*map(with_exact_angles, factors))
        case Divide(above, below):
            return divide(with_exact_angles(above), with_exact_angles(below))
        case Power(base, exponent):
            return power(with_exact_angles(base), with_exact_angles(exponent))
        case Negate(operand):
            return negate(with_exact_angles(operand))
        case _:
            return tree


def is_upright(tree: Expression) -> bool:
    """Whether the tree is a tangent of an odd multiple of a quarter turn, which has no value."""
    if not (isinstance(tree, Call) and tree.function == "tan"):
        return False
    degrees = _degrees(tree.arguments[0])
    return degrees is not None and degrees % 180 == 90


def _fraction(value: Fraction) -> Expression:
    if value.denominator == 1:
        return number(value.numerator)
    return divide(number(value.numerator), number(value.denominator))


def _exact(function: str, degrees: Fraction) -> Fraction | None:
    if degrees.denominator != 1:
        return None
    if function == "tan":
        return _TANGENTS.get(degrees.numerator % 180)
    turned = (degrees.numerator + (90 if function == "cos" else 0)) % 360
    if turned <= 180:
        return _SINES.get(turned)
    opposite = _SINES.get(turned - 180)
    return None if opposite is None else -opposite


def _degrees(tree: Expression) -> Fraction | None:
    """The angle in degrees, where it is a literal number of degrees or a rational multiple of pi."""
    if isinstance(tree, Measure) and tree.unit == "deg":
        return Fraction(tree.number.value)
    if isinstance(tree, Negate):
        inner = _degrees(tree.operand)
        return None if inner is None else -inner
    parts = _pi_parts(tree)
    return parts[0] * 180 if parts is not None and parts[1] == 1 else None


def _pi_parts(tree: Expression) -> tuple[Fraction, int] | None:
    """A rational factor and the power of pi beside it."""
    match tree:
        case Number(value):
            # A decimal such as 1e400 would make a fraction nobody wants.
            return (Fraction(value), 0) if isinstance(value, int | Decimal) and value < 10**9 else None
        case MathConstant():
            return Fraction(1), 1
        case Negate(operand):
            inner = _pi_parts(operand)
            return None if inner is None else (-inner[0], inner[1])
        case Multiply(factors):
            total, powers = Fraction(1), 0
            for factor in factors:
                part = _pi_parts(factor)
                if part is None:
                    return None
                total, powers = total * part[0], powers + part[1]
            return total, powers
        case Divide(above, below):
            first, second = _pi_parts(above), _pi_parts(below)
            if first is None or second is None or second[0] == 0:
                return None
            return first[0] / second[0], first[1] - second[1]
        case _:
            return None


_MOST_READINGS = 24
_TRIGONOMETRY = ("sin", "cos", "tan", "cot", "sec", "csc")
_IN_RADIANS = "the angle is taken in radians; write 30 degrees for an angle in degrees"


@dataclass(frozen=True, slots=True)
class Computed:
    """A value with the tree it came from; `exact` is None where it is rounded."""

    tree: Expression
    quantity: Quantity
    exact: int | Fraction | None
    shown: str
    source: Arithmetic

    @property
    def is_plain(self) -> bool:
        """Whether no unit takes part."""
        return not self.source.slots


def compute(text: str, *, wanted: Sequence[Unit] = ()) -> Computed | DirectFailure | None:
    """The value of arithmetic text, in one of the units wanted if any fits; None where the text is none."""
    source = read_arithmetic(text)
    return None if source is None else compute_read(source, wanted=wanted)


def compute_read(source: Arithmetic, *, wanted: Sequence[Unit] = ()) -> Computed | DirectFailure | None:
    """The value of arithmetic that was read: the first choice of unit readings that makes sense."""
    if source.has_loose_percent:
        return DirectFailure(
            "ambiguous",
            "it is not clear of which value the percentage is taken; write, say, 200 + 10 % of 200",
            "percentage",
        )
    first: DirectFailure | None = None
    misfit: Computed | None = None
    slots = source.slots
    # Rare meanings (A for ångström) count only where the unit asked for confirms them.
    lone = bool(wanted) and len(slots) == 1
    choices = itertools.product(*(slot.units if lone else slot.units[: slot.usual] for slot in slots))
    for units in itertools.islice(choices, _MOST_READINGS):
        found = _with_units(source, units, wanted)
        if found is None:
            return None
        if isinstance(found, DirectFailure):
            first = first or found
        elif not wanted or any(unit.dimension == found.quantity.dimension for unit in wanted):
            return found
        else:
            misfit = misfit or found
    if misfit is not None:
        return _misfit(misfit, wanted)
    return first


def _misfit(found: Computed, wanted: Sequence[Unit]) -> DirectFailure:
    own, other = found.quantity.unit, wanted[0]
    return DirectFailure(
        "dimension",
        f"{own.text or 'a plain number'} cannot become {other.text or 'a plain number'}: "
        f"the dimensions are {own.dimension} and {other.dimension}",
        "conversion",
    )


def tree_of(source: Arithmetic, units: tuple[Unit, ...]) -> Expression | DirectFailure | None:
    """The tree of arithmetic text with these units; None where the reader does not take it for arithmetic."""
    reading = read_python_text(source.text(units))
    if isinstance(reading, Declined):
        if reading.code in ("too_large", "limit"):
            return DirectFailure("too_large", f"this is larger than can be computed: {reading.reason}")
        return None
    if reading.expression is None or symbols_of(reading.expression):
        return None
    return reading.expression


def _with_units(source: Arithmetic, units: tuple[Unit, ...], wanted: Sequence[Unit]) -> Computed | DirectFailure | None:
    tree = tree_of(source, units)
    if tree is None or isinstance(tree, DirectFailure):
        return tree
    if any(unit.is_absolute_temperature for unit in units) and not isinstance(tree, Measure | Negate):
        return DirectFailure(
            "temperature",
            "a temperature in °C or °F has an arbitrary zero, so it cannot be added or multiplied; write it in kelvin",
        )
    problem = level_problem(tree, units)
    if problem is not None:
        return problem
    if not wanted and _is_doubtful(source, tree):
        letter = units[0].text
        return DirectFailure(
            "ambiguous", f"{letter} can mean a temperature or the unit {letter}; write °{letter} or the unit's name"
        )
    return _of_tree(source, tree, source.shown(units), wanted)


def _of_tree(source: Arithmetic, tree: Expression, shown: str, wanted: Sequence[Unit]) -> Computed | DirectFailure:
    for call_of_angle in _bare_angles(tree):
        settled = _settled(call_of_angle)
        if isinstance(settled, DirectFailure):
            return settled
        angle, note = settled
        tree = _replaced(tree, call_of_angle, call(call_of_angle.function, angle))
        source.notes.append(note)
    if any(is_upright(node) for node in walk(tree)):
        return DirectFailure("undefined", "the tangent of a quarter turn has no value")
    tree = with_exact_angles(tree)
    if any(isinstance(node, Measure) for node in walk(tree)):
        return _with_measures(source, tree, shown, wanted)
    value = evaluate_surely(tree, {})
    if isinstance(value, Failure):
        return DirectFailure(value.code, value.message)
    plain = as_number(value)
    if plain is None:
        return DirectFailure("too_large", "the result is larger or smaller than any number that can be shown")
    return Computed(tree, Quantity(plain), None if isinstance(value, float) else value, shown, source)


def _is_doubtful(source: Arithmetic, tree: Expression) -> bool:
    """A sum of nothing but `25 C` and the like: charges as easily as temperatures."""
    return isinstance(tree, Add) and all(slot.is_temperature_too for slot in source.slots) and bool(source.slots)


def _with_measures(
    source: Arithmetic, tree: Expression, shown: str, wanted: Sequence[Unit]
) -> Computed | DirectFailure:
    exact: int | Fraction | None = None
    if isinstance(tree, Measure | Negate):
        # A lone quantity stays in its own unit, so that conversion rounds once.
        measure, sign = (tree, 1) if isinstance(tree, Measure) else (tree.operand, -1)
        if isinstance(measure, Measure):
            exact = sign * Fraction(measure.number.value)
            value = as_number(exact)
            if value is None:
                return DirectFailure("too_large", "the number is larger or smaller than any that can be shown")
            return Computed(tree, Quantity(value, read_canonical_unit(measure.unit)), exact, shown, source)
    result = evaluate_quantity(tree, {})
    if isinstance(result, Failure):
        return DirectFailure(result.code, result.message)
    unit = next((each for each in wanted if each.dimension == result.dimension), None) or natural_unit(tree, result)
    try:
        converted = convert(result, unit)
    except MathragError as error:
        return DirectFailure("dimension", str(error))
    number = as_number(float(converted.value))
    if number is None:
        return DirectFailure("too_large", "the result is larger or smaller than any number that can be shown")
    return Computed(tree, Quantity(whole_if_so(number), unit), None, shown, source)


def natural_unit(tree: Expression, result: Quantity) -> Unit:
    """The unit people expect: that of the first term of a sum, the product of the units of a product, else SI."""
    measures = [read_canonical_unit(node.unit) for node in walk(tree) if isinstance(node, Measure)]
    if result.dimension.is_dimensionless:
        angles = {unit.text for unit in measures if unit.dimension.is_dimensionless}
        # A sum of sines of angles is a plain number.
        is_angle = isinstance(tree, Add | Measure) and not any(isinstance(node, Call) for node in walk(tree))
        return measures[0] if len(angles) == 1 and is_angle else NO_UNIT
    if all(unit.scale == 1.0 for unit in measures):
        return coherent_unit(result.dimension)
    fitting = [unit for unit in measures if unit.dimension == result.dimension and not unit.offset]
    if fitting:
        return fitting[0]
    parts = _unit_parts(tree)
    composed = _composed(parts) if parts is not None else None
    return (
        composed if composed is not None and composed.dimension == result.dimension else coherent_unit(result.dimension)
    )


def _unit_parts(tree: Expression) -> list[tuple[str, int]] | None:
    """The units of a product or quotient with +1 or -1 each; None where the tree is something else."""
    found: list[tuple[str, int]] = []
    pending: list[tuple[Expression, int]] = [(tree, 1)]
    while pending:
        node, sign = pending.pop()
        match node:
            case Measure(_, unit):
                found.append((unit, sign))
            case Multiply(factors):
                pending.extend((factor, sign) for factor in reversed(factors))
            case Divide(above, below):
                pending.extend(((below, -sign), (above, sign)))
            case Negate(operand):
                pending.append((operand, sign))
            case Number() | MathConstant():
                continue
            case _:
                return None
    return found


def _composed(parts: list[tuple[str, int]]) -> Unit | None:
    """One unit of several; None where two units of one kind stand in it, such as km and m."""
    try:
        units = {text: read_canonical_unit(text) for text, _ in parts}
        if len({unit.dimension for unit in units.values()}) < len(units):
            return None
        above = "*".join(f"({text})" if "/" in text else text for text, sign in parts if sign > 0) or "1"
        below = "*".join(f"({text})" if "/" in text else text for text, sign in parts if sign < 0)
        return read_canonical_unit(f"{above}/({below})" if below else above)
    except UnitError:
        return None


def answer_arithmetic(core: str) -> DirectOutcome:
    """A question that is nothing but arithmetic."""
    source = read_arithmetic(core)
    if source is None or source.operations == 0:
        return None
    found = compute_read(source)
    if found is None or isinstance(found, DirectFailure):
        return found
    kind: DirectKind = "percentage" if source.has_percent else "modular" if source.has_modulo else "arithmetic"
    return result_of(found, kind)


def answer_latex(core: str) -> DirectOutcome:
    """Arithmetic between dollar signs or with LaTeX commands."""
    wrapped = re.fullmatch(r"\$([^$]+)\$|\\\(([^$]+)\\\)", core)
    if wrapped is None and not re.search(r"\\(?:frac|sqrt|cdot|times|div|pi|left)", core):
        return None
    reading = read_latex(next(part for part in wrapped.groups() if part) if wrapped else core)
    if isinstance(reading, Declined) or reading.expression is None or symbols_of(reading.expression):
        return None
    tree = reading.expression
    if isinstance(tree, Number | Measure | Negate):
        return None
    choices = [flag.message for flag in reading.flags]
    source = Arithmetic(["latex"], [stated(core, "1")], choices)
    found = _of_tree(source, tree, core.strip("$ "), ())
    return found if isinstance(found, DirectFailure) else result_of(found, "arithmetic")


def result_of(
    found: Computed, kind: DirectKind, *, working: Sequence[str] = (), notes: Sequence[str] = (), exact: bool = True
) -> DirectResult:
    """A computed value as a result, with its working unless another is given."""
    figures = PLAIN_FIGURES if found.is_plain else figures_for(found.source.numbers)
    digits = exact_text(found.exact, decimals=has_decimals(found)) if exact and found.exact is not None else ""
    return DirectResult(
        kind,
        found.quantity,
        figures,
        found.shown,
        exact=digits,
        working=tuple(working) or _working(found, digits, figures),
        provenance=origins_of(found),
        notes=(*dict.fromkeys((*found.source.notes, *_angle_notes(found.tree), *notes)),),
    )


def has_decimals(found: Computed) -> bool:
    """Whether the question is written in decimals or percentages, so that an exact result is one too."""
    numbers = (node for node in walk(found.tree) if isinstance(node, Number))
    return found.source.has_percent or any(isinstance(node.value, Decimal) for node in numbers)


def _working(found: Computed, digits: str, figures: int) -> tuple[str, ...]:
    lines = [found.shown]
    value = with_unit(found.quantity.value, found.quantity.unit, figures)
    if digits and not isinstance(found.quantity.value, int):
        lines.append(f"= {digits}" if len(digits) <= 200 else "= a fraction of many digits")
        if digits != value:
            lines.append(f"≈ {value}")
    else:
        lines.append(f"{'=' if digits or not found.is_plain else '≈'} {value}")
    return tuple(lines)


def stated_in_question(numbers: Sequence[Stated]) -> tuple[Provenance, ...]:
    """Where each number comes from: the words of the question, each once."""
    texts = dict.fromkeys(number.text.strip() for number in numbers)
    return tuple(Provenance("question", text) for text in list(texts)[:50])


def origins_of(*parts: Computed) -> tuple[Provenance, ...]:
    """Where the numbers of what was computed come from: the words of the question, and mathematics."""
    numbers = [each for part in parts for each in part.source.numbers]
    return (*stated_in_question(numbers), *_mathematical(parts))


def _mathematical(parts: Sequence[Computed]) -> tuple[Provenance, ...]:
    """Numbers that mathematics supplies: pi and e, also where they vanished from the tree."""
    written = [piece for part in parts for piece in part.source.pieces if isinstance(piece, str)]
    has_circle = any(isinstance(node, MathConstant) for part in parts for node in walk(part.tree))
    names = {"pi": "pi" in written or has_circle, "e": "exp(1)" in written}
    return tuple(Provenance("constant", name, "mathematics") for name, is_used in names.items() if is_used)


def _angle_notes(tree: Expression) -> list[str]:
    """An angle that comes out is given in radians, which has to be said."""
    turned = any(isinstance(node, Call) and node.function in ("asin", "acos", "atan") for node in walk(tree))
    return ["the angle is given in radians"] if turned else []


# Bare numbers under a sine: beyond a whole turn nobody counts radians, so they are degrees; below they are radians.
# What was taken is said.


def _bare_angles(tree: Expression) -> list[Call]:
    """The sines, cosines and tangents of numbers without a unit and without pi."""
    return [
        node
        for node in walk(tree)
        if isinstance(node, Call)
        and node.function in _TRIGONOMETRY
        and not any(isinstance(part, Measure | MathConstant | Call) for part in walk(node.arguments[0]))
    ]


def _settled(found: Call) -> tuple[Expression, str] | DirectFailure:
    """The angle under a function with its unit, and how it was taken."""
    angle = found.arguments[0]
    value = evaluate(angle, {})
    if isinstance(value, Failure):
        return DirectFailure(value.code, value.message)
    size = abs(float(value))
    if size <= 2 * math.pi:
        return angle, _IN_RADIANS
    is_literal = isinstance(angle, Number) or (isinstance(angle, Negate) and isinstance(angle.operand, Number))
    if not is_literal and any(isinstance(part, Number) and not isinstance(part.value, int) for part in walk(angle)):
        return DirectFailure(
            "ambiguous",
            f"the angle {float(value):.6g} has no unit; write degrees or rad behind it",
        )
    said = f"the angle {float(value):.6g} has no unit and is taken in degrees; write rad behind it for radians"
    if isinstance(angle, Number):
        return Measure(angle, "deg"), said
    if isinstance(angle, Negate) and isinstance(angle.operand, Number):
        return negate(Measure(angle.operand, "deg")), said
    return multiply(angle, Measure(Number(1), "deg")), said


def _replaced(tree: Expression, old: Expression, new: Expression) -> Expression:
    """The tree with every place of one part taken by another. Trees of readers are shallow enough for recursion."""
    if tree == old:
        return new
    match tree:
        case Call(function, arguments):
            return call(function, *(_replaced(each, old, new) for each in arguments))
        case Add(terms):
            return add(*(_replaced(each, old, new) for each in terms))
        case Multiply(factors):
            return multiply(*(_replaced(each, old, new) for each in factors))
        case Divide(above, below):
            return divide(_replaced(above, old, new), _replaced(below, old, new))
        case Power(base, exponent):
            return power(_replaced(base, old, new), _replaced(exponent, old, new))
        case Negate(operand):
            return negate(_replaced(operand, old, new))
        case _:
            return tree
