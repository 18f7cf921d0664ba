"""Formulas between the numbers of cells made formulas between quantities, by the units of headers and labels.

Where quantities in these units give the numbers of the sheet, the formula holds for them as it is. Else each cell is
divided by its unit, so that any unit may be put in and the numbers stay those of the sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.evaluate.quantities import evaluate_quantity
from mathrag.types.expression import (
    PI,
    Divide,
    Equation,
    Expression,
    Measure,
    Number,
    Symbol,
    map_parts,
    multiply,
    substitute,
    subtract,
    symbols_of,
)
from mathrag.types.quantity import NO_UNIT, Quantity, Unit, base_unit_text

SHEET_TYPES = frozenset(
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.oasis.opendocument.spreadsheet",
    )
)
_SAME = 1e-9
_DEGREES, _HALF_TURN = "deg", Number(180)
_TRIALS = (
    (2.3, 3.7, 1.9, 5.3, 0.7, 4.1, 6.1, 2.9, 7.3, 3.1, 1.3, 8.9),
    (0.31, 0.47, 0.59, 0.23, 0.83, 0.71, 0.13, 0.67, 0.29, 0.89, 0.41, 0.53),
)


def trials(names: Sequence[str]) -> Iterator[dict[str, float]]:
    """Numbers to try a formula with."""
    for trial in _TRIALS:
        yield {name: trial[place % len(trial)] + place // len(trial) for place, name in enumerate(names)}


def form_of_quantities(expression: Expression, units: Mapping[str, Unit], unit: Unit) -> Expression | None:
    """The expression as it holds for quantities: as it is, or without turning degrees to radians; None where neither
    gives the numbers of the sheet."""
    for tried in (expression, _without_turns(expression, units, unit)):
        if _gives_the_numbers(tried, expression, units, unit):
            return tried
    return None


def in_quantities(equation: Equation, units: Mapping[str, Unit]) -> Equation | None:
    """The equation of cells with each of them divided by its unit; None where it holds for quantities as it is."""
    target = equation.target
    if target is None or equation.left != Symbol(target):
        return None
    stated = {name: units.get(name, NO_UNIT) for name in (target, *symbols_of(equation.right))}
    if form_of_quantities(equation.right, stated, stated[target]) is not None:
        return None
    unit = stated.pop(target)
    right = substitute(equation.right, {name: _number_of(name, one) for name, one in stated.items() if one.text})
    if unit.offset:
        return Equation(_number_of(target, unit), right)
    return Equation(equation.left, multiply(right, Measure(Number(1), unit.text)) if unit.text else right)


def _number_of(name: str, unit: Unit) -> Expression:
    """How many units a quantity has; a temperature counts from the zero of its scale."""
    if not unit.offset:
        return Divide(Symbol(name), Measure(Number(1), unit.text))
    base = base_unit_text(unit.dimension)
    above = subtract(Symbol(name), Measure(Number(Decimal(repr(unit.offset))), base))
    return Divide(above, Measure(Number(Decimal(repr(unit.scale))), base))


def _gives_the_numbers(tried: Expression, numbers: Expression, units: Mapping[str, Unit], unit: Unit) -> bool:
    """Whether quantities in these units give what the numbers give, for every trial that has a result."""
    judged = 0
    for values in trials(symbols_of(numbers)):
        plain = evaluate(numbers, values)
        if isinstance(plain, Failure):
            continue
        found = evaluate_quantity(tried, {name: Quantity(value, units[name]) for name, value in values.items()})
        if isinstance(found, Failure) or found.dimension != unit.dimension:
            return False
        expected = Quantity(float(plain), unit).si_value
        if not math.isclose(found.si_value, expected, rel_tol=_SAME, abs_tol=1e-300):
            return False
        judged += 1
    return judged > 0


def _without_turns(expression: Expression, units: Mapping[str, Unit], unit: Unit) -> Expression:
    """The expression without the factors that turn degrees to radians and back: a quantity has its unit with it."""
    if not any(one.text == _DEGREES for one in (*units.values(), unit)):
        return expression
    plain = _dropped(expression)
    if unit.text == _DEGREES and isinstance(plain, Divide) and plain.denominator == PI:
        factors = getattr(plain.numerator, "factors", ())
        if _HALF_TURN in factors:
            plain = multiply(*(each for each in factors if each != _HALF_TURN))
    return plain


def _dropped(node: Expression) -> Expression:
    if isinstance(node, Divide) and node.denominator == _HALF_TURN:
        factors = getattr(node.numerator, "factors", ())
        if PI in factors:
            return multiply(*(_dropped(each) for each in factors if each != PI))
    return map_parts(node, _dropped)
