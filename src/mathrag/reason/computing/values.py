"""The values of a step's symbols, as the formula counts them: those bound, and those that earlier steps computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mathrag.errors import readable
from mathrag.reason.computing.validity import SymbolFacts, as_counted, facts_of
from mathrag.types.answer import Bound, PlannedStep, Step
from mathrag.types.expression import equation_symbols
from mathrag.types.quantity import Quantity

# Why a step gave no number, as a value. The sentences are made where the reasons are found.


@dataclass(frozen=True, slots=True)
class StepFailure:
    """A step without a result: a code for programs, a sentence for people, the symbol it is about (or empty).

    Codes: `missing` (a symbol has no value), `target` (the symbol asked for is not in the formula), `unit` (the unit
    asked for does not fit), and those of an evaluation: `dimension`, `division_by_zero`, `domain`, `complex`,
    `overflow`, `underflow`, `undefined`, `no_solution`, `unsolved`, `timeout`, `too_large`, `bad_value`, `not_whole`.
    """

    code: str
    message: str
    symbol: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", readable(self.message))

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class StepValues:
    """The bindings with every quantity filled in, and each symbol's value as the formula counts it."""

    bindings: tuple[Bound, ...]
    counted: Mapping[str, Quantity]
    facts: Mapping[str, SymbolFacts]


def step_values(step: PlannedStep, results: Mapping[int, Step]) -> StepValues | StepFailure:
    """A value for every symbol of the step's equation but the target; the first that is missing is a failure."""
    symbols = equation_symbols(step.equation)
    if step.target not in symbols:
        return StepFailure("target", f"{step.target} does not occur in the formula", step.target)
    facts = {name: facts_of(name, formula=step.formula, equation=step.equation) for name in symbols}
    bindings: list[Bound] = []
    counted: dict[str, Quantity] = {}
    for bound in step.bindings:
        filled = _filled(bound, results)
        if isinstance(filled, StepFailure):
            return filled
        bindings.append(filled)
        if bound.symbol not in facts or bound.symbol == step.target:
            continue
        assert filled.quantity is not None
        value = as_counted(filled.quantity, facts[bound.symbol])
        problem = _problem(bound.symbol, value)
        if problem is not None:
            return problem
        if bound.symbol in counted and counted[bound.symbol] != value:
            return StepFailure("bad_value", f"{bound.symbol} has two different values", bound.symbol)
        counted[bound.symbol] = value
    missing = [name for name in symbols if name != step.target and name not in counted]
    if missing:
        return StepFailure("missing", f"no value is given for {', '.join(missing)}", missing[0])
    return StepValues(tuple(bindings), _without_idle_uncertainty(counted, bindings), facts)


def _filled(bound: Bound, results: Mapping[int, Step]) -> Bound | StepFailure:
    if bound.quantity is not None:
        return bound
    number = bound.provenance.step
    earlier = None if number is None else results.get(number)
    if earlier is None:
        place = "an earlier step" if number is None else f"step {number}"
        return StepFailure("missing", f"{bound.symbol} was to come from {place}, which has no result", bound.symbol)
    figures = earlier.significant_figures if bound.significant_figures is None else bound.significant_figures
    return replace(bound, quantity=earlier.result, significant_figures=figures)


def _problem(name: str, quantity: Quantity) -> StepFailure | None:
    try:
        finite = math.isfinite(quantity.si_value)
    except OverflowError:
        return StepFailure("overflow", f"the value of {name} is too large", name)
    return None if finite else StepFailure("bad_value", f"the value of {name} is not a finite number", name)


def _without_idle_uncertainty(counted: Mapping[str, Quantity], bindings: list[Bound]) -> dict[str, Quantity]:
    """Constants are uncertain too, but only beside a value that someone stated with its uncertainty."""
    constants = {bound.symbol for bound in bindings if bound.provenance.origin == "constant"}
    if any(quantity.uncertainty for name, quantity in counted.items() if name not in constants):
        return dict(counted)
    return {
        name: quantity if quantity.uncertainty is None else replace(quantity, uncertainty=None)
        for name, quantity in counted.items()
    }
