"""Tools made from formulas: a schema to show, a call that computes, errors as values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mathrag.compute.dimensions import check_dimensions
from mathrag.errors import UnitError, readable
from mathrag.knowledge.constants import constant as standard_constant
from mathrag.knowledge.constants import constant_quantity
from mathrag.knowledge.units import coherent_unit, unit_readings
from mathrag.language.quantities import find_quantities
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.computing.validity import PERCENT, SymbolFacts, facts_of, usual_unit
from mathrag.types.answer import Bound, PlannedStep, Provenance, Step
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.library import Formula
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit

# What calling a tool gives back: a computed step or an error with a sentence. Both are values.


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A value with everything that led to it."""

    value: Quantity
    step: Step

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the value."""
        return self.step.warnings


@dataclass(frozen=True, slots=True)
class ToolError:
    """Why a tool was not made or gave no value: a code, a sentence, and the parameter it is about (or empty).

    Codes of a call: `disposed`, `type`, `missing`, `unknown`, `not_finite`, `too_long`, `unit`, `value`, and those of a
    step (`division_by_zero`, `domain`, `dimension`, ...). Codes of making one: `not_executable`, `target`.
    """

    code: str
    message: str
    parameter: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", readable(self.message))

    def __str__(self) -> str:
        return self.message


# The parameters of a tool, their JSON schema, and values for them from JSON. What comes in is distrusted.

LONGEST_VALUE = 120
_LARGEST_BITS = 1_000
_VALUE_KINDS = frozenset(("quantity", "number", "count"))


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input: its symbol, what it is, the unit of a bare number, and what is plausible in that unit.

    `dimension` is None where the formula leaves it open; then any unit goes, and a bare number is a plain number.
    """

    name: str
    description: str
    unit: Unit
    dimension: Dimension | None
    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """A value read for a parameter, with the figures it was stated with where it came as text."""

    quantity: Quantity
    text: str
    significant_figures: int | None = None


def parameter_for(facts: SymbolFacts, dimension: Dimension | None) -> Parameter:
    """The parameter of a symbol that is known to have a dimension."""
    kind = facts.kind
    meaning = facts.meaning
    words = _words(meaning.description if meaning is not None else "") or ("" if kind is None else kind.name)
    if dimension is None:
        return Parameter(facts.name, words or facts.name, NO_UNIT, None)
    unit = PERCENT if facts.counts_percent else usual_unit(dimension, facts)
    minimum = maximum = None
    if kind is not None and kind.dimension == dimension and not kind.takes_any_unit:
        minimum, maximum = kind.minimum / unit.scale, kind.maximum / unit.scale
    return Parameter(facts.name, words or facts.name, unit, dimension, minimum, maximum)


def _words(text: str) -> str:
    line = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(line.split())[:200]


def schema_of(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """The JSON schema of a call. Ranges say what is plausible; a value outside is computed with a warning."""
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in parameters},
        "required": [parameter.name for parameter in parameters],
        "additionalProperties": False,
    }


def _property(parameter: Parameter) -> dict[str, Any]:
    unit = parameter.unit.text
    number: dict[str, Any] = {"type": "number"}
    if parameter.minimum is not None:
        number["minimum"] = parameter.minimum
    if parameter.maximum is not None:
        number["maximum"] = parameter.maximum
    stated = f"{parameter.description}; a number is in {unit}" if unit else parameter.description
    return {
        "description": stated,
        "unit": unit,
        "anyOf": [
            number,
            {"type": "string", "maxLength": LONGEST_VALUE, "description": f"a value with its unit, as in '2.5 {unit}'"},
            {
                "type": "object",
                "properties": {
                    "value": {"type": "number"},
                    "unit": {"type": "string", "maxLength": LONGEST_VALUE},
                },
                "required": ["value", "unit"],
                "additionalProperties": False,
            },
        ],
    }


def read_parameter(parameter: Parameter, given: object) -> ParameterValue | ToolError:
    """A value for a parameter: a number, text such as "2 kg", or an object with value and unit."""
    # bool is an int to Python, but nobody means 1 by true.
    if isinstance(given, bool) or given is None:
        return ToolError("type", f"{parameter.name} needs a number or text with a unit", parameter.name)
    if isinstance(given, int | float):
        return _number(parameter, given, parameter.unit)
    if isinstance(given, str):
        return _text(parameter, given)
    if isinstance(given, Mapping):
        return _object(parameter, given)
    return ToolError("type", f"{parameter.name} needs a number or text with a unit", parameter.name)


def _number(parameter: Parameter, value: float, unit: Unit) -> ParameterValue | ToolError:
    if isinstance(value, int):
        if value.bit_length() > _LARGEST_BITS:
            return ToolError("too_long", f"the value of {parameter.name} is too large", parameter.name)
    elif not math.isfinite(value):
        return ToolError("not_finite", f"{parameter.name} is not a finite number", parameter.name)
    return ParameterValue(Quantity(value, unit), f"{value} {unit.text}".strip())


def _object(parameter: Parameter, given: Mapping[Any, Any]) -> ParameterValue | ToolError:
    if set(given) != {"value", "unit"}:
        return ToolError("type", f"{parameter.name} as an object has just 'value' and 'unit'", parameter.name)
    value, text = given["value"], given["unit"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not isinstance(text, str):
        return ToolError("type", f"{parameter.name} needs a number as value and text as unit", parameter.name)
    if len(text) > LONGEST_VALUE:
        return ToolError("too_long", f"the unit of {parameter.name} is too long", parameter.name)
    if not text.strip():
        unit: Unit | ToolError = NO_UNIT if _admits_plain(parameter) else _wrong_unit(parameter, "no unit")
    else:
        try:
            unit = _fitting(parameter, unit_readings(text), text)
        except UnitError as error:
            return ToolError("unit", f"the unit of {parameter.name} cannot be read: {error}", parameter.name)
    return unit if isinstance(unit, ToolError) else _number(parameter, value, unit)


def _text(parameter: Parameter, given: str) -> ParameterValue | ToolError:
    if len(given) > LONGEST_VALUE:
        return ToolError("too_long", f"the value of {parameter.name} is too long to be a quantity", parameter.name)
    stripped = given.strip()
    mentions = find_quantities(stripped)
    if len(mentions) != 1 or (mentions[0].start, mentions[0].end) != (0, len(stripped)):
        return ToolError("value", f"{parameter.name} is {stripped!r}, which is not one quantity", parameter.name)
    mention = mentions[0]
    if mention.kind not in _VALUE_KINDS:
        return ToolError("value", f"{parameter.name} is {stripped!r}, which is not one quantity", parameter.name)
    if not mention.units:
        found = _number(parameter, mention.value, parameter.unit)
        if isinstance(found, ToolError):
            return found
        return ParameterValue(found.quantity, stripped, mention.significant_figures)
    unit = _fitting(parameter, (*mention.units, *mention.rare_units), stripped)
    if isinstance(unit, ToolError):
        return unit
    found = _number(parameter, mention.value, unit)
    if isinstance(found, ToolError):
        return found
    quantity = Quantity(mention.value, unit, mention.uncertainty)
    return ParameterValue(quantity, stripped, mention.significant_figures)


def _fitting(parameter: Parameter, readings: tuple[Unit, ...], text: str) -> Unit | ToolError:
    """The first reading of the dimension that the parameter has."""
    if parameter.dimension is None:
        return readings[0]
    fitting = [unit for unit in readings if unit.dimension == parameter.dimension]
    return fitting[0] if fitting else _wrong_unit(parameter, text)


def _admits_plain(parameter: Parameter) -> bool:
    return parameter.dimension is None or parameter.dimension.is_dimensionless


def _wrong_unit(parameter: Parameter, text: str) -> ToolError:
    wanted = parameter.unit.text or (coherent_unit(parameter.dimension).text if parameter.dimension else "")
    return ToolError(
        "unit", f"{parameter.name} is measured in {wanted or 'plain numbers'}; {text!r} does not fit", parameter.name
    )


# Tools made from formulas at run time: called with JSON, computed by us. No code is made, run or stored.

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
