"""Equations between numbers instead of quantities: "with t in years", "T in °C, p in hPa". Made explicit with units.

`A = P (1 + r)^t` and `e = 6.11 exp(17.6 T / (243 + T))` hold for the numbers of the stated units only. Where the text
states those units and the equation cannot hold otherwise, each symbol is divided by its unit, so that any unit may be
put in and the dimensions agree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal

from mathrag.compute.dimensions import check_dimensions
from mathrag.types.expression import (
    Divide,
    Equation,
    Expression,
    Measure,
    Number,
    Power,
    Symbol,
    equation_symbols,
    multiply,
    substitute,
    subtract,
    symbols_of,
    walk,
)
from mathrag.types.quantity import Dimension, Unit, base_unit_text

_TELLING_DIGITS = 3
# Whole numbers up to here are part of the form of a law; larger ones may convert a unit.
_LARGEST_IN_FORM = 12


def as_numbers(
    equation: Equation,
    units: Mapping[str, Unit],
    known: Mapping[str, Dimension],
    *,
    beside: Collection[str] = frozenset(),
) -> Equation | None:
    """The equation with stated units divided out, where only that makes it hold; None where it holds as it is.

    `known` are the dimensions of all symbols of which the document says what they are. `beside` are the symbols with
    their unit right behind them in the equation, which can mean nothing but the number of those units.
    """
    stated = {name: unit for name, unit in units.items() if not unit.dimension.is_dimensionless}
    if stated and _converts(equation, stated, beside):
        return _divided(equation, stated)
    if not stated or check_dimensions(equation, known).status != "inconsistent":
        return None
    if set(stated) <= set(beside):
        return _divided(equation, stated)
    raised = {name: stated[name] for name in _in_exponents(equation) if name in stated}
    if raised:
        changed = _divided(equation, raised)
        if check_dimensions(changed, known).status != "inconsistent":
            return changed
    if _has_fitted_number(equation) and all(name in known for name in equation_symbols(equation)):
        return _divided(equation, stated)
    return None


def _converts(equation: Equation, stated: Mapping[str, Unit], beside: Collection[str]) -> bool:
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


def _in_exponents(equation: Equation) -> set[str]:
    return {
        name
        for side in (equation.left, equation.right)
        for node in walk(side)
        if isinstance(node, Power)
        for name in symbols_of(node.exponent)
    }


def _has_fitted_number(equation: Equation) -> bool:
    """A number with several digits and decimals, as only measurement gives."""
    return any(
        isinstance(node, Number)
        and isinstance(node.value, Decimal)
        and len(node.value.as_tuple().digits) >= _TELLING_DIGITS
        for side in (equation.left, equation.right)
        for node in walk(side)
    )


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
