"""Degrees in a sum: `T_s = T_c + 5 °F` adds a difference, for nobody adds the temperature 5 °F to another.

Where a sum gives a temperature from another one, degrees among its terms are a difference. Where only the sum shows
that one of two is a difference and not which, nothing is read.
"""

from __future__ import annotations

from dataclasses import replace

from mathrag.compute.grammar.context import Context
from mathrag.types.expression import Add, Equation, Expression, Measure, Negate, Symbol
from mathrag.types.symbol_names import split_name

_DIFFERENCES = {"degC": "delta_degC", "degF": "delta_degF"}


def with_temperature_changes(equation: Equation, context: Context) -> Equation:
    """The equation with degrees that are added to a temperature as a difference. Raises where they may be either."""
    right = equation.right
    if not isinstance(right, Add) or not any(_degrees(term) for term in right.terms):
        return equation
    given = equation.left.name if isinstance(equation.left, Symbol) else ""
    if given and any(_is_like(term, given) for term in right.terms):
        context.flag("temperature_change", "the degrees in the sum are read as a difference of temperatures", None)
        return replace(equation, right=Add(tuple(map(_as_change, right.terms))))
    for place, term in enumerate(right.terms):
        if isinstance(term, Measure) and _degrees(term) and any(_is_temperature(one) for one in right.terms[:place]):
            reason = "nothing says whether the degrees in the sum are a temperature or a difference of temperatures"
            context.decline("degrees_in_sum", reason, None)
    return equation


def _degrees(term: Expression) -> str:
    inner = term.operand if isinstance(term, Negate) else term
    return inner.unit if isinstance(inner, Measure) and inner.unit in _DIFFERENCES else ""


def _as_change(term: Expression) -> Expression:
    if not _degrees(term):
        return term
    if isinstance(term, Negate):
        return Negate(_as_change(term.operand))
    return replace(term, unit=_DIFFERENCES[term.unit]) if isinstance(term, Measure) else term


def _is_temperature(term: Expression) -> bool:
    """Whether a term may be a temperature: a symbol by itself that is no difference."""
    return isinstance(term, Symbol) and not split_name(term.name).prefix


def _is_like(term: Expression, name: str) -> bool:
    """Whether a term is a symbol with the same letter as another, neither of them a difference."""
    if not isinstance(term, Symbol) or not _is_temperature(term) or split_name(name).prefix:
        return False
    return split_name(term.name).letter == split_name(name).letter
