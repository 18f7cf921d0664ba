"""Whether a statement that held at all points tried can be shown; under which conditions one that failed is true."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.algebra.case_proofs import is_shown_by_cases
from mathrag.compute.algebra.identities import Comparison, Numbers
from mathrag.compute.algebra.number_identities import shown_as_numbers
from mathrag.compute.algebra.positive_forms import equal_for_positive, positive_symbols
from mathrag.compute.algebra.sign_proofs import sign_shown
from mathrag.compute.algebra.slope_proofs import shown_by_slope
from mathrag.compute.algebra.whole_functions import shown_by_definitions
from mathrag.compute.solve.tidy import constant_of
from mathrag.types.expression import ZERO, Symbol, symbols_of

_BY_CASES = (
    "Shown by cases: in each of them both sides are polynomials, and the linear inequalities leave no exception."
)
_BY_LOGARITHMS = (
    "With every positive number written as an exponential, both sides are the same (shown by algebra: one canonical "
    "form)."
)


def how_shown(statement: Comparison, conditions: Sequence[Comparison] = (), *, numbers: Numbers = "real") -> str:
    """How a statement is shown for all these numbers that meet the conditions, in a sentence; empty where it is not."""
    as_numbers = shown_as_numbers(statement)
    if as_numbers:
        return as_numbers
    by_definitions = shown_by_definitions(statement, _positive(conditions), numbers)
    if by_definitions:
        return by_definitions
    if numbers == "whole":
        conditions = (*conditions, *(Comparison(Symbol(name), ">=", ZERO) for name in statement.names))
    if is_shown_by_cases(statement, conditions):
        return _BY_CASES
    if equal_for_positive(statement, _positive(conditions)):
        return _BY_LOGARITHMS if statement.names else "Both sides are the same number in one canonical form."
    shown = sign_shown(statement, conditions, whole_numbers=numbers != "real")
    return shown or shown_by_slope(statement, conditions)


def conditions_for(statement: Comparison) -> tuple[tuple[Comparison, ...], str] | None:
    """Signs of the symbols under which an equation or inequality is true, with how that is shown; None where none is
    known here."""
    names = statement.names
    at_least = tuple(Comparison(Symbol(name), ">=", ZERO) for name in names)
    if is_shown_by_cases(statement, at_least):
        return at_least, _BY_CASES
    shown = sign_shown(statement, at_least)
    if shown is not None:
        return at_least, shown
    needed = positive_symbols(statement)
    if needed is not None:
        return tuple(Comparison(Symbol(name), ">", ZERO) for name in needed), _BY_LOGARITHMS
    return None


def _positive(conditions: Sequence[Comparison]) -> frozenset[str]:
    """The symbols that a condition puts above 0."""
    found: set[str] = set()
    for condition in conditions:
        left, sign, right = condition.left, condition.sign, condition.right
        if sign in ("<", "<="):
            left, right, sign = right, left, ">" if sign == "<" else ">="
        if sign not in (">", ">=") or not isinstance(left, Symbol) or symbols_of(right):
            continue
        bound = constant_of(right)
        if bound is not None and (bound > 0 or (sign == ">" and bound == 0)):
            found.add(left.name)
    return frozenset(found)
