"""A worked example for a standalone function: plain inputs at which our own computation gives a sensible value."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from mathrag.errors import EvaluationError
from mathrag.reason.tools import Tool, ToolError, ToolResult, make_tool
from mathrag.reason.tools.parameters import Parameter
from mathrag.types.answer import Step

_PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0)
_ATTEMPTS = 60


def worked_example(tool: Tool) -> tuple[dict[str, float], Step]:
    """Values for the tool's parameters, in the units of bare numbers, and the step they give, without warnings if
    possible."""
    second_best: tuple[dict[str, float], Step] | None = None
    reason = ""
    for values in (*_attempts(tool.parameters), *_on_the_curve(tool)):
        found = tool.invoke(values)
        if isinstance(found, ToolError):
            reason = reason or found.message
            continue
        if not found.warnings:
            return values, found.step
        second_best = second_best or (values, found.step)
    if second_best is None:
        raise EvaluationError(f"no values were found at which the formula can be tried: {reason}")
    return second_best


def _on_the_curve(tool: Tool) -> Iterator[dict[str, float]]:
    """Values that belong together: the symbol that the formula is written for is computed from the others."""
    written_for = tool.equation.target
    if written_for is None or written_for == tool.target:
        return
    constants = {bound.symbol: bound for bound in tool.constants}
    forward = make_tool(tool.formula, written_for, constants=constants, equation=tool.equation)
    parameter = next((each for each in tool.parameters if each.name == written_for), None)
    if isinstance(forward, ToolError) or parameter is None:
        return
    for values in _attempts(forward.parameters):
        found = forward.invoke(values, unit=None if parameter.dimension is None else parameter.unit)
        if isinstance(found, ToolResult):
            del values[tool.target]
            yield {**values, written_for: float(found.value.value)}


def _attempts(parameters: Sequence[Parameter]) -> Iterator[dict[str, float]]:
    """Small plain numbers first, then numbers of all sizes; always the same ones."""
    names = [parameter.name for parameter in parameters]
    for factor in (1.0, 0.1):
        for primes in (_PRIMES, tuple(reversed(_PRIMES[: max(len(names), 2)]))):
            yield {
                parameter.name: _plausible(parameter, factor * primes[index % len(primes)])
                for index, parameter in enumerate(parameters)
            }
    chance = random.Random("example")  # noqa: S311 - not a secret; the same every time
    for attempt in range(_ATTEMPTS):
        spread = 1.0 + attempt / 15
        yield {
            parameter.name: _plausible(parameter, float(f"{10 ** chance.uniform(-spread, spread):.3g}"))
            for parameter in parameters
        }


def _plausible(parameter: Parameter, value: float) -> float:
    """The value, or one well inside what the parameter's kind admits."""
    low, high = parameter.minimum, parameter.maximum
    if low is None or high is None or low <= value <= high:
        return value
    if low > 0:
        return float(f"{math.sqrt(low) * math.sqrt(high):.3g}")
    return float(f"{high / 2:.3g}")
