"""In which unit a number is meant that stands alone beside the symbol of a slot: the one its document states for that
symbol; else, where it states those of all others, the one that these make of it. None where it states none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from mathrag.errors import UnitError
from mathrag.knowledge.units import factors_of, product_of, read_canonical_unit
from mathrag.types.expression import Call, Divide, Equation, Expression, Multiply, Negate, Number, Power, Symbol
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import NO_UNIT, Unit

_MOST_DENOMINATOR = 12


def unsaid_units(meanings: Sequence[SymbolMeaning], equation: Equation) -> Mapping[str, Unit]:
    """The unit in which a number without one is meant for each symbol; not of plain numbers, which have none."""
    units = {each.name: unit for each in meanings if (unit := _stated(each)) is not None}
    found = {**units, **_implied(meanings, equation, units)}
    return {name: unit for name, unit in found.items() if unit.text}


def _stated(meaning: SymbolMeaning) -> Unit | None:
    if meaning.dimension is None or meaning.constant is not None:
        return None
    if meaning.dimension.is_dimensionless and meaning.origin == "document":
        return read_canonical_unit(meaning.unit) if meaning.is_unit_stated and meaning.unit else NO_UNIT
    return read_canonical_unit(meaning.unit) if meaning.is_unit_stated and meaning.unit else None


def _implied(meanings: Sequence[SymbolMeaning], equation: Equation, stated: Mapping[str, Unit]) -> dict[str, Unit]:
    """The unit of the one symbol of a product whose unit is not stated, by those of the others."""
    left = [each for each in meanings if each.name not in stated]
    powers = _powers(equation) if len(left) == 1 and left[0].constant is None else None
    if powers is None or not powers.get(left[0].name):
        return {}
    total: dict[str, Fraction] = {}
    try:
        for symbol, unit in stated.items():
            for name, power in factors_of(unit):
                change = powers.get(symbol, Fraction(0)) * power / powers[left[0].name]
                total[name] = total.get(name, Fraction(0)) - change
        unit = product_of({name: power for name, power in total.items() if power})
    except (UnitError, KeyError):
        return {}
    return {left[0].name: unit} if left[0].dimension == unit.dimension else {}


def _powers(equation: Equation) -> dict[str, Fraction] | None:
    """The powers of the symbols in `1 = …`, where both sides are products; None elsewhere."""
    left, right = _product(equation.left), _product(equation.right)
    if left is None or right is None:
        return None
    return {name: right.get(name, Fraction(0)) - left.get(name, Fraction(0)) for name in {*left, *right}}


def _product(side: Expression) -> dict[str, Fraction] | None:
    match side:
        case Number():
            return {}
        case Symbol(name):
            return {name: Fraction(1)}
        case Negate(operand):
            return _product(operand)
        case Multiply(factors):
            return _joined([(factor, Fraction(1)) for factor in factors])
        case Divide(numerator, denominator):
            return _joined([(numerator, Fraction(1)), (denominator, Fraction(-1))])
        case Power(base, exponent):
            power = _number(exponent)
            return None if power is None else _joined([(base, power)])
        case Call("sqrt", (inner,)):
            return _joined([(inner, Fraction(1, 2))])
        case _:
            return None


def _number(exponent: Expression) -> Fraction | None:
    match exponent:
        case Number(value):
            found = Fraction(value)
        case Negate(Number(value)):
            found = -Fraction(value)
        case Divide(Number(above), Number(below)) if below:
            found = Fraction(above) / Fraction(below)
        case _:
            return None
    return found if found.denominator <= _MOST_DENOMINATOR else None


def _joined(parts: Sequence[tuple[Expression, Fraction]]) -> dict[str, Fraction] | None:
    total: dict[str, Fraction] = {}
    for part, power in parts:
        found = _product(part)
        if found is None:
            return None
        for name, own in found.items():
            total[name] = total.get(name, Fraction(0)) + own * power
    return {name: power for name, power in total.items() if power}
