"""Whether computed steps are those of a plan: the same formulas, targets and values. Compares; judges nothing."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.reason.agent.sources import is_same
from mathrag.types.answer import Choice, PlannedStep, Step
from mathrag.types.expression import equation_symbols


def is_carried_out(planned: Sequence[PlannedStep], steps: Sequence[Step]) -> bool:
    """Whether the steps are a plan, wholly."""
    pairs = zip(planned, steps, strict=False)
    return len(planned) == len(steps) and all(_is_same_step(one, other) for one, other in pairs)


def is_beginning(steps: Sequence[Step], choices: Sequence[Choice]) -> bool:
    """Whether the steps are the first ones of one of the choices; no steps are the beginning of anything."""
    if not steps:
        return True
    return any(
        len(steps) <= len(choice.steps) and is_carried_out(choice.steps[: len(steps)], steps) for choice in choices
    )


def _is_same_step(planned: PlannedStep, step: Step) -> bool:
    if (planned.formula.id, planned.target) != (step.formula.id, step.target):
        return False
    values = {bound.symbol: bound for bound in step.bindings}
    needed = equation_symbols(planned.equation)
    known = {bound.symbol for bound in planned.bindings}
    # A value that the plan lacks makes it another plan, unless it is a constant that the tool brought along.
    constants = {meaning.name for meaning in planned.formula.symbols if meaning.constant is not None}
    if any(
        bound.symbol in needed
        and bound.symbol not in known
        and not (bound.symbol in constants and bound.provenance.origin in ("constant", "document"))
        for bound in step.bindings
    ):
        return False
    for bound in planned.bindings:
        if bound.symbol not in needed or bound.symbol == planned.target:
            continue
        other = values.get(bound.symbol)
        if other is None or other.provenance.step != bound.provenance.step:
            return False
        if bound.quantity is not None and (other.quantity is None or not is_same(bound.quantity, other.quantity)):
            return False
    return True
