"""Tools made from formulas at run time: called with JSON, computed by us. No code is made, run or stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mathrag.compute.constants import constant as standard_constant
from mathrag.compute.constants import constant_quantity
from mathrag.compute.dimensions import check_dimensions
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.computing.symbol_facts import facts_of, usual_unit
from mathrag.reason.tools.parameters import Parameter, ParameterValue, parameter_for, read_parameter, schema_of
from mathrag.reason.tools.results import ToolError, ToolResult
from mathrag.types.answer import Bound, PlannedStep, Provenance
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.library import Formula
from mathrag.types.quantity import Dimension, Unit

_MOST_PARAMETERS = 40
_LONGEST_NAME = 64


@dataclass(slots=True)
class Tool:
    """A formula solved for one symbol, as something that can be called. Constants are in it and cannot be passed.

    Lives as long as the question it was made for: `dispose` ends it.
    """

    name: str
    description: str
    formula: Formula
    equation: Equation
    target: str
    parameters: tuple[Parameter, ...]
    constants: tuple[Bound, ...] = ()
    is_disposed: bool = field(default=False, init=False)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the parameters."""
        return schema_of(self.parameters)

    def invoke(
        self,
        parameters: object,
        *,
        unit: Unit | None = None,
        provenance: Mapping[str, Provenance] | None = None,
        number: int = 1,
    ) -> ToolResult | ToolError:
        """Compute the target from JSON parameters, in `unit` if one is asked for.

        `provenance` says where a parameter's value comes from; without it, the value as passed stands for itself.
        """
        if self.is_disposed:
            return ToolError("disposed", f"the tool {self.name} belongs to a question that is over; make it anew")
        values = self._values(parameters)
        if isinstance(values, ToolError):
            return values
        origins = provenance or {}
        bindings = [
            Bound(
                name,
                origins.get(name) or Provenance("question", value.text),
                value.quantity,
                description=self._described(name),
                significant_figures=value.significant_figures,
            )
            for name, value in values.items()
        ]
        step = PlannedStep(self.formula, self.equation, self.target, (*bindings, *self.constants))
        found = compute_step(step, number, results={}, unit=unit)
        if isinstance(found, StepFailure):
            return ToolError(found.code, found.message, found.symbol if found.symbol in values else "")
        return ToolResult(found.result, found)

    def dispose(self) -> None:
        """End the tool; further calls are errors."""
        self.is_disposed = True

    def _described(self, name: str) -> str:
        return next((each.description for each in self.parameters if each.name == name), "")

    def _values(self, parameters: object) -> dict[str, ParameterValue] | ToolError:
        if not isinstance(parameters, Mapping):
            return ToolError("type", "the parameters of a tool are an object with a value for each name")
        known = {parameter.name: parameter for parameter in self.parameters}
        unknown = [name for name in parameters if name not in known]
        if unknown:
            return self._unknown(str(unknown[0])[:_LONGEST_NAME])
        missing = [name for name in known if name not in parameters]
        if missing:
            return ToolError("missing", f"no value is given for {', '.join(missing)}", missing[0])
        values: dict[str, ParameterValue] = {}
        for name, parameter in known.items():
            value = read_parameter(parameter, parameters[name])
            if isinstance(value, ToolError):
                return value
            values[name] = value
        return values

    def _unknown(self, name: str) -> ToolError:
        if any(bound.symbol == name for bound in self.constants):
            return ToolError("unknown", f"{name} is a constant of this tool and cannot be passed", name)
        listed = ", ".join(parameter.name for parameter in self.parameters) or "none"
        return ToolError("unknown", f"the tool has no parameter {name!r}; it has {listed}", name)


def make_tool(
    formula: Formula, target: str, *, constants: Mapping[str, Bound] | None = None, equation: Equation | None = None
) -> Tool | ToolError:
    """A tool that solves a formula for a symbol.

    `constants` are the symbols whose values come with the tool; without them, the standard constants that the formula's
    symbols stand for. `equation` is another reading of the formula than its own.
    """
    chosen = equation or formula.equation
    if chosen is None or formula.status != "executable":
        return ToolError("not_executable", f"{formula.label or 'the formula'} cannot be computed: {formula.reason}")
    symbols = equation_symbols(chosen)
    if target not in symbols:
        return ToolError("target", f"{target} does not occur in the formula; it has {', '.join(symbols)}")
    if len(symbols) > _MOST_PARAMETERS:
        return ToolError("not_executable", "the formula has too many symbols to be a tool")
    injected = standard_constants(formula, chosen) if constants is None else dict(constants)
    fixed = tuple(bound for name, bound in injected.items() if name in symbols and name != target)
    fixed_names = {bound.symbol for bound in fixed}
    dimensions = _dimensions(formula, chosen, fixed)
    parameters = tuple(
        parameter_for(facts_of(name, formula=formula, equation=chosen), dimensions.get(name))
        for name in symbols
        if name != target and name not in fixed_names
    )
    description = _description(formula, chosen, target, dimensions.get(target))
    return Tool(_name(formula, target), description, formula, chosen, target, parameters, fixed)


def standard_constants(formula: Formula, equation: Equation) -> dict[str, Bound]:
    """The constants of nature among the symbols of a formula, with their values and vintage."""
    found: dict[str, Bound] = {}
    names = equation_symbols(equation)
    for meaning in formula.symbols:
        if meaning.constant is None or meaning.name not in names or meaning.name == equation.target:
            continue
        try:
            item = standard_constant(meaning.constant)
        except KeyError:
            # A constant of the library: its value is for the caller to pass.
            continue
        provenance = Provenance("constant", item.name, source=item.source)
        found[meaning.name] = Bound(
            meaning.name, provenance, constant_quantity(item), letter=meaning.letter, description=item.name
        )
    return found


def _dimensions(formula: Formula, equation: Equation, constants: tuple[Bound, ...]) -> dict[str, Dimension]:
    """The dimensions of the symbols: what the formula says, completed by what its form implies."""
    known = {each.name: each.dimension for each in formula.symbols if each.dimension is not None}
    known.update({bound.symbol: bound.quantity.dimension for bound in constants if bound.quantity is not None})
    report = check_dimensions(equation, known)
    return known if report.status == "inconsistent" else {**known, **report.dimensions}


def _name(formula: Formula, target: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", formula.label)[:8]
    stem = "_".join(words).lower() or "formula"
    suffix = f"_for_{target}"[: _LONGEST_NAME // 2]
    return f"{stem[: _LONGEST_NAME - len(suffix)]}{suffix}"


def _description(formula: Formula, equation: Equation, target: str, dimension: Dimension | None) -> str:
    facts = facts_of(target, formula=formula, equation=equation)
    meaning = facts.meaning.description if facts.meaning is not None else ""
    unit = "" if dimension is None else usual_unit(dimension, facts).text
    result = f"Gives {target}{f' ({meaning})' if meaning else ''}{f' in {unit}' if unit else ''}."
    source = f"From {formula.latex}" if formula.latex else ""
    parts = [formula.label, formula.description, source, result]
    text = ". ".join(part.strip().rstrip(".") for part in parts[:-1] if part.strip())
    line = " ".join(f"{text}. {result}".split())
    return "".join(character if character.isprintable() else " " for character in line)[:1000]
