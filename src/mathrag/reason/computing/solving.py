"""A step's unknown in coherent SI units: with dimensions throughout, or in SI numbers where bare logarithms stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure
from mathrag.compute.units import coherent_unit
from mathrag.compute.unknowns import Evaluation, evaluate_unknown
from mathrag.reason.computing.symbol_facts import SymbolFacts
from mathrag.types.expression import Call, Equation, Expression, Power, symbols_of, walk
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity

_LOGARITHMS = frozenset(("log", "log10", "log2"))
_EXACT_ENOUGH = 1e-9

ADMITTED, UNUSUAL, EXCLUDED = range(3)


def solved(
    equation: Equation, facts: SymbolFacts, values: Mapping[str, Quantity], *, seconds: float = 2.0
) -> Evaluation | Failure:
    """The value of the symbol, with branches that its kind admits first.

    `ln k = ln A - E/(R T)` compares logarithms of quantities: it holds for their numbers in any coherent units, as long
    as the dimensions under the logarithms agree.
    """
    rank = branch_rank(facts)
    found = evaluate_unknown(equation, facts.name, values, seconds=seconds, rank=rank)
    if not (isinstance(found, Failure) and found.code == "dimension" and _may_take_numbers(equation, facts.name)):
        return _distinct(found)
    dimension = _target_dimension(equation, facts, values)
    if dimension is None:
        return found
    plain = {name: Quantity(quantity.si_value, NO_UNIT, quantity.si_uncertainty) for name, quantity in values.items()}
    unit = coherent_unit(dimension)
    in_numbers = evaluate_unknown(
        equation, facts.name, plain, seconds=seconds, rank=lambda value: rank(replace(value, unit=unit))
    )
    if isinstance(in_numbers, Failure) or not in_numbers.value.dimension.is_dimensionless:
        return found
    return _distinct(
        replace(
            in_numbers,
            value=replace(in_numbers.value, unit=unit),
            others=tuple(replace(other, unit=unit) for other in in_numbers.others),
        )
    )


def branch_rank(facts: SymbolFacts) -> Callable[[Quantity], int]:
    """Orders branches: what the symbol's kind admits, then negative values that it admits too, then the rest."""

    def rank(value: Quantity) -> int:
        kind = facts.kind
        if kind is None or kind.takes_any_unit or kind.dimension != value.dimension:
            return UNUSUAL if value.si_value < 0 else ADMITTED
        size = value.si_value / 100.0 if facts.counts_percent else value.si_value
        if kind.admits(size):
            return UNUSUAL if size < 0 and not facts.is_difference else ADMITTED
        return EXCLUDED

    return rank


@lru_cache(maxsize=2048)
def _may_take_numbers(equation: Equation, symbol: str) -> bool:
    """Whether logarithms stand in the equation, or arise when it is solved for a symbol in an exponent."""
    return any(_takes_logarithm(node, symbol) for side in (equation.left, equation.right) for node in walk(side))


def _takes_logarithm(node: Expression, symbol: str) -> bool:
    if isinstance(node, Call):
        return node.function in _LOGARITHMS
    return isinstance(node, Power) and symbol in symbols_of(node.exponent)


def _target_dimension(equation: Equation, facts: SymbolFacts, values: Mapping[str, Quantity]) -> Dimension | None:
    """The dimension that the unknown must have; None where the dimensions cannot agree, or leave it open."""
    known = {name: quantity.dimension for name, quantity in values.items()}
    report = check_dimensions(equation, known)
    if report.status == "inconsistent":
        return None
    inferred = report.dimensions.get(facts.name)
    if inferred is not None:
        return inferred
    stated = None if facts.meaning is None else facts.meaning.dimension
    if stated is None:
        return None
    return stated if check_dimensions(equation, {**known, facts.name: stated}).status != "inconsistent" else None


def _distinct(found: Evaluation | Failure) -> Evaluation | Failure:
    """Branches that give one number are one branch."""
    if isinstance(found, Failure) or not found.others:
        return found
    kept = [found.value]
    for other in found.others:
        size = abs(other.si_value)
        if all(abs(other.si_value - each.si_value) > _EXACT_ENOUGH * max(size, abs(each.si_value)) for each in kept):
            kept.append(other)
    return replace(found, others=tuple(kept[1:]))
