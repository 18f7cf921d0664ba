"""Worked examples: tie values put into a formula to the formula, and try whether it gives the stated result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.printers.pythontext import python_text
from mathrag.errors import MathragError
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.weights import weights
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
from mathrag.types.library import Finding, Instance

Verdict: TypeAlias = Literal["agrees", "disagrees", "untested"]

_CLOSE = weights("instances")["close"]
_REACH = 12


def attach_instances(findings: Sequence[Finding], reads: Sequence[ReadFormula], *, document_id: str) -> list[Finding]:
    """The findings, each with the worked examples that put values into it."""
    result = list(findings)
    by_block: dict[int, list[int]] = {}
    positions = _positions(findings, reads)
    for index, read in enumerate(reads):
        for place in positions[index]:
            by_block.setdefault(read.occurrence.block, []).append(place)
        if read.numeric:
            near = [
                place
                for block in range(read.occurrence.block, read.occurrence.block - _REACH, -1)
                for place in reversed(by_block.get(block, ()))
            ]
            _attach(read, near, result, document_id)
    return result


def _positions(findings: Sequence[Finding], reads: Sequence[ReadFormula]) -> list[list[int]]:
    """For every formula read, the places of its findings: they were made in this order."""
    made = iter(enumerate(findings))
    waiting = next(made, None)
    found: list[list[int]] = []
    for read in reads:
        own: list[int] = []
        for _ in range(max(len(read.equations), 1)):
            math = read.occurrence.math
            if waiting is not None and (waiting[1].source, waiting[1].span.place) == (math.source, math.place):
                own.append(waiting[0])
                waiting = next(made, None)
        found.append(own)
    return found


def _attach(read: ReadFormula, near: Sequence[int], findings: list[Finding], document_id: str) -> None:
    """Try the nearest formulas first; the first that fits takes the example."""
    results = [equation for equation in read.numeric if _is_value(equation.right)]
    for equation in read.numeric:
        if _is_value(equation.right):
            continue
        for place in near:
            formula = findings[place].equation
            if formula is None:
                continue
            values = _matched(formula, equation)
            if values:
                verdict, reason = _verdict(equation, results)
                text = f"{python_text(equation.left)} = {python_text(equation.right)}"
                stated = tuple((name, _value_text(value)) for name, value in sorted(values.items()))
                instance = Instance(text, stated, verdict, read.occurrence.span(document_id), reason)
                findings[place] = replace(findings[place], instances=(*findings[place].instances, instance))
                break


def _is_value(side: Expression) -> bool:
    return isinstance(side, Measure | Number) or (
        isinstance(side, Negate) and isinstance(side.operand, Measure | Number)
    )


def _value_text(value: Expression) -> str:
    if isinstance(value, Measure):
        return f"{python_text(value.number)} {value.unit}"
    return python_text(value)


def _matched(formula: Equation, instance: Equation) -> dict[str, Expression] | None:
    """The values that turn the formula into the instance, if it has its shape; None otherwise."""
    values: dict[str, Expression] = {}
    if (
        isinstance(formula.left, Symbol)
        and isinstance(instance.left, Symbol)
        and formula.left.name != instance.left.name
    ):
        return None
    if not _match(formula.right, instance.right, values):
        return None
    return values if any(isinstance(value, Measure) or _is_value(value) for value in values.values()) else None


def _match(pattern: Expression, value: Expression, values: dict[str, Expression]) -> bool:
    if isinstance(pattern, Symbol):
        if symbols_of(value) and not (isinstance(value, Symbol) and value.name == pattern.name):
            return False
        if pattern.name in values:
            return values[pattern.name] == value
        values[pattern.name] = value
        return True
    if isinstance(pattern, Number):
        return isinstance(value, Number) and pattern.value == value.value
    same_kind = type(pattern) is type(value) and isinstance(pattern, Add | Multiply | Divide | Negate | Power | Call)
    if not same_kind or (isinstance(pattern, Call) and isinstance(value, Call) and pattern.function != value.function):
        return pattern == value
    ours, theirs = children(pattern), children(value)
    return len(ours) == len(theirs) and all(_match(a, b, values) for a, b in zip(ours, theirs, strict=True))


def _verdict(equation: Equation, results: Sequence[Equation]) -> tuple[Verdict, str]:
    """Whether computing the example gives the number that the text states."""
    if not results:
        return "untested", "no result is stated"
    try:
        computed = evaluate_quantity(equation.right, {})
        stated = evaluate_quantity(results[-1].right, {})
    except (MathragError, ArithmeticError, ValueError) as error:
        return "untested", str(error)
    if isinstance(computed, Failure) or isinstance(stated, Failure):
        return "untested", "the example could not be computed"
    if computed.unit.dimension != stated.unit.dimension:
        return "disagrees", f"gives {computed.unit.dimension}, stated {stated.unit.dimension}"
    size = max(abs(computed.si_value), abs(stated.si_value))
    if size and abs(computed.si_value - stated.si_value) > _CLOSE * size:
        return "disagrees", f"gives {computed.si_value:.4g} in SI units, stated {stated.si_value:.4g}"
    return "agrees", ""
