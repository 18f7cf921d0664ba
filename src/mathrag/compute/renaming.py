"""The same formula with other names for its symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from mathrag.types.expression import (
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
)


def rename_equation(equation: Equation, names: Mapping[str, str]) -> Equation:
    """The same equation with other names for its symbols; conditions, which speak of the old ones, are left out."""
    return Equation(rename_symbols(equation.left, names), rename_symbols(equation.right, names), equation.relation)


def rename_symbols(node: Expression, names: Mapping[str, str]) -> Expression:
    """The same tree with other names for its symbols."""
    match node:
        case Symbol(name):
            return Symbol(names.get(name, name))
        case Number() | MathConstant() | Measure():
            return node
        case Add(parts):
            return Add(tuple(rename_symbols(part, names) for part in parts))
        case Multiply(parts):
            return Multiply(tuple(rename_symbols(part, names) for part in parts))
        case Call(function, parts):
            return Call(function, tuple(rename_symbols(part, names) for part in parts))
        case Divide(first, second):
            return Divide(rename_symbols(first, names), rename_symbols(second, names))
        case Power(first, second):
            return Power(rename_symbols(first, names), rename_symbols(second, names))
        case Negate(operand):
            return Negate(rename_symbols(operand, names))
        case Series(operation, index, lower, upper, body):
            inner = {name: new for name, new in names.items() if name != index}
            bounds = rename_symbols(lower, names), rename_symbols(upper, names)
            return Series(operation, index, bounds[0], bounds[1], rename_symbols(body, inner))
        case Piecewise(branches, otherwise):
            rows = tuple(
                (
                    rename_symbols(value, names),
                    tuple(
                        Comparison(each.relation, rename_symbols(each.left, names), rename_symbols(each.right, names))
                        for each in tests
                    ),
                )
                for value, tests in branches
            )
            return Piecewise(rows, None if otherwise is None else rename_symbols(otherwise, names))
    assert_never(node)
