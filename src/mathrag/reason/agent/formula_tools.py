"""Tools of an episode: a tool made from a formula, called with values whose origin the gate has checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mathrag.errors import UnitError
from mathrag.knowledge.units import coherent_unit, read_canonical_unit, unit_readings
from mathrag.language.quantities import find_quantities
from mathrag.reason.agent.number_sources import Ledger, is_finite, is_same
from mathrag.reason.agent.seams import BenchTool, Problem, Source
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.tools import Tool, ToolError, make_tool
from mathrag.types.answer import Bound, PlannedStep, Step
from mathrag.types.expression import Equation
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Dimension, Quantity, Unit

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


# The values of a tool call: each must be a quantity that has an origin in this episode. Nothing is computed here.
#
# A value is a number in the unit of the parameter, a text such as `12 kV`, or an object with `value`, `unit` and
# `source` (the name of a source such as `given_1` or `result_1`), where either a value or a source is enough.

_LONGEST_VALUE = 100
_KEYS = ("value", "unit", "source")
_Found = tuple[Source, Quantity]


def bind_parameters(tool: BenchTool, parameters: Mapping[str, Any], *, ledger: Ledger) -> dict[str, Bound] | Problem:
    """A binding for every parameter of the tool, each with its origin; or the first thing that is wrong."""
    properties = tool.schema.get("properties", {})
    required = tool.schema.get("required", tuple(properties))
    unknown = [name for name in parameters if name not in properties]
    if unknown:
        takes = ", ".join(properties) or "no parameters"
        return Problem("unknown_parameter", f"{tool.name} has no parameter {unknown[0][:60]!r}; it takes {takes}")
    missing = [name for name in required if name not in parameters]
    if missing:
        return Problem("missing_parameter", f"{tool.name} also needs {', '.join(missing)}")
    bound: dict[str, Bound] = {}
    for name, raw in parameters.items():
        found = _find(name, raw, unit=_unit_of(properties[name]), ledger=ledger)
        if isinstance(found, Problem):
            return found
        source, quantity = found
        bound[name] = Bound(name, source.provenance, quantity, significant_figures=source.significant_figures)
    return bound


def find_value(name: str, raw: object, *, dimension: Dimension | None, ledger: Ledger) -> _Found | Problem:
    """The source of one value and the reading of it that fits, or why there is none."""
    return _find(name, raw, unit=None if dimension is None else coherent_unit(dimension), ledger=ledger)


def _unit_of(schema: object) -> Unit | None:
    """The unit a parameter is measured in; None where its schema names none that can be read."""
    text = schema.get("unit") if isinstance(schema, Mapping) else None
    if not isinstance(text, str):
        return None
    try:
        return read_canonical_unit(text)
    except UnitError:
        return None


def _find(name: str, raw: object, *, unit: Unit | None, ledger: Ledger) -> _Found | Problem:
    if isinstance(raw, Mapping):
        return _find_described(name, raw, unit=unit, ledger=ledger)
    if isinstance(raw, str):
        return _find_written(name, raw.strip(), unit=unit, ledger=ledger)
    if is_finite(raw):
        assert isinstance(raw, int | float)
        return _find_number(name, raw, unit=unit, ledger=ledger)
    return Problem("wrong_type", f"the value of {name} is a finite number, a text such as '2 kg', or an object")


def _find_described(name: str, raw: Mapping[Any, Any], *, unit: Unit | None, ledger: Ledger) -> _Found | Problem:
    value, unit_text, identifier = raw.get("value"), raw.get("unit"), raw.get("source")
    is_shaped = (
        all(key in _KEYS for key in raw)
        and (value is None or is_finite(value))
        and (unit_text is None or isinstance(unit_text, str))
        and (identifier is None or isinstance(identifier, str))
        and not (value is None and identifier is None)
    )
    if not is_shaped:
        return Problem("wrong_type", f"the value of {name} is an object with value (a number), unit and source (texts)")
    source = None
    if identifier is not None:
        source = ledger.get(identifier)
        if source is None:
            known = ", ".join(each.id for each in ledger) or "none"
            return Problem("unknown_source", f"{name}: there is no source {identifier[:40]!r}; known: {known}")
    if value is None:
        assert source is not None
        return source, _reading(source, unit)
    if unit_text is None:
        return _find_number(name, value, unit=unit, ledger=ledger, only=source)
    try:
        units = _units_called(unit_text)
    except UnitError as error:
        return Problem("unknown_unit", f"{name}: {error}")
    return _find_quantity(name, [Quantity(value, each) for each in units], unit=unit, ledger=ledger, only=source)


def _units_called(text: str) -> tuple[Unit, ...]:
    """Every unit a text can stand for: as people write it, and as we do (`delta_degC`)."""
    try:
        own = (read_canonical_unit(text),)
    except UnitError:
        return unit_readings(text)
    try:
        return tuple(dict.fromkeys((*own, *unit_readings(text))))
    except UnitError:
        return own


def _find_written(name: str, text: str, *, unit: Unit | None, ledger: Ledger) -> _Found | Problem:
    source = ledger.get(text)
    if source is not None:
        return source, _reading(source, unit)
    mentions = find_quantities(text) if 0 < len(text) <= _LONGEST_VALUE else ()
    if len(mentions) != 1 or mentions[0].text != text or mentions[0].kind not in ("quantity", "number", "count"):
        return Problem("wrong_type", f"{name}: {text[:40]!r} is no single quantity such as '2 kg'")
    mention = mentions[0]
    if not mention.units:
        return _find_number(name, mention.value, unit=unit, ledger=ledger)
    units = (*mention.units, *mention.rare_units)
    return _find_quantity(name, [Quantity(mention.value, each) for each in units], unit=unit, ledger=ledger)


def _find_number(
    name: str, value: float, *, unit: Unit | None, ledger: Ledger, only: Source | None = None
) -> _Found | Problem:
    """A bare number is in the unit of the parameter or, where that has no origin, as somebody wrote it."""
    found: list[_Found] = [] if unit is None else list(ledger.matching(Quantity(value, unit)))
    found += ledger.written_as(value, dimension=None if unit is None else unit.dimension)
    return _pick(name, found, unit=unit, only=only) or _no_origin(name, f"{value:g}")


def _find_quantity(
    name: str, quantities: Iterable[Quantity], *, unit: Unit | None, ledger: Ledger, only: Source | None = None
) -> _Found | Problem:
    readings = list(quantities)
    # The reading that the parameter can take comes first: 25 C is a temperature where one is needed.
    readings.sort(key=lambda reading: unit is not None and reading.dimension != unit.dimension)
    found = [pair for reading in readings for pair in ledger.matching(reading)]
    shown = f"{readings[0].value:g} {readings[0].unit.text}".strip()
    return _pick(name, found, unit=unit, only=only) or _no_origin(name, shown)


def _pick(name: str, found: list[_Found], *, unit: Unit | None, only: Source | None) -> _Found | None:
    """Of equal quantities, the one in the dimension needed and, among these, the one that has the parameter's name."""
    usable = [pair for pair in found if only is None or pair[0].id == only.id]
    if not usable:
        return None
    return min(
        usable, key=lambda pair: (unit is not None and pair[1].dimension != unit.dimension, pair[0].symbol != name)
    )


def _reading(source: Source, unit: Unit | None) -> Quantity:
    if unit is not None:
        for reading in source.quantities:
            if reading.dimension == unit.dimension:
                return reading
    return source.quantities[0]


def _no_origin(name: str, shown: str) -> Problem:
    return Problem(
        "number_without_source",
        f"{name} = {shown} has no origin: only values of the question, retrieved constants and results of calls count",
    )


def is_binding_of(bound: Bound, source: Source) -> bool:
    """Whether a planned binding is this source: the same origin and the same quantity."""
    same = bound.quantity is not None and any(is_same(bound.quantity, reading) for reading in source.quantities)
    return same and bound.provenance == source.provenance
