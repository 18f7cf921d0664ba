"""Tools of an episode: a tool made from a formula, called with values whose origin the gate has checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mathrag.reason.agent.seams import Problem
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.tools import Tool, ToolError, make_tool
from mathrag.types.answer import Bound, PlannedStep, Step
from mathrag.types.expression import Equation
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Unit

_BY_SOURCE = {
    "type": "object",
    "properties": {"source": {"type": "string", "description": "the name of a value, as in given_1 or result_1"}},
    "required": ["source"],
}


@dataclass(frozen=True, slots=True)
class EpisodeTool:
    """A tool that takes bindings instead of JSON, so that figures, uncertainty and origin of each value stay.

    `unit` is the one to show the result in, where one was asked for.
    """

    tool: Tool
    unit: Unit | None = None

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.name

    @property
    def description(self) -> str:
        """What it computes, from which formula."""
        return self.tool.description

    @property
    def formula(self) -> Formula:
        """The formula it was made from."""
        return self.tool.formula

    @property
    def target(self) -> str:
        """The symbol it computes."""
        return self.tool.target

    @property
    def schema(self) -> Mapping[str, Any]:
        """The tool's schema, where a value may also be named by its source; no unit where any will do."""
        schema = self.tool.schema
        for parameter in self.tool.parameters:
            described = schema["properties"][parameter.name]
            described["anyOf"] = [*described["anyOf"], _BY_SOURCE]
            if parameter.dimension is None:
                del described["unit"]
        return schema

    def invoke(self, parameters: Mapping[str, Bound], *, number: int) -> Step | Problem:
        """Compute with values whose origin was checked."""
        if self.tool.is_disposed:
            return Problem("disposed", f"the tool {self.name} belongs to a question that is over")
        meanings = {symbol.name: symbol for symbol in self.formula.symbols}
        bindings = tuple(
            _described(bound, meanings.get(bound.symbol)) for bound in (*parameters.values(), *self.tool.constants)
        )
        planned = PlannedStep(self.formula, self.tool.equation, self.target, bindings)
        step = compute_step(planned, number, results={}, unit=self.unit)
        return Problem(step.code, step.message) if isinstance(step, StepFailure) else step

    def dispose(self) -> None:
        """End the tool with its episode."""
        self.tool.dispose()


def _described(bound: Bound, meaning: SymbolMeaning | None) -> Bound:
    if meaning is None:
        return bound
    letter, description = bound.letter or meaning.letter, bound.description or meaning.description
    return replace(bound, letter=letter, description=description)


def episode_tool(
    formula: Formula,
    target: str,
    *,
    constants: Mapping[str, Bound] | None = None,
    equation: Equation | None = None,
    unit: Unit | None = None,
) -> EpisodeTool | Problem:
    """A tool for a formula, or why there can be none."""
    tool = make_tool(formula, target, constants=constants, equation=equation)
    return Problem(tool.code, tool.message) if isinstance(tool, ToolError) else EpisodeTool(tool, unit)


def planned_tool(step: PlannedStep, *, units: Sequence[Unit], is_last: bool) -> EpisodeTool | Problem:
    """The tool for a planned step: the same reading of its formula and the same constants."""
    constants = {
        bound.symbol: bound
        for bound in step.bindings
        if bound.provenance.origin in ("constant", "document") and bound.quantity is not None
    }
    unit = asked_unit(step.formula, step.target, units=units) if is_last else None
    if unit is None and is_last and units:
        # The last step of a plan must come out in the unit asked for: where none fits, the call says so.
        unit = units[0]
    return episode_tool(step.formula, step.target, constants=constants, equation=step.equation, unit=unit)


def asked_unit(formula: Formula, target: str, *, units: Sequence[Unit]) -> Unit | None:
    """The reading of the unit asked for that the target can have."""
    dimension = next((symbol.dimension for symbol in formula.symbols if symbol.name == target), None)
    return next((unit for unit in units if dimension is not None and unit.dimension == dimension), None)
