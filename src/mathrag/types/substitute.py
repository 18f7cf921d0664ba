"""Replacing symbols in a tree. Bound indices are left alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mathrag.types.expression import (
    Add,
    Call,
    Comparison,
    Divide,
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
    add,
    divide,
    multiply,
    negate,
    power,
)


def substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The tree with every free symbol of `values` replaced, all at once."""
    return map_symbols(expression, lambda name: values.get(name) or Symbol(name))


def map_symbols(expression: Expression, change: Callable[[str], Expression]) -> Expression:
    """The tree with every free symbol replaced by `change(name)`."""
    match expression:
        case Symbol(name):
            return change(name)
        case Number() | MathConstant() | Measure():
            return expression
        case Add(terms):
            return add(*(map_symbols(term, change) for term in terms))
        case Multiply(factors):
            return multiply(*(map_symbols(factor, change) for factor in factors))
        case Divide(numerator, denominator):
            return divide(map_symbols(numerator, change), map_symbols(denominator, change))
        case Negate(operand):
            return negate(map_symbols(operand, change))
        case Power(base, exponent):
            return power(map_symbols(base, change), map_symbols(exponent, change))
        case Call(function, arguments):
            return Call(function, tuple(map_symbols(argument, change) for argument in arguments))
        case Series(operation, index, lower, upper, body):
            inner = _keeping(index, change)
            return Series(
                operation, index, map_symbols(lower, change), map_symbols(upper, change), map_symbols(body, inner)
            )
        case Piecewise(branches, otherwise):
            return Piecewise(
                tuple(
                    (map_symbols(value, change), tuple(_compared(comparison, change) for comparison in comparisons))
                    for value, comparisons in branches
                ),
                None if otherwise is None else map_symbols(otherwise, change),
            )


def _keeping(index: str, change: Callable[[str], Expression]) -> Callable[[str], Expression]:
    return lambda name: Symbol(name) if name == index else change(name)


def _compared(comparison: Comparison, change: Callable[[str], Expression]) -> Comparison:
    return Comparison(comparison.relation, map_symbols(comparison.left, change), map_symbols(comparison.right, change))
