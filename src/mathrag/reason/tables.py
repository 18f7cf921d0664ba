"""Questions over several values ("for 2, 4 and 8 m"): the same plan computed for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.reason.choosing.view import View
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.types.answer import Answer, Bound, Choice, PlannedStep, Row
from mathrag.types.question import Given, Question

_MOST_ROWS = 100


def result_rows(choice: Choice, question: Question, answer: Answer, view: View) -> tuple[Row, ...]:
    """One line for each value of the list that the plan uses the first of; none where there is no list."""
    if view.is_list_spread:
        return ()
    groups: dict[int, list[Given]] = {}
    for given in question.givens:
        if given.series is not None:
            groups.setdefault(given.series, []).append(given)
    for members in groups.values():
        symbol = _symbol_of(members[0], choice.steps)
        if len(members) > 1 and symbol is not None:
            return _rows(choice, symbol, members[:_MOST_ROWS], answer)
    return ()


def _symbol_of(given: Given, steps: Sequence[PlannedStep]) -> str | None:
    for step in steps:
        for bound in step.bindings:
            if bound.quantity in given.readings and bound.provenance.text == given.text:
                return bound.symbol
    return None


def _rows(choice: Choice, symbol: str, members: Sequence[Given], answer: Answer) -> tuple[Row, ...]:
    rows = []
    first = members[0].text
    for given in members:
        steps = tuple(_with_value(step, symbol, first, given) for step in choice.steps)
        computed = compute_steps(steps, unit=answer.value.unit)
        if isinstance(computed, StepFailure):
            return ()
        rows.append(Row(((symbol, _with_unit(given)),), computed[-1].result))
    return tuple(rows)


def _with_unit(given: Given) -> str:
    """The value as stated, with its unit where the list states that only once."""
    unit = given.readings[0].unit.text
    return given.text if not unit or not given.text.strip()[-1:].isdigit() else f"{given.text} {unit}"


def _with_value(step: PlannedStep, symbol: str, first: str, given: Given) -> PlannedStep:
    def changed(bound: Bound) -> Bound:
        if bound.symbol != symbol or bound.provenance.text != first or bound.quantity is None:
            return bound
        dimension = bound.quantity.dimension
        quantity = next((each for each in given.readings if each.dimension == dimension), bound.quantity)
        return replace(bound, quantity=quantity, provenance=replace(bound.provenance, text=given.text))

    return replace(step, bindings=tuple(changed(bound) for bound in step.bindings))
