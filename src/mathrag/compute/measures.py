"""Numbers with units inside an equation, given names: solvers work on plain numbers and symbols. Computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from mathrag.types.expression import (
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    Measure,
    Multiply,
    Negate,
    Piecewise,
    Power,
    Series,
    Symbol,
    equation_symbols,
    walk,
)


@lru_cache(maxsize=2048)
def measures_named(equation: Equation) -> tuple[Equation, tuple[tuple[str, Measure], ...]]:
    """The equation with a symbol for each of its numbers with a unit, and what those symbols stand for."""
    found = dict.fromkeys(
        node for side in (equation.left, equation.right) for node in walk(side) if isinstance(node, Measure)
    )
    if not found:
        return equation, ()
    taken = {node.name for side in (equation.left, equation.right) for node in walk(side) if isinstance(node, Symbol)}
    taken.update(equation_symbols(equation))
    names: dict[Measure, str] = {}
    for position, measure in enumerate(found):
        name = f"measure_{position}"
        while name in taken:
            name += "x"
        names[measure] = name
    named = replace(equation, left=_swapped(equation.left, names), right=_swapped(equation.right, names))
    return named, tuple((name, measure) for measure, name in names.items())


def _swapped(node: Expression, names: Mapping[Measure, str]) -> Expression:
    match node:
        case Measure():
            return Symbol(names[node])
        case Add(terms):
            return Add(tuple(_swapped(term, names) for term in terms))
        case Multiply(factors):
            return Multiply(tuple(_swapped(factor, names) for factor in factors))
        case Divide(numerator, denominator):
            return Divide(_swapped(numerator, names), _swapped(denominator, names))
        case Negate(operand):
            return Negate(_swapped(operand, names))
        case Power(base, exponent):
            return Power(_swapped(base, names), _swapped(exponent, names))
        case Call(function, arguments):
            return Call(function, tuple(_swapped(argument, names) for argument in arguments))
        case Series(operation, index, lower, upper, body):
            return Series(operation, index, *(_swapped(part, names) for part in (lower, upper, body)))
        case Piecewise(branches, otherwise):
            return Piecewise(
                tuple(
                    (_swapped(value, names), tuple(_compared(comparison, names) for comparison in comparisons))
                    for value, comparisons in branches
                ),
                None if otherwise is None else _swapped(otherwise, names),
            )
        case _:
            return node


def _compared(comparison: Comparison, names: Mapping[Measure, str]) -> Comparison:
    return Comparison(comparison.relation, _swapped(comparison.left, names), _swapped(comparison.right, names))
