"""The outline of an equation, apart from the names and values in it: what values or other names may be put into it.

`F = m a`, `F = (2 kg)(3 m/s^2)` and `F_1 = m_1 a_1` have one outline. Order of terms and factors does not count.
Knows trees, not what symbols mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    children,
    symbols_of,
)

# Whole numbers up to this one are taken for factors of the formula itself.
_LARGEST_FACTOR = 12
# Terms or factors that are tried in every order; longer sums and products are matched as they stand.
_MOST_ORDERS = 6
_LEAF = "x"


def outline_of(equation: Equation) -> str:
    """A key that is the same for equations of one outline."""
    return f"{_outline(equation.left)}={_outline(equation.right)}"


def _outline(side: Expression) -> str:
    if is_value(side) or isinstance(side, Symbol):
        return _LEAF
    if isinstance(side, Number):
        return str(side.value)
    parts = [_outline(child) for child in children(side)]
    if isinstance(side, Add | Multiply):
        parts.sort()
    name = f"{type(side).__name__}.{side.function}" if isinstance(side, Call) else type(side).__name__
    return f"{name}({','.join(parts)})"


def is_value(side: Expression) -> bool:
    """Whether it is a measured number, as stands in place of a symbol: with a unit, with decimals, or a large one."""
    if isinstance(side, Measure):
        return True
    if isinstance(side, Negate):
        return is_value(side.operand)
    return isinstance(side, Number) and (isinstance(side.value, Decimal) or abs(side.value) > _LARGEST_FACTOR)


def values_in(pattern: Expression, side: Expression, values: Mapping[str, Expression]) -> dict[str, Expression] | None:
    """What stands in `side` in place of the symbols of `pattern`, with what was known before; None if outlines differ.

    A symbol stands for a value, or for itself.
    """
    if isinstance(pattern, Symbol):
        if symbols_of(side) and not (isinstance(side, Symbol) and side.name == pattern.name):
            return None
        known = values.get(pattern.name)
        if known is not None:
            return dict(values) if known == side else None
        return {**values, pattern.name: side}
    if isinstance(pattern, Number):
        return dict(values) if isinstance(side, Number) and pattern.value == side.value else None
    if type(pattern) is not type(side) or not isinstance(pattern, Add | Multiply | Divide | Negate | Power | Call):
        return dict(values) if pattern == side else None
    if isinstance(pattern, Call) and isinstance(side, Call) and pattern.function != side.function:
        return None
    ours, theirs = children(pattern), children(side)
    if len(ours) != len(theirs):
        return None
    in_any_order = isinstance(pattern, Add | Multiply) and len(ours) <= _MOST_ORDERS
    return _all_in(ours, list(theirs), values, in_any_order=in_any_order)


def _all_in(
    patterns: Sequence[Expression],
    sides: Sequence[Expression],
    values: Mapping[str, Expression],
    *,
    in_any_order: bool,
) -> dict[str, Expression] | None:
    """The values of all members; as they are written first, so that two values of one unit keep their order."""
    if not patterns:
        return dict(values)
    for place, side in enumerate(sides if in_any_order else sides[:1]):
        found = values_in(patterns[0], side, values)
        if found is not None:
            rest = [*sides[:place], *sides[place + 1 :]]
            whole = _all_in(patterns[1:], rest, found, in_any_order=in_any_order)
            if whole is not None:
                return whole
    return None


def instance_of(equation: Equation, general: Equation) -> bool:
    """Whether one is the other with values in place of some of its symbols."""
    left = values_in(general.left, equation.left, {})
    values = None if left is None else values_in(general.right, equation.right, left)
    return values is not None and any(is_value(value) for value in values.values())


def case_of(equation: Equation, general: Equation) -> bool:
    """Whether one is the other written for one of several things: the same letters with numbers below them."""
    names = _renamed(general.left, equation.left, {})
    names = None if names is None else _renamed(general.right, equation.right, names)
    return names is not None and any(name != other for name, other in names.items())


def _renamed(pattern: Expression, side: Expression, names: Mapping[str, str]) -> dict[str, str] | None:
    if isinstance(pattern, Symbol):
        if not isinstance(side, Symbol) or not _is_numbered(side.name, pattern.name):
            return None
        known = names.get(pattern.name)
        return None if known not in (None, side.name) else {**names, pattern.name: side.name}
    ours, theirs = children(pattern), children(side)
    if type(pattern) is not type(side) or len(ours) != len(theirs):
        return None
    if not ours:
        return dict(names) if pattern == side else None
    if isinstance(pattern, Call) and isinstance(side, Call) and pattern.function != side.function:
        return None
    found: dict[str, str] | None = dict(names)
    for ours_part, theirs_part in zip(ours, theirs, strict=True):
        found = None if found is None else _renamed(ours_part, theirs_part, found)
    return found


def _is_numbered(name: str, general: str) -> bool:
    """Whether a name is the general one, or that with a number below it."""
    return name == general or (name.startswith(f"{general}_") and name[len(general) + 1 :].strip("0").isdigit())
